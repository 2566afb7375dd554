/** Merges dicts key by key, as hash_behaviour=merge and combine(recursive=true) do. */
import type { Raw } from './value.ts'

/** The stronger value, with the keys of a weaker dict kept where both are dicts. */
export function mergeRaw(weaker: Raw, stronger: Raw): Raw {
  if (!(weaker instanceof Map) || !(stronger instanceof Map)) return stronger
  const merged = new Map(weaker)
  for (const [key, value] of stronger) {
    const old = merged.get(key)
    merged.set(key, old === undefined ? value : mergeRaw(old, value))
  }
  return merged
}
