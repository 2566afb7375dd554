/** Makes filters out of plain functions: names their parameters and binds the arguments of a call to them. */
import type { Value } from '../../base/index.ts'
import { bind, type Parameter, signature } from '../arguments.ts'
import { findMethod } from '../methods/index.ts'
import { isUndefined, NO_KWARGS, PyError, typeName } from '../python/index.ts'
import type { CallContext, FilterFunction } from '../registry.ts'

/** Bound arguments; those beyond the parameters are never read. */
export type Bound = readonly [Value, Value, Value, Value, Value, Value, Value, Value, Value, Value]

export type FilterTable = Readonly<Record<string, FilterFunction>>

/** A filter with named parameters; `name` is what Python's messages call it. */
export function filter(
  name: string,
  parameters: readonly Parameter[],
  run: (value: Value, args: Bound, context: CallContext) => Value,
  more: { leading?: number } = {},
): FilterFunction {
  const bound = signature(name, parameters, more)
  return (context, value, args, kwargs) => run(value, bind(bound, args, kwargs) as unknown as Bound, context)
}

/** A filter without parameters. */
export const plain = (name: string, run: (value: Value, context: CallContext) => Value): FilterFunction =>
  filter(name, [], (value, _, context) => run(value, context))

/** Calls a method of Python's own types. */
export function method(value: Value, name: string, ...args: Value[]): Value {
  if (isUndefined(value)) value.raise()
  const found = findMethod(value, name)
  if (!found) throw new PyError('AttributeError', `'${typeName(value)}' object has no attribute '${name}'`)
  return found(args, NO_KWARGS)
}

/** Every filter also under its full name. */
export function named(prefix: string, table: FilterTable): FilterTable {
  return Object.fromEntries(Object.entries(table).flatMap(([name, run]) => [[name, run] as const, [`${prefix}.${name}`, run] as const]))
}

/** Every filter under its full name only, where the short one is another's. */
export function full(prefix: string, table: FilterTable): FilterTable {
  return Object.fromEntries(Object.entries(table).map(([name, run]) => [`${prefix}.${name}`, run] as const))
}

/** How Python prints a value's class, such as `<class 'str'>`; texts of variables are AnsibleUnicode there. */
export const classOf = (value: Value): string => `<class '${typeName(value)}'>`
