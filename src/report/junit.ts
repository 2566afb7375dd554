/** A run as a JUnit file: a test case for every task on every host. */
import type { Event } from '../events/index.ts'
import { visible } from './dump.ts'
import { pythonJson } from './python-json.ts'
import type { Reporter, ReportOptions } from './reporter.ts'

type Outcome = Extract<Event, { kind: 'result' }>

interface Case {
  readonly name: string
  readonly classname: string
  readonly seconds: number
  /** what stands inside the element */
  readonly body: string
  readonly isFailure: boolean
  readonly isSkipped: boolean
}

export class JUnitReport implements Reporter {
  readonly #options: ReportOptions
  readonly #started = new Map<string, number>()
  readonly #cases: Case[] = []
  #playbook = 'playbook'
  #play = ''

  constructor(options: ReportOptions) {
    this.#options = options
  }

  on(event: Event): void {
    if (event.kind === 'playbook-start') this.#playbook = event.path.replace(/^.*\//, '').replace(/\.[^.]*$/, '')
    else if (event.kind === 'play-start') this.#play = event.name
    else if (event.kind === 'task-start') this.#started.set(event.task.id, event.at)
    else if (event.kind === 'result') this.#cases.push(this.#case(event))
    else if (event.kind === 'stats') this.#write(event.at)
  }

  #case(event: Outcome): Case {
    const { task, host, status, result } = event
    const seconds = (event.at - (this.#started.get(task.id) ?? event.at)) / 1000
    const fails = (status === 'failed' && !event.ignored) || status === 'unreachable'
    const dump = xml(pythonJson(visible(result, task.action, this.#options.verbosity)))
    const message = xml(String(result['msg'] ?? `rc=${result['rc'] ?? 0}`))
    const body =
      status === 'skipped'
        ? `<skipped message="${xml(String(result['skip_reason'] ?? 'skipped'))}"/>`
        : fails
          ? `<failure message="${message}" type="failure">${dump}</failure>`
          : `<system-out>${dump}</system-out>`
    const place = (task.place ?? '').replace(/:\d+$/, '')
    return {
      name: `[${host}] ${this.#play}: ${task.name}`,
      classname: place,
      seconds,
      body,
      isFailure: fails,
      isSkipped: status === 'skipped',
    }
  }

  #write(at: number): void {
    const cases = this.#cases.splice(0)
    const total = cases.reduce((sum, { seconds }) => sum + seconds, 0)
    const counts = `disabled="0" errors="0" failures="${cases.filter((c) => c.isFailure).length}" tests="${cases.length}" time="${total}"`
    const rows = cases.map(
      ({ name, classname, seconds, body }) =>
        `\t\t<testcase classname="${xml(classname)}" name="${xml(name)}" time="${seconds}">\n\t\t\t${body}\n\t\t</testcase>\n`,
    )
    const skipped = cases.filter((c) => c.isSkipped).length
    const suite = `\t<testsuite name="${xml(this.#playbook)}" ${counts} skipped="${skipped}">\n${rows.join('')}\t</testsuite>\n`
    this.#options.writeFile?.(
      'junit',
      `${this.#playbook}-${at / 1000}.xml`,
      `<?xml version="1.0" ?>\n<testsuites ${counts}>\n${suite}</testsuites>\n`,
    )
  }
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Text inside XML; characters that XML cannot hold become the replacement character. */
const xml = (text: string): string =>
  text.replace(/[&<>"]/g, (c) => ENTITIES[c]!).replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '\ufffd')
