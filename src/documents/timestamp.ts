/** Turns the text of an unquoted date or timestamp of YAML 1.1 into its parts. */
import { Problem, type Span, Timestamp } from '../base/index.ts'

const MAY_BE_TIMESTAMP = /^\d{4}-/
const DATE = /^(\d{4})-(\d\d)-(\d\d)$/
const TIMESTAMP = /^(\d{4})-(\d\d?)-(\d\d?)(?:[Tt]|[ \t]+)(\d\d?):(\d\d):(\d\d)(?:\.(\d*))?(?:[ \t]*(?:Z|([-+])(\d\d?)(?::(\d\d))?))?$/
const MICRO_DIGITS = 6
const MOST_MINUTES = 24 * 60

/** Undefined: the text is none. */
export function readTimestamp(text: string, at?: Span): Timestamp | undefined {
  if (!MAY_BE_TIMESTAMP.test(text)) return undefined
  const match = DATE.exec(text) ?? TIMESTAMP.exec(text)
  if (!match) return undefined
  const [, year, month, day, hour = 0, minute = 0, second = 0] = match.map((part) => (part === undefined ? undefined : Number(part)))
  const wrong = outOfRange({ year: year!, month: month!, day: day!, hour, minute, second })
  if (wrong !== undefined) throw new Problem(wrong, { kind: 'syntax', span: at, hint: 'quote a value that is to be text' })
  const date = new Date(Date.UTC(2000, 0, 1, hour, minute, second))
  date.setUTCFullYear(year!, month! - 1, day!)
  const isDate = match[4] === undefined
  const microsecond = Number((match[7] ?? '').slice(0, MICRO_DIGITS).padEnd(MICRO_DIGITS, '0'))
  return new Timestamp(text, { isDate, milliseconds: date.getTime(), microsecond, offset: isDate ? undefined : offsetOf(match, at) })
}

/** Minutes east of Greenwich: `Z` says none, nothing at all says nothing. */
function offsetOf([whole, , , , , , , , sign, hours, minutes]: RegExpExecArray, at: Span | undefined): number | undefined {
  if (sign === undefined) return whole.endsWith('Z') ? 0 : undefined
  const size = Number(hours) * 60 + Number(minutes ?? 0)
  if (size >= MOST_MINUTES) {
    const message = 'the offset of a timestamp must be less than 24 hours'
    throw new Problem(message, { kind: 'syntax', span: at, hint: 'quote a value that is to be text' })
  }
  return sign === '-' ? -size : size
}

type Clock = { readonly [part in 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second']: number }

const LIMITS = [
  ['month', 1, 12],
  ['hour', 0, 23],
  ['minute', 0, 59],
  ['second', 0, 59],
] as const

function outOfRange(clock: Clock): string | undefined {
  if (clock.year === 0) return 'year 0 is out of range'
  for (const [part, least, most] of LIMITS) if (clock[part] < least || clock[part] > most) return `${part} must be in ${least}..${most}`
  const last = new Date(Date.UTC(2000, 0, 1))
  last.setUTCFullYear(clock.year, clock.month, 0)
  return clock.day < 1 || clock.day > last.getUTCDate() ? 'day is out of range for month' : undefined
}
