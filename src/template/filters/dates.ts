/** Dates: strptime's and strftime's directives, and the datetime values that to_datetime gives. */
import { Float, type Value } from '../../base/index.ts'
import { NativeFunction, PyError, PyObject, str } from '../python/index.ts'

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December']

/** A moment in its parts, as people read them off a calendar and a clock. */
export interface Moment {
  readonly year: number
  readonly month: number // from 1
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
  readonly microsecond: number
  readonly weekday: number // Sunday is 0
  readonly yearDay: number // from 1
  /** minutes east of Greenwich */
  readonly offset: number
  readonly zone: string
  readonly epoch: number
}

export function momentOf(epoch: number, utc: boolean): Moment {
  const date = new Date(Math.floor(epoch) * 1000)
  const offset = utc ? 0 : -date.getTimezoneOffset()
  const there = new Date(date.getTime() + offset * 60_000)
  const year = there.getUTCFullYear()
  return {
    year,
    month: there.getUTCMonth() + 1,
    day: there.getUTCDate(),
    hour: there.getUTCHours(),
    minute: there.getUTCMinutes(),
    second: there.getUTCSeconds(),
    microsecond: 0,
    weekday: there.getUTCDay(),
    yearDay: yearDay(year, there.getUTCMonth() + 1, there.getUTCDate()),
    offset,
    zone: utc ? 'GMT' : zoneName(date),
    epoch: Math.floor(epoch),
  }
}

const yearDay = (year: number, month: number, day: number): number =>
  Math.round((Date.UTC(year, month - 1, day) - Date.UTC(year, 0, 1)) / 86_400_000) + 1

function zoneName(date: Date): string {
  const part = new Intl.DateTimeFormat('en-US', { timeZoneName: 'short' }).formatToParts(date).find((p) => p.type === 'timeZoneName')
  return part?.value ?? 'UTC'
}

const two = (value: number): string => String(value).padStart(2, '0')
const blank = (value: number): string => String(value).padStart(2, ' ')
const hour12 = (m: Moment): number => m.hour % 12 || 12
const mondayBased = (m: Moment): number => (m.weekday + 6) % 7
const sign = (offset: number): string => `${offset < 0 ? '-' : '+'}${two(Math.floor(Math.abs(offset) / 60))}${two(Math.abs(offset) % 60)}`

const DIRECTIVES: Readonly<Record<string, (m: Moment) => string>> = {
  a: (m) => DAYS[m.weekday]!.slice(0, 3),
  A: (m) => DAYS[m.weekday]!,
  b: (m) => MONTHS[m.month - 1]!.slice(0, 3),
  B: (m) => MONTHS[m.month - 1]!,
  c: (m) => formatMoment('%a %b %e %H:%M:%S %Y', m),
  C: (m) => two(Math.floor(m.year / 100)),
  d: (m) => two(m.day),
  D: (m) => formatMoment('%m/%d/%y', m),
  e: (m) => blank(m.day),
  f: (m) => String(m.microsecond).padStart(6, '0'),
  F: (m) => formatMoment('%Y-%m-%d', m),
  g: (m) => two(isoWeek(m).year % 100),
  G: (m) => String(isoWeek(m).year),
  h: (m) => MONTHS[m.month - 1]!.slice(0, 3),
  H: (m) => two(m.hour),
  I: (m) => two(hour12(m)),
  j: (m) => String(m.yearDay).padStart(3, '0'),
  k: (m) => blank(m.hour),
  l: (m) => blank(hour12(m)),
  m: (m) => two(m.month),
  M: (m) => two(m.minute),
  n: () => '\n',
  p: (m) => (m.hour < 12 ? 'AM' : 'PM'),
  P: (m) => (m.hour < 12 ? 'am' : 'pm'),
  r: (m) => formatMoment('%I:%M:%S %p', m),
  R: (m) => formatMoment('%H:%M', m),
  s: (m) => String(m.epoch),
  S: (m) => two(m.second),
  t: () => '\t',
  T: (m) => formatMoment('%H:%M:%S', m),
  u: (m) => String(m.weekday || 7),
  U: (m) => two(Math.floor((m.yearDay + 6 - m.weekday) / 7)),
  V: (m) => two(isoWeek(m).week),
  w: (m) => String(m.weekday),
  W: (m) => two(Math.floor((m.yearDay + 6 - mondayBased(m)) / 7)),
  x: (m) => formatMoment('%m/%d/%y', m),
  X: (m) => formatMoment('%H:%M:%S', m),
  y: (m) => two(m.year % 100),
  Y: (m) => String(m.year),
  z: (m) => sign(m.offset),
  Z: (m) => m.zone,
  '%': () => '%',
}

