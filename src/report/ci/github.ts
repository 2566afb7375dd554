/** `--output github`: the text output folded by task; failures at their file and line; a summary; secrets made known to the runner. */
import type { Event, HostStats } from '../../events/index.ts'
import type { CiOptions, Reporter, ReportOptions } from '../reporter.ts'
import { Failures, hostsText, placeWithin } from './failures.ts'
import { summaryText } from './summary.ts'
import { FoldedText } from './titles.ts'

export class GithubReport implements Reporter {
  readonly #options: ReportOptions
  readonly #ci: CiOptions
  readonly #text: FoldedText
  readonly #failures = new Failures()
  readonly #warnings = new Set<string>()
  readonly #hosts: Record<string, HostStats> = {}
  #secrets = 0
  #title = 'run'
  #isCheck = false

  constructor(options: ReportOptions) {
    this.#options = options
    this.#ci = options.ci ?? NOWHERE
    this.#text = new FoldedText(options, {
      open: (title) => `::group::${message(title)}\n`,
      close: () => '::endgroup::\n',
      text: harmless,
    })
  }

  on(event: Event): void {
    this.#tellSecrets()
    this.#failures.on(event)
    if (event.kind === 'run-start') {
      this.#title = event.playbooks.map((path) => path.replace(/^.*\//, '')).join(', ')
      this.#isCheck = event.check
    } else if (event.kind === 'stats') Object.assign(this.#hosts, event.hosts)
    if (event.kind === 'warning') this.#warn(event.text)
    else this.#text.on(event)
    if (event.kind === 'run-end') this.#end(event.code)
  }

  /** The runner hides them in what other steps print, too. Only a runner is told. */
  #tellSecrets(): void {
    if (!this.#ci.isRunner) return
    for (const secret of this.#ci.secretsSince(this.#secrets)) {
      this.#secrets++
      for (const line of secret.split('\n')) if (line.trim() !== '') this.#options.output.out(`::add-mask::${message(line)}\n`)
    }
  }

  #warn(text: string): void {
    if (this.#warnings.has(text)) return
    this.#warnings.add(text)
    this.#options.output.out(`::warning::${message(text)}\n`)
  }

  /** What a rescue has made good again is a warning. */
  #end(code: number): void {
    this.#text.close()
    const failures = this.#failures.all()
    for (const { task, message: text, hosts, isUnreachable } of failures) {
      const title = `${task.name} ${isUnreachable ? 'unreachable' : 'failed'} on ${hostsText(hosts)}`
      this.#options.output.out(annotation({ kind: code === 0 ? 'warning' : 'error', place: task.place, title, text }, this.#ci.root))
    }
    const sum = (key: keyof HostStats): number => Object.values(this.#hosts).reduce((total, stats) => total + stats[key], 0)
    this.#ci.append(
      'GITHUB_STEP_SUMMARY',
      summaryText({ title: this.#title, code, isCheck: this.#isCheck, hosts: this.#hosts, failures, root: this.#ci.root }),
    )
    this.#ci.append('GITHUB_OUTPUT', `changed=${sum('changed')}\nfailed=${sum('failures')}\nunreachable=${sum('unreachable')}\n`)
  }
}

export interface Annotated {
  readonly kind: 'error' | 'warning'
  /** file:line:column */
  readonly place: string | undefined
  readonly title: string
  readonly text: string
}

/** The line that puts a message at a place in a file of the checkout. */
export function annotation({ kind, place, title, text }: Annotated, root: string): string {
  const within = placeWithin(place, root)
  const at = within ? `file=${property(within.path)},line=${within.line},col=${within.column},` : ''
  return `::${kind} ${at}title=${property(title)}::${message(text)}\n`
}

const NOWHERE: CiOptions = { isRunner: false, root: '/', secretsSince: () => [], append: () => {}, write: () => {}, seconds: () => 0 }

/** What a host says must not be a command to the runner: commands begin a line, or stand behind `##[`. */
const harmless = (text: string): string => text.replace(/^(\s*):(?=:)/gm, '$1: ').replaceAll('##[', '## [')

const CODES: Readonly<Record<string, string>> = { '%': '%25', '\r': '%0D', '\n': '%0A', ':': '%3A', ',': '%2C' }

const message = (text: string): string => text.replace(/[%\r\n]/g, (c) => CODES[c]!)
const property = (text: string): string => text.replace(/[%\r\n:,]/g, (c) => CODES[c]!)
