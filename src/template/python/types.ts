/** Tells a value's Python type. */
import { Float, LazyDict, Tuple, type Value } from '../../base/index.ts'
import { PyObject } from './object.ts'

/** What `type(x).__name__` says. */
export function typeName(value: Value): string {
  switch (typeof value) {
    case 'string':
      return 'str'
    case 'boolean':
      return 'bool'
    case 'number':
    case 'bigint':
      return 'int'
  }
  if (value === null) return 'NoneType'
  if (Array.isArray(value)) return 'list'
  if (value instanceof Map) return 'dict'
  if (value instanceof LazyDict) return value.typeName
  if (value instanceof Float) return 'float'
  if (value instanceof Tuple) return 'tuple'
  if (value instanceof Uint8Array) return 'bytes'
  return value instanceof PyObject ? value.typeName : 'str'
}

/** What messages about operators call the type. */
export const operandName = (value: Value): string => (value instanceof PyObject && value.qualified) || typeName(value)

/** Is it an int (a bool is one in Python)? */
export const isInteger = (value: Value): value is number | bigint | boolean =>
  typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean'

/** Is it an int, a bool or a float? */
export const isNumber = (value: Value): value is number | bigint | boolean | Float => isInteger(value) || value instanceof Float

/** Is it a dict, eager or lazy? */
export const isMapping = (value: Value): value is Map<Value, Value> | LazyDict => value instanceof Map || value instanceof LazyDict
