/** Python's operators on values: + - * / // % ** and the signs. */
import { Float, Tuple, type Value } from '../../base/index.ts'
import { PySet } from './collections.ts'
import { PyError, typeError } from './errors.ts'
import { MOST_ITEMS } from './iteration.ts'
import { escapeHtml, Markup } from './markup.ts'
import { asIndex, divideIntegers, type Integer, normalInt, safeOr, toNumber } from './number.ts'
import { PyObject } from './object.ts'
import { percentFormat } from './percent.ts'
import { str } from './text.ts'
import { isInteger, isNumber, operandName, typeName } from './types.ts'
import { isUndefined } from './undefined.ts'

export function add(a: Value, b: Value): Value {
  if (typeof a === 'number' && typeof b === 'number') return safeOr(a + b, () => BigInt(a) + BigInt(b))
  if (typeof a === 'string' && typeof b === 'string') return a + b
  if (Array.isArray(a) && Array.isArray(b)) return a.concat(b)
  if (a instanceof Tuple && b instanceof Tuple) return new Tuple([...a.items, ...b.items])
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Uint8Array.from([...a, ...b])
  if ((a instanceof Markup || b instanceof Markup) && isText(a) && isText(b)) return new Markup(escaped(a) + escaped(b))
  const result = numeric(a, b, INTEGER.add, (x, y) => x + y) ?? (a instanceof PyObject ? a.plus?.(b) : undefined)
  if (result !== undefined) return result
  raiseUndefined(a, b)
  if (typeof a === 'string') throw typeError(`can only concatenate str (not "${typeName(b)}") to str`)
  if (Array.isArray(a)) throw typeError(`can only concatenate list (not "${typeName(b)}") to list`)
  if (a instanceof Tuple) throw typeError(`can only concatenate tuple (not "${typeName(b)}") to tuple`)
  throw unsupported('+', a, b)
}

const isText = (value: Value): value is string | Markup => typeof value === 'string' || value instanceof Markup
const escaped = (value: string | Markup): string => (typeof value === 'string' ? escapeHtml(value) : value.text)

export function subtract(a: Value, b: Value): Value {
  if (typeof a === 'number' && typeof b === 'number') return safeOr(a - b, () => BigInt(a) - BigInt(b))
  if (a instanceof PySet && b instanceof PySet) return a.difference(b)
  const result = numeric(a, b, INTEGER.subtract, (x, y) => x - y) ?? (a instanceof PyObject ? a.subtract?.(b) : undefined)
  if (result !== undefined) return result
  throw unsupported('-', a, b)
}

export function multiply(a: Value, b: Value): Value {
  if (typeof a === 'number' && typeof b === 'number') return a * b === 0 ? 0 : safeOr(a * b, () => BigInt(a) * BigInt(b))
  const result = numeric(a, b, INTEGER.multiply, (x, y) => x * y) ?? repeat(a, b) ?? repeat(b, a)
  if (result !== undefined) return result
  raiseUndefined(a, b)
  if (isSequence(a)) throw typeError(`can't multiply sequence by non-int of type '${typeName(b)}'`)
  if (isSequence(b)) throw typeError(`can't multiply sequence by non-int of type '${typeName(a)}'`)
  throw unsupported('*', a, b)
}

export function divide(a: Value, b: Value): Value {
  if (!isNumber(a) || !isNumber(b)) throw unsupported('/', a, b)
  const integers = isInteger(a) && isInteger(b)
  const divisor = b instanceof Float ? b.value : b
  // biome-ignore lint/suspicious/noDoubleEquals: 0, 0n and false are all zero
  if (divisor == 0) throw new PyError('ZeroDivisionError', integers ? 'division by zero' : 'float division by zero')
  if (integers && (typeof a === 'bigint' || typeof b === 'bigint')) return new Float(divideIntegers(BigInt(a), BigInt(b)))
  return new Float(toNumber(a) / toNumber(b))
}

export function floorDivide(a: Value, b: Value): Value {
  if (typeof a === 'number' && typeof b === 'number' && b !== 0) return (a - floatModulo(a, b)) / b + 0
  const result = numeric(a, b, INTEGER.floorDivide, floatFloorDivide)
  if (result === undefined) throw unsupported('//', a, b)
  return result
}

export function modulo(a: Value, b: Value): Value {
  if (typeof a === 'number' && typeof b === 'number' && b !== 0) return floatModulo(a, b) + 0
  if (typeof a === 'string') return percentFormat(a, b)
  if (a instanceof Markup) return new Markup(percentFormat(a.text, b, escapedText))
  const result = numeric(a, b, INTEGER.modulo, floatModulo)
  if (result === undefined) throw unsupported('%', a, b)
  return result
}

/** A value as text within Markup. */
export const escapedText = (value: Value): string => (value instanceof Markup ? value.text : escapeHtml(str(value)))

