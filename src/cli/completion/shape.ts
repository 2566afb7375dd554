/** The commands and their tables of options → what completion and the manual tell of them. */
import { moduleNames } from '../../modules/index.ts'
import { REPORTERS } from '../../report/index.ts'
import type { Commands } from '../command.ts'
import type { OptionRow, OptionTable, Usage } from '../options.ts'

export interface OptionShape {
  readonly names: readonly string[]
  readonly about: string
  /** what its value is called; undefined: it takes none */
  readonly value: string | undefined
  /** a value may be left out */
  readonly isOptional: boolean
  readonly completes: Completes
}

/** What is offered for a value: words, files, or nothing. */
export type Completes = { readonly kind: 'words'; readonly words: readonly string[] } | { readonly kind: 'files' | 'nothing' }

export interface CommandShape {
  readonly name: string
  readonly summary: string
  readonly usage: Usage<OptionTable>
  readonly options: readonly OptionShape[]
  /** what is offered for its arguments */
  readonly completes: Completes
}

export async function commandShapes(commands: Commands): Promise<CommandShape[]> {
  return Promise.all(
    Object.entries(commands).map(async ([name, { load, summary }]) => {
      const { usage } = await load()
      const options = [...Object.entries(usage.options).map(([key, row]) => optionShape(name, key, row)), HELP, VERSION]
      return { name, summary, usage, options, completes: argumentsOf(name, usage.args) }
    }),
  )
}

const HELP: OptionShape = {
  ...{ names: ['-h', '--help'], about: 'show this help', value: undefined, isOptional: false, completes: { kind: 'nothing' } },
}
const VERSION: OptionShape = { ...HELP, names: ['--version'], about: 'show the version' }

function optionShape(command: string, key: string, { kind, names, about, value = 'value' }: OptionRow): OptionShape {
  const takes = kind !== 'flag' && kind !== 'count'
  const words = WORDS[`${command} ${key}`] ?? WORDS[key]
  return {
    names: names[0]!.split(', '),
    about,
    value: takes ? value : undefined,
    isOptional: kind === 'optional',
    completes: words ? { kind: 'words', words: words() } : { kind: FILES.test(value) ? 'files' : 'nothing' },
  }
}

/** Values that are files or folders go by these names. */
const FILES = /file|folder|source|id@source/

/** Options whose values are known. */
const WORDS: Readonly<Record<string, () => readonly string[]>> = {
  'playbook output': () => Object.keys(REPORTERS),
  'exec output': () => Object.keys(REPORTERS),
  'lint output': () => ['default', 'github'],
  connection: () => ['ssh', 'openssh', 'local'],
  becomeMethod: () => ['sudo', 'su', 'doas'],
  module: () => [...moduleNames()].sort(),
}

const ARGUMENTS: Readonly<Record<string, () => readonly string[]>> = {
  doc: () => [...moduleNames()].sort(),
  vault: () => ['create', 'view', 'edit', 'encrypt', 'decrypt', 'rekey', 'encrypt_string'],
  config: () => ['dump', 'list', 'view'],
  completion: () => ['bash', 'zsh', 'fish'],
}

function argumentsOf(command: string, args: string): Completes {
  const words = ARGUMENTS[command]
  return words ? { kind: 'words', words: words() } : { kind: args.includes('playbooks') ? 'files' : 'nothing' }
}
