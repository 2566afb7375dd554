/** Copies a value so that changing the copy leaves the original alone. */
import { isDict, type Value } from '../../base/index.ts'

export function deepCopy(value: Value): Value {
  if (Array.isArray(value)) return value.map(deepCopy)
  if (!isDict(value)) return value
  const copy = new Map<Value, Value>()
  for (const [key, member] of value) copy.set(key, deepCopy(member))
  return copy
}
