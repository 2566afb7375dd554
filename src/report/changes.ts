/** `--summary`: what changed, or would change, task by task and in all, on one screen after the recap. */
import type { Event, TaskRef } from '../events/index.ts'
import { hostsText } from './ci/failures.ts'
import { type Paint, painter } from './paint.ts'
import type { Reporter, ReportOptions } from './reporter.ts'
import { taskKey } from './task-key.ts'
import { drawDiffs } from './unified.ts'

interface Change {
  readonly name: string
  readonly hosts: Set<string>
  /** lines of its differences */
  added: number
  removed: number
}

export interface SummaryOptions extends ReportOptions {
  /** how many lines a screen has */
  readonly rows: number
}

/** What is told beside the list of tasks. */
const BESIDE = 10

export class ChangeSummary implements Reporter {
  readonly #options: SummaryOptions
  readonly #paint: Paint
  readonly #changes = new Map<string, Change>()
  readonly #perHost = new Map<string, number>()
  readonly #troubled = new Set<string>()
  /** tasks that do not run in check mode */
  readonly #unknown = new Set<string>()
  #isCheck = false

  constructor(options: SummaryOptions) {
    this.#options = options
    this.#paint = painter(options.colour, options.colours)
  }

  on(event: Event): void {
    if (event.kind === 'run-start') this.#isCheck = event.check
    else if (event.kind === 'play-start') for (const host of event.hosts) this.#perHost.set(host, this.#perHost.get(host) ?? 0)
    else if (event.kind === 'item' && event.status === 'changed') this.#count(event)
    else if (event.kind === 'result') this.#result(event)
    else if (event.kind === 'run-end') this.#write()
  }

  #result(event: Extract<Event, { kind: 'result' }>): void {
    if ((event.status === 'failed' && !event.ignored) || event.status === 'unreachable') this.#troubled.add(event.host)
    // a condition that does not hold is told; what is skipped for another reason would have run
    if (this.#isCheck && event.status === 'skipped' && !('skip_reason' in event.result) && !event.looped)
      this.#unknown.add(keyOf(event.task))
    if (event.status !== 'changed') return
    this.#perHost.set(event.host, (this.#perHost.get(event.host) ?? 0) + 1)
    this.#change(event.task).hosts.add(event.host)
    // the items of a loop have been counted
    if (!event.looped) this.#count(event)
  }

  #count({ task, result }: Extract<Event, { kind: 'result' | 'item' }>): void {
    const change = this.#change(task)
    for (const line of drawDiffs(result['diff'], (_role, text) => text, 0).split('\n')) {
      if (/^\+(?!\+\+ )/.test(line)) change.added++
      else if (/^-(?!-- )/.test(line)) change.removed++
    }
  }

  #change(task: TaskRef): Change {
    const key = keyOf(task)
    let change = this.#changes.get(key)
    if (!change) {
      change = { name: task.isHandler ? `${task.name} (handler)` : task.name, hosts: new Set(), added: 0, removed: 0 }
      this.#changes.set(key, change)
    }
    return change
  }

  #write(): void {
    const changes = [...this.#changes.values()].filter(({ hosts }) => hosts.size > 0)
    const title = this.#isCheck ? 'WOULD CHANGE' : 'CHANGED'
    const most = Math.max(3, this.#options.rows - BESIDE)
    const lines = [
      `${title} ${'*'.repeat(Math.max(3, this.#options.columns - title.length - 2))}`,
      ...changes.slice(0, most).map((change) => this.#line(change)),
      ...(changes.length > most ? [`… and ${changes.length - most} more tasks`] : []),
      ...(changes.length > 0 ? [''] : []),
      ...this.#perHostLines(),
      this.#total(changes.length),
    ]
    this.#options.output.out(`\n${lines.join('\n')}\n`)
  }

  #line({ name, hosts, added, removed }: Change): string {
    const on = hosts.size === this.#perHost.size && hosts.size > 1 ? `all ${hosts.size} hosts` : hostsText([...hosts].sort(), 3)
    const diff = added + removed === 0 ? '' : ` ${this.#paint('added', `+${added}`)} ${this.#paint('removed', `-${removed}`)}`
    return `${this.#paint('changed', name)}: ${on}${diff}`
  }

  /** A line for each number of changes: hosts that are alike share it. */
  #perHostLines(): string[] {
    const byCount = new Map<number, string[]>()
    for (const [host, count] of this.#perHost) byCount.set(count, [...(byCount.get(count) ?? []), host])
    const rows = [...byCount].filter(([count]) => count > 0).sort(([a], [b]) => b - a)
    const shown = rows.slice(0, 5).map(([count, hosts]) => `${plural(count, 'change')}: ${hostsText(hosts.sort(), 6)}`)
    return rows.length > 5
      ? [
          ...shown,
          `fewer: ${plural(
            rows.slice(5).reduce((sum, [, hosts]) => sum + hosts.length, 0),
            'host',
          )}`,
        ]
      : shown
  }

  #total(tasks: number): string {
    const all = this.#perHost.size
    const changed = [...this.#perHost.values()].filter((count) => count > 0).length
    const verb = this.#isCheck ? 'would change' : 'changed'
    const failed = this.#troubled.size === 0 ? '' : `; not known to the end: ${plural(this.#troubled.size, 'host')} failed`
    const trouble = this.#unknown.size === 0 ? failed : `; not known: ${plural(this.#unknown.size, 'task')} that cannot be checked${failed}`
    if (changed === 0) return `nothing ${verb} on ${plural(all, 'host')}${trouble}`
    return `${plural(tasks, 'task')} ${verb} something on ${changed} of ${plural(all, 'host')}${trouble}`
  }
}

const keyOf = (task: TaskRef): string => `${taskKey(task)}\0${task.name}`

const plural = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`
