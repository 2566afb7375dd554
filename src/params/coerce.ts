/** Turns a given value into the type that a parameter declares, as AnsibleModule does. */
import { type Dict, Float, LazyDict, Tuple, toJson, type Value } from '../base/index.ts'
import type { ParamType } from './api.ts'
import { dictFromText } from './keyvalue.ts'
import { sizeOf } from './size.ts'
import { asText, className, spelled } from './text.ts'

/** A value that cannot become what is asked for; the message says why. */
export class CoercionError extends Error {}

/** What a module sees of a coerced value. */
export type Coerced = Value | number | boolean | string | undefined

/** The value as the type, or a CoercionError. */
export function coerce(value: Value, type: ParamType): Coerced {
  return COERCIONS[type](value)
}

const COERCIONS: Readonly<Record<ParamType, (value: Value) => Coerced>> = {
  str: asText,
  path: asText,
  raw: (value) => value,
  int: toInt,
  float: toFloat,
  bool: toBool,
  list: toList,
  dict: toDict,
  bytes: (value) => toSize(value, 'bytes'),
  bits: (value) => toSize(value, 'bits'),
  json: toJsonText,
  jsonarg: toJsonText,
  sid: asText,
}

const TRUE_WORDS = new Set(['y', 'yes', 'on', '1', 'true', 't', '1.0'])
const FALSE_WORDS = new Set(['n', 'no', 'off', '0', 'false', 'f', '0.0'])

/** The boolean that a word means, or undefined. */
export function boolWord(value: Value): boolean | undefined {
  if (typeof value === 'boolean') return value
  if (typeof value !== 'string' && typeof value !== 'number' && !(value instanceof Float)) return undefined
  const word = asText(value).toLowerCase().trim()
  return TRUE_WORDS.has(word) ? true : FALSE_WORDS.has(word) ? false : undefined
}

function toBool(value: Value): boolean {
  const bool = boolWord(value)
  if (bool !== undefined) return bool
  if (value === null || typeof value === 'object') throw new CoercionError(`${className(value)} cannot be converted to a bool`)
  throw new CoercionError(
    `The value '${asText(value)}' is not a valid boolean.  Valid booleans include: 0, 1, '0', '1', 'f', 'false', 'n', 'no', 'off', 'on', 't', 'true', 'y', 'yes'`,
  )
}

/** Numbers keep all their digits, as far as they are beyond what a number can hold. */
function toInt(value: Value): number | bigint {
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return Number(value)
  if (typeof value === 'bigint') return value
  if (typeof value === 'string' && /^\s*[+-]?\d{16,}\s*$/.test(value)) return smallest(BigInt(value.trim().replace(/^\+/, '')))
  const number = value instanceof Float ? value.value : typeof value === 'string' ? numberOf(value) : Number.NaN
  if (Number.isInteger(number)) return number
  throw new CoercionError(`"${spelled(value)}" cannot be converted to an int`)
}

const smallest = (value: bigint): number | bigint => (Number.isSafeInteger(Number(value)) ? Number(value) : value)

function toFloat(value: Value): number {
  if (value instanceof Float) return value.value
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return Number(value)
  const number = typeof value === 'string' ? numberOf(value) : Number.NaN
  if (Number.isNaN(number)) throw new CoercionError(`${className(value)} cannot be converted to a float`)
  return number
}

function numberOf(text: string): number {
  const plain = text.trim().replaceAll(/(?<=\d)_(?=\d)/g, '')
  return /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(plain) ? Number(plain) : Number.NaN
}

function toList(value: Value): Value[] {
  if (Array.isArray(value)) return value
  if (value instanceof Tuple) return [...value.items]
  if (typeof value === 'string') return value.split(',')
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean' || value instanceof Float) return [asText(value)]
  throw new CoercionError(`${className(value)} cannot be converted to a list`)
}

function toDict(value: Value): Dict {
  if (value instanceof Map) return value
  if (value instanceof LazyDict) return new Map([...value.keys()].map((k) => [k, value.get(k) ?? null]))
  if (typeof value !== 'string') throw new CoercionError(`${className(value)} cannot be converted to a dict`)
  const dict = dictFromText(value)
  if (dict) return dict
  throw new CoercionError(
    value.startsWith('{') ? 'unable to evaluate string as dictionary' : 'dictionary requested, could not parse JSON or key=value',
  )
}

function toSize(value: Value, unit: 'bytes' | 'bits'): number {
  const size = sizeOf(asText(value), unit)
  if (size === undefined) throw new CoercionError(`${className(value)} cannot be converted to a ${unit === 'bytes' ? 'Byte' : 'Bit'} value`)
  return size
}

function toJsonText(value: Value): string {
  if (typeof value === 'string') return value.trim()
  if (Array.isArray(value) || value instanceof Tuple || value instanceof Map || value instanceof LazyDict) return pythonJson(value)
  throw new CoercionError(`${className(value)} cannot be converted to a json string`)
}

/** JSON with a blank after commas and colons, as Python's json.dumps writes it; characters beyond ASCII are escaped. */
export function pythonJson(value: Value): string {
  if (value instanceof Float) return floatJson(value.value)
  if (value instanceof Tuple) return pythonJson([...value.items])
  if (Array.isArray(value)) return `[${value.map(pythonJson).join(', ')}]`
  if (value instanceof LazyDict) return pythonJson(toDict(value))
  if (value instanceof Map) return `{${[...value].map(([k, v]) => `${ascii(jsonKeyText(k))}: ${pythonJson(v)}`).join(', ')}}`
  if (typeof value === 'bigint') return String(value)
  return typeof value === 'string' ? ascii(value) : JSON.stringify(toJson(value))
}

function jsonKeyText(key: Value): string {
  if (key === null) return 'null'
  return typeof key === 'boolean' ? String(key) : asText(key)
}

function floatJson(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  return Number.isFinite(value) ? spelled(new Float(value)) : value > 0 ? 'Infinity' : '-Infinity'
}

function ascii(text: string): string {
  return JSON.stringify(text).replace(/[\x7f-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
