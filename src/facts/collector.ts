/** What a collector is: a piece of script that looks, and a pure parser of what it printed. */
import type { Json } from '../base/index.ts'
import type { Script } from '../remote/index.ts'
import type { Look } from './look.ts'

export type Facts = Record<string, Json>

export interface FactOptions {
  /** the folder of local facts */
  readonly factPath: string
  /** seconds that a look at one mounted file system may take */
  readonly timeoutSeconds: number
  /** the Python that is told of, where one is named for the host */
  readonly python?: string | undefined
}

export interface Collector {
  /** the subset's name in gather_subset */
  readonly name: string
  /** further names it answers to in gather_subset */
  readonly ids: readonly string[]
  /** collectors whose facts its parser reads, by name */
  readonly requires: readonly string[]
  /** gathered even with `!all` */
  readonly minimal: boolean
  readonly script: (options: FactOptions) => Script
  /** facts without their prefix; `known` holds the facts of the collectors before it */
  readonly parse: (look: Look, known: Facts) => Facts
  /** what went wrong on the host and is worth a warning */
  readonly warnings?: (look: Look) => readonly string[]
}
