/** Formats numbers and text by Python's format specification: `[[fill]align][sign][z][#][0][width][grouping][.precision][type]`. */
import { Float, type Value } from '../../base/index.ts'
import { characters, textLength } from './characters.ts'
import { PyError, typeError, valueError } from './errors.ts'
import { floatRepr, toNumber } from './number.ts'
import { PyObject } from './object.ts'
import { str } from './text.ts'
import { isInteger, isNumber, typeName } from './types.ts'

export interface Spec {
  readonly fill: string
  readonly align: string
  readonly sign: string | undefined
  readonly alternate: boolean
  readonly width: number
  readonly grouping: string
  readonly precision: number | undefined
  readonly type: string
}

const SPEC = /^(?:(.)?([<>=^]))?([-+ ])?(z)?(#)?(0)?(\d+)?([,_])?(?:\.(\d+))?(.)?$/su

/** `format(value, spec)` */
export function formatValue(value: Value, text: string): string {
  if (text === '') return str(value)
  if (!isNumber(value) && typeof value !== 'string') {
    if (value instanceof PyObject && value.format) return value.format(text)
    throw typeError(`unsupported format string passed to ${typeName(value)}.__format__`)
  }
  const spec = parseSpec(text, value)
  if (typeof value === 'string') return formatText(value, spec)
  if (spec.type !== '' && !'bcdeEfFgGnoxX%'.includes(spec.type)) throw unknownCode(spec.type, typeName(value))
  if (isInteger(value) && !'eEfFgG%'.includes(spec.type || ' ')) return formatInteger(value, spec)
  return formatFloat(toNumber(value), spec, value instanceof Float)
}

function parseSpec(text: string, value: Value): Spec {
  const match = SPEC.exec(text)
  if (!match) throw valueError(`Invalid format specifier${` '${text}' for object of type '${typeName(value)}'`}`)
  const [, fill, align, sign, noNegativeZero, alternate, zero, width, grouping, precision, type] = match
  if (noNegativeZero && !(value instanceof Float)) {
    throw valueError(`Negative zero coercion (z) not allowed in ${typeof value === 'string' ? 'string' : 'integer'} format specifier`)
  }
  return {
    fill: fill ?? (zero && !align ? '0' : zero && align && fill === undefined ? '0' : ' '),
    align: align ?? (zero && typeof value !== 'string' ? '=' : ''),
    sign,
    alternate: alternate !== undefined,
    width: Number(width ?? 0),
    grouping: grouping ?? '',
    precision: precision === undefined ? undefined : Number(precision),
    type: type ?? '',
  }
}

function formatText(text: string, spec: Spec): string {
  if (spec.grouping === ',' && spec.type in BASES) throw valueError(`Cannot specify ',' with '${spec.type}'.`)
  if (spec.type !== '' && spec.type !== 's') throw unknownCode(spec.type, 'str')
  if (spec.sign !== undefined) throw valueError(`${spec.sign === ' ' ? 'Space' : 'Sign'} not allowed in string format specifier`)
  if (spec.alternate) throw valueError('Alternate form (#) not allowed in string format specifier')
  if (spec.align === '=') throw valueError("'=' alignment not allowed in string format specifier")
  if (spec.grouping) throw valueError(`Cannot specify '${spec.grouping}' with 's'.`)
  const cut = spec.precision === undefined ? text : characters(text).slice(0, spec.precision).join('')
  return pad(cut, spec.align || '<', spec)
}

const BASES: Readonly<Record<string, readonly [base: number, prefix: string]>> = {
  b: [2, '0b'],
  o: [8, '0o'],
  x: [16, '0x'],
  X: [16, '0X'],
}

function formatInteger(value: number | bigint | boolean, spec: Spec): string {
  if (spec.precision !== undefined) throw valueError('Precision not allowed in integer format specifier')
  const whole = BigInt(value)
  if (spec.type === 'c' && (whole < 0n || whole > 0x10ffffn)) throw new PyError('OverflowError', '%c arg not in range(0x110000)')
  if (spec.type === 'c') return pad(String.fromCodePoint(Number(whole)), spec.align || '<', spec)
  if (spec.type !== '' && !'dnboxX'.includes(spec.type)) throw unknownCode(spec.type, typeName(value))
  const [base, prefix] = BASES[spec.type] ?? [10, '']
  if (spec.grouping === ',' && spec.type in BASES) throw valueError(`Cannot specify ',' with '${spec.type}'.`)
  let digits = (whole < 0n ? -whole : whole).toString(base)
  if (spec.type === 'X') digits = digits.toUpperCase()
  return padNumber(whole < 0n, spec.alternate ? prefix : '', digits, '', spec, base === 10 ? 3 : 4)
}

function formatFloat(value: number, spec: Spec, isFloat: boolean): string {
  if (spec.grouping === ',' && spec.type in BASES) throw valueError(`Cannot specify ',' with '${spec.type}'.`)
  if (!'eEfFgGn%'.includes(spec.type || 'e')) throw unknownCode(spec.type, isFloat ? 'float' : 'int')
  const percent = spec.type === '%'
  const negative = value < 0 || Object.is(value, -0)
  const body = floatBody(Math.abs(percent ? value * 100 : value), spec.type, spec.precision, spec.alternate)
  const point = body.search(/[^0-9]/)
  const whole = point === -1 ? body : body.slice(0, point)
  return padNumber(negative, '', whole, body.slice(whole.length) + (percent ? '%' : ''), spec, 3)
}

/** The digits of a float that is not negative, by presentation type and precision. */
export function floatBody(value: number, type: string, precision: number | undefined, alternate = false): string {
  const upper = type === 'E' || type === 'G' || type === 'F'
  if (!Number.isFinite(value)) {
    const name = Number.isNaN(value) ? 'nan' : 'inf'
    return upper ? name.toUpperCase() : name
  }
  const body = finiteBody(value, type.toLowerCase(), precision, alternate)
  return upper ? body.toUpperCase() : body
}

function finiteBody(value: number, type: string, precision: number | undefined, alternate: boolean): string {
  if (type === 'e') return exponential(value, precision ?? 6, alternate)
  if (type === 'f' || type === '%') return fixed(value, precision ?? 6) + (alternate && precision === 0 ? '.' : '')
  if (type === '' && precision === undefined) return floatRepr(value)
  const general = generalBody(value, precision ?? 6, alternate, type === '')
  return type === '' && /^\d+$/.test(general) ? `${general}.0` : general
}

function exponential(value: number, precision: number, alternate: boolean): string {
  const [mantissa = '', exponent = '0'] = roundedExponential(value, Math.min(precision, 100)).split('e')
  const power = Number(exponent)
  const digits = String(Math.abs(power)).padStart(2, '0')
  return `${mantissa}${alternate && !mantissa.includes('.') ? '.' : ''}e${power < 0 ? '-' : '+'}${digits}`
}

/** How many further digits show that a number lies exactly between two roundings. */
const PROOF = 30

/** JavaScript rounds ties up, Python to the even digit. */
function roundedExponential(value: number, precision: number): string {
  const rounded = value.toExponential(precision)
  const [long = '', exponent = '0'] = value.toExponential(Math.min(100, precision + PROOF)).split('e')
  return tieDown(long, precision) ? `${cut(long, precision)}e${exponent}` : rounded
}

/** Digits after the point, rounded as C does it: exactly, ties to even. */
export function fixed(value: number, precision: number): string {
  if (value < 1e21 && precision <= 100) {
    const long = value.toFixed(Math.min(100, precision + PROOF))
    return tieDown(long, precision) ? cut(long, precision) : value.toFixed(precision)
  }
  const whole = value < 1e21 ? value.toFixed(100) : BigInt(value).toString()
  const [integer = '', fraction = ''] = whole.split('.')
  return precision === 0 ? integer : `${integer}.${fraction.padEnd(precision, '0').slice(0, precision)}`
}

/** Is what follows the wanted digits exactly a half, and the last wanted digit even? */
function tieDown(long: string, precision: number): boolean {
  const [integer = '', fraction = ''] = long.split('.')
  const last = precision === 0 ? integer.at(-1) : fraction[precision - 1]
  return /^50*$/.test(fraction.slice(precision)) && Number(last) % 2 === 0
}

const cut = (long: string, precision: number): string =>
  precision === 0 ? long.split('.')[0]! : long.slice(0, long.indexOf('.') + 1 + precision)

function generalBody(value: number, precision: number, alternate: boolean, likeRepr: boolean): string {
  const digits = Math.max(1, precision)
  const power = value === 0 ? 0 : Number(value.toExponential(Math.min(digits - 1, 100)).split('e')[1])
  const limit = likeRepr && power === digits - 1 && digits > 0 ? digits - 1 : digits
  if (power < -4 || power >= limit) {
    const [mantissa = '', exponent = ''] = exponential(value, digits - 1, alternate).split('e')
    return `${alternate ? mantissa : trimZeros(mantissa)}e${exponent}`
  }
  const body = fixed(value, Math.max(0, digits - 1 - power))
  if (!alternate) return trimZeros(body)
  return body.includes('.') ? body : `${body}.`
}

const trimZeros = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text)

