/** Takes items and slices out of values, as Python's subscripts do. */
import { LazyDict, Omit, Tuple, type Value } from '../../base/index.ts'
import { characterAt, characters } from './characters.ts'
import { PyRange } from './collections.ts'
import { dictGet } from './equality.ts'
import { typeError, valueError } from './errors.ts'
import { Markup, plainOf } from './markup.ts'
import { asIndex } from './number.ts'
import { PyObject } from './object.ts'
import { typeName } from './types.ts'

/** `value[key]`; undefined where Python raises a LookupError or a TypeError. */
export function subscript(value: Value, key: Value): Value | undefined {
  if (value instanceof Map) return isUnhashable(key) ? undefined : dictGet(value, key)
  if (value instanceof PyRange) {
    const index = position(key, value.length())
    return index === undefined ? undefined : value.at(index)
  }
  if (value instanceof Markup) return markup(subscript(value.text, key))
  if (value instanceof PyObject) return value.item?.(key)
  if (value instanceof LazyDict) {
    const name = plainOf(key)
    return typeof name === 'string' ? value.get(name) : undefined
  }
  if (typeof value === 'string') {
    const index = asIndex(key)
    return index === undefined ? undefined : characterAt(value, index)
  }
  const items = value instanceof Tuple ? value.items : Array.isArray(value) || value instanceof Uint8Array ? value : undefined
  if (!items) return undefined
  const index = position(key, items.length)
  return index === undefined ? undefined : items[index]
}

const markup = (found: Value | undefined): Value | undefined => (typeof found === 'string' ? new Markup(found) : found)

const isUnhashable = (key: Value): boolean => Array.isArray(key) || key instanceof Map

/** An index within bounds, counted from the start. */
export function position(key: Value, length: number): number | undefined {
  const index = asIndex(key)
  if (index === undefined) return undefined
  const at = index < 0 ? index + length : index
  return at >= 0 && at < length ? at : undefined
}

/** `value[start:stop:step]` */
export function slice(value: Value, start: Value, stop: Value, step: Value): Value {
  if (value instanceof Markup) return new Markup(pick(characters(value.text), start, stop, step).join(''))
  if (value instanceof Omit) return slice(value.text, start, stop, step)
  if (typeof value === 'string') return pick(characters(value), start, stop, step).join('')
  if (Array.isArray(value)) return pick(value, start, stop, step)
  if (value instanceof Tuple) return new Tuple(pick(value.items, start, stop, step))
  if (value instanceof Uint8Array) return Uint8Array.from(pick([...value], start, stop, step))
  if (value instanceof PyRange) {
    const { from, to, by } = bounds(value.length(), start, stop, step)
    return new PyRange(value.at(from), value.at(to), value.step * by)
  }
  if (value instanceof Map || value instanceof LazyDict) throw typeError("unhashable type: 'slice'")
  if (value instanceof PyObject && value.typeName === 'AnsibleUndefined') return value
  throw typeError(`'${typeName(value)}' object is not subscriptable`)
}

/** Can the value be sliced at all? */
export const isSliceable = (value: Value): boolean =>
  typeof value === 'string' ||
  Array.isArray(value) ||
  value instanceof Tuple ||
  value instanceof Uint8Array ||
  value instanceof PyRange ||
  value instanceof Markup

function pick<T>(items: readonly T[], start: Value, stop: Value, step: Value): T[] {
  const { from, to, by } = bounds(items.length, start, stop, step)
  if (by === 1) return items.slice(from, Math.max(from, to))
  const picked: T[] = []
  for (let i = from; by > 0 ? i < to : i > to; i += by) picked.push(items[i]!)
  return picked
}

/** slice.indices() */
function bounds(length: number, start: Value, stop: Value, step: Value): { from: number; to: number; by: number } {
  const by = step === null ? 1 : edge(step)
  if (by === 0) throw valueError('slice step cannot be zero')
  const low = by > 0 ? 0 : -1
  const high = by > 0 ? length : length - 1
  const clamp = (value: Value, fallback: number): number => {
    if (value === null) return fallback
    const given = edge(value)
    return given < 0 ? Math.max(given + length, low) : Math.min(given, high)
  }
  return { from: clamp(start, by > 0 ? low : high), to: clamp(stop, by > 0 ? high : low), by }
}

function edge(value: Value): number {
  const index = asIndex(value)
  if (index === undefined) throw typeError('slice indices must be integers or None or have an __index__ method')
  return index
}
