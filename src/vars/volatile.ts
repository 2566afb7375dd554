/** Tells which texts give something new each time they are rendered, so that they must not be remembered from task to task. */
import { LateDict, type Raw, Template } from '../base/index.ts'

/** The names whose values other hosts or the moment decide. */
export const VOLATILE_NAMES: ReadonlySet<string> = new Set([
  'hostvars',
  'vars',
  'ansible_play_hosts',
  'ansible_play_batch',
  'play_hosts',
  'ansible_current_hosts',
  'ansible_failed_hosts',
])

const PURE_LOOKUPS = /\b(?:lookup|query|q)\s*\(\s*(['"])(?:ansible\.builtin\.)?(?:vars|env|dict|items|list|varnames)\1/g
const VOLATILE = /\b(?:lookup|query|q|now|random|shuffle|random_mac|password_hash|to_uuid|undef|fileglob)\b/

const known = new WeakMap<object, boolean>()

/** Does anything in it give a new value each time? */
export function isVolatile(raw: Raw): boolean {
  if (raw === null || typeof raw !== 'object') return false
  const seen = known.get(raw)
  if (seen !== undefined) return seen
  const answer = examine(raw)
  known.set(raw, answer)
  return answer
}

function examine(raw: object): boolean {
  if (raw instanceof Template) return VOLATILE.test(raw.text.replaceAll(PURE_LOOKUPS, ''))
  if (Array.isArray(raw)) return raw.some(isVolatile)
  if (raw instanceof LateDict) return false
  if (raw instanceof Map) return [...raw.values()].some(isVolatile)
  return false
}
