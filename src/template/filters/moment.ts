/** A moment in its parts, and strftime's directives → the text that they make of it. */

export const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
export const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

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
    get zone() {
      return utc ? 'GMT' : zoneName(date)
    },
    epoch: Math.floor(epoch),
  }
}

const yearDay = (year: number, month: number, day: number): number =>
  Math.round((Date.UTC(year, month - 1, day) - Date.UTC(year, 0, 1)) / 86_400_000) + 1

/** Costs more than all the rest together, and is hardly ever asked for. */
function zoneName(date: Date): string {
  const part = new Intl.DateTimeFormat('en-US', { timeZoneName: 'short' }).formatToParts(date).find((p) => p.type === 'timeZoneName')
  return part?.value ?? 'UTC'
}

export const two = (value: number): string => String(value).padStart(2, '0')
const blank = (value: number): string => String(value).padStart(2, ' ')
const hour12 = (m: Moment): number => m.hour % 12 || 12
const mondayBased = (m: Moment): number => (m.weekday + 6) % 7
export const signOf = (offset: number): string =>
  `${offset < 0 ? '-' : '+'}${two(Math.floor(Math.abs(offset) / 60))}${two(Math.abs(offset) % 60)}`

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
  z: (m) => signOf(m.offset),
  Z: (m) => m.zone,
  '%': () => '%',
}

/** Directives that give numbers; of these some are filled up with blanks. */
const NUMBERS = 'CdegGHIjklmMsSuUVwWyY'
const BLANK_FILLED = 'ekl'

/** `%`, flags, a width, E or O, and the directive, as the C library has them. */
const DIRECTIVE = /%([-_0^#]*)(\d*)[EO]?([A-Za-z%])/g

export function formatMoment(format: string, moment: Moment): string {
  return format.replace(DIRECTIVE, (whole, flags: string, width: string, letter: string) => {
    const text = DIRECTIVES[letter]?.(moment)
    return text === undefined ? whole : filled(cased(text, flags, letter), flags, Number(width), letter)
  })
}

function cased(text: string, flags: string, letter: string): string {
  if (flags.includes('#') && 'pZ'.includes(letter)) return text.toLowerCase()
  return flags.includes('^') || (flags.includes('#') && 'aAbBh'.includes(letter)) ? text.toUpperCase() : text
}

/** The last flag that tells how to fill counts. */
function filled(text: string, flags: string, width: number, letter: string): string {
  const how = /[-_0](?=[^-_0]*$)/.exec(flags)?.[0]
  const isNumber = NUMBERS.includes(letter)
  if (how === '-') return (isNumber ? text.replace(/^[0 ]+(?=.)/, '') : text).padStart(width)
  const blank = how === undefined ? !isNumber || BLANK_FILLED.includes(letter) : how === '_'
  const refilled = how !== undefined && isNumber ? text.replace(/^[0 ]+(?=.)/, (fill) => (blank ? ' ' : '0').repeat(fill.length)) : text
  return refilled.padStart(width, blank ? ' ' : '0')
}

export function isoWeek(m: Moment): { year: number; week: number } {
  const thursday = new Date(Date.UTC(m.year, m.month - 1, m.day + 3 - mondayBased(m)))
  const year = thursday.getUTCFullYear()
  return { year, week: Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / 86_400_000 / 7) + 1 }
}
