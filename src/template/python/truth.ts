/** Tells whether a value is true, as Python's bool() does. */
import { Float, LazyDict, Tuple, type Value } from '../../base/index.ts'
import { PyObject } from './object.ts'

/** `bool(x)` */
export function truth(value: Value): boolean {
  switch (typeof value) {
    case 'boolean':
      return value
    case 'string':
      return value !== ''
    case 'number':
      return value !== 0
    case 'bigint':
      return value !== 0n
  }
  if (value === null) return false
  if (Array.isArray(value)) return value.length > 0
  if (value instanceof Map) return value.size > 0
  if (value instanceof PyObject) return value.truth()
  if (value instanceof Float) return value.value !== 0
  if (value instanceof Tuple) return value.items.length > 0
  if (value instanceof Uint8Array) return value.length > 0
  if (value instanceof LazyDict) return !value.keys()[Symbol.iterator]().next().done
  return true
}
