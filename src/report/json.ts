/** `--output json`: one document at the end, in the shape of Ansible's json callback. */
import type { Json } from '../base/index.ts'
import type { Event, Result } from '../events/index.ts'
import { pythonJson } from './python-json.ts'
import type { Reporter, ReportOptions } from './reporter.ts'

interface JsonTask {
  readonly task: {
    readonly id: string
    readonly name: string
    readonly path?: string | undefined
    readonly duration: { start: string; end?: string }
  }
  readonly hosts: Record<string, Json>
}

interface JsonPlay {
  readonly play: { readonly id: string; readonly name: string; readonly duration: { start: string; end?: string } }
  readonly tasks: JsonTask[]
}

export class JsonReport implements Reporter {
  readonly #options: ReportOptions
  readonly #plays: JsonPlay[] = []
  readonly #tasks = new Map<string, JsonTask>()
  readonly #warnings: string[] = []

  constructor(options: ReportOptions) {
    this.#options = options
  }

  on(event: Event): void {
    const at = new Date(event.at).toISOString()
    if (event.kind === 'play-start') this.#plays.push({ play: { id: event.id, name: event.name, duration: { start: at } }, tasks: [] })
    else if (event.kind === 'task-start') this.#task(event.task, at)
    else if (event.kind === 'result') {
      const task = this.#task(event.task, at)
      const more = {
        action: event.task.action,
        ...(event.status === 'unreachable' ? { unreachable: true } : {}),
        ...(event.status === 'failed' ? { failed: true } : {}),
        ...(event.status === 'skipped' ? { skipped: true } : {}),
      }
      task.hosts[event.host] = { ...told(event.result), ...more } as Json
      task.task.duration.end = at
      const play = this.#plays.at(-1)
      if (play) play.play.duration.end = at
    } else if (event.kind === 'warning') this.#warnings.push(event.text)
    else if (event.kind === 'error') this.#options.output.err(`ERROR! ${event.text}\n`)
    else if (event.kind === 'stats') this.#write(event)
  }

  #task(ref: Extract<Event, { kind: 'task-start' }>['task'], at: string): JsonTask {
    let task = this.#tasks.get(ref.id)
    if (!task) {
      task = { task: { id: ref.id, name: ref.name, path: ref.place?.replace(/:\d+$/, ''), duration: { start: at } }, hosts: {} }
      this.#tasks.set(ref.id, task)
      this.#plays.at(-1)?.tasks.push(task)
    }
    return task
  }

  #write(event: Extract<Event, { kind: 'stats' }>): void {
    const { _run = {}, ...ofHosts } = event.custom
    const document = {
      custom_stats: this.#options.showCustomStats ? ofHosts : {},
      global_custom_stats: this.#options.showCustomStats ? _run : {},
      plays: this.#plays,
      stats: event.hosts,
      warnings: this.#warnings,
    }
    this.#options.output.out(`${pythonJson(document as unknown as Json, 4)}\n`)
  }
}

/** `--output jsonl`: every event as it comes, a line each. */
export class JsonLinesReport implements Reporter {
  readonly #options: ReportOptions

  constructor(options: ReportOptions) {
    this.#options = options
  }

  on(event: Event): void {
    this.#options.output.out(`${JSON.stringify(event)}\n`)
  }
}

/** All of a result but what the engine adds for itself; failed and skipped are told by the status. */
const told = (result: Result): Result => ({
  changed: false,
  ...Object.fromEntries(Object.entries(result).filter(([key]) => !key.startsWith('_ansible_') && key !== 'failed' && key !== 'skipped')),
})
