/** Tells whether values are equal, and gives equal hash keys to equal values, as Python does. */
import { Float, isOmitted, LazyDict, Tuple, type Value } from '../../base/index.ts'
import { typeError } from './errors.ts'
import { Markup } from './markup.ts'
import { PyObject } from './object.ts'
import { isNumber, typeName } from './types.ts'

/** `a == b` */
export function equals(a: Value, b: Value): boolean {
  if (a instanceof PyObject) return a.equals(b)
  if (b instanceof PyObject) return b.equals(a)
  if (a === b) return true
  if (a === null || b === null) return false
  if (typeof a === 'string' || typeof b === 'string') return isOmitted(a) && isOmitted(b)
  if (isNumber(a)) return isNumber(b) && numbersEqual(a, b)
  if (Array.isArray(a)) return Array.isArray(b) && sameItems(a, b)
  if (a instanceof Map) return b instanceof Map ? dictsEqual(a, b) : b instanceof LazyDict && dictsEqual(a, eager(b))
  if (a instanceof Tuple) return b instanceof Tuple && sameItems(a.items, b.items)
  if (a instanceof Uint8Array) return b instanceof Uint8Array && a.length === b.length && a.every((byte, i) => byte === b[i])
  if (a instanceof LazyDict) return b instanceof Map ? dictsEqual(eager(a), b) : b instanceof LazyDict && dictsEqual(eager(a), eager(b))
  return false
}

type AnyNumber = number | bigint | boolean | Float

function numbersEqual(a: AnyNumber, b: AnyNumber): boolean {
  const left = a instanceof Float ? a.value : typeof a === 'boolean' ? Number(a) : a
  const right = b instanceof Float ? b.value : typeof b === 'boolean' ? Number(b) : b
  // biome-ignore lint/suspicious/noDoubleEquals: a number and a bigint compare by their exact values
  return left == right
}

/** Are two sequences equal, item by item? The same object is equal to itself without being asked. */
function sameItems(a: readonly Value[], b: readonly Value[]): boolean {
  return a.length === b.length && a.every((item, i) => item === b[i] || equals(item, b[i]!))
}

function dictsEqual(a: Map<Value, Value>, b: Map<Value, Value>): boolean {
  if (a.size !== b.size) return false
  for (const [key, value] of a) {
    const other = dictGet(b, key)
    if (other === undefined || !(other === value || equals(value, other))) return false
  }
  return true
}

/** A lazy dict, with everything in it asked for. */
export const eager = (dict: LazyDict): Map<Value, Value> => new Map([...dict.keys()].map((key) => [key, dict.get(key) ?? null]))

/** What stands for a value in a JavaScript Map or Set: equal for equal values. Lists and dicts raise Python's TypeError. */
export type HashKey = string | number | bigint | null | object

export function hashKey(value: Value): HashKey {
  switch (typeof value) {
    case 'string':
      return value.startsWith('\0') ? `\0s${value}` : value
    case 'number':
    case 'bigint':
      return value
    case 'boolean':
      return value ? 1 : 0
  }
  if (value === null) return null
  if (value instanceof Float) return Number.isSafeInteger(value.value) || !Number.isInteger(value.value) ? value.value : BigInt(value.value)
  if (value instanceof Tuple) return `\0t${value.items.map(partKey).join('')}`
  if (value instanceof Uint8Array) return `\0b${[...value].join()}`
  if (value instanceof Markup) return hashKey(value.text)
  if (value instanceof PyObject) return value.hash ? `\0o${value.hash()}` : value
  if (Array.isArray(value) || value instanceof Map || value instanceof LazyDict || value instanceof Uint8Array) {
    throw typeError(`unhashable type: '${typeName(value)}'`)
  }
  return value
}

const identities = new WeakMap<object, number>()
let lastIdentity = 0

/** A tuple's part: its kind, its length and its key, so that no two tuples meet by chance. */
function partKey(value: Value): string {
  const key = hashKey(value)
  const text = key !== null && typeof key === 'object' ? `@${identityOf(key)}` : String(key)
  return `${typeof key === 'string' ? 's' : key === null ? 'z' : 'n'}${text.length}:${text}`
}

/** A number that stays with an object, as id() gives. */
export function identityOf(object: object): number {
  const known = identities.get(object)
  if (known !== undefined) return known
  identities.set(object, ++lastIdentity)
  return lastIdentity
}

/** `dict[key]`, undefined where there is no such key. */
export function dictGet(dict: Map<Value, Value>, key: Value): Value | undefined {
  return typeof key === 'string' ? dict.get(key) : dict.get(storedKey(dict, key))
}

export const dictHas = (dict: Map<Value, Value>, key: Value): boolean => dict.has(storedKey(dict, key))

/** `dict[key] = value`; an equal key stays as it was first written. */
export function dictSet(dict: Map<Value, Value>, key: Value, value: Value): void {
  dict.set(storedKey(dict, key), value)
}

export const dictDelete = (dict: Map<Value, Value>, key: Value): boolean => dict.delete(storedKey(dict, key))

/** The key under which a dict keeps what is equal to `key`, or the key itself. */
function storedKey(dict: Map<Value, Value>, key: Value): Value {
  if (key === null || typeof key === 'string' || dict.has(key)) return key
  const wanted = hashKey(key)
  if ((typeof wanted === 'number' || typeof wanted === 'string') && dict.has(wanted)) return wanted
  if ((wanted === 0 || wanted === 1) && dict.has(wanted === 1)) return wanted === 1
  for (const candidate of dict.keys()) {
    if (typeof candidate === 'object' && candidate !== null && hashKey(candidate) === wanted) return candidate
  }
  return key
}

/** `a is b`, as near as values without identity allow. */
export function identical(a: Value, b: Value): boolean {
  if (a instanceof Float && b instanceof Float) return a === b
  return a === b
}
