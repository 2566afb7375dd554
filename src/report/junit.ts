/** A run as a JUnit file: a test case for every task on every host. */

import { basename, relative } from 'node:path'
import type { Event, Result, TaskRef } from '../events/index.ts'
import { visible } from './dump.ts'
import { FLAT, pythonJson } from './python-json.ts'
import type { JUnitOptions, Reporter, ReportOptions } from './reporter.ts'
import { taskKey } from './task-key.ts'

type Outcome = Extract<Event, { kind: 'result' | 'include-result' }>
type Included = Extract<Event, { kind: 'included' }>
type Verdict = 'ok' | 'failed' | 'skipped'

/** A task as it was first started, and what became of it. */
interface Tested {
  readonly name: string
  readonly place: string
  readonly began: number
  readonly isSetup: boolean
  readonly cases: Map<string, Case>
}

interface Case {
  readonly host: string
  readonly seconds: number
  readonly kind: 'passed' | 'failure' | 'error' | 'skipped'
  /** the message of what is no success */
  readonly message: string
  readonly text: string
}

const PLAIN: JUnitOptions = {
  ...{ taskClass: false, failOnChange: false, failOnIgnore: false, includeSetup: true, hideArguments: true, prefix: '' },
  ...{ relativeTo: undefined, outside: undefined },
}

const SETUP = /^(?:ansible\.(?:builtin|legacy)\.)?setup$/

export class JUnitReport implements Reporter {
  readonly #options: ReportOptions
  readonly #how: JUnitOptions
  readonly #tasks = new Map<string, Tested>()
  #playbook = 'playbook'
  #play = ''

  constructor(options: ReportOptions) {
    this.#options = options
    this.#how = options.junit ?? PLAIN
  }

  on(event: Event): void {
    if (event.kind === 'playbook-start') this.#playbook = event.path.replace(/^.*\//, '').replace(/(?<=.)\.[^.]*$/, '')
    else if (event.kind === 'play-start') this.#play = event.name
    else if (event.kind === 'task-start') this.#start(event.task, event.at)
    else if (event.kind === 'result' || event.kind === 'include-result') this.#result(event)
    else if (event.kind === 'included') this.#included(event)
    else if (event.kind === 'stats') this.#write(event.at)
  }

  #start(ref: TaskRef, at: number): Tested {
    const key = taskKey(ref)
    let task = this.#tasks.get(key)
    if (!task) {
      const name = `${ref.name.trim()}${this.#how.hideArguments || !ref.args ? '' : ` ${ref.args}`}`
      task = { name: `${this.#play}: ${name}`, place: this.#place(ref), began: at, isSetup: SETUP.test(ref.action), cases: new Map() }
      this.#tasks.set(key, task)
    }
    return task
  }

  /** Hosts that cannot be reached are no test; of tasks with other names than those asked for only failures are told. */
  #result(event: Outcome): void {
    if (event.status === 'unreachable') return
    const task = this.#start(event.task, event.at)
    const verdict = this.#verdict(event, task.name)
    const { result, host } = event
    if (!this.#isAsked(task) && verdict !== 'failed') return
    const text = this.#dump(result, event.looped)
    const seconds = (event.at - task.began) / 1000
    const { exception } = result
    if (verdict === 'ok') task.cases.set(host, { host, seconds, kind: 'passed', message: '', text })
    else if (verdict === 'skipped') {
      const message = 'skip_reason' in result ? String(result['skip_reason']) : 'skipped'
      task.cases.set(host, { host, seconds, kind: 'skipped', message, text: '' })
    } else if (typeof exception === 'string') {
      task.cases.set(host, { host, seconds, kind: 'error', message: exception.trim().split('\n').at(-1)!, text: exception })
    } else {
      const message = 'msg' in result ? messageOf(result) : `rc=${result['rc'] ?? 0}`
      task.cases.set(host, { host, seconds, kind: 'failure', message, text })
    }
  }

  /** What an include brings is a case of its own, which all hosts share. */
  #included({ task: ref, at, file, hosts, asked }: Included): void {
    const task = this.#start(ref, at)
    if (!this.#isAsked(task)) return
    const before = task.cases.get(INCLUDE)
    const text = `${file} (${asked ?? 'args={} vars={}'}): [${hosts.join(', ')}]`
    task.cases.set(INCLUDE, {
      host: 'include',
      seconds: (at - task.began) / 1000,
      ...{ kind: 'passed', message: '', text: before ? `${before.text}\n${text}` : text },
    })
  }

