/** The default output: plays, tasks, a line for each host and item, diffs, the recap, in Ansible's form. */
import type { Json } from '../base/index.ts'
import type { Event, HostStats, Result, TaskRef } from '../events/index.ts'
import { dumpResult, isVerbose, structureOf } from './dump.ts'
import { type Paint, painter, type Role } from './paint.ts'
import { pythonJson } from './python-json.ts'
import type { Reporter, ReportOptions } from './reporter.ts'
import { drawDiffs } from './unified.ts'
import { wrap } from './wrap.ts'

type Of<K extends Event['kind']> = Event extends infer E ? (E extends { kind: infer Kinds } ? (K extends Kinds ? E : never) : never) : never

const FREE: ReadonlySet<string> = new Set(['free', 'host_pinned'])

export class TextReport implements Reporter {
  readonly #options: ReportOptions
  readonly #paint: Paint
  readonly #said = new Set<string>()
  readonly #names = new Map<string, string>()
  #shownTask = ''
  #dryRun = false
  /** hosts go their own ways: a heading comes with the result that needs it */
  #free = false

  constructor(options: ReportOptions) {
    this.#options = options
    this.#paint = painter(options.colour, options.colours)
  }

  on(event: Event): void {
    const draw = this.#drawers[event.kind] as ((event: Event) => void) | undefined
    draw?.(event)
  }

