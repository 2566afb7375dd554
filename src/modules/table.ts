/** The native modules: one line each. */
import type { Params } from '../params/index.ts'
import type { Module } from './api.ts'
import command from './command.ts'
import { expandingPaths } from './expand.ts'
import raw from './raw.ts'
import script from './script.ts'
import shell from './shell.ts'

/** Takes a module of any parameters into the table. */
const plain = <P extends Params>(module: Module<P>): Module => module as unknown as Module

export const MODULES: readonly Module[] = [
  // commands
  plain(command),
  plain(raw),
  plain(script),
  plain(shell),
].map(expandingPaths)
