/** Texts of ssh_config with `%` tokens, `~` and `${NAME}` → what they stand for. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'

/** Who and where we are: nothing of this is read from the process here. */
export interface Around {
  readonly home: string
  readonly localUser: string
  readonly localHost?: string | undefined
  readonly uid?: number | undefined
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
}

export interface Known {
  readonly host: string
  readonly port: number
  readonly user: string
  /** as the user gave it */
  readonly original: string
  readonly alias: string | undefined
  readonly jump: string | undefined
  readonly around: Around
}

export function filling({ host, port, user, original, alias, jump = '', around }: Known): (text: string) => string {
  const local = around.localHost ?? 'localhost'
  const tokens: Readonly<Record<string, string>> = {
    '%': '%', h: host, p: String(port), r: user, n: original, d: around.home, u: around.localUser, k: alias ?? original, i: String(around.uid ?? ''),
    j: jump, l: local, L: local.replace(/\..*$/s, ''), C: createHash('sha1').update(`${local}${host}${port}${user}${jump}`).digest('hex'),
  } // biome-ignore format: a table
  return (text) => text.replace(/%(.)/g, (whole, letter: string) => tokens[letter] ?? whole)
}

/** A reading of file names: with the home folder and the environment's variables, too. */
export const pathsOf =
  (fill: (text: string) => string, around: Around) =>
  (text: string): string =>
    fill(text.startsWith('~/') ? join(around.home, text.slice(2)) : text).replace(
      /\$\{(\w+)\}/g,
      (whole, name: string) => around.env?.[name] ?? whole,
    )
