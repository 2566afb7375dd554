/** `--quiet-skips`: tasks that every host skips become one line for all that follow each other; hosts that skip say nothing. */
import type { Event } from '../events/index.ts'
import { painter } from './paint.ts'
import type { Reporter, ReportOptions } from './reporter.ts'

type Started = Extract<Event, { kind: 'task-start' }>

export class QuietSkips implements Reporter {
  readonly #main: Reporter
  readonly #options: ReportOptions
  /** tasks whose titles wait for something that is worth telling */
  readonly #waiting = new Map<string, Started>()
  readonly #skipped = new Set<string>()

  constructor(main: Reporter, options: ReportOptions) {
    this.#main = main
    this.#options = options
  }

  on(event: Event): void {
    if (event.kind === 'task-start') {
      this.#waiting.set(event.task.id, event)
      return
    }
    if ((event.kind === 'result' || event.kind === 'item') && event.status === 'skipped') {
      if (this.#waiting.has(event.task.id)) this.#skipped.add(event.task.id)
      return
    }
    if (SILENT.has(event.kind)) {
      this.#main.on(event)
      return
    }
    this.#release(taskOf(event))
    this.#main.on(event)
  }

  /** What was skipped before is told, then the title of the task that is told of now. */
  #release(id: string | undefined): void {
    const started = id === undefined ? undefined : this.#waiting.get(id)
    if (id !== undefined) this.#skipped.delete(id)
    const count = this.#skipped.size
    if (count > 0) {
      const paint = painter(this.#options.colour, this.#options.colours)
      this.#options.output.out(`\n${paint('skipped', `skipping: ${count} task${count === 1 ? '' : 's'}`)}\n`)
    }
    for (const one of this.#skipped) this.#waiting.delete(one)
    this.#skipped.clear()
    if (!started) return
    this.#waiting.delete(started.task.id)
    this.#main.on(started)
  }
}

/** Events that show nothing by themselves. */
const SILENT: ReadonlySet<Event['kind']> = new Set(['run-start', 'host-start', 'verbose', 'include-result', 'host-output'])

const taskOf = (event: Event): string | undefined =>
  'task' in event ? (typeof event.task === 'string' ? event.task : event.task.id) : undefined