  /** The task's own name begins behind the play's. */
  #isAsked({ name }: Tested): boolean {
    return name.startsWith(this.#how.prefix, this.#play.length + 2)
  }

  #verdict(event: Outcome, name: string): Verdict {
    const { failOnChange, failOnIgnore } = this.#how
    if (event.status === 'skipped') return 'skipped'
    const isFailure = event.status === 'failed' && (event.kind !== 'result' || !event.ignored || failOnIgnore)
    const failed = isFailure || (failOnChange && event.result['changed'] === true)
    if (failed && name.includes('EXPECTED FAILURE')) return 'ok'
    return failed !== name.includes('TOGGLE RESULT') ? 'failed' : 'ok'
  }

  #dump(result: Result, looped: boolean): string {
    const indent = (result['_ansible_verbose_always'] === true && !looped) || this.#options.verbosity > 2 ? 4 : FLAT
    return pythonJson(visible(result, '', this.#options.verbosity), indent)
  }

  #place(ref: TaskRef): string {
    const { taskClass, relativeTo, outside } = this.#how
    const path = (ref.place ?? '').replace(/:\d+$/, '')
    const seen = relativeTo === undefined || path === '' ? path : relative(relativeTo, path)
    const told = outside !== undefined && seen.startsWith('../') ? outside + basename(seen) : seen
    return taskClass ? told.replace(/\.yml:\d+$/, '') : told
  }

  #write(at: number): void {
    const tasks = [...this.#tasks.values()].filter(({ isSetup }) => this.#how.includeSetup || !isSetup)
    this.#tasks.clear()
    const rows = tasks.flatMap((task) => [...task.cases.values()].map((one) => ({ task, one })))
    const count = (kind: Case['kind']): number => rows.filter(({ one }) => one.kind === kind).length
    const total = rows.reduce((sum, { one }) => sum + one.seconds, 0)
    const begin = `disabled="0" errors="${count('error')}" failures="${count('failure')}"`
    const suite = `${begin} name="${attribute(this.#playbook)}" skipped="${count('skipped')}" tests="${rows.length}" time="${total}"`
    this.#options.writeFile?.(
      'junit',
      `${this.#playbook}-${at / 1000}.xml`,
      `<?xml version="1.0" ?>\n<testsuites ${begin} tests="${rows.length}" time="${total}">\n${element(suite, rows.map(testCase))}</testsuites>\n`,
    )
  }
}

/** No host has such a name. */
const INCLUDE = ' include'

/** What is no text is told in Python's words. */
function messageOf({ msg }: Result): string {
  if (typeof msg === 'string') return msg
  return typeof msg === 'boolean' ? (msg ? 'True' : 'False') : msg === null ? 'None' : pythonJson(msg)
}

const element = (attributes: string, rows: readonly string[]): string =>
  rows.length === 0 ? `\t<testsuite ${attributes}/>\n` : `\t<testsuite ${attributes}>\n${rows.join('')}\t</testsuite>\n`

function testCase({ task, one }: { task: Tested; one: Case }): string {
  const attributes = `classname="${attribute(task.place)}" name="${attribute(`[${one.host}] ${task.name}`)}" time="${one.seconds}"`
  return `\t\t<testcase ${attributes}>\n\t\t\t${BODIES[one.kind](one)}\n\t\t</testcase>\n`
}

const troubled =
  (tag: 'failure' | 'error') =>
  ({ message, text }: Case): string =>
    `<${tag} message="${attribute(message)}" type="${tag}">${xml(text)}</${tag}>`

const BODIES: Readonly<Record<Case['kind'], (one: Case) => string>> = {
  passed: ({ text }) => `<system-out>${xml(text)}</system-out>`,
  skipped: ({ message }) => `<skipped>${xml(message)}</skipped>`,
  failure: troubled('failure'),
  error: troubled('error'),
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Text inside XML; characters that XML cannot hold become the replacement character. */
const xml = (text: string): string =>
  text.replace(/[&<>"]/g, (c) => ENTITIES[c]!).replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '\ufffd')

/** In an attribute, breaks between lines are written so that they are read back as they were. */
const attribute = (text: string): string => xml(text).replace(/[\t\n\r]/g, (c) => `&#${c.charCodeAt(0)};`)
