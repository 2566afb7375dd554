/** `--output json`: one document at the end, in the shape of Ansible's json callback; and jsonl: the same, piece by piece as it happens. */
import { BigNumber, Float, type Json } from '../base/index.ts'
import type { Event, Result, TaskRef } from '../events/index.ts'
import { isDebug } from './dump.ts'
import { asciiJson } from './python-json.ts'
import type { Reporter, ReportOptions } from './reporter.ts'
import { taskKey } from './task-key.ts'
import { wrap } from './wrap.ts'

interface Duration {
  start: string
  end?: string
}

interface JsonTask {
  readonly task: { readonly id: string; readonly name: string; readonly path: string; readonly duration: Duration }
  readonly hosts: Record<string, Json>
}

interface JsonPlay {
  readonly play: { readonly id: string; readonly name: string; readonly path: string; readonly duration: Duration }
  readonly tasks: JsonTask[]
}

type Outcome = Extract<Event, { kind: 'result' | 'include-result' }>
type Stats = Extract<Event, { kind: 'stats' }>

/** Strategies whose hosts do a task together: there it is told once, elsewhere once for each host. */
const TOGETHER = new Set(['linear', 'debug'])

/** What json and jsonl have in common: which play and task an event belongs to. */
abstract class Structured implements Reporter {
  protected readonly options: ReportOptions
  readonly #tasks = new Map<string, JsonTask>()
  readonly #refs = new Map<string, TaskRef>()
  readonly #said = new Set<string>()
  #play: JsonPlay | undefined
  #last: JsonTask | undefined
  #isTogether = true

  constructor(options: ReportOptions) {
    this.options = options
  }

  on(event: Event): void {
    const at = time(event.at)
    if (event.kind === 'play-start') this.#startPlay(event, at)
    else if (event.kind === 'task-start') this.#startTask(event.task, at)
    else if (event.kind === 'host-start') this.#startHost(event.task, event.host, at)
    else if (event.kind === 'result' || event.kind === 'include-result') this.#result(event, at)
    else if (event.kind === 'stats') this.stats(event, at)
    else if (event.kind === 'warning') this.#aside(`[WARNING]: ${event.text}`)
    else if (event.kind === 'deprecation' && this.options.deprecationWarnings) this.#aside(`[DEPRECATION WARNING]: ${event.text}`)
    else if (event.kind === 'error') this.options.output.err(`ERROR! ${event.text}\n`)
  }

  protected abstract play(play: JsonPlay, at: string): void
  protected abstract task(task: JsonTask, play: JsonPlay | undefined, how: string, at: string): void
  protected abstract result(task: JsonTask, event: Outcome, result: Json, at: string): void
  protected abstract stats(event: Stats, at: string): void

  /** The numbers of the recap, and what set_stats left where it is to be shown. */
  protected summary({ hosts, custom }: Stats): Record<string, Json> {
    const { _run = {}, ...ofHosts } = custom
    const shown = this.options.showCustomStats
    return { custom_stats: shown ? ofHosts : {}, global_custom_stats: shown ? _run : {}, stats: hosts as unknown as Json }
  }

  #startPlay({ id, name, place, strategy }: Extract<Event, { kind: 'play-start' }>, at: string): void {
    this.#isTogether = TOGETHER.has(strategy.replace(/^ansible\.builtin\./, ''))
    this.#play = { play: { id, name, path: lineOf(place), duration: { start: at } }, tasks: [] }
    this.#last = undefined
    this.play(this.#play, at)
  }

