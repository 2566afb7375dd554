/** Colours by the part they play: Ansible's colour names as escape codes, as its default settings or the user's have them; nothing where colour is off. */

export type Role =
  | 'ok'
  | 'changed'
  | 'skipped'
  | 'included'
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

/** The colour of each role by its name. */
export type Colours = Readonly<Partial<Record<Role, string>>>

const DEFAULTS: Readonly<Record<Role, string>> = {
  ok: 'green',
  changed: 'yellow',
  skipped: 'cyan',
  included: 'cyan',
  unreachable: 'bright red',
  error: 'red',
  warning: 'bright purple',
  deprecation: 'purple',
  debug: 'dark gray',
  verbose: 'blue',
  highlight: 'white',
  added: 'green',
  removed: 'red',
  lines: 'cyan',
  plain: '',
}

const CODES: Readonly<Record<string, string>> = {
  black: '0;30',
  red: '0;31',
  green: '0;32',
  yellow: '0;33',
  blue: '0;34',
  purple: '0;35',
  magenta: '0;35',
  cyan: '0;36',
  'bright gray': '0;37',
  'dark gray': '1;30',
  'bright red': '1;31',
  'bright green': '1;32',
  'bright yellow': '1;33',
  'bright blue': '1;34',
  'bright purple': '1;35',
  'bright magenta': '1;35',
  'bright cyan': '1;36',
  white: '1;37',
  normal: '0',
}

/** `red`, `color208`, `rgb120` (each 0 to 5) or `gray12` (0 to 23) → the code; undefined for what is no colour. */
export function colourCode(name: string): string | undefined {
  if (Object.hasOwn(CODES, name)) return CODES[name]
  const [, number, red, green, blue, grey] = /^(?:color(\d+)|rgb([0-5])([0-5])([0-5])|gray(\d+))$/.exec(name) ?? []
  if (number !== undefined) return `38;5;${Number(number)}`
  if (red !== undefined) return `38;5;${16 + 36 * Number(red) + 6 * Number(green) + Number(blue)}`
  return grey === undefined ? undefined : `38;5;${232 + Number(grey)}`
}

export function painter(colour: boolean, colours: Colours = {}): Paint {
  if (!colour) return (_role, text) => text
  // each line by itself, so that a pager or a log that shows one line shows its colour
  return (role, text) => {
    const code = colourCode(colours[role] ?? DEFAULTS[role])
    return code === undefined
      ? text
      : text
          .split('\n')
          .map((line) => `\u001b[${code}m${line}\u001b[0m`)
          .join('\n')
  }
}
