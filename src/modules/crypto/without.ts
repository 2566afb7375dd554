/** Parameters without some of them. */
import type { Params } from '../../params/index.ts'

export function without<const P extends Params, const K extends keyof P>(params: P, names: readonly K[]): Omit<P, K> {
  const left = Object.entries(params).filter(([name]) => !(names as readonly string[]).includes(name))
  return Object.fromEntries(left) as unknown as Omit<P, K>
}