export function power(a: Value, b: Value): Value {
  if (!isNumber(a) || !isNumber(b)) throw unsupported('** or pow()', a, b)
  if (isInteger(a) && isInteger(b) && BigInt(b) >= 0n) return integerPower(BigInt(a), BigInt(b))
  const base = toNumber(a)
  const exponent = toNumber(b)
  if (base === 0 && exponent < 0) throw new PyError('ZeroDivisionError', '0.0 cannot be raised to a negative power')
  if (base === 1 || exponent === 0) return new Float(1)
  const result = base ** exponent
  if (!Number.isFinite(result) && Number.isFinite(base) && Number.isFinite(exponent)) {
    if (Number.isNaN(result)) throw new PyError('ValueError', 'complex numbers are not supported')
    throw new PyError('OverflowError', "(34, 'Numerical result out of range')")
  }
  return new Float(result)
}

export function negate(value: Value): Value {
  if (typeof value === 'number') return value === 0 ? 0 : -value
  if (typeof value === 'bigint') return normalInt(-value)
  if (typeof value === 'boolean') return value ? -1 : 0
  if (value instanceof Float) return new Float(-value.value)
  raiseUndefined(value)
  throw typeError(`bad operand type for unary -: '${typeName(value)}'`)
}

export function plus(value: Value): Value {
  if (typeof value === 'boolean') return Number(value)
  if (isNumber(value)) return value
  raiseUndefined(value)
  throw typeError(`bad operand type for unary +: '${typeName(value)}'`)
}

type IntegerOperation = (a: bigint, b: bigint) => bigint

const INTEGER: Record<'add' | 'subtract' | 'multiply' | 'floorDivide' | 'modulo', IntegerOperation> = {
  add: (a, b) => a + b,
  subtract: (a, b) => a - b,
  multiply: (a, b) => a * b,
  floorDivide(a, b) {
    if (b === 0n) throw new PyError('ZeroDivisionError', 'integer division or modulo by zero')
    const quotient = a / b
    return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient
  },
  modulo(a, b) {
    if (b === 0n) throw new PyError('ZeroDivisionError', 'integer modulo by zero')
    const rest = a % b
    return rest !== 0n && rest < 0n !== b < 0n ? rest + b : rest
  },
}

function numeric(a: Value, b: Value, integers: IntegerOperation, floats: (a: number, b: number) => number): Value | undefined {
  if (!isNumber(a) || !isNumber(b)) return undefined
  if (isInteger(a) && isInteger(b)) return normalInt(integers(BigInt(a), BigInt(b)))
  return new Float(floats(toNumber(a), toNumber(b)))
}

function floatModulo(a: number, b: number): number {
  if (b === 0) throw new PyError('ZeroDivisionError', 'float modulo')
  const rest = a % b
  if (rest === 0) return b < 0 ? -0 : 0
  return rest < 0 !== b < 0 ? rest + b : rest
}

function floatFloorDivide(a: number, b: number): number {
  if (b === 0) throw new PyError('ZeroDivisionError', 'float floor division by zero')
  const rest = a % b
  const quotient = (a - rest) / b - (rest !== 0 && rest < 0 !== b < 0 ? 1 : 0)
  if (quotient === 0) return a / b < 0 || Object.is(a / b, -0) ? -0 : 0
  const floor = Math.floor(quotient)
  return quotient - floor > 0.5 ? floor + 1 : floor
}

const MOST_BITS = 4_000_000n

function integerPower(base: bigint, exponent: bigint): Integer {
  const magnitude = base < 0n ? -base : base
  if (magnitude > 1n && BigInt(magnitude.toString(2).length) * exponent > MOST_BITS) {
    throw new PyError('OverflowError', 'integer power too large')
  }
  if (magnitude <= 1n) return base === -1n && exponent % 2n === 0n ? 1 : exponent === 0n ? 1 : Number(base)
  return normalInt(base ** exponent)
}

const isSequence = (value: Value): boolean =>
  typeof value === 'string' || Array.isArray(value) || value instanceof Tuple || value instanceof Uint8Array

function repeat(sequence: Value, times: Value): Value | undefined {
  const given = isInteger(times) ? asIndex(times) : undefined
  if (given === undefined) return undefined
  const count = Math.max(0, given)
  if (typeof sequence === 'string') return sequence.repeat(count)
  if (sequence instanceof Markup) return new Markup(sequence.text.repeat(count))
  if (Array.isArray(sequence)) return repeated(sequence, count)
  if (sequence instanceof Tuple) return new Tuple(repeated(sequence.items, count))
  return sequence instanceof Uint8Array ? Uint8Array.from(repeated([...sequence], count)) : undefined
}

function repeated<T>(items: readonly T[], count: number): T[] {
  if (items.length * count > MOST_ITEMS) throw new RangeError(`a list of ${items.length * count} items`)
  const out: T[] = []
  for (let i = 0; i < count; i++) for (const item of items) out.push(item)
  return out
}

/** Undefined operands raise their own error, strict ones first. */
function raiseUndefined(...values: Value[]): void {
  for (const value of values) if (isUndefined(value) && !value.lenient) value.raise()
  for (const value of values) if (isUndefined(value)) value.raise()
}

function unsupported(operator: string, a: Value, b: Value): Error {
  raiseUndefined(a, b)
  return typeError(`unsupported operand type(s) for ${operator}: '${operandName(a)}' and '${operandName(b)}'`)
}
