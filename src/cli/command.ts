/** What a command is: a module that runs, loaded when it is asked for. */
import type { OptionTable, Usage } from './options.ts'
import type { Terminal } from './terminal.ts'

/** What a command's module exports. */
export interface Command {
  /** `commands`: all there are, for those that tell of them */
  readonly run: (argv: readonly string[], terminal: Terminal, commands: Commands) => Promise<number>
  /** what its help, completion and manual are made of */
  readonly usage: Usage<OptionTable>
}

export type Load = () => Promise<Command>

export type Commands = { readonly [name: string]: { readonly load: Load; readonly summary: string } }
