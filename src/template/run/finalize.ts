/** Prepares a value for output: fails for undefined values in it, rolls out views and ranges, makes None empty. */
import { Tuple, type Value } from '../../base/index.ts'
import { DictView, PyRange, Undefined } from '../python/index.ts'

/** `keepNone`: None stays, as jinja2_native has it, even where the result is text. */
export function finalize(value: Value, keepNone: boolean): Value {
  if (typeof value === 'string') return value
  if (value === null) return keepNone ? null : ''
  if (typeof value !== 'object') return value
  failOnUndefined(value)
  return value instanceof DictView || value instanceof PyRange ? Array.from(value.iterate()) : value
}

/** Looks into lists and dicts for strict undefined values, and raises the first one. */
export function failOnUndefined(value: Value): void {
  if (value === null || typeof value !== 'object') return
  if (Array.isArray(value)) for (const item of value) failOnUndefined(item)
  else if (value instanceof Map) for (const item of value.values()) failOnUndefined(item)
  else if (value instanceof Tuple) for (const item of value.items) failOnUndefined(item)
  else if (value instanceof Undefined && !value.lenient) value.raise()
}
