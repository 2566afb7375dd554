/** Values as a journal keeps them, and back: JSON in which dicts, tuples and numbers of every kind stay what they are. */
import { Float, type Json, type JsonObject, OMIT, type Raw, Tuple, type Value } from '../base/index.ts'

/** Thrown for what cannot be kept: what only this program knows, or nobody may read. */
export class NotKept extends Error {}

/** `isSecret`: no text for which it holds is kept. Throws NotKept. */
export function stored(value: Raw, isSecret: (text: string) => boolean): Json {
  const text = (it: string): string => {
    if (isSecret(it)) throw new NotKept()
    return it
  }
  const walk = (it: Raw): Json => {
    if (typeof it === 'string') return text(it)
    if (it === null || typeof it === 'boolean' || typeof it === 'number') return it
    if (typeof it === 'bigint') return { $i: String(it) }
    if (it instanceof Float) return { $f: String(Object.is(it.value, -0) ? '-0' : it.value) }
    if (Array.isArray(it)) return it.map(walk)
    if (it instanceof Tuple) return { $t: it.items.map(walk) }
    if (it instanceof Map) return dict(it as ReadonlyMap<Raw, Raw>)
    if (it instanceof Uint8Array) return { $b: Buffer.from(it).toString('base64') }
    if (it === OMIT) return { $o: 1 }
    throw new NotKept()
  }
  const dict = (it: ReadonlyMap<Raw, Raw>): Json => {
    const out: Record<string, Json> = {}
    for (const [key, member] of it) {
      if (typeof key !== 'string' || UNEASY.test(key)) return { $m: [...it].map(([k, v]) => [walk(k), walk(v)]) }
      out[text(key)] = walk(member)
    }
    return out
  }
  return walk(value)
}

/** Keys that would not keep their place, or their meaning, in an object. */
const UNEASY = /^(?:\$|\d+$|__proto__$)/

export function restored(json: Json | undefined): Value {
  if (json === undefined || json === null || typeof json !== 'object') return json ?? null
  if (Array.isArray(json)) return json.map(restored)
  const object = json as JsonObject
  for (const mark in MARKS) if (object[mark] !== undefined) return MARKS[mark]!(object[mark])
  const out = new Map<Value, Value>()
  for (const key in object) out.set(key, restored(object[key]))
  return out
}

const MARKS: Readonly<Record<string, (json: Json) => Value>> = {
  $i: (json) => BigInt(json as string),
  $f: (json) => new Float(Number(json)),
  $t: (json) => new Tuple((json as Json[]).map(restored)),
  $m: (json) => new Map((json as [Json, Json][]).map(([k, v]) => [restored(k), restored(v)])),
  $b: (json) => new Uint8Array(Buffer.from(json as string, 'base64')),
  $o: () => OMIT,
}
