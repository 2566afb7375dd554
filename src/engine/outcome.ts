/** What came of a task on a host. A failed task is a value, not an exception. */
import type { Raw, RawVars, Value } from '../base/index.ts'
import type { Status } from '../events/index.ts'
import type { RoleRequest } from '../playbook/index.ts'
import type { Res } from './state.ts'

export interface Outcome {
  readonly status: Status
  readonly result: Res
  /** ignore_errors or ignore_unreachable holds */
  readonly ignored: boolean
  /** a loop's single outcomes, else the outcome itself alone */
  readonly parts: readonly Part[]
  readonly looped: boolean
  readonly noLog: boolean
  readonly runOnce: boolean
  readonly seconds: number
}

/** The outcome of one item, or of a task without a loop. */
export interface Part {
  readonly status: Status
  readonly result: Res
  readonly ignored: boolean
  readonly notify: readonly string[]
  readonly delegatedTo: string | undefined
  readonly delegateFacts: boolean
  /** set_fact and include_vars: variables as they are to be kept, and whether a host's words went in */
  readonly vars?: { readonly values: RawVars; readonly fromHost: boolean; readonly texts?: ReadonlySet<string> | undefined } | undefined
  readonly cacheable?: boolean | undefined
  readonly include?: Include | undefined
  /** the task could not be made ready to run: no further item is tried */
  readonly broken?: boolean | undefined
  /** the arguments as the module was given them */
  readonly args?: ReadonlyMap<string, Value> | undefined
  readonly label: string
  readonly noLog: boolean
  readonly diff: boolean
}

/** A dynamic include that is to be carried out. */
export interface Include {
  readonly target: { readonly kind: 'tasks'; readonly file: string } | { readonly kind: 'role'; readonly request: RoleRequest }
  /** loop item and index, which the included tasks see */
  readonly vars: ReadonlyMap<string, Raw>
  readonly label: string | undefined
}

export const isTrue = (result: Res, key: string): boolean => truthy(result.get(key))

/** Python's truth, for the flags of results. */
export function truthy(value: Value | undefined): boolean {
  if (value === undefined || value === null || value === false || value === 0 || value === '') return false
  if (Array.isArray(value)) return value.length > 0
  if (value instanceof Map) return value.size > 0
  return true
}

/** What failed_when said counts, even where the last try of an `until` was a failure. */
const isFailed = (result: Res): boolean => isTrue(result, result.has('failed_when_result') ? 'failed_when_result' : 'failed')

/** The status that a finished result stands for. */
export function statusOf(result: Res): Status {
  if (isTrue(result, 'unreachable')) return 'unreachable'
  if (isFailed(result)) return 'failed'
  if (isTrue(result, 'skipped')) return 'skipped'
  return isTrue(result, 'changed') ? 'changed' : 'ok'
}