  readonly #drawers: { readonly [K in Event['kind']]?: (event: Of<K>) => void } = {
    'run-start': (e) => {
      this.#dryRun = e.check && this.#options.checkMarkers
    },
    'playbook-start': (e) => {
      if (this.#options.verbosity > 1) this.#banner(`PLAYBOOK: ${e.path.split('/').at(-1)}`)
      if (this.#dryRun) this.#banner('DRY RUN')
    },
    'play-start': (e) => {
      this.#free = FREE.has(e.strategy)
      this.#banner(`PLAY${e.name.trim() === '' ? '' : ` [${e.name.trim()}]`}${this.#mark(e)}`)
    },
    'no-hosts': (e) => (e.reason === 'matched' ? this.#line('skipping: no hosts matched', 'skipped') : this.#banner('NO MORE HOSTS LEFT')),
    'task-start': (e) => {
      if (!this.#free) this.#shownTask = ''
      if (this.#options.showPerHostStart) this.#names.set(e.task.id, `${e.task.isHandler ? 'HANDLER' : 'TASK'}: ${e.task.name}`)
      if (this.#options.displayOk && this.#options.displaySkipped && !this.#free) this.#taskBanner(e.task)
    },
    'host-start': (e) => {
      if (this.#options.showPerHostStart) this.#line(` [started ${this.#names.get(e.task) ?? e.task} on ${e.host}]`, 'ok')
    },
    item: (e) => this.#item(e),
    result: (e) => this.#result(e),
    // without the task's heading, even where that is still to come: so does Ansible
    retry: (e) => {
      const label = e.label === undefined ? '' : ` (item=${e.label})`
      let text = `FAILED - RETRYING: [${e.host}]: ${e.task.name}${label} (${e.left} retries left).`
      if (isVerbose(e.result, this.#options.verbosity - 2)) text += `Result was: ${dumpResult(e.result, '', this.#options)}`
      this.#line(text, 'debug')
    },
    'async-poll': (e) =>
      this.#line(`ASYNC POLL on ${e.host}: jid=${e.jobId} started=${Number(e.started)} finished=${Number(e.finished)}`, 'debug'),
    'async-end': (e) => this.#line(`ASYNC ${e.failed ? 'FAILED' : 'OK'} on ${e.host}: jid=${e.jobId}`, 'debug'),
    included: (e) => {
      this.#taskBanner(e.task)
      if (e.quiet) return
      const label = e.label === undefined ? '' : ` => (item=${e.label})`
      this.#line(`included: ${e.file} for ${e.hosts.join(', ')}${label}`, 'included')
    },
    notified: (e) => {
      if (this.#options.verbosity > 1) this.#line(`NOTIFIED HANDLER ${e.handler} for ${e.host}`, 'verbose')
    },
    warning: (e) => this.#aside(`[WARNING]: ${e.text}`, 'warning'),
    deprecation: (e) => {
      if (this.#options.deprecationWarnings) this.#aside(`[DEPRECATION WARNING]: ${e.text}`, 'deprecation')
    },
    verbose: (e) => {
      const { verbosity, messageVerbosity = verbosity, verboseToStderr = false } = this.#options
      if (messageVerbosity >= (e.level ?? 1)) this.#line(e.text, 'verbose', verboseToStderr)
    },
    say: (e) => this.#options.output.out(`${e.text}\n`),
    banner: (e) => this.#banner(e.text),
    error: (e) => this.#options.output.err(`${this.#paint('error', `ERROR! ${e.text}`)}\n`),
    stats: (e) => this.#stats(e),
  }

  #line(text: string, role: Role, stderr = false): void {
    const { output } = this.#options
    ;(stderr ? output.err : output.out).call(output, `${this.#paint(role, text)}\n`)
  }

  #aside(text: string, role: Role): void {
    if (this.#said.has(text)) return
    this.#said.add(text)
    this.#options.output.err(
      `${this.#paint(
        role,
        text
          .split('\n')
          .map((line, i) => (i === 0 ? wrap(line, this.#width()) : line))
          .join('\n'),
      )}\n`,
    )
  }

  #width(): number {
    return Math.max(79, this.#options.columns - 1)
  }

  #banner(text: string): void {
    const title = text.trim()
    const stars = Math.max(3, this.#width() - title.length)
    this.#options.output.out(`\n${title} ${'*'.repeat(stars)}\n`)
  }

  /** The task's heading, once until another task's heading came between. */
  #taskBanner(task: TaskRef): void {
    if (this.#shownTask === task.id) return
    this.#shownTask = task.id
    const args = this.#options.displayArgs && task.args !== undefined ? ` ${task.args}` : ''
    this.#banner(`${task.isHandler ? 'RUNNING HANDLER' : 'TASK'} [${task.name.trim()}${args}]${this.#mark(task)}`)
    if (this.#options.verbosity >= 2 && task.place !== undefined) this.#line(`task path: ${task.place.replace(/:\d+$/, '')}`, 'debug')
  }

  /** What is said of plays and tasks that only look. */
  #mark({ check }: { readonly check?: boolean | undefined }): string {
    return check && this.#options.checkMarkers ? ' [CHECK MODE]' : ''
  }

  #item(e: Of<'item'>): void {
    const { displayOk, displaySkipped } = this.#options
    if ((e.status === 'skipped' && !displaySkipped) || (e.status === 'ok' && !displayOk)) return
    this.#taskBanner(e.task)
    this.#diff(e)
    const host = hostLabel(e)
    const more =
      isVerbose(e.result, this.#options.verbosity) || e.status === 'failed' || e.status === 'unreachable' ? ` => ${this.#dump(e)}` : ''
    const draw: Readonly<Record<typeof e.status, () => void>> = {
      ok: () => this.#line(`ok: [${host}] => (item=${e.label})${more}`, 'ok'),
      changed: () => this.#line(`changed: [${host}] => (item=${e.label})${more}`, 'changed'),
      skipped: () => this.#line(`skipping: [${e.host}] => (item=${e.label}) ${more}`, 'skipped'),
      failed: () => {
        this.#exception(e)
        this.#line(`failed: [${host}] (item=${e.label})${more}`, 'error', this.#options.failedToStderr)
      },
      unreachable: () => {
        this.#line(`failed: [${host}] (item=${e.label})${more}`, 'error', this.#options.failedToStderr)
      },
    }
    draw[e.status]()
  }

  #result(e: Of<'result'>): void {
    const { displayOk, displaySkipped, verbosity, failedToStderr } = this.#options
    if ((e.status === 'skipped' && !displaySkipped) || (e.status === 'ok' && !displayOk)) return
    if (e.looped && e.status !== 'skipped' && e.status !== 'unreachable') {
      // its items have been told; debug's results are cleaned away, and with them the sign that there were items
      if (e.status === 'failed' && /^(ansible\.builtin\.)?debug$/.test(e.task.action))
        this.#line(`fatal: [${hostLabel(e)}]: FAILED! => ${pythonJson({ msg: e.result['msg'] ?? '' })}`, 'error', failedToStderr)
      if (e.status === 'failed' && e.ignored) this.#line('...ignoring', 'skipped')
      return
    }
    this.#taskBanner(e.task)
    if (!e.looped) this.#diff(e)
    const host = hostLabel(e)
    const more = isVerbose(e.result, verbosity) && (!e.looped || e.status === 'skipped') ? ` => ${this.#dump(e)}` : ''
    const draw: Readonly<Record<typeof e.status, () => void>> = {
      ok: () => this.#line(`ok: [${host}]${more}`, 'ok'),
      changed: () => this.#line(`changed: [${host}]${more}`, 'changed'),
      skipped: () => this.#line(`skipping: [${e.host}]${more}`, 'skipped'),
      failed: () => {
        this.#exception(e)
        this.#taskPath(e.task)
        this.#line(`fatal: [${host}]: FAILED! => ${this.#dump(e)}`, 'error', failedToStderr)
        if (e.ignored) this.#line('...ignoring', 'skipped')
      },
      unreachable: () => {
        this.#line(`fatal: [${host}]: UNREACHABLE! => ${this.#dump(e)}`, 'unreachable', failedToStderr)
        if (e.ignored) this.#line('...ignoring', 'skipped')
      },
    }
    draw[e.status]()
  }

  #dump(e: Of<'item'> | Of<'result'>): string {
    // items of a skipped loop were shown one by one
    const { results, ...rest } = e.result
    return dumpResult(e.status === 'skipped' && results !== undefined ? rest : e.result, e.task.action, this.#options)
  }

  #diff(e: Of<'item'> | Of<'result'>): void {
    if (e.result['changed'] !== true) return
    const text = drawDiffs(e.result['diff'], this.#paint, this.#options.diffContext, structureOf(this.#options))
    if (text !== '') this.#options.output.out(text.endsWith('\n') ? text : `${text}\n`)
  }

  #taskPath(task: TaskRef): void {
    if (this.#options.taskPathOnFailure && this.#options.verbosity < 2 && task.place !== undefined)
      this.#line(`task path: ${task.place.replace(/:\d+$/, '')}`, 'error')
  }

  #exception(e: Of<'item'> | Of<'result'>): void {
    const { exception } = e.result
    if (typeof exception !== 'string') return
    const last = exception.trim().split('\n').at(-1) ?? ''
    const text =
      this.#options.verbosity < 3
        ? `An exception occurred during task execution. To see the full traceback, use -vvv. The error was: ${last}`
        : `The full traceback is:\n${exception}`
    this.#line(text, 'error', this.#options.failedToStderr)
  }

  #stats(e: Of<'stats'>): void {
    this.#banner('PLAY RECAP')
    for (const [host, stats] of Object.entries(e.hosts)) this.#options.output.out(`${this.#recapLine(host, stats)}\n`)
    this.#options.output.out('\n')
    if (this.#options.showCustomStats && Object.keys(e.custom).length > 0) this.#customStats(e)
    if (this.#dryRun) this.#banner('DRY RUN')
  }

  #recapLine(host: string, stats: HostStats): string {
    const troubled = stats.failures > 0 || stats.unreachable > 0
    const name = this.#options.colour
      ? this.#paint(troubled ? 'error' : stats.changed > 0 ? 'changed' : 'ok', host).padEnd(37)
      : host.padEnd(26)
    const numbers = RECAP.map(([label, key, role]) => {
      const text = `${label}=${String(stats[key]).padEnd(4)}`
      return stats[key] > 0 && role ? this.#paint(role, text) : text
    })
    return `${name} : ${numbers.join(' ')}`
  }

  #customStats(e: Of<'stats'>): void {
    this.#banner('CUSTOM STATS: ')
    for (const host of Object.keys(e.custom).sort()) {
      if (host !== '_run') this.#options.output.out(`\t${host}: ${this.#custom(e.custom[host])}\n`)
    }
    if (e.custom['_run'] !== undefined) this.#options.output.out(`\n\tRUN: ${this.#custom(e.custom['_run'])}\n`)
    this.#options.output.out('\n')
  }

  #custom(stats: Json | undefined): string {
    return dumpResult((stats ?? {}) as Result, '', this.#options, 1).replaceAll('\n', '')
  }
}

const RECAP: readonly (readonly [string, keyof HostStats, Role | undefined])[] = [
  ['ok', 'ok', 'ok'],
  ['changed', 'changed', 'changed'],
  ['unreachable', 'unreachable', 'unreachable'],
  ['failed', 'failures', 'error'],
  ['skipped', 'skipped', 'skipped'],
  ['rescued', 'rescued', 'ok'],
  ['ignored', 'ignored', 'warning'],
]

/** `host`, or `host -> other(address)` where the task was delegated. */
function hostLabel(e: Of<'item'> | Of<'result'>): string {
  if (e.delegatedTo === undefined || e.delegatedTo === e.host) return e.host
  const vars = e.result['_ansible_delegated_vars'] as { readonly ansible_host?: string } | undefined
  const address = vars?.ansible_host
  return `${e.host} -> ${e.delegatedTo}${address !== undefined && address !== e.delegatedTo ? `(${address})` : ''}`
}