export function formatMoment(format: string, moment: Moment): string {
  return format.replace(/%[-_0^#E O]?([A-Za-z%])/g, (whole, letter: string) => {
    const text = DIRECTIVES[letter]?.(moment)
    if (text === undefined) return whole
    return whole[1] === '-' ? text.replace(/^[0 ]+(?=.)/, '') : whole[1] === '^' ? text.toUpperCase() : text
  })
}

function isoWeek(m: Moment): { year: number; week: number } {
  const thursday = new Date(Date.UTC(m.year, m.month - 1, m.day + 3 - mondayBased(m)))
  const year = thursday.getUTCFullYear()
  return { year, week: Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / 86_400_000 / 7) + 1 }
}

/** A naive datetime: a calendar date and a clock time without a zone. */
export class PyDateTime extends PyObject {
  readonly typeName = 'datetime'
  constructor(
    /** milliseconds since 1970 were it in UTC */
    readonly milliseconds: number,
    readonly microsecond = 0,
    /** minutes east of Greenwich, where the text told */
    readonly offset?: number | undefined,
  ) {
    super()
  }
  get moment(): Moment {
    return { ...momentOf(this.milliseconds / 1000, true), microsecond: this.microsecond, offset: this.offset ?? 0, zone: '' }
  }
  /** microseconds since 1970 */
  get micros(): number {
    return this.milliseconds * 1000 + this.microsecond - (this.offset ?? 0) * 60_000_000
  }
  override str(): string {
    return this.iso(' ')
  }
  iso(separator: string): string {
    const text = formatMoment(`%Y-%m-%d${separator}%H:%M:%S${this.microsecond ? '.%f' : ''}`, { ...this.moment, year: this.moment.year })
    return this.offset === undefined ? text : `${text}${sign(this.offset).replace(/(..)$/, ':$1')}`
  }
  override repr(): string {
    const m = this.moment
    const tail = this.microsecond ? [m.second, m.microsecond] : m.second ? [m.second] : []
    return `datetime.datetime(${[m.year, m.month, m.day, m.hour, m.minute, ...tail].join(', ')})`
  }
  override equals(other: Value): boolean {
    return other instanceof PyDateTime && other.micros === this.micros
  }
  order(operator: '<' | '<=' | '>' | '>=', other: Value): boolean | undefined {
    return other instanceof PyDateTime ? compare(operator, this.micros, other.micros) : undefined
  }
  override subtract(other: Value): Value | undefined {
    if (other instanceof PyDateTime) return new PyTimeDelta(this.micros - other.micros)
    if (!(other instanceof PyTimeDelta)) return undefined
    const micros = this.micros - other.micros
    return new PyDateTime(Math.floor(micros / 1_000_000) * 1000, ((micros % 1_000_000) + 1_000_000) % 1_000_000)
  }
  override attribute(name: string): Value | undefined {
    if (name in PLAIN_PARTS) return this.moment[name as (typeof PART_NAMES)[number]]
    const run = Object.hasOwn(DATETIME_METHODS, name) ? DATETIME_METHODS[name] : undefined
    return run && new NativeFunction(name, (args) => run(this, args))
  }
}