function padNumber(negative: boolean, prefix: string, whole: string, rest: string, spec: Spec, group: number): string {
  const sign = negative ? '-' : spec.sign === '-' ? '' : (spec.sign ?? '')
  const lead = sign + prefix
  const align = spec.align || '>'
  let digits = whole
  if (spec.grouping && /^[0-9a-fA-F]+$/.test(whole)) {
    const room = align === '=' && spec.fill === '0' ? spec.width - lead.length - rest.length : 0
    digits = grouped(whole, spec.grouping, group, room)
  }
  if (align === '=') return lead + spec.fill.repeat(Math.max(0, spec.width - lead.length - digits.length - rest.length)) + digits + rest
  return pad(lead + digits + rest, align, spec)
}

/** Digits with separators; zeros fill up to `room`, and are separated too. */
function grouped(digits: string, separator: string, size: number, room: number): string {
  let text = separate(digits, separator, size)
  let padded = digits
  while (text.length < room) {
    padded = `0${padded}`
    text = separate(padded, separator, size)
  }
  return text
}

function separate(digits: string, separator: string, size: number): string {
  const parts: string[] = []
  for (let end = digits.length; end > 0; end -= size) parts.unshift(digits.slice(Math.max(0, end - size), end))
  return parts.join(separator)
}

function pad(text: string, align: string, spec: Spec): string {
  const missing = spec.width - textLength(text)
  if (missing <= 0) return text
  if (align === '<') return text + spec.fill.repeat(missing)
  if (align === '^') return spec.fill.repeat(Math.floor(missing / 2)) + text + spec.fill.repeat(Math.ceil(missing / 2))
  return spec.fill.repeat(missing) + text
}

const unknownCode = (code: string, type: string): Error => valueError(`Unknown format code '${code}' for object of type '${type}'`)
