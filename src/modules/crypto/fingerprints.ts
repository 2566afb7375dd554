/** Bytes → their fingerprints by the names of the algorithms. */
import { createHash, createPublicKey } from 'node:crypto'
import type { JsonObject } from '../../base/index.ts'
import { KEY_TYPES } from '../../template/index.ts'
import { colonsOf } from './der.ts'

const ALGORITHMS: readonly (readonly [string, string, number?])[] = [
  ['md5', 'md5'],
  ['sha1', 'sha1'],
  ['sha224', 'sha224'],
  ['sha256', 'sha256'],
  ['sha384', 'sha384'],
  ['sha512', 'sha512'],
  ['blake2b', 'blake2b512'],
  ['blake2s', 'blake2s256'],
  ['sha3_224', 'sha3-224'],
  ['sha3_256', 'sha3-256'],
  ['sha3_384', 'sha3-384'],
  ['sha3_512', 'sha3-512'],
  ['shake_128', 'shake128', 32],
  ['shake_256', 'shake256', 32],
]

export function fingerprintsOf(bytes: Uint8Array): JsonObject {
  const print = (algorithm: string, length: number | undefined): string =>
    colonsOf(
      createHash(algorithm, length === undefined ? {} : { outputLength: length })
        .update(bytes)
        .digest(),
    )
  return Object.fromEntries(ALGORITHMS.map(([name, algorithm, length]) => [name, print(algorithm, length)]))
}

export interface KeyFacts {
  readonly type: string
  readonly size: number | undefined
  readonly curve: string | undefined
}

/** openssl's names of curves that have another one elsewhere */
const CURVES: Readonly<Record<string, string>> = { prime256v1: 'secp256r1', prime192v1: 'secp192r1' }

/** What a public key (DER with its algorithm) is. */
export function keyFacts(der: Uint8Array): KeyFacts {
  const key = createPublicKey({ key: Buffer.from(der), format: 'der', type: 'spki' })
  const { modulusLength, namedCurve } = key.asymmetricKeyDetails ?? {}
  return {
    type: KEY_TYPES[key.asymmetricKeyType ?? ''] ?? key.asymmetricKeyType ?? '',
    size: modulusLength,
    curve: namedCurve === undefined ? undefined : (CURVES[namedCurve] ?? namedCurve),
  }
}
