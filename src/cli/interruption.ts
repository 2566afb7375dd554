/** Ctrl-C and SIGTERM: the first ends the run in order, the second at once. */
import type { Terminal } from './terminal.ts'

const INTERRUPTED = 99

export function interruption(terminal: Terminal): AbortSignal {
  const controller = new AbortController()
  const stop = () => {
    if (controller.signal.aborted) process.exit(INTERRUPTED)
    terminal.err(' [interrupted: the run ends; once more to end at once]\n')
    controller.abort(new Error('interrupted'))
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  return controller.signal
}