const PART_NAMES = ['year', 'month', 'day', 'hour', 'minute', 'second', 'microsecond'] as const
const PLAIN_PARTS: Readonly<Record<string, true>> = Object.fromEntries(PART_NAMES.map((name) => [name, true]))

const MONDAY_FIRST = 6

const DATETIME_METHODS: Readonly<Record<string, (self: PyDateTime, args: Value[]) => Value>> = {
  date: (self) => new PyDateTime(self.milliseconds - (((self.milliseconds % 86_400_000) + 86_400_000) % 86_400_000)),
  isoformat: (self, [separator]) => self.iso(typeof separator === 'string' ? separator : 'T'),
  isoweekday: (self) => self.moment.weekday || 7,
  strftime: (self, [format]) => formatMoment(str(format ?? ''), self.moment),
  // a datetime without a zone is in the controller's
  timestamp: (self) => new Float((self.offset === undefined ? localEpoch(self) : self.micros) / 1_000_000),
  weekday: (self) => (self.moment.weekday + MONDAY_FIRST) % 7,
}

function localEpoch(self: PyDateTime): number {
  const m = self.moment
  return new Date(m.year, m.month - 1, m.day, m.hour, m.minute, m.second).getTime() * 1000 + self.microsecond
}

/** The time between two datetimes. */
export class PyTimeDelta extends PyObject {
  readonly typeName = 'timedelta'
  constructor(readonly micros: number) {
    super()
  }
  get days(): number {
    return Math.floor(this.micros / 86_400_000_000)
  }
  get seconds(): number {
    return Math.floor((this.micros - this.days * 86_400_000_000) / 1_000_000)
  }
  get microseconds(): number {
    return ((this.micros % 1_000_000) + 1_000_000) % 1_000_000
  }
  override truth(): boolean {
    return this.micros !== 0
  }
  override str(): string {
    const { days, seconds, microseconds } = this
    const clock = `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
    const fraction = microseconds ? `.${String(microseconds).padStart(6, '0')}` : ''
    return `${days ? `${days} day${Math.abs(days) === 1 ? '' : 's'}, ` : ''}${clock}${fraction}`
  }
  override repr(): string {
    const parts = [
      this.days ? `days=${this.days}` : '',
      this.seconds ? `seconds=${this.seconds}` : '',
      this.microseconds ? `microseconds=${this.microseconds}` : '',
    ]
    return `datetime.timedelta(${parts.filter((p) => p !== '').join(', ') || '0'})`
  }
  override equals(other: Value): boolean {
    return other instanceof PyTimeDelta && other.micros === this.micros
  }
  order(operator: '<' | '<=' | '>' | '>=', other: Value): boolean | undefined {
    return other instanceof PyTimeDelta ? compare(operator, this.micros, other.micros) : undefined
  }
  override attribute(name: string): Value | undefined {
    if (name === 'total_seconds') return new NativeFunction(name, () => new Float(this.micros / 1_000_000))
    return name === 'days' || name === 'seconds' || name === 'microseconds' ? this[name] : undefined
  }
}

function compare(operator: string, a: number, b: number): boolean {
  if (operator === '<') return a < b
  if (operator === '>') return a > b
  return operator === '<=' ? a <= b : a >= b
}

const word = (names: readonly string[]): string => names.join('|')
const READERS: Readonly<Record<string, string>> = {
  a: word(DAYS.map((d) => d.slice(0, 3))),
  A: word(DAYS),
  b: word(MONTHS.map((m) => m.slice(0, 3))),
  B: word(MONTHS),
  d: '3[0-1]|[1-2]\\d|0[1-9]|[1-9]| [1-9]',
  f: '\\d{1,6}',
  H: '2[0-3]|[0-1]\\d|\\d',
  I: '1[0-2]|0[1-9]|[1-9]',
  j: '36[0-6]|3[0-5]\\d|[1-2]\\d\\d|0[1-9]\\d|00[1-9]|[1-9]\\d|0[1-9]|[1-9]',
  m: '1[0-2]|0[1-9]|[1-9]',
  M: '[0-5]\\d|\\d',
  p: 'am|pm',
  S: '6[0-1]|[0-5]\\d|\\d',
  w: '[0-6]',
  y: '\\d\\d',
  Y: '\\d{4}',
  z: '[+-]\\d\\d:?[0-5]\\d(?::?[0-5]\\d(?:\\.\\d{1,6})?)?|Z',
  Z: 'utc|gmt',
}
const COMPOUND: Readonly<Record<string, string>> = {
  c: '%a %b %d %H:%M:%S %Y',
  x: '%m/%d/%y',
  X: '%H:%M:%S',
  D: '%m/%d/%y',
  T: '%H:%M:%S',
  R: '%H:%M',
  F: '%Y-%m-%d',
}

/** datetime.strptime */
export function parseMoment(text: string, format: string): PyDateTime {
  const letters: string[] = []
  const full = format.replace(/%([cxXDTRF])/g, (_, letter: string) => COMPOUND[letter]!)
  const source = full.replace(/%(.)|\s+|[\\.^$*+?(){}[\]|/]/gs, (whole, letter: string | undefined) => {
    if (letter === '%') return '%'
    if (letter === undefined) return /^\s/.test(whole) ? '\\s+' : `\\${whole}`
    const reader = READERS[letter]
    if (reader === undefined) throw new PyError('ValueError', `'${letter}' is a bad directive in format '${format}'`)
    letters.push(letter)
    return `(${reader})`
  })
  const found = new RegExp(`^${source}`, 'i').exec(text)
  if (!found) throw new PyError('ValueError', `time data '${text}' does not match format '${format}'`)
  if (found[0].length < text.length) throw new PyError('ValueError', `unconverted data remains: ${text.slice(found[0].length)}`)
  return assemble(new Map(letters.map((letter, i) => [letter, found[i + 1]!])))
}

function assemble(parts: ReadonlyMap<string, string>): PyDateTime {
  const number = (letter: string, fallback: number): number => (parts.has(letter) ? Number(parts.get(letter)) : fallback)
  const short = number('y', -1)
  const year = parts.has('Y') ? number('Y', 1900) : short < 0 ? 1900 : short < 69 ? 2000 + short : 1900 + short
  const month = number('m', nameIndex(parts.get('B') ?? parts.get('b'), MONTHS))
  const day = number('d', 1)
  let hour = number('H', -1)
  if (hour < 0) hour = parts.has('I') ? (number('I', 0) % 12) + (parts.get('p')?.toLowerCase() === 'pm' ? 12 : 0) : 0
  const time = parts.has('j')
    ? Date.UTC(year, 0, number('j', 1), hour, number('M', 0), number('S', 0))
    : Date.UTC(year, month - 1, day, hour, number('M', 0), number('S', 0))
  const date = new Date(time)
  date.setUTCFullYear(parts.has('j') ? date.getUTCFullYear() : year)
  if (!parts.has('j') && date.getUTCDate() !== day) throw new PyError('ValueError', 'day is out of range for month')
  const micro = Number((parts.get('f') ?? '').padEnd(6, '0')) || 0
  return new PyDateTime(date.getTime(), micro, offsetOf(parts.get('z')))
}

function nameIndex(name: string | undefined, names: readonly string[]): number {
  if (name === undefined) return 1
  return names.findIndex((n) => n.slice(0, 3).toLowerCase() === name.slice(0, 3).toLowerCase()) + 1
}

function offsetOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (text.toUpperCase() === 'Z') return 0
  const digits = text.replace(/\D/g, '')
  return (text.startsWith('-') ? -1 : 1) * (Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2, 4)))
}
