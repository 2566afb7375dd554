/** When each task began and how long the one before took; after the recap the slowest tasks (profile_tasks) or roles (profile_roles). */
import type { Event, TaskRef } from '../events/index.ts'
import type { Reporter, ReportOptions } from './reporter.ts'
import { taskKey } from './task-key.ts'

const LINE = 79

/** When things began: the line that tells it, and what each name took in all. */
abstract class Profile implements Reporter {
  protected readonly options: ReportOptions
  protected readonly spent = new Map<string, Spent>()
  #start: number | undefined
  #last = 0
  #open: Spent | undefined

  constructor(options: ReportOptions) {
    this.options = options
  }

  on(event: Event): void {
    this.#start ??= event.at
    this.#last ||= event.at
    if (event.kind !== 'task-start' && event.kind !== 'stats') return
    this.#tellTime(event.at)
    if (event.kind === 'stats') this.options.output.out(`${'='.repeat(LINE)} \n`)
    if (this.#open) this.#open.milliseconds += event.at - this.#open.since
    this.#open = event.kind === 'stats' ? undefined : this.#opened(event.task, event.at)
    if (event.kind === 'stats') this.summary()
  }

  protected abstract key(task: TaskRef): string
  protected abstract summary(): void

  #opened(task: TaskRef, at: number): Spent {
    const key = this.key(task)
    const known = this.spent.get(key) ?? { name: task.name, place: task.place, since: at, milliseconds: 0 }
    known.since = at
    this.spent.set(key, known)
    return known
  }

  /** The time of day, the time since the last line, and since the beginning. */
  #tellTime(at: number): void {
    const text = `${dayAndTime(new Date(at))} (${duration(at - this.#last)})       ${duration(at - (this.#start ?? at))} `
    this.#last = at
    this.options.output.out(`${text}${'*'.repeat(Math.max(3, LINE - text.length))} \n`)
  }
}

interface Spent {
  readonly name: string
  readonly place: string | undefined
  since: number
  milliseconds: number
}

/** A row of the summary, `width` wide. */
const row = (name: string, milliseconds: number, width: number): string =>
  `${`${name} `.padEnd(width - 9, '-')}${` ${(milliseconds / 1000).toFixed(2)}s`.padStart(9, '-')}\n`

/** The slowest tasks; one that is done batch by batch counts once. */
export class ProfileReport extends Profile {
  protected key(task: TaskRef): string {
    return taskKey(task)
  }

  protected summary(): void {
    const { output, columns, verbosity } = this.options
    const width = Math.max(79, columns - 1)
    for (const { name, milliseconds, place } of this.#chosen()) {
      output.out(row(name, milliseconds, width))
      if (verbosity >= 2 && place !== undefined) output.out(`${`${place.replace(/:\d+$/, '')} `.padEnd(width, '-')}\n`)
    }
  }

  #chosen(): readonly Spent[] {
    const { profileSort = 'descending', profileLimit = '20' } = this.options
    const rows = [...this.spent.values()]
    if (profileSort === 'descending') rows.sort((a, b) => b.milliseconds - a.milliseconds)
    else if (profileSort === 'ascending') rows.sort((a, b) => a.milliseconds - b.milliseconds)
    return profileLimit === 'all' ? rows : rows.slice(0, Number(profileLimit))
  }
}

/** What each role took, and each module outside of roles. */
export class RolesReport extends Profile {
  protected key({ role, action }: TaskRef): string {
    return role ?? action
  }

  protected summary(): void {
    const { output } = this.options
    const rows = [...this.spent].sort(([, a], [, b]) => b.milliseconds - a.milliseconds)
    for (const [name, { milliseconds }] of rows) output.out(row(name, milliseconds, LINE))
    const total = rows.reduce((sum, [, { milliseconds }]) => sum + milliseconds, 0)
    output.out(`${'~'.repeat(LINE)} \n${row('total', total, LINE)}`)
  }
}

/** `0:01:02.003` */
function duration(milliseconds: number): string {
  const two = (n: number): string => String(n).padStart(2, '0')
  const seconds = Math.floor(milliseconds / 1000)
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}.${String(Math.floor(milliseconds % 1000)).padStart(3, '0')}`
}

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const MONTHS = 'January February March April May June July August September October November December'.split(' ')

/** `Thursday 11 June 2015  22:50:53 +0100` */
function dayAndTime(date: Date): string {
  const two = (n: number): string => String(n).padStart(2, '0')
  const offset = -date.getTimezoneOffset()
  const zone = `${offset < 0 ? '-' : '+'}${two(Math.floor(Math.abs(offset) / 60))}${two(Math.abs(offset) % 60)}`
  const day = `${DAYS[date.getDay()]} ${two(date.getDate())} ${MONTHS[date.getMonth()]} ${date.getFullYear()}`
  return `${day}  ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())} ${zone}`
}
