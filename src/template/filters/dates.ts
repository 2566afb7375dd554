/** Dates: text and strptime's directives → the datetime that to_datetime gives. */
import { PyError } from '../python/index.ts'
import { PyDateTime } from './datetime.ts'
import { DAYS, MONTHS } from './moment.ts'

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
