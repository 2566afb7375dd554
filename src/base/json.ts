/** Plain JSON and the crossing between it and playbook values. */
import { LateDict } from './late-dict.ts'
import { Float, LazyDict, OMIT, OpaqueValue, Template, Tuple, type Value, Vaulted } from './value.ts'

/** A Float is a number that keeps being one with a fraction (`1.0`), as times are; JSON.stringify writes it as a number. */
export type Json = null | boolean | number | Float | string | readonly Json[] | { readonly [key: string]: Json | undefined }
export type JsonObject = { readonly [key: string]: Json | undefined }

/**
 * JSON as a value: objects become dicts, non-integral numbers floats; undefined members are left out. Finished dicts, tuples and other values inside
 * (which results of set_fact, debug and include_vars hold to keep order and types, templates too) come back as they are; `toJson(fromJson(result))` makes such a result plain.
 */
export function fromJson(json: Json | undefined): Value {
  if (json === undefined) return null
  if (typeof json === 'number') return Number.isInteger(json) ? json : new Float(json)
  if (json === null || typeof json !== 'object' || json instanceof Float) return json
  if (json instanceof BigNumber) return BigInt(json.digits)
  if (isValue(json)) return json
  if (Array.isArray(json)) return json.map(fromJson)
  const dict = new Map<Value, Value>()
  for (const [key, value] of Object.entries(json)) if (value !== undefined) dict.set(key, fromJson(value as Json))
  return dict
}

/**
 * A value as plain JSON: bytes and unknown things become text, tuples lists, keys text (True, None and numbers as JSON spells them).
 * Big integers lose precision here; text output that must be exact goes through the template room's dumpers.
 */
export function toJson(value: Value): Json {
  if (value === null || typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string') return value
  if (typeof value === 'bigint') return Number(value)
  if (value instanceof Float) return value.value
  if (Array.isArray(value)) return value.map(toJson)
  if (value instanceof Tuple) return value.items.map(toJson)
  if (value instanceof Map) return Object.fromEntries([...value].map(([k, v]) => [jsonKey(k), toJson(v)]))
  if (value instanceof LazyDict) return Object.fromEntries([...value.keys()].map((k) => [k, toJson(value.get(k) ?? null)]))
  if (value instanceof Uint8Array) return new TextDecoder().decode(value)
  if (value instanceof OpaqueValue && value.plain) return toJson(value.plain())
  return value === OMIT ? OMIT.text : String(value)
}

/** An integer beyond 2^53: an ordinary number to JSON.stringify, all its digits to writers that know it. */
export class BigNumber {
  constructor(readonly digits: string) {}

  toJSON(): number {
    return Number(this.digits)
  }
}

/** A value as plain JSON but for numbers whose spelling would be lost: floats stay Floats, big integers become BigNumbers. */
export function toExactJson(value: Value): Json {
  if (typeof value === 'bigint') return new BigNumber(String(value)) as unknown as Json
  if (value instanceof Float) return value
  if (Array.isArray(value)) return value.map(toExactJson)
  if (value instanceof Tuple) return value.items.map(toExactJson)
  if (value instanceof LateDict) return lateJson(value)
  if (value instanceof Map) return Object.fromEntries([...value].map(([k, v]) => [jsonKey(k), toExactJson(v)]))
  return toJson(value)
}

/** What is kept elsewhere is fetched once a member is read. */
function lateJson(dict: LateDict<Value, Value>): JsonObject {
  const out: { [key: string]: Json } = {}
  for (const key of dict.keys()) {
    const fetch = dict.late(key)
    if (fetch === undefined) out[jsonKey(key)] = toExactJson(dict.get(key)!)
    else Object.defineProperty(out, jsonKey(key), { enumerable: true, configurable: true, get: () => toExactJson(fetch()) })
  }
  return out
}

/** Is it a finished value of a kind that JSON does not have? */
const isValue = (json: unknown): json is Value =>
  json instanceof Map ||
  json instanceof Tuple ||
  json instanceof LazyDict ||
  json instanceof Uint8Array ||
  json instanceof OpaqueValue ||
  json instanceof Template ||
  json instanceof Vaulted

/** A dict's key as JSON spells it. */
export function jsonKey(key: Value): string {
  return key instanceof Float ? String(key.value) : String(key)
}
