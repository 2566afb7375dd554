/** The time limit and the abort signal of a script on its own channel → its end, before it ends by itself. */
import type { Channel } from '../channel.ts'
import { abortReason, timedOut } from './ends.ts'
import type { Limits } from './watch.ts'

export interface Cutting {
  /** resolves when the script was cut short, whether or not the far process noticed */
  readonly happened: Promise<{ readonly how: 'unknown' }>
  failure(): Error | undefined
  stop(): void
}

/** In ms: between asking and killing, and how long in all the far process may take to end. */
const TERM_TO_KILL = 500
const GIVE_UP = 5000

export function cutting(channel: Channel, host: string, limits: Limits, stopOthers: () => Promise<void>): Cutting {
  let failure: Error | undefined
  let tell: (ending: { how: 'unknown' }) => void
  const happened = new Promise<{ how: 'unknown' }>((resolve) => {
    tell = resolve
  })
  const cut = (error: Error): void => {
    if (failure !== undefined) return
    failure = error
    const giveUp = setTimeout(() => tell({ how: 'unknown' }), GIVE_UP)
    let kill: NodeJS.Timeout | undefined
    // the tree first: once its root is gone, nothing tells what belonged to it
    stopOthers()
      .catch(() => {})
      .then(() => {
        channel.signal('TERM')
        kill = setTimeout(() => channel.signal('KILL'), TERM_TO_KILL)
        return channel.ended
      })
      .then(() => {
        clearTimeout(kill)
        clearTimeout(giveUp)
        tell({ how: 'unknown' })
      })
  }
  const { timeoutSeconds, signal } = limits
  const timer = timeoutSeconds ? setTimeout(() => cut(timedOut(host, timeoutSeconds)), timeoutSeconds * 1000) : undefined
  const onAbort = (): void => cut(abortReason(signal!))
  if (signal?.aborted) onAbort()
  else signal?.addEventListener('abort', onAbort, { once: true })
  return {
    happened,
    failure: () => failure,
    stop: () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    },
  }
}
