/** What a run shares among its plays, and what a play shares among its hosts. */
import type { JsonObject, Raw, RawVars, Value } from '../base/index.ts'
import type { Pool, Spill } from '../connect/index.ts'
import type { Bus, HostStats, Secrets } from '../events/index.ts'
import type { Inventory } from '../inventory/index.ts'
import type { Controller, Module } from '../modules/index.ts'
import type { Block, LoadContext, Play, Role, TagFilter } from '../playbook/index.ts'
import type { Templar } from '../template/index.ts'
import type { PlayView, Variables } from '../vars/index.ts'
import type { ConnectionDefaults } from './connection.ts'
import type { Gate } from './gate.ts'
import type { Replay } from './step-store.ts'
import type { HostWalk } from './walk.ts'

/** Asks a person something; throws a Problem of kind 'usage' where there is nobody to ask. */
export type Prompt = (text: string, options: { readonly echo: boolean }) => Promise<string>

export interface RunSettings {
  readonly check: boolean
  readonly diff: boolean
  readonly verbosity: number
  readonly forks: number
  readonly forceHandlers: boolean
  readonly step: boolean
  readonly startAtTask: string | undefined
  readonly tags: TagFilter
  readonly limit: string | readonly string[] | undefined
  readonly gathering: 'implicit' | 'explicit' | 'smart'
  readonly gatherSubset: readonly string[]
  readonly gatherTimeout: number
  readonly factPath: string | undefined
  readonly strategy: string
  readonly maxFailPercentage: number | undefined
  readonly anyErrorsFatal: boolean
  readonly errorOnMissingHandler: boolean
  readonly taskTimeout: number
  /** what `no_log` is where nobody says */
  readonly noLog?: boolean | undefined
  /** seconds between two looks at an async task */
  readonly pollInterval?: number | undefined
  readonly ignoreUnreachable: boolean
  readonly connection: ConnectionDefaults
  readonly compatVersion: string
  /** bytes of a file beyond which no difference is told */
  readonly maxDiff?: number | undefined
  /** becoming who one is already is done all the same */
  readonly becomeSameUser?: boolean | undefined
  /** warnings of modules are not told */
  readonly hideModuleWarnings?: boolean | undefined
  /** titles and reports show the arguments of tasks */
  readonly tellArguments?: boolean | undefined
  /** failed tasks open the debugger */
  readonly debugger?: boolean | undefined
  /** the debugger stays closed for errors that are ignored; so it does where nobody says */
  readonly debuggerIgnoresErrors?: boolean | undefined
}

/** Everything a run needs, put together by the command line or by a program. */
export interface Run {
  readonly settings: RunSettings
  readonly inventory: Inventory
  readonly variables: Variables
  readonly templar: Templar
  readonly bus: Bus
  readonly secrets: Secrets
  readonly pool: Pool
  readonly load: LoadContext
  readonly module: (resolved: string) => Module | undefined
  /** a module of the user's own by its file */
  readonly custom: (name: string, file: string) => Module
  readonly prompt: Prompt
  readonly interactive: boolean
  /** a line typed after a prompt on standard output, from a terminal or not; undefined at the end of input */
  readonly readLine: (prompt: string) => Promise<string | undefined>
  /** waits for keys at the terminal */
  readonly keys: Controller['keys']
  /** holds results back while a person is being asked */
  readonly gate: Gate
  /** where long texts of results wait */
  readonly spill: Spill
  readonly readText: (path: string) => string
  readonly readVars: (path: string) => RawVars
  /** aborted by Ctrl-C */
  readonly signal: AbortSignal
  /** keeps the hosts that failed in a playbook; the file's path, where one was written */
  readonly keepFailed?: ((playbook: string, hosts: readonly string[]) => string | undefined) | undefined
  /** what was done before the run was gone on with; absent where no journal is kept */
  readonly replay?: Replay | undefined
  readonly stats: Stats
  /** hosts that failed in a play and were not rescued; carried from play to play */
  readonly failed: Set<string>
  readonly unreachable: Set<string>
  /** those of all batches so far: they stay out of later plays, whatever clear_host_errors did in theirs */
  readonly everUnreachable: Set<string>
  /** --start-at-task was found */
  startDone: boolean
  /** what the last batch ended with: 0, 2 failed, 4 unreachable */
  code: number
  /** --step: go on without asking */
  stepping: boolean
}

/** The recap's numbers. */
export class Stats {
  readonly #hosts = new Map<string, { -readonly [K in keyof HostStats]: number }>()
  readonly #custom = new Map<string, Map<string, Value>>()

  count(host: string, what: keyof HostStats): void {
    let stats = this.#hosts.get(host)
    if (!stats) {
      stats = { ok: 0, changed: 0, unreachable: 0, failures: 0, skipped: 0, rescued: 0, ignored: 0 }
      this.#hosts.set(host, stats)
    }
    stats[what]++
  }

  uncount(host: string, what: keyof HostStats): void {
    const stats = this.#hosts.get(host)
    if (stats && stats[what] > 0) stats[what]--
  }

  hosts(): { readonly [host: string]: HostStats } {
    return Object.fromEntries([...this.#hosts].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  /** set_stats; host undefined: for the whole run. */
  custom(host: string | undefined, data: ReadonlyMap<string, Value>, aggregate: boolean, add: (a: Value, b: Value) => Value): void {
    const key = host ?? '_run'
    const mine = this.#custom.get(key) ?? new Map<string, Value>()
    for (const [name, value] of data) {
      const old = mine.get(name)
      mine.set(name, aggregate && old !== undefined ? add(old, value) : value)
    }
    this.#custom.set(key, mine)
  }

  customs(toJson: (value: Value) => JsonObject[string]): JsonObject {
    return Object.fromEntries(
      [...this.#custom].map(([host, data]) => [host, Object.fromEntries([...data].map(([k, v]) => [k, toJson(v)]))]),
    )
  }
}

/** One batch of one play while it runs. */
export interface PlayRun {
  readonly run: Run
  readonly play: Play
  readonly view: PlayView
  readonly batch: readonly string[]
  readonly removed: Set<string>
  readonly walks: Map<string, HostWalk>
  /** roles of include_role with public: their defaults and vars are seen from then on */
  readonly publicRoles: Role[]
  /** names of all roles that were included */
  readonly roleNames: string[]
  /** grows with included roles; definition order */
  handlers: Block[]
  /** handler task id → hosts that notified it */
  readonly notified: Map<number, Set<string>>
  /** rendered names of handlers, by task id */
  readonly handlerNames: Map<number, string | undefined>
  /** role → hosts that ran something of it / that completed it */
  readonly roleRan: Map<object, Set<string>>
  readonly roleDone: Map<object, Set<string>>
  readonly forceHandlers: boolean
  readonly maxFailPercentage: number | undefined
  endPlay: boolean
  /** the strategy's short name */
  readonly strategy: string
  /** failed tasks open the debugger */
  readonly debugging: boolean
}

export type Res = Map<string, Value>

export type { Raw }
