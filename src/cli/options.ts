/** Options as data → a commander program; argv → a plain record. Long options may be cut short where they stay unambiguous, as argparse has it. */
import { Command, CommanderError } from 'commander'
import type { Terminal } from './terminal.ts'
import { Exit } from './trouble.ts'
import { VERSION } from './version.ts'

/** How often an option may be given and what it holds. */
export type OptionKind = 'flag' | 'count' | 'text' | 'texts' | 'number' | 'positive' | 'optional'

export interface OptionRow {
  readonly kind: OptionKind
  /** commander's notation without the value: `-i, --inventory`; further long names follow */
  readonly names: readonly string[]
  readonly about: string
  /** what the value is called in the help */
  readonly value?: string
}

export type OptionTable = { readonly [name: string]: OptionRow }

type Held<K extends OptionKind> = K extends 'flag'
  ? boolean
  : K extends 'count'
    ? number
    : K extends 'texts'
      ? readonly string[]
      : K extends 'number' | 'positive'
        ? number | undefined
        : string | undefined

export type Parsed<T extends OptionTable> = { readonly [N in keyof T]: Held<T[N]['kind']> }

export interface Usage<T extends OptionTable> {
  readonly name: string
  readonly about: string
  readonly args: string
  readonly options: T
  readonly footer?: string
}

/** Reads argv; prints help or what is wrong, and exits through Exit. */
export function parseArgs<T extends OptionTable>(
  usage: Usage<T>,
  argv: readonly string[],
  terminal: Terminal,
): { readonly args: readonly string[]; readonly options: Parsed<T> } {
  const values = new Map<string, unknown>()
  const program = new Command(usage.name)
    .description(usage.about)
    .version(`tsspray ${VERSION}`, '--version', 'show the version')
    .helpOption('-h, --help', 'show this help')
    .argument(usage.args)
    .exitOverride()
    .configureOutput({
      writeOut: terminal.out,
      writeErr: terminal.err,
      outputError: (text, write) => write(text.replace(/^error: /, `${usage.name}: error: `)),
    })
  if (usage.footer) program.addHelpText('after', usage.footer)
  for (const [name, row] of Object.entries(usage.options)) addOption(program, name, row, values)
  let args: readonly string[] = []
  try {
    program.parse(expandLong(argv, longNames(usage.options)), { from: 'user' })
    args = program.args
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    throw new Exit(error.exitCode === 0 ? 0 : 2)
  }
  const options = Object.fromEntries(Object.entries(usage.options).map(([name, { kind }]) => [name, values.get(name) ?? EMPTY[kind]]))
  return { args, options: options as Parsed<T> }
}

const EMPTY: Readonly<Record<OptionKind, unknown>> = {
  flag: false,
  count: 0,
  text: undefined,
  texts: [],
  number: undefined,
  positive: undefined,
  optional: undefined,
}

/** The record of a table when nothing was given. */
export function noOptions<T extends OptionTable>(table: T): Parsed<T> {
  return Object.fromEntries(Object.entries(table).map(([name, { kind }]) => [name, EMPTY[kind]])) as Parsed<T>
}

/** Each spelling is an option of its own; all write to one value. */
function addOption(program: Command, name: string, { kind, names, about, value = 'value' }: OptionRow, values: Map<string, unknown>): void {
  const takesValue = kind !== 'flag' && kind !== 'count'
  names.forEach((flags, index) => {
    const option = program.createOption(
      kind === 'optional' ? `${flags} [${value}]` : takesValue ? `${flags} <${value}>` : flags,
      index === 0 ? about : `same as ${names[0]?.split(', ').at(-1)}`,
    )
    if (index > 0) option.hideHelp()
    program.addOption(option)
    program.on(`option:${option.name()}`, (text: string) => {
      values.set(name, KINDS[kind](values.get(name), text, program, option.flags))
    })
  })
}

const KINDS: Readonly<Record<OptionKind, (before: unknown, text: string, program: Command, flags: string) => unknown>> = {
  flag: () => true,
  count: (before) => Number(before ?? 0) + 1,
  text: (_before, text) => text,
  // empty where nothing follows it
  optional: (_before, text) => text ?? '',
  texts: (before, text) => [...((before as string[] | undefined) ?? []), text],
  number: (_before, text, program, flags) => {
    if (/^-?\d+$/.test(text)) return Number(text)
    return program.error(`error: option '${flags}' needs a whole number, not '${text}'`)
  },
  positive: (_before, text, program, flags) => {
    if (/^\d+$/.test(text) && Number(text) >= 1) return Number(text)
    return program.error(`error: option '${flags}' needs a whole number from 1 on, not '${text}'`)
  },
}

function longNames(options: OptionTable): string[] {
  return [
    ...Object.values(options).flatMap(({ names }) => names.flatMap((flags) => flags.split(', ').filter((flag) => flag.startsWith('--')))),
    '--help',
    '--version',
  ]
}

/** `--vault-pass` for `--vault-password-file` where only one option begins so. */
export function expandLong(argv: readonly string[], known: readonly string[]): string[] {
  const end = argv.indexOf('--')
  return argv.map((arg, index) => {
    if (!arg.startsWith('--') || arg === '--' || (end !== -1 && index > end)) return arg
    const equals = arg.indexOf('=')
    const written = equals === -1 ? arg : arg.slice(0, equals)
    if (known.includes(written)) return arg
    const meant = known.filter((name) => name.startsWith(written))
    return meant.length === 1 ? meant[0] + arg.slice(written.length) : arg
  })
}
