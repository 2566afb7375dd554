/** Own keywords over inherited ones → the keywords in effect. */
import type { Raw } from '../base/index.ts'
import type { Keywords } from './model.ts'

/** What one play, role, block or task says itself; only what it says is there. */
export type OwnKeywords = Partial<Keywords>

/** Nobody said anything. */
export const NO_KEYWORDS: Keywords = {
  anyErrorsFatal: undefined,
  become: undefined,
  becomeExe: undefined,
  becomeFlags: undefined,
  becomeMethod: undefined,
  becomeUser: undefined,
  checkMode: undefined,
  collections: [],
  connection: undefined,
  debugger: undefined,
  diff: undefined,
  environment: [],
  ignoreErrors: undefined,
  ignoreUnreachable: undefined,
  moduleDefaults: [],
  noLog: undefined,
  port: undefined,
  remoteUser: undefined,
  runOnce: undefined,
  throttle: undefined,
  timeout: undefined,
  delegateTo: undefined,
  delegateFacts: undefined,
  tags: [],
  when: [],
  notify: [],
}

/**
 * The nearest who says something wins, except for what adds up: tags, conditions, environments and module defaults,
 * of which the inherited come first.
 */
export function over(own: OwnKeywords, inherited: Keywords): Keywords {
  const said = Object.keys(own)
  if (said.length === 0) return inherited
  const all: { [name: string]: unknown } = { ...inherited }
  for (const name of said)
    all[name] = ADDED_UP.has(name) ? joined(all[name] as Raw[], own[name as keyof Keywords] as Raw[]) : own[name as keyof Keywords]
  return all as unknown as Keywords
}

const ADDED_UP: ReadonlySet<string> = new Set<keyof Keywords>(['tags', 'when', 'environment', 'moduleDefaults'])

/** Keywords that were worked out already, over others that a further ancestor brings: what nobody said below comes from there. */
export function fallingBack(near: Keywords, far: Keywords): Keywords {
  const said = Object.fromEntries(Object.entries(near).filter(([, value]) => value !== undefined && !isEmpty(value)))
  return over(said, far)
}

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0

/** Outer before inner, each thing once. */
function joined<T>(outer: readonly T[], inner: readonly T[] | undefined): readonly T[] {
  if (!inner || inner.length === 0) return outer
  if (outer.length === 0) return inner
  return [...outer, ...inner.filter((thing) => !outer.includes(thing))]
}
