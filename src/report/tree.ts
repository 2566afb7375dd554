/** One file for each host with its last result (tree). */
import type { Event } from '../events/index.ts'
import { visible } from './dump.ts'
import { pythonJson } from './python-json.ts'
import type { Reporter, ReportOptions } from './reporter.ts'

export class TreeReport implements Reporter {
  readonly #options: ReportOptions

  constructor(options: ReportOptions) {
    this.#options = options
  }

  on(event: Event): void {
    if (event.kind !== 'result') return
    const text = pythonJson(visible(event.result, event.task.action, this.#options.verbosity))
    this.#options.writeFile?.('tree', event.host.replaceAll('/', '_'), text)
  }
}
