/** Finds a value's method by name. */
import { Float, LazyDict, OMIT, Tuple, type Value } from '../../base/index.ts'
import { isInteger, type Kwargs, Markup, NativeFunction, PyClass, PyObject, PySet, plainOf, typeName } from '../python/index.ts'
import { DICT_METHODS, LAZY_DICT_METHODS } from './dict.ts'
import { LIST_METHODS, TUPLE_METHODS } from './list.ts'
import { MARKUP_METHODS } from './markup.ts'
import type { Method, Methods } from './method.ts'
import { BYTES_METHODS, FLOAT_METHODS, INT_METHODS, NUMBER_ATTRIBUTES, SET_METHODS } from './scalars.ts'
import { STR_METHODS } from './str.ts'

export { makeDict } from './dict.ts'

/** Calls the method where the value has it; undefined where it has none of this name. */
export function findMethod(value: Value, name: string): ((args: Value[], kwargs: Kwargs) => Value) | undefined {
  if (value === OMIT) return findMethod(OMIT.text, name)
  const method = tableOf(value)?.get(name)
  if (!method) return undefined
  if (typeof value !== 'string') return (args, kwargs) => method(value, args, kwargs)
  return (args, kwargs) => method(value, args.some((arg) => arg instanceof Markup) ? args.map(plainOf) : args, kwargs)
}

/** `value.name` of the types that JavaScript has too: a bound method or a plain attribute; undefined where there is none. */
export function attributeOf(value: Value, name: string): Value | undefined {
  if (value instanceof PyObject) {
    const own = value.attribute(name)
    if (own !== undefined) return own
  }
  const method = findMethod(value, name)
  if (method)
    return new NativeFunction(name, method, `<built-in method ${name} of ${typeName(value)} object>`, 'builtin_function_or_method')
  if (name === '__class__') return new PyClass(typeName(value))
  if (isInteger(value) || value instanceof Float) return NUMBER_ATTRIBUTES.get(name)?.(value)
  return undefined
}

function tableOf(value: Value): Methods<Value> | undefined {
  if (typeof value === 'string') return any(STR_METHODS)
  if (value === null) return undefined
  if (value instanceof Map) return any(DICT_METHODS)
  if (Array.isArray(value)) return any(LIST_METHODS)
  if (value instanceof LazyDict) return any(LAZY_DICT_METHODS)
  if (value instanceof Tuple) return any(TUPLE_METHODS)
  if (value instanceof PySet) return any(SET_METHODS)
  if (isInteger(value)) return any(INT_METHODS)
  if (value instanceof Float) return any(FLOAT_METHODS)
  if (value instanceof Markup) return any(MARKUP_METHODS)
  return value instanceof Uint8Array ? any(BYTES_METHODS) : undefined
}

/** A table is only ever asked for values of its own type. */
const any = <Self>(table: Methods<Self>): Methods<Value> => table as unknown as ReadonlyMap<string, Method<Value>>
