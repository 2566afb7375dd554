/** Everything that can happen in a run, as plain JSON: the live view, the text output, the JSON output, the journal and the report all read these. */
import type { Json, JsonObject } from '../base/index.ts'

export type Status = 'ok' | 'changed' | 'failed' | 'skipped' | 'unreachable'

interface Common {
  /** milliseconds since the epoch */
  readonly at: number
}

export interface TaskRef {
  /** unique in the run */
  readonly id: string
  /** rendered as far as it goes, with the role in front: `etcd : Start etcd` */
  readonly name: string
  readonly action: string
  readonly role?: string | undefined
  /** file:line:column */
  readonly place?: string | undefined
  readonly isHandler: boolean
  /** it only looks, as far as that can be told before it runs */
  readonly check?: boolean | undefined
  readonly tags?: readonly string[] | undefined
  /** the arguments, for -vv and the report; absent under no_log */
  readonly args?: string | undefined
}

export type Event =
  | (Common & {
      readonly kind: 'run-start'
      readonly playbooks: readonly string[]
      readonly check: boolean
      readonly diff: boolean
      readonly version: string
    })
  | (Common & { readonly kind: 'playbook-start'; readonly path: string })
  | (Common & {
      readonly kind: 'play-start'
      readonly id: string
      readonly name: string
      readonly hosts: readonly string[]
      readonly check: boolean
      readonly strategy: string
      /** file:line:column */
      readonly place?: string | undefined
    })
  | (Common & { readonly kind: 'no-hosts'; readonly reason: 'matched' | 'remaining' })
  | (Common & { readonly kind: 'task-start'; readonly task: TaskRef })
  | (Common & { readonly kind: 'host-start'; readonly task: string; readonly host: string })
  /** one item of a loop; drawn at once */
  | (Common & {
      readonly kind: 'item'
      readonly task: TaskRef
      readonly host: string
      readonly status: Status
      readonly label: string
      readonly result: Result
      readonly ignored: boolean
      readonly delegatedTo?: string | undefined
    })
  | (Common & {
      readonly kind: 'retry'
      readonly task: TaskRef
      readonly host: string
      readonly left: number
      readonly result: Result
      readonly label?: string | undefined
    })
  | (Common & {
      readonly kind: 'async-poll'
      readonly task: TaskRef
      readonly host: string
      readonly jobId: string
      readonly started: boolean
      readonly finished: boolean
    })
  | (Common & {
      readonly kind: 'async-end'
      readonly task: TaskRef
      readonly host: string
      readonly jobId: string
      readonly failed: boolean
    })
  | (Common & {
      readonly kind: 'result'
      readonly task: TaskRef
      readonly host: string
      readonly status: Status
      readonly result: Result
      readonly ignored: boolean
      readonly looped: boolean
      readonly delegatedTo?: string | undefined
      readonly seconds: number
    })
  | (Common & {
      readonly kind: 'included'
      readonly task: TaskRef
      readonly file: string
      readonly hosts: readonly string[]
      readonly label?: string | undefined
      /** its arguments and variables in Python's words, where somebody wants to be told */
      readonly asked?: string | undefined
      /** not for people: a role, with the output of releases before 2.17 */
      readonly quiet?: true | undefined
    })
  /** a host asks for an include; what it brings is told by `included` */
  | (Common & {
      readonly kind: 'include-result'
      readonly task: TaskRef
      readonly host: string
      readonly status: Status
      readonly result: Result
      readonly looped: boolean
    })
  | (Common & { readonly kind: 'notified'; readonly handler: string; readonly host: string })
  | (Common & {
      readonly kind: 'host-output'
      readonly task: string
      readonly host: string
      readonly stream: 'stdout' | 'stderr'
      readonly text: string
    })
  | (Common & {
      readonly kind: 'warning' | 'deprecation' | 'verbose' | 'error'
      readonly text: string
      readonly level?: number | undefined
    })
  /** a text of the run itself, shown as it is; as a banner, shown like a heading */
  | (Common & { readonly kind: 'say' | 'banner'; readonly text: string })
  | (Common & { readonly kind: 'stats'; readonly hosts: { readonly [host: string]: HostStats }; readonly custom: JsonObject })
  | (Common & { readonly kind: 'run-end'; readonly code: number; readonly interrupted: boolean })

/** A module's result as Ansible spells it: changed, failed, msg, rc, stdout, results, diff, … */
export type Result = { readonly [key: string]: Json | undefined }

export interface HostStats {
  readonly ok: number
  readonly changed: number
  readonly unreachable: number
  readonly failures: number
  readonly skipped: number
  readonly rescued: number
  readonly ignored: number
}

/** An event without its time, as it is sent. */
export type Happening = Event extends infer E ? (E extends Event ? Omit<E, 'at'> : never) : never
