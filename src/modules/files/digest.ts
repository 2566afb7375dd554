/** Checksums of local bytes, made once for bytes that many hosts get. */
import { createHash } from 'node:crypto'

export interface Digests {
  readonly sha1: string
  readonly md5: string
}

const MADE = new WeakMap<Uint8Array, Digests>()

export function digestsOf(bytes: Uint8Array): Digests {
  const made = MADE.get(bytes)
  if (made) return made
  const hex = (algorithm: string): string => createHash(algorithm).update(bytes).digest('hex')
  const digests = { sha1: hex('sha1'), md5: hex('md5') }
  MADE.set(bytes, digests)
  return digests
}
