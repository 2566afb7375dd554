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

  /** What was skipped leaves the file as it was. */
  on(event: Event): void {
    if ((event.kind !== 'result' && event.kind !== 'include-result') || event.status === 'skipped') return
    const { result, host, looped } = event
    const isWide = (result['_ansible_verbose_always'] === true && !looped) || this.#options.verbosity > 2
    this.#options.writeFile?.('tree', host.replaceAll('/', '_'), pythonJson(visible(result, '', this.#options.verbosity), isWide ? 4 : 0))
  }
}
