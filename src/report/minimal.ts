/** The output of ad hoc runs: a line or a short JSON for each host, and nothing else. */
import type { Event } from '../events/index.ts'
import { isDebug, visible } from './dump.ts'
import { type Paint, painter, type Role } from './paint.ts'
import { FLAT, pythonJson } from './python-json.ts'
import type { Reporter, ReportOptions } from './reporter.ts'
import { drawDiffs } from './unified.ts'
import { wrap } from './wrap.ts'

type Outcome = Extract<Event, { kind: 'result' | 'include-result' }>

/** Modules whose results are shown as their output rather than as JSON. */
const BARE = /^(?:ansible\.(?:builtin|legacy)\.)?(?:command|shell|raw)$/

export class MinimalReport implements Reporter {
  readonly #options: ReportOptions
  readonly #paint: Paint
  readonly #bare: (outcome: Outcome, caption: string) => string
  readonly #oneLine: boolean
  readonly #said = new Set<string>()

  constructor(options: ReportOptions, oneLine = false) {
    this.#options = options
    this.#paint = painter(options.colour, options.colours)
    this.#bare = oneLine ? bareLine : bareBlock
    this.#oneLine = oneLine
  }

  on(event: Event): void {
    if (event.kind === 'result' || event.kind === 'include-result') this.#result(event)
    else if (event.kind === 'warning') this.#aside(`[WARNING]: ${event.text}`, 'warning')
    else if (event.kind === 'deprecation' && this.#options.deprecationWarnings)
      this.#aside(`[DEPRECATION WARNING]: ${event.text}`, 'deprecation')
    else if (event.kind === 'say') this.#options.output.out(`${event.text}\n`)
    else if (event.kind === 'error') this.#options.output.err(`${this.#paint('error', `ERROR! ${event.text}`)}\n`)
    else if (event.kind === 'verbose' && this.#options.verbosity >= (event.level ?? 1)) this.#line('verbose', event.text)
  }

  #result(event: Outcome): void {
    const diff = this.#oneLine ? '' : drawDiffs(event.result['diff'], this.#paint, this.#options.diffContext)
    if (diff !== '') this.#options.output.out(diff.endsWith('\n') ? diff : `${diff}\n`)
    if (event.status === 'failed') this.#exception(event)
    const [caption, role] = CAPTIONS[this.#status(event)]
    if (event.status === 'skipped') this.#line(role, `${event.host} | ${caption}`)
    else if (event.status === 'unreachable' && this.#oneLine) this.#line(role, `${event.host} | ${caption}: ${event.result['msg'] ?? ''}`)
    else if (this.#isBare(event)) this.#line(role, this.#bare(event, event.status === 'failed' ? 'FAILED' : caption))
    else this.#line(role, `${event.host} | ${caption} => ${this.#json(event)}`)
  }

  /** What debug shows in short form is nothing but its message. */
  #status({ status, task }: Outcome): Outcome['status'] {
    return status === 'changed' && !this.#oneLine && isDebug(task.action) ? 'ok' : status
  }

  /** On one line, failures are told with all that there is. */
  #isBare({ status, task, result }: Outcome): boolean {
    if (!BARE.test(task.action) || status === 'unreachable') return false
    if (status === 'failed') return !this.#oneLine && result['module_stderr'] === undefined
    return result['ansible_job_id'] === undefined
  }

  /** One line is the indented form without its line breaks, and it keeps what debug says beside its message. */
  #json(outcome: Outcome): string {
    const { result, task, status, looped } = outcome
    const { verbosity } = this.#options
    if (!this.#oneLine) return pythonJson(visible(result, status === 'failed' ? '' : task.action, verbosity), 4)
    const indent = (result['_ansible_verbose_always'] === true && !looped) || verbosity > 2 ? 4 : undefined
    return pythonJson(visible(result, '', verbosity), indent ?? FLAT).replaceAll('\n', '')
  }

  #exception({ result, task }: Outcome): void {
    const { exception } = result
    if (typeof exception !== 'string') return
    if (this.#oneLine && BARE.test(task.action)) return
    const text =
      this.#options.verbosity < 3
        ? `To see the full traceback, use -vvv. The error was: ${exception.trim().split('\n').at(-1) ?? ''}`
        : `The full traceback is:\n${this.#oneLine ? exception.replaceAll('\n', '') : exception}`
    const isWhole = this.#options.verbosity >= 3 && !this.#oneLine
    this.#line('error', isWhole ? text : `An exception occurred during task execution. ${text}`)
  }

  #line(role: Role, text: string): void {
    this.#options.output.out(`${this.#paint(role, text)}\n`)
  }

  #aside(text: string, role: Role): void {
    if (this.#said.has(text)) return
    this.#said.add(text)
    this.#options.output.err(`${this.#paint(role, wrap(text, Math.max(79, this.#options.columns - 1)))}\n`)
  }
}

const CAPTIONS: Readonly<Record<Outcome['status'], readonly [string, Role]>> = {
  ok: ['SUCCESS', 'ok'],
  changed: ['CHANGED', 'changed'],
  failed: ['FAILED!', 'error'],
  skipped: ['SKIPPED', 'skipped'],
  unreachable: ['UNREACHABLE!', 'unreachable'],
}

const part = (outcome: Outcome, key: string): string => String(outcome.result[key] ?? '')

const bareBlock = (outcome: Outcome, caption: string): string =>
  `${outcome.host} | ${caption} | rc=${outcome.result['rc'] ?? -1} >>\n${part(outcome, 'stdout')}${part(outcome, 'stderr')}${part(outcome, 'msg')}`

function bareLine(outcome: Outcome, caption: string): string {
  const flat = (key: string): string => part(outcome, key).replaceAll('\n', '\\n').replaceAll('\r', '\\r')
  const errors = flat('stderr')
  return `${outcome.host} | ${caption} | rc=${outcome.result['rc'] ?? -1} | (stdout) ${flat('stdout')}${errors === '' ? '' : ` (stderr) ${errors}`}`
}
