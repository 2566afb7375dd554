/** The output of ad hoc runs: a line or a short JSON for each host, and nothing else. */
import type { Event } from '../events/index.ts'
import { visible } from './dump.ts'
import { type Paint, painter, type Role } from './paint.ts'
import { pythonJson } from './python-json.ts'
import type { Reporter, ReportOptions } from './reporter.ts'
import { drawDiffs } from './unified.ts'
import { wrap } from './wrap.ts'

type Outcome = Extract<Event, { kind: 'result' | 'item' }>

/** Modules whose results are shown as their output rather than as JSON. */
const BARE = /^(?:ansible\.(?:builtin|legacy)\.)?(?:command|shell|raw)$/

export class MinimalReport implements Reporter {
  readonly #options: ReportOptions
  readonly #paint: Paint
  readonly #bare: (outcome: Outcome, caption: string) => string
  readonly #json: (outcome: Outcome, verbosity: number) => string
  readonly #said = new Set<string>()

  constructor(options: ReportOptions, oneLine = false) {
    this.#options = options
    this.#paint = painter(options.colour, options.colours)
    this.#bare = oneLine ? bareLine : bareBlock
    this.#json = (outcome, verbosity) => pythonJson(visible(outcome.result, outcome.task.action, verbosity), oneLine ? 0 : 4)
  }

  on(event: Event): void {
    if (event.kind === 'result') this.#result(event)
    else if (event.kind === 'warning') this.#aside(`[WARNING]: ${event.text}`, 'warning')
    else if (event.kind === 'deprecation' && this.#options.deprecationWarnings)
      this.#aside(`[DEPRECATION WARNING]: ${event.text}`, 'deprecation')
    else if (event.kind === 'say') this.#options.output.out(`${event.text}\n`)
    else if (event.kind === 'error') this.#options.output.err(`${this.#paint('error', `ERROR! ${event.text}`)}\n`)
    else if (event.kind === 'verbose' && this.#options.verbosity >= (event.level ?? 1)) this.#line('verbose', event.text)
  }

  #result(event: Extract<Event, { kind: 'result' }>): void {
    const diff = drawDiffs(event.result['diff'], this.#paint, this.#options.diffContext)
    if (diff !== '') this.#options.output.out(diff.endsWith('\n') ? diff : `${diff}\n`)
    const [caption, role] = CAPTIONS[event.status]
    if (event.status === 'skipped') this.#line(role, `${event.host} | ${caption}`)
    else if (BARE.test(event.task.action) && event.status !== 'unreachable' && event.result['ansible_job_id'] === undefined) {
      this.#line(role, this.#bare(event, event.status === 'failed' ? 'FAILED' : caption))
    } else this.#line(role, `${event.host} | ${caption} => ${this.#json(event, this.#options.verbosity)}`)
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
