/** community.crypto's parse_serial and to_serial: the serial number of a certificate ↔ bytes in hexadecimal with colons. */
import type { Value } from '../../base/index.ts'
import { filterError, isInteger, normalInt, repr } from '../python/index.ts'
import { classOf, type FilterTable, plain } from './define.ts'

export const SERIALS: FilterTable = {
  parse_serial: plain('parse_serial_filter', (value) => {
    if (typeof value !== 'string')
      throw filterError(`The input for the community.crypto.parse_serial filter must be a string; got ${classOf(value)} instead`)
    return normalInt(value.split(':').reduce((sum, part, i) => (sum << 8n) | BigInt(byteOf(part, i + 1)), 0n))
  }),
  to_serial: plain('to_serial_filter', (value: Value) => {
    if (!isInteger(value))
      throw filterError(`The input for the community.crypto.to_serial filter must be an integer; got ${classOf(value)} instead`)
    const number = BigInt(value)
    if (number < 0n) throw filterError('The input for the community.crypto.to_serial filter must not be negative')
    const digits = number.toString(16).toUpperCase()
    return (digits.length % 2 ? `0${digits}` : digits).match(/../g)!.join(':')
  }),
}

function byteOf(part: string, position: number): number {
  const digits = /^\s*([+-]?)(?:0[xX]_?)?([0-9a-fA-F]+(?:_[0-9a-fA-F]+)*)\s*$/.exec(part)
  const number = digits ? Number.parseInt(digits[1] + digits[2]!.replaceAll('_', ''), 16) : undefined
  if (number !== undefined && number >= 0 && number <= 255) return number
  const why = number === undefined ? `invalid literal for int() with base 16: ${repr(part)}` : 'the value is not in range [0, 255]'
  throw filterError(`The ${position}${ordinal(position)} part ${repr(part)} is not a hexadecimal number in range [0, 255]: ${why}`)
}

function ordinal(position: number): string {
  const tens = position % 100
  if (tens >= 11 && tens <= 13) return 'th'
  return ['th', 'st', 'nd', 'rd'][position % 10] ?? 'th'
}
