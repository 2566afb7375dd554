/** The time limit and the abort signal of one script → a call when it must end, and the error that says why. */
import { abortReason, timedOut } from './ends.ts'

export interface Limits {
  readonly timeoutSeconds?: number | undefined
  readonly signal?: AbortSignal | undefined
}

export class Watch {
  private readonly options: Limits
  private timer: NodeJS.Timeout | undefined
  private why: 'time' | 'signal' | undefined
  private onAbort: (() => void) | undefined

  constructor(options: Limits) {
    this.options = options
  }

  start(cut: () => void): void {
    const { timeoutSeconds, signal } = this.options
    const because = (why: 'time' | 'signal') => () => {
      if (this.why !== undefined) return
      this.why = why
      cut()
    }
    if (timeoutSeconds !== undefined && timeoutSeconds > 0) this.timer = setTimeout(because('time'), timeoutSeconds * 1000)
    this.onAbort = because('signal')
    if (signal?.aborted) this.onAbort()
    else signal?.addEventListener('abort', this.onAbort, { once: true })
  }

  stop(): void {
    clearTimeout(this.timer)
    if (this.onAbort) this.options.signal?.removeEventListener('abort', this.onAbort)
  }

  failure(host: string): Error | undefined {
    if (this.why === 'time') return timedOut(host, this.options.timeoutSeconds!)
    return this.why === 'signal' ? abortReason(this.options.signal!) : undefined
  }
}
