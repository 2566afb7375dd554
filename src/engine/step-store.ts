/** What the engine asks of a journal: what was done before, and that it keeps what is done now. */
import type { JsonObject } from '../base/index.ts'

/** What a journal does for the engine. A step is a text that is equal for the same task of the same play; a host may do it several times. */
export interface StepStore {
  take(host: string, step: string): { readonly record: JsonObject; readonly items: ReadonlyMap<number, JsonObject> } | undefined
  begun(host: string, step: string): { readonly items: ReadonlyMap<number, JsonObject>; readonly changes: ReadonlySet<number> }
  /** a step is done anew, and what the host did after it no longer holds */
  drop(host: string, taken?: { readonly record: JsonObject }): void
  done(host: string, step: string, record: JsonObject): void
  item(host: string, step: string, index: number, record: JsonObject): void
  /** returns once it is kept that a change is about to be made */
  change(host: string, step: string, index: number): void
}

export interface Replay {
  readonly steps: StepStore
  /** nothing is told of what is done meanwhile */
  readonly quietly: <T>(work: () => T) => T
  /** the hosts of a play in the order in which they were taken before */
  readonly order: (play: string, hosts: readonly string[]) => readonly string[]
}

/** A step on a host while its changes are made; items are counted from 0. */
export interface Changing {
  /** called before a change is made */
  changes(index: number): void
  /** Had a change begun when the run was cut off? What is found as wanted now counts as changed then. */
  wasChanging(index: number): boolean
}
