/** `--output gitlab`: the text output in sections that fold; failures and changes as JUnit and as a code-quality report. */
import { createHash } from 'node:crypto'
import type { Event } from '../../events/index.ts'
import { JUnitReport } from '../junit.ts'
import type { CiOptions, Reporter, ReportOptions } from '../reporter.ts'
import { type Failure, Failures, hostsText, placeWithin } from './failures.ts'
import { FoldedText } from './titles.ts'

export class GitlabReport implements Reporter {
  readonly #ci: CiOptions
  readonly #text: FoldedText
  readonly #junit: JUnitReport
  readonly #failures = new Failures()
  #playbooks = 0
  #section = 0

  constructor(options: ReportOptions) {
    const ci = options.ci ?? NOWHERE
    this.#ci = ci
    this.#text = new FoldedText(options, {
      open: (title) => `${CLEAR}section_start:${ci.seconds()}:tsspray_${++this.#section}[collapsed=true]\r${CLEAR}${title}\n`,
      close: () => `${CLEAR}section_end:${ci.seconds()}:tsspray_${this.#section}\r${CLEAR}\n`,
      text: harmless,
    })
    this.#junit = new JUnitReport({
      ...options,
      writeFile: (_kind, _name, text) => ci.write(`tsspray-junit-${this.#playbooks}.xml`, text),
    })
  }

  on(event: Event): void {
    if (event.kind === 'playbook-start') this.#playbooks++
    this.#failures.on(event)
    this.#text.on(event)
    this.#junit.on(event)
    if (event.kind !== 'run-end') return
    this.#text.close()
    this.#ci.write(
      'gl-code-quality-report.json',
      `${JSON.stringify(
        this.#failures.all().map((one) => issueOf(one, this.#ci.root)),
        null,
        2,
      )}\n`,
    )
  }
}

const CLEAR = '\u001b[0K'

const NOWHERE: CiOptions = { isRunner: false, root: '/', secretsSince: () => [], append: () => {}, write: () => {}, seconds: () => 0 }

/** What a host says must not open or close a section. */
const harmless = (text: string): string => text.replace(/section_(?=(?:start|end):)/g, 'section-')

/** An entry of GitLab's code-quality report; the same failure has the same fingerprint in every run. */
function issueOf({ task, message, hosts, isUnreachable }: Failure, root: string): object {
  const place = placeWithin(task.place, root)
  const path = place?.path ?? (task.place ?? 'unknown').replace(/:\d+:\d+$/, '')
  const what = isUnreachable ? 'unreachable' : 'failed'
  return {
    description: `${task.name} ${what} on ${hostsText(hosts)}: ${message}`,
    check_name: `tsspray/${what}`,
    fingerprint: createHash('sha256').update([path, task.name, message].join('\0')).digest('hex'),
    severity: isUnreachable ? 'blocker' : 'critical',
    location: { path, lines: { begin: place?.line ?? 1 } },
  }
}
