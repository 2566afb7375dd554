/** Parts of certificates and requests for them → what filters tell: names, extensions, keys, fingerprints. */
import { createHash, createPublicKey, type KeyObject } from 'node:crypto'
import type { Value } from '../../base/index.ts'
import { ATTRIBUTES, KEY_TYPES, PURPOSES, USAGES } from '../oids.ts'
import { normalInt } from '../python/index.ts'
import { type DerNode, readAll, readBits, readDer, readInteger, readOid } from './der.ts'
import { formatAddress } from './net/address.ts'

export type Dict = Map<Value, Value>

export interface Extension {
  readonly critical: boolean
  readonly value: Uint8Array
}

export function namesOf(name: DerNode): [Value, Value][] {
  return readAll(name.body).flatMap((set) =>
    readAll(set.body).map((pair): [Value, Value] => {
      const [type, text] = readAll(pair.body) as [DerNode, DerNode]
      const oid = readOid(type.body)
      return [ATTRIBUTES[oid] ?? oid, textOf(text)]
    }),
  )
}

const textOf = ({ tag, body }: DerNode): string =>
  tag === 0x1e ? Buffer.from(body).swap16().toString('utf16le') : Buffer.from(body).toString('utf8')

/** UTCTime and GeneralizedTime as `YYYYMMDDhhmmssZ`. */
export function timeText({ tag, body }: DerNode): string {
  const text = Buffer.from(body).toString('latin1')
  return tag === 0x17 ? (Number(text.slice(0, 2)) < 50 ? '20' : '19') + text : text
}

/** A sequence of extensions by their identifiers. */
export function extensionsOf(list: DerNode | undefined): Map<string, Extension> {
  const out = new Map<string, Extension>()
  for (const node of list ? readAll(list.body) : []) {
    const [oid, ...others] = readAll(node.body) as [DerNode, ...DerNode[]]
    out.set(readOid(oid.body), { critical: others.length > 1 && others[0]!.body[0] !== 0, value: others.at(-1)!.body })
  }
  return out
}

export function byOid(extensions: ReadonlyMap<string, Extension>): Dict {
  return new Map(
    [...extensions].map(([oid, { critical, value }]) => [
      oid,
      new Map<Value, Value>([
        ['critical', critical],
        ['value', Buffer.from(value).toString('base64')],
      ]),
    ]),
  )
}

/** An extension's value and whether it is critical; both null where it is absent. */
export function pair(
  name: string,
  extension: Extension | undefined,
  read: (value: Uint8Array) => Value,
  absent: Value = false,
): [Value, Value][] {
  return [
    [name, extension ? read(extension.value) : null],
    [`${name}_critical`, extension ? extension.critical : absent],
  ]
}

export function basicConstraints(extension: Extension | undefined): [Value, Value][] {
  return pair('basic_constraints', extension, (value) => {
    const [first, second] = readAll(readDer(value).body)
    const isAuthority = first?.tag === 1 && first.body[0] !== 0
    const length = first?.tag === 2 ? first : second
    return [`CA:${isAuthority ? 'TRUE' : 'FALSE'}`, ...(length ? [`pathlen:${readInteger(length.body)}`] : [])]
  })
}

export function keyUsage(extension: Extension | undefined): [Value, Value][] {
  return pair('key_usage', extension, (value) => {
    const bits = readBits(readDer(value).body)
    return USAGES.flatMap(([, told], i) => (bits.has(i) ? [told] : [])).sort()
  })
}

export function extendedUsage(extension: Extension | undefined): [Value, Value][] {
  return pair('extended_key_usage', extension, (value) =>
    readAll(readDer(value).body)
      .map((node) => PURPOSES[readOid(node.body)] ?? readOid(node.body))
      .sort(),
  )
}

export function mustStaple(extension: Extension | undefined): [Value, Value][] {
  return pair('ocsp_must_staple', extension, (value) => readAll(readDer(value).body).some((node) => readInteger(node.body) === 5n))
}

export function alternativeNames(extension: Extension | undefined): [Value, Value][] {
  return pair('subject_alt_name', extension, (value) => readAll(readDer(value).body).map(generalName))
}

