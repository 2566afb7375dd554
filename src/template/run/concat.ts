/** Joins what a template wrote: as text, or as the value that Ansible reads from the text. */
import { Float, LazyDict, OMIT, Omit, Tuple, type Value } from '../../base/index.ts'
import { PyObject, str } from '../python/index.ts'
import { parseLiteral } from './literal.ts'
import type { Output } from './output.ts'

/** Plain text, whatever was written. */
export function concatText(out: Output): string {
  const { parts } = out
  if (parts.length === 1) return textOf(parts[0]!)
  let text = ''
  for (const part of parts) text += textOf(part)
  return text
}

/** Text that looks like a list, a dict or a boolean becomes one; texts in `kept` stay as they are. */
export function concatLiteral(out: Output, kept: ReadonlySet<string>): Value {
  const { parts } = out
  if (parts.length === 0) return ''
  if (parts.length === 1) {
    const only = parts[0]!
    if (typeof only === 'string') return kept.has(only) ? only : readLiteral(only)
    if (typeof only === 'boolean') return only
    const copy = copyOfLiteral(only)
    if (copy !== undefined) return copy
  }
  return readLiteral(concatText(out))
}

/** One value keeps its type; text is read as a literal of any kind (jinja2_native). */
export function concatNative(out: Output, kept: ReadonlySet<string>): Value {
  const { parts } = out
  if (parts.length === 0) return null
  if (parts.length === 1) {
    const only = parts[0]!
    if (typeof only !== 'string' || kept.has(only)) return only
  }
  const text = concatText(out)
  if (text === OMIT.text) return OMIT
  const value = /^\s/.test(text) ? undefined : parseLiteral(text, { json: false })
  if (value === undefined) return text
  return typeof value === 'string' ? text[0] + value + text[0] : value
}

/** `to_text(x)` */
function textOf(value: Value): string {
  if (typeof value === 'string') return value
  return value instanceof Uint8Array ? new TextDecoder().decode(value) : value instanceof Omit ? value.text : str(value)
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
