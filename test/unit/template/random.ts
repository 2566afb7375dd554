/** A generator of random choices that gives the same ones for the same seed. */
export interface Random {
  /** a whole number from 0 up to, not including, `limit` */
  below(limit: number): number
  chance(of: number): boolean
  pick<T>(from: readonly T[]): T
}

export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return { below, chance: (of) => next() < of, pick: (from) => from[below(from.length)]! }
}
