/** Walks and counts values, as Python's iter(), len() and `in` do. */
import { LazyDict, Omit, Tuple, type Value } from '../../base/index.ts'
import { characters, textLength } from './characters.ts'
import { dictHas, equals } from './equality.ts'
import { typeError } from './errors.ts'
import { Markup, plainOf } from './markup.ts'
import { PyObject } from './object.ts'
import { typeName } from './types.ts'

/** What a `for` walks over; undefined where the value cannot be walked. */
export function iterable(value: Value): Iterable<Value> | undefined {
  if (Array.isArray(value)) return value
  if (typeof value === 'string') return characters(value)
  if (value instanceof Map || value instanceof LazyDict) return value.keys()
  if (value instanceof Tuple) return value.items
  if (value instanceof Uint8Array) return value
  if (value instanceof Markup) return characters(value.text)
  return value instanceof PyObject ? value.iterate?.() : undefined
}

export function iterate(value: Value): Iterable<Value> {
  const items = iterable(value)
  if (items === undefined) throw typeError(`'${typeName(value)}' object is not iterable`)
  return items
}

/** `list(x)`: always a new list. */
/** More than this would not fit into memory, and the attempt could not be interrupted. */
export const MOST_ITEMS = 2 ** 26

/** Refuses to make a list of so many items before it is begun. */
export function checkCount(count: number): void {
  if (count > MOST_ITEMS) throw new RangeError(`a list of ${count} items`)
}

export function toList(value: Value): Value[] {
  const count = value instanceof PyObject ? (value.length?.() ?? 0) : 0
  checkCount(count)
  return Array.from(iterate(value))
}

/** `len(x)`, undefined where the value has no length. */
export function lengthOf(value: Value): number | undefined {
  if (typeof value === 'string') return textLength(value)
  if (Array.isArray(value) || value instanceof Uint8Array) return value.length
  if (value instanceof Map) return value.size
  if (value instanceof Tuple) return value.items.length
  if (value instanceof LazyDict) return Array.from(value.keys()).length
  if (value instanceof Markup || value instanceof Omit) return textLength(value.text)
  return value instanceof PyObject ? value.length?.() : undefined
}

export function length(value: Value): number {
  const count = lengthOf(value)
  if (count === undefined) throw typeError(`object of type '${typeName(value)}' has no len()`)
  return count
}

/** `needle in container` */
export function contains(given: Value, needle: Value): boolean {
  const container = plainOf(given)
  if (typeof container === 'string') {
    if (needle instanceof Markup) return container.includes(needle.text)
    if (typeof needle === 'string') return container.includes(needle)
    throw typeError(`'in <string>' requires string as left operand, not ${typeName(needle)}`)
  }
  if (container instanceof Map) return dictHas(container, needle)
  if (container instanceof LazyDict) {
    const key = plainOf(needle)
    return typeof key === 'string' && container.has(key)
  }
  if (container instanceof PyObject && container.contains) return container.contains(needle)
  const items = iterable(container)
  if (items === undefined) throw typeError(`argument of type '${typeName(container)}' is not iterable`)
  for (const item of items) if (item === needle || equals(item, needle)) return true
  return false
}
