/** One line at the foot of a terminal: which hosts are still busy, with what and for how long. It goes before anything else is written and comes back after. */
import type { Event } from '../events/index.ts'
import { Busy } from './busy.ts'
import type { Foot, Output } from './reporter.ts'

export interface LiveOptions {
  readonly output: Output
  readonly columns: () => number
  readonly now: () => number
  /** calls again and again until the returned function is called */
  readonly every: (milliseconds: number, work: () => void) => () => void
}

const INTERVAL = 250
/** Tasks that are quicker than this need no line. */
const PATIENCE = 500

export class LiveLine implements Foot {
  readonly #options: LiveOptions
  readonly #busy = new Busy()
  #shown = false
  #paused = false
  #stop: (() => void) | undefined

  constructor(options: LiveOptions) {
    this.#options = options
  }

  on(event: Event): void {
    this.#busy.on(event)
    if (event.kind === 'run-start') this.#stop = this.#options.every(INTERVAL, () => this.#draw())
    if (event.kind === 'run-end') this.end()
  }

  out(text: string): void {
    this.#clear()
    this.#options.output.out(text)
  }

  err(text: string): void {
    this.#clear()
    this.#options.output.err(text)
  }

  /** While a person is asked, nothing is drawn. */
  async pausing<T>(work: () => Promise<T>): Promise<T> {
    this.#clear()
    this.#paused = true
    try {
      return await work()
    } finally {
      this.#paused = false
    }
  }

  end(): void {
    this.#stop?.()
    this.#stop = undefined
    this.#clear()
  }

  #draw(): void {
    if (this.#paused) return
    const line = this.#busy.line(this.#options.now(), PATIENCE, Math.max(10, this.#options.columns() - 1))
    this.#clear()
    if (line === '') return
    this.#options.output.out(line)
    this.#shown = true
  }

  #clear(): void {
    if (this.#shown) this.#options.output.out('\r\u001b[2K')
    this.#shown = false
  }
}
