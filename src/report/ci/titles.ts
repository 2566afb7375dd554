/** The text output, with its titles apart: what a pipeline's log folds. */
import type { Event } from '../../events/index.ts'
import type { Output, Reporter, ReportOptions } from '../reporter.ts'
import { TextReport } from '../text.ts'

export interface Folding {
  /** a task's title: what follows is folded under it */
  open(title: string): string
  /** ends what is open */
  close(): string
  /** other text, made harmless for the pipeline */
  text(text: string): string
}

const BANNER = /^\n(.*?) \*{3,}\n$/s
const FOLDED = /^(?:TASK|RUNNING HANDLER) \[/

export class FoldedText implements Reporter {
  readonly #text: TextReport
  readonly #output: Output
  readonly #folding: Folding
  #isOpen = false

  constructor(options: ReportOptions, folding: Folding) {
    this.#output = options.output
    this.#folding = folding
    this.#text = new TextReport({ ...options, output: { out: (text) => this.#out(text), err: (text) => this.#err(text) } })
  }

  on(event: Event): void {
    this.#text.on(event)
  }

  close(): void {
    if (this.#isOpen) this.#output.out(this.#folding.close())
    this.#isOpen = false
  }

  #out(text: string): void {
    const title = BANNER.exec(text)?.[1]
    if (title !== undefined) this.close()
    if (title === undefined || !FOLDED.test(title)) this.#output.out(this.#folding.text(text))
    else {
      this.#output.out(this.#folding.open(title))
      this.#isOpen = true
    }
  }

  #err(text: string): void {
    this.#output.err(this.#folding.text(text))
  }
}
