/** Nothing → a word that no output holds by chance. */
import { randomFillSync } from 'node:crypto'

const LENGTH = 15

/** Randomness is fetched for many at once. */
const pool = Buffer.alloc(LENGTH * 256)
let at = pool.length

export function newMark(): string {
  if (at === pool.length) {
    randomFillSync(pool)
    at = 0
  }
  at += LENGTH
  return `<${pool.toString('base64url', at - LENGTH, at)}>`
}
