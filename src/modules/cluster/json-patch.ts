/** A JSON value and a list of operations (RFC 6902) → the value that they make of it. */
import { isDeepStrictEqual } from 'node:util'
import type { Json, JsonObject } from '../../base/index.ts'
import { ModuleFailure } from '../api.ts'

export function patchJson(value: Json, operations: readonly JsonObject[]): Json {
  return operations.reduce<Json>((now, one) => apply(now, one), structuredClone(value))
}

const conflict = (): ModuleFailure => new ModuleFailure('Patch could not be applied due to a conflict')

function apply(doc: Json, one: JsonObject): Json {
  const run = OPERATIONS[String(one['op'])]
  if (!run || typeof one['path'] !== 'string') throw new ModuleFailure('Invalid JSON patch')
  return run(doc, keysOf(one['path']), one)
}

/** `/a~1b/0` → `a/b`, `0` */
function keysOf(pointer: string): string[] {
  if (pointer === '') return []
  if (!pointer.startsWith('/')) throw new ModuleFailure('Invalid JSON patch')
  return pointer
    .slice(1)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
}

type Operation = (doc: Json, keys: readonly string[], one: JsonObject) => Json

const from = (one: JsonObject): string[] => {
  if (typeof one['from'] !== 'string') throw new ModuleFailure('Invalid JSON patch')
  return keysOf(one['from'])
}

const given = (one: JsonObject): Json => {
  if (one['value'] === undefined) throw new ModuleFailure('Invalid JSON patch')
  return one['value']
}

const OPERATIONS: Readonly<Record<string, Operation>> = {
  add: (doc, keys, one) => edited(doc, keys, given(one), 'add'),
  replace: (doc, keys, one) => {
    find(doc, keys)
    return edited(doc, keys, given(one), 'set')
  },
  remove: (doc, keys) => {
    find(doc, keys)
    return edited(doc, keys, null, 'remove')
  },
  move: (doc, keys, one) => edited(edited(doc, from(one), null, 'remove'), keys, find(doc, from(one)), 'add'),
  copy: (doc, keys, one) => edited(doc, keys, structuredClone(find(doc, from(one))), 'add'),
  test: (doc, keys, one) => {
    if (!isDeepStrictEqual(find(doc, keys), given(one))) throw conflict()
    return doc
  },
}

function find(doc: Json, keys: readonly string[]): Json {
  return keys.reduce<Json>((at, key) => {
    const next = Array.isArray(at) ? at[index(key, at.length)] : isObject(at) ? at[key] : undefined
    if (next === undefined) throw conflict()
    return next as Json
  }, doc)
}

const isObject = (value: Json): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)

function index(key: string, length: number): number {
  if (key === '-') return length
  if (!/^(0|[1-9]\d*)$/.test(key) || Number(key) > length) throw conflict()
  return Number(key)
}

function edited(doc: Json, keys: readonly string[], value: Json, how: 'add' | 'set' | 'remove'): Json {
  const [key, ...rest] = keys
  if (key === undefined) return how === 'remove' ? null : value
  if (Array.isArray(doc)) {
    const at = index(key, doc.length)
    const inner = rest.length > 0 ? edited(doc[at] as Json, rest, value, how) : value
    const keep = rest.length === 0 && how === 'add' ? 0 : 1
    return [...doc.slice(0, at), ...(rest.length === 0 && how === 'remove' ? [] : [inner]), ...doc.slice(at + keep)]
  }
  if (!isObject(doc)) throw conflict()
  if (rest.length === 0 && how === 'remove') return Object.fromEntries(Object.entries(doc).filter(([name]) => name !== key))
  if (rest.length > 0 && doc[key] === undefined) throw conflict()
  return { ...doc, [key]: rest.length > 0 ? edited(doc[key] as Json, rest, value, how) : value }
}
