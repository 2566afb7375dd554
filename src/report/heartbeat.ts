/** `--heartbeat`: where nothing has been said for a while, a line on standard error tells what goes on, so that nobody takes a long task for a dead run. */
import type { Event } from '../events/index.ts'
import { Busy } from './busy.ts'
import type { LiveOptions } from './live.ts'
import type { Foot, Output } from './reporter.ts'

export interface HeartbeatOptions extends LiveOptions {
  /** how long nothing may be said */
  readonly silence: number
}

const INTERVAL = 1000
const ROOM = 200

export class Heartbeat implements Foot {
  readonly #options: HeartbeatOptions
  readonly #output: Output
  readonly #busy = new Busy()
  #last: number
  #paused = false
  #stop: (() => void) | undefined

  constructor(options: HeartbeatOptions) {
    this.#options = options
    this.#output = options.output
    this.#last = options.now()
  }

  on(event: Event): void {
    this.#busy.on(event)
    if (event.kind === 'run-start') this.#stop = this.#options.every(INTERVAL, () => this.#beat())
    if (event.kind === 'run-end') this.end()
  }

  out(text: string): void {
    this.#last = this.#options.now()
    this.#output.out(text)
  }

  err(text: string): void {
    this.#last = this.#options.now()
    this.#output.err(text)
  }

  async pausing<T>(work: () => Promise<T>): Promise<T> {
    this.#paused = true
    try {
      return await work()
    } finally {
      this.#paused = false
      this.#last = this.#options.now()
    }
  }

  end(): void {
    this.#stop?.()
    this.#stop = undefined
  }

  #beat(): void {
    const now = this.#options.now()
    if (this.#paused || now - this.#last < this.#options.silence) return
    this.#last = now
    this.#output.err(`${this.#busy.line(now, 0, ROOM) || '… still at it'}\n`)
  }
}
