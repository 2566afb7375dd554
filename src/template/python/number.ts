/** Python's numbers: integers without limit beside floats, and the crossings between them. */
import { Float, type Value } from '../../base/index.ts'
import { PyError, valueError } from './errors.ts'

export type Integer = number | bigint

/** An integer in its normal form: a number where that is exact, else a bigint. */
export function normalInt(value: bigint): Integer {
  return value >= -9007199254740991n && value <= 9007199254740991n ? Number(value) : value
}

/** A number that came out of integer arithmetic, or the exact result where it left the safe range. */
export const safeOr = (value: number, exact: () => bigint): Integer => (Number.isSafeInteger(value) ? value : normalInt(exact()))

/** A number as a double. Integers beyond the range of floats raise OverflowError. */
export function toNumber(value: number | bigint | boolean | Float): number {
  if (typeof value === 'number') return value
  if (value instanceof Float) return value.value
  const result = Number(value)
  if (typeof value === 'bigint' && !Number.isFinite(result)) throw new PyError('OverflowError', 'int too large to convert to float')
  return result
}

/** `int(x)` of a float. */
export function truncate(value: number): Integer {
  if (Number.isNaN(value)) throw valueError('cannot convert float NaN to integer')
  if (!Number.isFinite(value)) throw new PyError('OverflowError', 'cannot convert float infinity to integer')
  const whole = Math.trunc(value)
  return Number.isSafeInteger(whole) ? whole + 0 : normalInt(BigInt(whole))
}

/** `repr()` of a float. */
export function floatRepr(value: number): string {
  if (Number.isNaN(value)) return 'nan'
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf'
  if (Object.is(value, -0)) return '-0.0'
  const [mantissa = '', exponentText = '0'] = value.toExponential().split('e')
  const exponent = Number(exponentText)
  if (exponent >= -4 && exponent < 16) {
    const plain = exponent < -6 || Math.abs(value) >= 1e21 ? value.toFixed(20) : String(value)
    return plain.includes('.') ? plain : `${plain}.0`
  }
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`
}

const DIGITS = /\p{Nd}/gu
/** Digits of every script as ASCII digits, as int() and float() read them. */
export const asciiDigits = (text: string): string =>
  /^[\x00-\x7f]*$/.test(text) ? text : text.replace(DIGITS, (digit) => String(digitValue(digit.codePointAt(0)!)))

/** Every script's digits stand in runs of ten; the run begins where the character before is no digit. */
function digitValue(code: number): number {
  if (code >= 0x1d7ce && code <= 0x1d7ff) return (code - 0x1d7ce) % 10
  let start = code
  while (code - start < 9 && /\p{Nd}/u.test(String.fromCodePoint(start - 1))) start--
  return code - start
}

const WHITE = /^[\s\x1c-\x1f\x85]+|[\s\x1c-\x1f\x85]+$/g
const bare = (text: string): string => asciiDigits(text.replace(WHITE, ''))

/** `int(text, base)`: undefined where Python raises ValueError. */
export function parseInteger(text: string, base = 10): Integer | undefined {
  const match = /^([+-]?)(0[xX]_?|0[oO]_?|0[bB]_?)?([0-9a-zA-Z]+(?:_[0-9a-zA-Z]+)*)$/.exec(bare(text))
  if (!match) return undefined
  const [, sign, prefix, body = ''] = match
  const prefixBase = prefix ? { x: 16, o: 8, b: 2 }[prefix[1]!.toLowerCase()]! : undefined
  let digits = body.replaceAll('_', '')
  let radix = base
  if (base === 0) {
    radix = prefixBase ?? 10
    if (!prefixBase && /^0+[1-9]/.test(digits)) return undefined
  } else if (prefixBase && prefixBase !== base) {
    digits = prefix!.replaceAll('_', '') + digits
  }
  const value = digitsValue(digits, radix)
  return value === undefined ? undefined : normalInt(sign === '-' ? -value : value)
}

function digitsValue(digits: string, base: number): bigint | undefined {
  if (base === 10) return /^[0-9]+$/.test(digits) ? BigInt(digits) : undefined
  let value = 0n
  for (const char of digits.toLowerCase()) {
    const digit = char <= '9' ? char.charCodeAt(0) - 48 : char.charCodeAt(0) - 87
    if (digit >= base) return undefined
    value = value * BigInt(base) + BigInt(digit)
  }
  return value
}

const FLOAT = /^[+-]?(?:\d+(?:_\d+)*\.?(?:\d+(?:_\d+)*)?|\.\d+(?:_\d+)*)(?:[eE][+-]?\d+(?:_\d+)*)?$/
/** `float(text)`: undefined where Python raises ValueError. */
export function parseFloatText(text: string): number | undefined {
  const clean = bare(text)
  if (FLOAT.test(clean)) return Number(clean.replaceAll('_', ''))
  const special = /^([+-]?)(inf|infinity|nan)$/i.exec(clean)
  if (!special) return undefined
  const value = special[2]!.toLowerCase() === 'nan' ? Number.NaN : Number.POSITIVE_INFINITY
  return special[1] === '-' ? -value : value
}

/** Two integers divided, rounded once, as Python's `/` does. */
export function divideIntegers(a: bigint, b: bigint): number {
  const negative = a < 0n !== b < 0n
  const top = a < 0n ? -a : a
  const bottom = b < 0n ? -b : b
  const shift = 66 - (top.toString(2).length - bottom.toString(2).length)
  const scaled = shift >= 0 ? top << BigInt(shift) : top
  const divisor = shift >= 0 ? bottom : bottom << BigInt(-shift)
  let quotient = scaled / divisor
  if (scaled % divisor !== 0n) quotient |= 1n
  const value = Number(quotient) * 2 ** -shift
  if (!Number.isFinite(value)) throw new PyError('OverflowError', 'integer division result too large for a float')
  return negative ? -value : value
}

/** The value as an index: ints and bools only. */
export function asIndex(value: Value): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return value ? 1 : 0
  return typeof value === 'bigint' ? (value > 0n ? Number.MAX_SAFE_INTEGER : Number.MIN_SAFE_INTEGER) : undefined
}
