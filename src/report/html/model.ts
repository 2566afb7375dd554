/** What a run comes to, as the page needs it: plain JSON, each text once, one letter and a few numbers for each task on each host. */

export interface RunReport {
  readonly version: string
  readonly playbooks: readonly string[]
  /** milliseconds since the epoch */
  readonly start: number
  /** of the whole run, in milliseconds */
  readonly took: number
  /** absent: the events end before the run does */
  readonly code?: number | undefined
  readonly interrupted: boolean
  readonly check: boolean
  readonly diff: boolean
  readonly hosts: readonly string[]
  readonly plays: readonly PlayRow[]
  readonly tasks: readonly TaskRow[]
  /** what is told of results; the same words of a thousand hosts are here once */
  readonly notes: readonly Note[]
  /** numbers of the recap by the host's index: ok, changed, unreachable, failed, skipped, rescued, ignored */
  readonly recap: readonly (readonly number[] | null)[]
  readonly messages: readonly Message[]
}

export interface PlayRow {
  readonly name: string
  readonly place?: string | undefined
  readonly strategy: string
  /** indices */
  readonly hosts: readonly number[]
  /** since the start of the run, in milliseconds */
  readonly at: number
}

/** A task and what came of it; the lists belong together, an entry for each host that was told of. */
export interface TaskRow {
  /** index */
  readonly play: number
  readonly name: string
  readonly role?: string | undefined
  readonly action: string
  readonly place?: string | undefined
  readonly isHandler: boolean
  /** since the start of the run, in milliseconds */
  readonly at: number
  readonly hosts: number[]
  /** a letter for each: see LETTERS */
  letters: string
  /** when it began, since the task's `at` */
  readonly from: number[]
  readonly took: number[]
  /** index of the note, -1 where there is none */
  readonly notes: number[]
}

/** What people want to read of a result. */
export interface Note {
  readonly message?: string | undefined
  /** the rest of the result, as JSON */
  readonly result?: string | undefined
  readonly diff?: string | undefined
  /** lines of the playbook around the place that the failure names */
  readonly frame?: string | undefined
  readonly place?: string | undefined
  readonly delegatedTo?: string | undefined
  readonly items?: readonly ItemNote[] | undefined
}

export interface ItemNote extends Note {
  readonly label: string
  readonly letter: Letter
}

export interface Message {
  readonly kind: 'warning' | 'deprecation' | 'error'
  readonly text: string
  readonly count: number
}

/** A status as one letter; `i` is a failure that was ignored. */
export const LETTERS = { ok: 'o', changed: 'c', failed: 'f', ignored: 'i', skipped: 's', unreachable: 'u' } as const

export type Letter = (typeof LETTERS)[keyof typeof LETTERS]
