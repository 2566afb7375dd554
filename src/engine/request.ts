/** What one execution of a task is asked for, and the situation in which it happens. */
import type { Value } from '../base/index.ts'
import type { TaskRef } from '../events/index.ts'
import type { Task } from '../playbook/index.ts'
import type { LayeredScope } from '../vars/index.ts'
import type { PlayRun } from './state.ts'
import type { Changing } from './step-store.ts'

export interface AttemptRequest {
  readonly pr: PlayRun
  readonly task: Task
  readonly host: string
  readonly ref: TaskRef
  /** with the loop's item in it */
  readonly scope: LayeredScope
  /** item and carried facts, for the delegated host's scope */
  readonly local: ReadonlyMap<string, Value>
  /** the loop's list could not be rendered: an error unless the task is skipped */
  readonly loopError: unknown
  readonly label: string | undefined
  /** where it is kept what is done, and which item this is */
  readonly step?: Changing | undefined
  readonly index?: number | undefined
}

/** A request once it is known where it runs. */
export interface Situation extends AttemptRequest {
  /** the names without what is only told of the connection: they decide how a host is reached */
  readonly bare: LayeredScope
  /** the host the task is delegated to */
  readonly delegate: string | undefined
}
