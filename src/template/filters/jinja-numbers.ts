/** Jinja2's filters on numbers. */
import { Float, type Value } from '../../base/index.ts'
import {
  add,
  isNumber,
  isPyError,
  isUndefined,
  iterate,
  negate,
  normalInt,
  PyError,
  parseFloatText,
  parseInteger,
  plus,
  str,
  toNumber,
  truncate,
  truth,
  typeError,
  typeName,
} from '../python/index.ts'
import { attributeGetter } from './attributes.ts'
import { type FilterTable, filter, plain } from './define.ts'
import { roundHalfEven } from './rounding.ts'

export const JINJA_NUMBERS: FilterTable = {
  abs: plain('abs', absolute),
  filesizeformat: filter('do_filesizeformat', [['binary', false]], (value, [binary]) => fileSize(asFloat(value), truth(binary))),
  float: filter('do_float', [['default', new Float(0)]], (value, [fallback]) =>
    orElse(
      () => new Float(asFloat(value)),
      () => fallback,
    ),
  ),
  int: filter(
    'do_int',
    [
      ['default', 0],
      ['base', 10],
    ],
    (value, [fallback, base]) => toInteger(value, fallback, base),
  ),
  round: filter(
    'do_round',
    [
      ['precision', 0],
      ['method', 'common'],
    ],
    (value, [precision, method]) => round(value, precision, method),
  ),
  sum: filter(
    'do_sum',
    [
      ['attribute', null],
      ['start', 0],
    ],
    (value, [attribute, start], context) => {
      const get = attributeGetter(context, attribute)
      let total = start
      for (const item of iterate(value)) total = add(total, get(item))
      return total
    },
    { leading: 2 },
  ),
}

function absolute(value: Value): Value {
  if (value instanceof Float) return new Float(Math.abs(value.value))
  if (!isNumber(value)) throw typeError(`bad operand type for abs(): '${typeName(value)}'`)
  const number = plus(value)
  return (number as number | bigint) < 0 ? negate(number) : number
}

/** float(x) */
export function asFloat(value: Value): number {
  if (isNumber(value)) return toNumber(value)
  if (isUndefined(value)) value.raise()
  if (typeof value !== 'string') throw typeError(`float() argument must be a string or a real number, not '${typeName(value)}'`)
  const number = parseFloatText(value)
  if (number === undefined) throw new PyError('ValueError', `could not convert string to float: '${value}'`)
  return number
}

/** int(x) */
export function asInteger(value: Value, base = 10): number | bigint {
  if (typeof value === 'string') {
    const number = parseInteger(value, base)
    if (number === undefined) throw new PyError('ValueError', `invalid literal for int() with base ${base}: '${value}'`)
    return number
  }
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value instanceof Float) return truncate(value.value)
  if (typeof value === 'number' || typeof value === 'bigint') return value
  if (isUndefined(value)) value.raise()
  throw typeError(`int() argument must be a string, a bytes-like object or a real number, not '${typeName(value)}'`)
}

function toInteger(value: Value, fallback: Value, base: Value): Value {
  return orElse(
    () => asInteger(value, typeof base === 'number' ? base : 10),
    () =>
      orElse(
        () => truncate(asFloat(value)),
        () => fallback,
      ),
  )
}

function orElse(work: () => Value, otherwise: () => Value): Value {
  try {
    return work()
  } catch (error) {
    if (isPyError(error, 'TypeError', 'ValueError')) return otherwise()
    throw error
  }
}

function round(value: Value, precision: Value, method: Value): Value {
  if (method !== 'common' && method !== 'ceil' && method !== 'floor') {
    throw new PyError('TemplateRuntimeError', 'method must be common, ceil or floor')
  }
  if (!isNumber(value)) {
    if (isUndefined(value) && method !== 'common') value.raise()
    throw typeError(
      method === 'common'
        ? `type ${typeName(value)} doesn't define __round__ method`
        : `can't multiply sequence by non-int of type 'float'`,
    )
  }
  const digits = typeof precision === 'number' ? precision : Number(str(precision))
  if (method === 'common')
    return value instanceof Float ? new Float(roundHalfEven(value.value, digits)) : roundInteger(BigInt(value), digits)
  const power = 10 ** digits
  const scaled = toNumber(value) * power
  return new Float((method === 'ceil' ? Math.ceil(scaled) : Math.floor(scaled)) / power)
}

function roundInteger(value: bigint, digits: number): number | bigint {
  if (digits >= 0) return normalInt(value)
  const unit = 10n ** BigInt(-digits)
  const rest = ((value % unit) + unit) % unit
  const low = value - rest
  const up = rest * 2n > unit || (rest * 2n === unit && (low / unit) % 2n !== 0n)
  return normalInt(up ? low + unit : low)
}

function fileSize(bytes: number, binary: boolean): string {
  const base = binary ? 1024 : 1000
  if (bytes === 1) return '1 Byte'
  if (bytes < base) return `${Math.trunc(bytes)} Bytes`
  const prefixes = ['k', 'M', 'G', 'T', 'P', 'E', 'Z', 'Y']
  let unit = 0
  let name = ''
  for (const [i, prefix] of prefixes.entries()) {
    unit = base ** (i + 2)
    name = binary ? `${prefix.toUpperCase()}iB` : `${prefix}B`
    if (bytes < unit) break
  }
  return `${roundHalfEven((base * bytes) / unit, 1).toFixed(1)} ${name}`
}
