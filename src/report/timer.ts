/** How long the run took, told at its end (timer). */
import type { Event } from '../events/index.ts'
import type { Reporter, ReportOptions } from './reporter.ts'

export class TimerReport implements Reporter {
  readonly #options: ReportOptions
  #start: number | undefined

  constructor(options: ReportOptions) {
    this.#options = options
  }

  on(event: Event): void {
    this.#start ??= event.at
    if (event.kind !== 'stats') return
    const seconds = Math.floor((event.at - this.#start) / 1000)
    const [days, hours, minutes] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60]
    this.#options.output.out(`Playbook run took ${days} days, ${hours} hours, ${minutes} minutes, ${seconds % 60} seconds\n`)
  }
}
