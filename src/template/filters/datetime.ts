/** Python's datetime, date, time and timedelta as templates meet them. */
import { Float, type Timestamp, Tuple, type Value } from '../../base/index.ts'
import { asIndex, type Kwargs, NativeFunction, PyError, PyObject, str, typeError } from '../python/index.ts'
import { formatMoment, isoWeek, type Moment, momentOf, signOf, two } from './moment.ts'

type Operator = '<' | '<=' | '>' | '>='
type DateMethod<Self> = (self: Self, args: readonly Value[], kwargs: Kwargs) => Value

const DAY = 86_400_000
const MICROS_OF_DAY = 86_400_000_000
const SUNDAY = 7

/** A datetime; naive where it knows of no zone. */
export class PyDateTime extends PyObject {
  readonly typeName: string = 'datetime'
  override readonly yamlTag = 'timestamp'
  override readonly qualified: string = 'datetime.datetime'
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
  override truth(): boolean {
    return true
  }
  override str(): string {
    return this.iso(' ')
  }
  iso(separator: string): string {
    const text = formatMoment(`%Y-%m-%d${separator}%H:%M:%S${this.microsecond ? '.%f' : ''}`, this.moment)
    return this.offset === undefined ? text : `${text}${signOf(this.offset).replace(/(..)$/, ':$1')}`
  }
  override repr(): string {
    const m = this.moment
    const tail = m.microsecond ? [m.second, m.microsecond] : m.second ? [m.second] : []
    const zone = this.offset === undefined ? '' : `, tzinfo=datetime.timezone${this.offset === 0 ? '.utc' : `(${zoneRepr(this.offset)})`}`
    return `datetime.datetime(${[m.year, m.month, m.day, m.hour, m.minute, ...tail].join(', ')}${zone})`
  }
  override json(): string {
    return this.iso('T')
  }
  override plain(): string {
    return this.json()
  }
  override format(spec: string): string {
    return spec === '' ? this.str() : formatMoment(spec, this.moment)
  }
  override equals(other: Value): boolean {
    if (!(other instanceof PyDateTime) || isDate(other) !== isDate(this)) return false
    return (other.offset === undefined) === (this.offset === undefined) && other.micros === this.micros
  }
  override hash(): string {
    return `${this.qualified} ${this.micros}${this.offset === undefined ? '' : ' UTC'}`
  }
  order(operator: Operator, other: Value): boolean | undefined {
    if (!(other instanceof PyDateTime)) return undefined
    if (isDate(other) !== isDate(this)) throw typeError("can't compare datetime.datetime to datetime.date")
    if ((other.offset === undefined) !== (this.offset === undefined))
      throw typeError("can't compare offset-naive and offset-aware datetimes")
    return compare(operator, this.micros, other.micros)
  }
  override subtract(other: Value): Value | undefined {
    if (other instanceof PyTimeDelta) return this.moved(-other.micros)
    if (!(other instanceof PyDateTime) || isDate(other) !== isDate(this)) return undefined
    if ((other.offset === undefined) !== (this.offset === undefined))
      throw typeError("can't subtract offset-naive and offset-aware datetimes")
    return new PyTimeDelta(this.micros - other.micros)
  }
  override plus(other: Value): Value | undefined {
    return other instanceof PyTimeDelta ? this.moved(other.micros) : undefined
  }
  protected moved(by: number): PyDateTime {
    const micros = this.milliseconds * 1000 + this.microsecond + by
    return new PyDateTime(Math.floor(micros / 1_000_000) * 1000, ((micros % 1_000_000) + 1_000_000) % 1_000_000, this.offset)
  }
  override attribute(name: string): Value | undefined {
    if (name in PLAIN_PARTS) return this.moment[name as (typeof PART_NAMES)[number]]
    return bound(DATETIME_METHODS, this, name)
  }
}

/** A date: a datetime at midnight that has no clock. */
export class PyDate extends PyDateTime {
  override readonly typeName = 'date'
  override readonly qualified = 'datetime.date'
  override iso(): string {
    return formatMoment('%Y-%m-%d', this.moment)
  }
  override repr(): string {
    const { year, month, day } = this.moment
    return `datetime.date(${year}, ${month}, ${day})`
  }
  protected override moved(by: number): PyDate {
    return new PyDate(this.milliseconds + Math.floor(by / MICROS_OF_DAY) * DAY)
  }
  override attribute(name: string): Value | undefined {
    if (name === 'year' || name === 'month' || name === 'day') return this.moment[name]
    return DATE_METHODS.has(name) ? bound(DATETIME_METHODS, this, name) : undefined
  }
}

/** What an unquoted date or timestamp of YAML is. */
export function dateOf({ parts: { isDate, milliseconds, microsecond, offset } }: Timestamp): PyDateTime {
  return isDate ? new PyDate(milliseconds) : new PyDateTime(milliseconds, microsecond, offset)
}

const isDate = (value: PyDateTime): boolean => value instanceof PyDate