export function generalName({ tag, body }: DerNode): string {
  const text = Buffer.from(body).toString('latin1')
  if (tag === 0x82) return `DNS:${text}`
  if (tag === 0x87) return `IP:${formatAddress({ version: body.length === 4 ? 4 : 6, value: readUnsigned(body) })}`
  if (tag === 0x81) return `email:${text}`
  if (tag === 0x86) return `URI:${text}`
  if (tag === 0x88) return `RID:${readOid(body)}`
  if (tag === 0xa4)
    return `dirName:${namesOf(readDer(body))
      .map(([name, part]) => `${String(name)}=${String(part)}`)
      .join(',')}`
  return `otherName:${Buffer.from(body).toString('hex')}`
}

const readUnsigned = (bytes: Uint8Array): bigint => BigInt(`0x0${Buffer.from(bytes).toString('hex')}`)
const colons = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString('hex')
    .replace(/..(?=.)/g, '$&:')
export const keyIdentifier = (extension: Extension | undefined): Value => (extension ? colons(readDer(extension.value).body) : null)

export function authorityOf(extension: Extension | undefined): { key: Value; issuer: Value; serial: Value } {
  const parts = extension ? readAll(readDer(extension.value).body) : []
  const find = (tag: number): DerNode | undefined => parts.find((part) => part.tag === tag)
  const [key, issuer, serial] = [find(0x80), find(0xa1), find(0x82)]
  return {
    key: key ? colons(key.body) : null,
    issuer: issuer ? readAll(issuer.body).map(generalName) : null,
    serial: serial ? normalInt(readInteger(serial.body)) : null,
  }
}

export function accessUri(extension: Extension | undefined, method: string): Value {
  if (!extension) return null
  for (const node of readAll(readDer(extension.value).body)) {
    const [type, location] = readAll(node.body) as [DerNode, DerNode]
    if (readOid(type.body) === method && location.tag === 0x86) return Buffer.from(location.body).toString('latin1')
  }
  return null
}

const DIGESTS: readonly (readonly [string, string])[] = [
  ['blake2b', 'blake2b512'],
  ['blake2s', 'blake2s256'],
  ['md5', 'md5'],
  ['sha1', 'sha1'],
  ['sha224', 'sha224'],
  ['sha256', 'sha256'],
  ['sha384', 'sha384'],
  ['sha3_224', 'sha3-224'],
  ['sha3_256', 'sha3-256'],
  ['sha3_384', 'sha3-384'],
  ['sha3_512', 'sha3-512'],
  ['sha512', 'sha512'],
  ['shake_128', 'shake128'],
  ['shake_256', 'shake256'],
]
/** digests whose length has to be asked for */
const SHAKE_BYTES = 32

export const fingerprints = (bytes: Uint8Array): Dict =>
  new Map(
    DIGESTS.map(([name, algorithm]) => [
      name,
      colons(
        createHash(algorithm, algorithm.startsWith('shake') ? { outputLength: SHAKE_BYTES } : {})
          .update(bytes)
          .digest(),
      ),
    ]),
  )

const CURVES: Readonly<Record<string, readonly [string, number]>> = {
  prime256v1: ['secp256r1', 256],
  secp384r1: ['secp384r1', 384],
  secp521r1: ['secp521r1', 521],
  secp256k1: ['secp256k1', 256],
}

export function publicKey(key: KeyObject, der: Uint8Array): [Value, Value][] {
  return [
    [
      'public_key',
      createPublicKey(key.export({ type: 'spki', format: 'pem' }))
        .export({ type: 'spki', format: 'pem' })
        .toString(),
    ],
    ['public_key_data', keyData(key)],
    ['public_key_fingerprints', fingerprints(der)],
    ['public_key_type', KEY_TYPES[key.asymmetricKeyType ?? ''] ?? `unknown (${key.asymmetricKeyType})`],
  ]
}

function keyData(key: KeyObject): Dict {
  const jwk = key.asymmetricKeyType === 'dsa' ? {} : key.export({ format: 'jwk' })
  const big = (text: string | undefined): Value => normalInt(readUnsigned(Buffer.from(text ?? '', 'base64url')))
  if (key.asymmetricKeyType === 'rsa')
    return new Map<Value, Value>([
      ['size', key.asymmetricKeyDetails?.modulusLength ?? null],
      ['modulus', big(jwk.n)],
      ['exponent', big(jwk.e)],
    ])
  if (key.asymmetricKeyType !== 'ec') return new Map()
  const [curve, size] = CURVES[key.asymmetricKeyDetails?.namedCurve ?? ''] ?? [key.asymmetricKeyDetails?.namedCurve ?? '', 0]
  return new Map<Value, Value>([
    ['curve', curve],
    ['exponent_size', size],
    ['x', big(jwk.x)],
    ['y', big(jwk.y)],
  ])
}
