/** A run as a JUnit file: a test case for every task on every host. */

import { relative } from 'node:path'
import type { Event } from '../events/index.ts'
import { visible } from './dump.ts'
import { pythonJson } from './python-json.ts'
import type { JUnitOptions, Reporter, ReportOptions } from './reporter.ts'

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

const PLAIN: JUnitOptions = {
  ...{ taskClass: false, failOnChange: false, failOnIgnore: false, includeSetup: true, hideArguments: true, prefix: '' },
  relativeTo: undefined,
}

const SETUP = /^(?:ansible\.(?:builtin|legacy)\.)?(?:setup|gather_facts)$/

export class JUnitReport implements Reporter {
  readonly #options: ReportOptions
  readonly #how: JUnitOptions
  readonly #started = new Map<string, number>()
  readonly #cases: Case[] = []
  #playbook = 'playbook'
  #play = ''

  constructor(options: ReportOptions) {
    this.#options = options
    this.#how = options.junit ?? PLAIN
  }

  on(event: Event): void {
    if (event.kind === 'playbook-start') this.#playbook = event.path.replace(/^.*\//, '').replace(/\.[^.]*$/, '')
    else if (event.kind === 'play-start') this.#play = event.name
    else if (event.kind === 'task-start') this.#started.set(event.task.id, event.at)
    else if (event.kind === 'result' && this.#isWanted(event)) this.#cases.push(this.#case(event))
    else if (event.kind === 'stats') this.#write(event.at)
  }

  /** Setup may be left out; of tasks with other names only failures are told. */
  #isWanted(event: Outcome): boolean {
    const { prefix, includeSetup } = this.#how
    if (!includeSetup && SETUP.test(event.task.action)) return false
    return event.task.name.startsWith(prefix) || this.#fails(event)
  }

  #fails({ status, ignored, task }: Outcome): boolean {
    const { failOnChange, failOnIgnore } = this.#how
    const failed = (status === 'failed' && (!ignored || failOnIgnore)) || status === 'unreachable' || (status === 'changed' && failOnChange)
    if (failed && task.name.includes('EXPECTED FAILURE')) return false
    return task.name.includes('TOGGLE RESULT') && status !== 'skipped' ? !failed : failed
  }

  #case(event: Outcome): Case {
    const { task, host, status, result } = event
    const seconds = (event.at - (this.#started.get(task.id) ?? event.at)) / 1000
    const fails = this.#fails(event)
    const dump = xml(pythonJson(visible(result, task.action, this.#options.verbosity)))
    const message = xml(String(result['msg'] ?? `rc=${result['rc'] ?? 0}`))
    const body =
      status === 'skipped'
        ? `<skipped message="${xml(String(result['skip_reason'] ?? 'skipped'))}"/>`
        : fails
          ? `<failure message="${message}" type="failure">${dump}</failure>`
          : `<system-out>${dump}</system-out>`
    const { taskClass, hideArguments, relativeTo } = this.#how
    const path = (task.place ?? '').replace(/:\d+$/, '')
    const seen = relativeTo === undefined || path === '' ? path : relative(relativeTo, path)
    const place = taskClass ? seen.replace(/\.yml:\d+$/, '') : seen
    const args = hideArguments || !task.args ? '' : ` ${task.args}`
    return {
      name: `[${host}] ${this.#play}: ${task.name}${args}`,
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