/** The clock of a datetime. */
export class PyTime extends PyObject {
  readonly typeName = 'time'
  override readonly qualified = 'datetime.time'
  constructor(readonly of: PyDateTime) {
    super()
  }
  override truth(): boolean {
    return true
  }
  override str(): string {
    return formatMoment(`%H:%M:%S${this.of.microsecond ? '.%f' : ''}`, this.of.moment)
  }
  override repr(): string {
    const m = this.of.moment
    const tail = m.microsecond ? [m.second, m.microsecond] : m.second ? [m.second] : []
    return `datetime.time(${[m.hour, m.minute, ...tail].join(', ')})`
  }
  override equals(other: Value): boolean {
    return other instanceof PyTime && other.str() === this.str()
  }
  order(operator: Operator, other: Value): boolean | undefined {
    return other instanceof PyTime ? compare(operator, this.of.micros % MICROS_OF_DAY, other.of.micros % MICROS_OF_DAY) : undefined
  }
  override attribute(name: string): Value | undefined {
    if (name === 'hour' || name === 'minute' || name === 'second' || name === 'microsecond') return this.of.moment[name]
    if (name === 'isoformat') return new NativeFunction(name, () => this.str())
    return name === 'strftime' ? new NativeFunction(name, ([format]) => formatMoment(str(format ?? ''), this.of.moment)) : undefined
  }
}

const PART_NAMES = ['year', 'month', 'day', 'hour', 'minute', 'second', 'microsecond'] as const
const PLAIN_PARTS: Readonly<Record<string, true>> = Object.fromEntries(PART_NAMES.map((name) => [name, true]))

const DATETIME_METHODS: Readonly<Record<string, DateMethod<PyDateTime>>> = {
  ctime: (self) => formatMoment('%c', self.moment),
  date: (self) => new PyDate(Math.floor(self.milliseconds / DAY) * DAY),
  isocalendar: (self) => {
    const { year, week } = isoWeek(self.moment)
    return new Tuple([year, week, self.moment.weekday || SUNDAY])
  },
  isoformat: (self, [separator]) => self.iso(typeof separator === 'string' ? separator : 'T'),
  isoweekday: (self) => self.moment.weekday || SUNDAY,
  replace: replaced,
  strftime: (self, [format]) => formatMoment(str(format ?? ''), self.moment),
  time: (self) => new PyTime(self),
  // a datetime without a zone is in the controller's
  timestamp: (self) => new Float((self.offset === undefined ? localEpoch(self) : self.micros) / 1_000_000),
  toordinal: (self) => Math.floor(self.milliseconds / DAY) + 719_163,
  utcoffset: (self) => (self.offset === undefined ? null : new PyTimeDelta(self.offset * 60_000_000)),
  weekday: (self) => (self.moment.weekday + SUNDAY - 1) % SUNDAY,
}

const DATE_METHODS: ReadonlySet<string> = new Set('ctime isocalendar isoformat isoweekday replace strftime toordinal weekday'.split(' '))

function bound<Self extends PyObject>(methods: Readonly<Record<string, DateMethod<Self>>>, self: Self, name: string): Value | undefined {
  const run = Object.hasOwn(methods, name) ? methods[name] : undefined
  return run && new NativeFunction(name, (args, kwargs) => run(self, args, kwargs))
}

function replaced(self: PyDateTime, args: readonly Value[], kwargs: Kwargs): Value {
  const now = self.moment
  const [year, month, day, hour, minute, second, microsecond] = PART_NAMES.map(
    (name, i) => asIndex(kwargs.get(name) ?? args[i] ?? now[name]) ?? 0,
  )
  const date = new Date(Date.UTC(2000, month! - 1, day!, hour, minute, second))
  date.setUTCFullYear(year!, month! - 1, day!)
  if (date.getUTCMonth() !== month! - 1) throw new PyError('ValueError', 'day is out of range for month')
  return self instanceof PyDate ? new PyDate(date.getTime()) : new PyDateTime(date.getTime(), microsecond, self.offset)
}

function localEpoch(self: PyDateTime): number {
  const m = self.moment
  return new Date(m.year, m.month - 1, m.day, m.hour, m.minute, m.second).getTime() * 1000 + self.microsecond
}

const zoneRepr = (minutes: number): string => new PyTimeDelta(minutes * 60_000_000).repr()

/** The time between two datetimes. */
export class PyTimeDelta extends PyObject {
  readonly typeName = 'timedelta'
  override readonly qualified = 'datetime.timedelta'
  constructor(readonly micros: number) {
    super()
  }
  get days(): number {
    return Math.floor(this.micros / MICROS_OF_DAY)
  }
  get seconds(): number {
    return Math.floor((this.micros - this.days * MICROS_OF_DAY) / 1_000_000)
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
  override hash(): string {
    return `${this.qualified} ${this.micros}`
  }
  order(operator: Operator, other: Value): boolean | undefined {
    return other instanceof PyTimeDelta ? compare(operator, this.micros, other.micros) : undefined
  }
  override plus(other: Value): Value | undefined {
    if (other instanceof PyTimeDelta) return new PyTimeDelta(this.micros + other.micros)
    return other instanceof PyDateTime ? other.plus(this) : undefined
  }
  override subtract(other: Value): Value | undefined {
    return other instanceof PyTimeDelta ? new PyTimeDelta(this.micros - other.micros) : undefined
  }
  override attribute(name: string): Value | undefined {
    if (name === 'total_seconds') return new NativeFunction(name, () => new Float(this.micros / 1_000_000))
    return name === 'days' || name === 'seconds' || name === 'microseconds' ? this[name] : undefined
  }
}

function compare(operator: Operator, a: number, b: number): boolean {
  if (operator === '<') return a < b
  if (operator === '>') return a > b
  return operator === '<=' ? a <= b : a >= b
}
