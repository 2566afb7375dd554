/** Joins what a template wrote: as text, or as the value that Ansible reads from the text. */
import { Float, LazyDict, OMIT, Tuple, type Value } from '../../base/index.ts'
import { PyObject, plainDeep } from '../python/index.ts'
import { parseLiteral } from './literal.ts'
import type { Output } from './output.ts'

/** Text that looks like a list, a dict or a boolean becomes one; texts in `kept` stay as they are. */
export function concatLiteral(out: Output, kept: ReadonlySet<string>): Value {
  const { single } = out
  if (single !== undefined) {
    if (typeof single === 'string') return kept.has(single) ? single : readLiteral(single)
    if (typeof single === 'boolean') return single
    const copy = copyOfLiteral(single)
    if (copy !== undefined) return copy
  }
  return readLiteral(out.joined())
}

/** One value keeps its type; text is read as a literal of any kind (jinja2_native). */
export function concatNative(out: Output, kept: ReadonlySet<string>): Value {
  const { single } = out
  if (out.count === 0) return null
  if (single !== undefined && (typeof single !== 'string' || kept.has(single))) return plainDeep(single)
  const text = out.joined()
  if (text === OMIT.text) return OMIT
  const value = /^\s/.test(text) ? undefined : parseLiteral(text, { json: false })
  if (value === undefined) return text
  return typeof value === 'string' ? text[0] + value + text[0] : value
}

export function readLiteral(text: string): Value {
  if (text === OMIT.text) return OMIT
  const first = text[0]
  if (first !== '[' && first !== '{' && text !== 'True' && text !== 'False') return text
  return parseLiteral(text, { json: true }) ?? text
}

/** A list or dict whose text would be read as an equal one: a copy of it. Undefined where the text has to be looked at. */
function copyOfLiteral(value: Value): Value | undefined {
  if (!Array.isArray(value) && !(value instanceof Map)) return undefined
  return copied(value)
}

function copied(value: Value): Value | undefined {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return copiedItems(value)
  if (value instanceof Map) return copiedDict(value)
  if (value instanceof Float) return Number.isFinite(value.value) ? value : undefined
  if (value instanceof Tuple) {
    const items = copiedItems(value.items)
    return items && new Tuple(items)
  }
  if (value === OMIT) return OMIT.text
  if (value instanceof PyObject || value instanceof LazyDict) return undefined
  return value
}

function copiedItems(items: readonly Value[]): Value[] | undefined {
  const copy: Value[] = []
  for (const item of items) {
    const one = copied(item)
    if (one === undefined) return undefined
    copy.push(one)
  }
  return copy
}

function copiedDict(dict: Map<Value, Value>): Map<Value, Value> | undefined {
  const copy = new Map<Value, Value>()
  for (const [key, value] of dict) {
    const one = copied(value)
    if (one === undefined || copied(key) === undefined) return undefined
    copy.set(key, one)
  }
  return copy
}
