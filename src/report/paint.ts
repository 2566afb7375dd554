/** Colours by the part they play, as Ansible's default settings have them; nothing where colour is off. */
import { Chalk } from 'chalk'

export type Role =
  | 'ok'
  | 'changed'
  | 'skipped'
  | 'unreachable'
  | 'error'
  | 'warning'
  | 'deprecation'
  | 'debug'
  | 'verbose'
  | 'highlight'
  | 'added'
  | 'removed'
  | 'lines'
  | 'plain'

export type Paint = (role: Role, text: string) => string

export function painter(colour: boolean): Paint {
  if (!colour) return (_role, text) => text
  const chalk = new Chalk({ level: 1 })
  const brushes: Readonly<Record<Role, (text: string) => string>> = {
    ok: chalk.green,
    changed: chalk.yellow,
    skipped: chalk.cyan,
    unreachable: chalk.redBright,
    error: chalk.red,
    warning: chalk.magentaBright,
    deprecation: chalk.magenta,
    debug: chalk.gray,
    verbose: chalk.blue,
    highlight: chalk.white,
    added: chalk.green,
    removed: chalk.red,
    lines: chalk.cyan,
    plain: (text) => text,
  }
  // each line by itself, so that a pager or a log that shows one line shows its colour
  return (role, text) =>
    text
      .split('\n')
      .map((line) => (line === '' ? line : brushes[role](line)))
      .join('\n')
}
