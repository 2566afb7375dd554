/** One line at the foot of a terminal: which hosts are still busy, with what and for how long. It goes before anything else is written and comes back after. */
import type { Event } from '../events/index.ts'
import type { Output, Reporter } from './reporter.ts'

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

export class LiveLine implements Reporter, Output {
  readonly #options: LiveOptions
  readonly #busy = new Map<string, number>()
  #task = ''
  #shown = false
  #paused = false
  #stop: (() => void) | undefined

  constructor(options: LiveOptions) {
    this.#options = options
  }

  on(event: Event): void {
    if (event.kind === 'task-start') this.#task = event.task.name
    else if (event.kind === 'host-start') this.#busy.set(event.host, event.at)
    else if (event.kind === 'result') this.#busy.delete(event.host)
    else if (event.kind === 'included') for (const host of event.hosts) this.#busy.delete(host)
    else if (event.kind === 'stats' || event.kind === 'play-start') this.#busy.clear()
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
    const line = this.#line()
    this.#clear()
    if (line === '') return
    this.#options.output.out(line)
    this.#shown = true
  }

  #clear(): void {
    if (this.#shown) this.#options.output.out('\r\u001b[2K')
    this.#shown = false
  }

  #line(): string {
    const now = this.#options.now()
    const hosts = [...this.#busy].filter(([, since]) => now - since >= PATIENCE)
    if (hosts.length === 0) return ''
    const named = hosts.map(([host, since]) => `${host} ${elapsed(now - since)}`).join(', ')
    const text = `… ${this.#task}: ${named}`
    const room = Math.max(10, this.#options.columns() - 1)
    return text.length <= room ? text : `${text.slice(0, room - 1)}…`
  }
}

function elapsed(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000)
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${String(seconds % 60).padStart(2, '0')}s`
}
