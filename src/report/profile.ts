/** The slowest tasks of a run, told after the recap (profile_tasks). */
import type { Event } from '../events/index.ts'
import type { Reporter, ReportOptions } from './reporter.ts'

const SHOWN = 20

export class ProfileReport implements Reporter {
  readonly #options: ReportOptions
  readonly #spent: { name: string; start: number; end: number }[] = []

  constructor(options: ReportOptions) {
    this.#options = options
  }

  on(event: Event): void {
    const open = this.#spent.at(-1)
    if (event.kind === 'task-start') {
      if (open) open.end = event.at
      this.#spent.push({ name: event.task.name, start: event.at, end: event.at })
    } else if (event.kind === 'result' && open) open.end = event.at
    else if (event.kind === 'stats') this.#write()
  }

  #write(): void {
    const { output, columns } = this.#options
    const width = Math.max(79, columns - 1)
    const rows = this.#spent
      .map((t) => ({ name: t.name, seconds: (t.end - t.start) / 1000 }))
      .sort((a, b) => b.seconds - a.seconds)
      .slice(0, SHOWN)
    output.out(`${'='.repeat(width)}\n`)
    for (const { name, seconds } of rows) {
      const time = ` ${seconds.toFixed(2)}s`
      const room = width - time.length
      output.out(`${name.slice(0, room - 1)} ${'-'.repeat(Math.max(0, room - 1 - name.length))}${time}\n`)
    }
  }
}
