/** Waits, and ends early when the run is interrupted. */
import { ModuleFailure } from '../modules/index.ts'

/** Resolves after the time; rejects with what the signal was aborted with. */
export function wait(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason instanceof Error ? signal.reason : new ModuleFailure('interrupted'))
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, seconds * 1000)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}
