/** `--report FILE`: the page of a run, written at its end. */
import type { Event } from '../../events/index.ts'
import type { Reporter } from '../reporter.ts'
import { ReportCollector } from './collect.ts'
import type { ReadSource } from './frames.ts'
import { renderReport } from './page.ts'

export interface HtmlReportOptions {
  readonly read: ReadSource
  readonly write: (page: string) => void
}

export class HtmlReport implements Reporter {
  readonly #collector: ReportCollector
  readonly #write: (page: string) => void

  constructor({ read, write }: HtmlReportOptions) {
    this.#collector = new ReportCollector(read)
    this.#write = write
  }

  on(event: Event): void {
    this.#collector.add(event)
    if (event.kind === 'run-end') this.#write(renderReport(this.#collector.report()))
  }
}
