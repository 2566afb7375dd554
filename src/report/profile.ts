/** When each task began and how long the one before took, and the slowest tasks after the recap (profile_tasks). */
import type { Event } from '../events/index.ts'
import type { Reporter, ReportOptions } from './reporter.ts'

const LINE = 79

export class ProfileReport implements Reporter {
  readonly #options: ReportOptions
  readonly #spent: { name: string; place: string | undefined; start: number; end: number }[] = []
  #start: number | undefined
  #last = 0

  constructor(options: ReportOptions) {
    this.#options = options
  }

  on(event: Event): void {
    this.#start ??= event.at
    this.#last ||= event.at
    const open = this.#spent.at(-1)
    if (event.kind === 'task-start') {
      this.#tellTime(event.at)
      if (open) open.end = event.at
      this.#spent.push({ name: event.task.name, place: event.task.place, start: event.at, end: event.at })
    } else if (event.kind === 'result' && open) open.end = event.at
    else if (event.kind === 'stats') this.#write(event.at)
  }

  /** The time of day, the time since the last line, and since the beginning. */
  #tellTime(at: number): void {
    const text = `${dayAndTime(new Date(at))} (${duration(at - this.#last)})       ${duration(at - (this.#start ?? at))} `
    this.#last = at
    this.#options.output.out(`${text}${'*'.repeat(Math.max(3, LINE - text.length))} \n`)
  }

  #write(at: number): void {
    const { output, columns, verbosity } = this.#options
    this.#tellTime(at)
    output.out(`${'='.repeat(LINE)} \n`)
    const open = this.#spent.at(-1)
    if (open) open.end = at
    const width = Math.max(79, columns - 1)
    for (const { name, seconds, place } of this.#chosen()) {
      output.out(`${`${name} `.padEnd(width - 9, '-')}${` ${seconds.toFixed(2)}s`.padStart(9, '-')}\n`)
      if (verbosity >= 2 && place !== undefined) output.out(`${`${place.replace(/:\d+$/, '')} `.padEnd(width, '-')}\n`)
    }
  }

  #chosen() {
    const { profileSort = 'descending', profileLimit = '20' } = this.#options
    const rows = this.#spent.map((task) => ({ ...task, seconds: (task.end - task.start) / 1000 }))
    if (profileSort !== 'none') rows.sort((a, b) => (profileSort === 'ascending' ? a.seconds - b.seconds : b.seconds - a.seconds))
    return profileLimit === 'all' ? rows : rows.slice(0, Number(profileLimit))
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
