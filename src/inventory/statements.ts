/** What inventory sources say, one after the other, before it is put into the store; a source that fails half-way changes nothing, but an INI file all that stands before. */
import type { Problem, Raw } from '../base/index.ts'

export type Statement =
  | { readonly do: 'group'; readonly name: string }
  | { readonly do: 'host'; readonly name: string; readonly group?: string | undefined; readonly port?: number | undefined }
  | { readonly do: 'child'; readonly group: string; readonly child: string }
  | { readonly do: 'groupVar'; readonly group: string; readonly key: string; readonly value: Raw }
  | { readonly do: 'hostVar'; readonly host: string; readonly key: string; readonly value: Raw }

/** A way to read a source. */
export interface Reading {
  readonly statements: readonly Statement[]
  readonly warnings?: readonly string[]
  /** what ended the reading: the statements before it hold all the same */
  readonly problem?: Problem | undefined
}