  #startTask(ref: TaskRef, at: string): void {
    this.#refs.set(ref.id, ref)
    if (!this.#isTogether) return
    this.#last = newTask(ref, at)
    this.#tasks.set(ref.id, this.#last)
    this.task(this.#last, this.#play, ref.isHandler ? 'v2_playbook_on_handler_task_start' : 'v2_playbook_on_task_start', at)
  }

  #startHost(id: string, host: string, at: string): void {
    const ref = this.#refs.get(id)
    if (this.#isTogether || !ref) return
    this.#last = newTask(ref, at)
    this.#tasks.set(`${id} ${host}`, this.#last)
    this.task(this.#last, this.#play, 'v2_runner_on_start', at)
  }

  #result(event: Outcome, at: string): void {
    const { task: ref, host } = event
    const task = this.#tasks.get(this.#isTogether ? ref.id : `${ref.id} ${host}`) ?? this.#last
    if (!task) return
    if (!this.#isTogether) this.#tasks.delete(`${ref.id} ${host}`)
    task.task.duration.end = at
    if (this.#play) this.#play.play.duration.end = at
    this.result(task, event, told(event), at)
  }

  #aside(text: string): void {
    if (this.#said.has(text)) return
    this.#said.add(text)
    this.options.output.err(`${wrap(text, Math.max(79, this.options.columns - 1))}\n`)
  }
}

export class JsonReport extends Structured {
  readonly #plays: JsonPlay[] = []

  protected play(play: JsonPlay): void {
    this.#plays.push(play)
  }

  protected task(task: JsonTask, play: JsonPlay | undefined): void {
    play?.tasks.push(task)
  }

  protected result(task: JsonTask, event: Outcome, result: Json): void {
    task.hosts[event.host] = result
  }

  protected stats(event: Stats): void {
    const document = { ...this.summary(event), plays: this.#plays as unknown as Json }
    this.options.output.out(`${asciiJson(document, indentOf(this.options.jsonIndent ?? 4))}\n`)
  }
}

export class JsonLinesReport extends Structured {
  protected play(play: JsonPlay, at: string): void {
    this.#write('v2_playbook_on_play_start', { ...play }, at)
  }

  protected task(task: JsonTask, _play: JsonPlay | undefined, how: string, at: string): void {
    this.#write(how, { ...task }, at)
  }

  protected result(task: JsonTask, event: Outcome, result: Json, at: string): void {
    this.#write(`v2_runner_on_${WAYS[event.status]}`, { task: task.task, hosts: { [event.host]: result } }, at)
  }

  protected stats(event: Stats, at: string): void {
    this.#write('v2_playbook_on_stats', this.summary(event), at)
  }

  #write(event: string, members: object, at: string): void {
    const line = { ...members, _event: event, _timestamp: at } as unknown as Json
    this.options.output.out(`${asciiJson(line, indentOf(this.options.jsonIndent ?? 0), true)}\n`)
  }
}

/** Every event of our own as it comes, a line each. */
export class EventLinesReport implements Reporter {
  readonly #options: ReportOptions

  constructor(options: ReportOptions) {
    this.#options = options
  }

  on(event: Event): void {
    this.#options.output.out(`${JSON.stringify(event)}\n`)
  }
}

const WAYS: Readonly<Record<Outcome['status'], string>> = {
  ...{ ok: 'ok', changed: 'ok', failed: 'failed', skipped: 'skipped', unreachable: 'unreachable' },
}

const newTask = (ref: TaskRef, at: string): JsonTask => ({
  task: { id: taskKey(ref), name: ref.name, path: lineOf(ref.place), duration: { start: at } },
  hosts: {},
})

const lineOf = (place: string | undefined): string => (place ?? '').replace(/:\d+$/, '')

/** Microseconds, as Python has them. */
const time = (at: number): string => new Date(at).toISOString().replace('Z', '000Z')

const indentOf = (wanted: number): number | undefined => (wanted > 0 ? wanted : undefined)

/** Flags that callbacks are to see; all else with this beginning is the engine's own. */
const KEPT = new Set(['_ansible_verbose_always', '_ansible_verbose_override', '_ansible_item_label'])
const OF_DELEGATES = ['ansible_connection', 'ansible_host', 'ansible_port', 'ansible_user']

/** A result with what the kind of event says of it. */
function told({ kind, result, status, task, looped }: Outcome): Json {
  const { failed: _, skipped, ...all } = kept(result)
  const { _ansible_verbose_always: __, ...quiet } = all
  const rest: Result = looped ? quiet : all
  const isPlain = kind === 'result' && !looped && status !== 'unreachable'
  const delegate = result['_ansible_delegated_vars'] as Result | undefined
  return {
    ...(isPlain ? withFlag(rest) : rest),
    ...(Array.isArray(rest['results']) ? { results: rest['results'].map((one) => item(one, kind, isDebug(task.action))) } : {}),
    ...(isPlain && delegate
      ? {
          _ansible_delegated_vars: Object.fromEntries(
            OF_DELEGATES.map((key) => [key, delegate[key] ?? (key === 'ansible_host' ? delegate['ansible_delegated_host'] : null)]),
          ),
        }
      : {}),
    ...(skipped === true ? { skipped } : {}),
    ...(status === 'failed' || status === 'skipped' ? { [status]: true } : {}),
    action: task.action,
  } as Json
}

const kept = (one: Result): Result =>
  Object.fromEntries(Object.entries(one).filter(([key]) => !key.startsWith('_ansible_') || KEPT.has(key)))

/** What was hidden says so by itself. */
const withFlag = (one: Result): Result => ('censored' in one ? one : { ...one, _ansible_no_log: false })

/** One item's result within its loop's. */
function item(one: Json, kind: Outcome['kind'], debug: boolean): Json {
  if (typeof one !== 'object' || one === null || Array.isArray(one) || one instanceof Float || one instanceof BigNumber) return one
  const flagged = kind === 'result' && (one as Result)['unreachable'] !== true ? withFlag(kept(one as Result)) : kept(one as Result)
  const { skipped, ...rest } = flagged
  const loud = debug && skipped !== true && rest['failed'] !== true
  return { ...rest, ...(skipped === true ? { skipped } : {}), ...(loud ? { _ansible_verbose_always: true } : {}) } as Json
}
