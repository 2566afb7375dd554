/** x509_certificate_info: a PEM certificate → what it says. */
import { createHash, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto'
import type { Value } from '../../base/index.ts'
import { ATTRIBUTES, PURPOSES, SIGNATURES, USAGES } from '../oids.ts'
import { filterError, isUndefined, normalInt } from '../python/index.ts'
import { classOf, filter } from './define.ts'
import { type DerNode, readAll, readBits, readDer, readInteger, readOid } from './der.ts'
import { formatAddress } from './net/address.ts'

type Dict = Map<Value, Value>

export const certificateInfo = filter('x509_certificate_info', [['name_encoding', 'ignore']], (value) => {
  if (isUndefined(value)) value.raise()
  if (typeof value !== 'string')
    throw filterError(`The community.crypto.x509_certificate_info input must be a text type, not ${classOf(value)}`)
  let certificate: X509Certificate
  try {
    certificate = new X509Certificate(value)
  } catch (error) {
    throw filterError(`Unable to load certificate: ${(error as Error).message}`, error)
  }
  return describe(certificate)
})

interface Extension {
  readonly critical: boolean
  readonly value: Uint8Array
}

function describe(certificate: X509Certificate): Dict {
  const parts = readAll(readDer(readDer(certificate.raw).body).body)
  if (parts[0]!.tag !== 0xa0) parts.unshift({ tag: 0xa0, body: Uint8Array.of(2, 1, 0), whole: Uint8Array.of() })
  const [version, , signature, issuer, validity, subject, key] = parts as [DerNode, DerNode, DerNode, DerNode, DerNode, DerNode, DerNode]
  const extensions = extensionsOf(parts.slice(7))
  const names = namesOf(issuer)
  const own = namesOf(subject)
  const [notBefore, notAfter] = readAll(validity.body).map(timeText) as [string, string]
  const algorithm = readOid(readAll(signature.body)[0]!.body)
  const authority = authorityOf(extensions.get('2.5.29.35'))
  return new Map<Value, Value>([
    ['authority_cert_issuer', authority.issuer],
    ['authority_cert_serial_number', authority.serial],
    ['authority_key_identifier', authority.key],
    ...basicConstraints(extensions.get('2.5.29.19')),
    ['expired', new Date(certificate.validTo).getTime() < Date.now()],
    ...extendedUsage(extensions.get('2.5.29.37')),
    ['extensions_by_oid', byOid(extensions)],
    ['fingerprints', fingerprints(certificate.raw)],
    ['issuer', new Map(names)],
    ['issuer_ordered', names.map((pair) => [...pair])],
    ['issuer_uri', accessUri(extensions.get('1.3.6.1.5.5.7.1.1'), '1.3.6.1.5.5.7.48.2')],
    ...keyUsage(extensions.get('2.5.29.15')),
    ['not_after', notAfter],
    ['not_before', notBefore],
    ...mustStaple(extensions.get('1.3.6.1.5.5.7.1.24')),
    ['ocsp_uri', accessUri(extensions.get('1.3.6.1.5.5.7.1.1'), '1.3.6.1.5.5.7.48.1')],
    ...publicKey(certificate.publicKey, key.whole),
    ['serial_number', normalInt(BigInt(`0x${certificate.serialNumber}`))],
    ['signature_algorithm', SIGNATURES[algorithm] ?? algorithm],
    ['subject', new Map(own)],
    ...alternativeNames(extensions.get('2.5.29.17')),
    ['subject_key_identifier', keyIdentifier(extensions.get('2.5.29.14'))],
    ['subject_ordered', own.map((pair) => [...pair])],
    ['version', Number(readInteger(readDer(version.body).body)) + 1],
  ])
}

function namesOf(name: DerNode): [Value, Value][] {
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
function timeText({ tag, body }: DerNode): string {
  const text = Buffer.from(body).toString('latin1')
  return tag === 0x17 ? (Number(text.slice(0, 2)) < 50 ? '20' : '19') + text : text
}

function extensionsOf(rest: readonly DerNode[]): Map<string, Extension> {
  const out = new Map<string, Extension>()
  const wrapped = rest.find((node) => node.tag === 0xa3)
  if (!wrapped) return out
  for (const node of readAll(readDer(wrapped.body).body)) {
    const [oid, ...others] = readAll(node.body) as [DerNode, ...DerNode[]]
    out.set(readOid(oid.body), { critical: others.length > 1 && others[0]!.body[0] !== 0, value: others.at(-1)!.body })
  }
  return out
}

function byOid(extensions: ReadonlyMap<string, Extension>): Dict {
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
function pair(name: string, extension: Extension | undefined, read: (value: Uint8Array) => Value, absent: Value = false): [Value, Value][] {
  return [
    [name, extension ? read(extension.value) : null],
    [`${name}_critical`, extension ? extension.critical : absent],
  ]
}

function basicConstraints(extension: Extension | undefined): [Value, Value][] {
  return pair('basic_constraints', extension, (value) => {
    const [first, second] = readAll(readDer(value).body)
    const isAuthority = first?.tag === 1 && first.body[0] !== 0
    const length = first?.tag === 2 ? first : second
    return [`CA:${isAuthority ? 'TRUE' : 'FALSE'}`, ...(length ? [`pathlen:${readInteger(length.body)}`] : [])]
  })
}

function keyUsage(extension: Extension | undefined): [Value, Value][] {
  return pair('key_usage', extension, (value) => {
    const bits = readBits(readDer(value).body)
    return USAGES.flatMap(([, told], i) => (bits.has(i) ? [told] : [])).sort()
  })
}

function extendedUsage(extension: Extension | undefined): [Value, Value][] {
  return pair('extended_key_usage', extension, (value) =>
    readAll(readDer(value).body)
      .map((node) => PURPOSES[readOid(node.body)] ?? readOid(node.body))
      .sort(),
  )
}

function mustStaple(extension: Extension | undefined): [Value, Value][] {
  return pair('ocsp_must_staple', extension, (value) => readAll(readDer(value).body).some((node) => readInteger(node.body) === 5n))
}

function alternativeNames(extension: Extension | undefined): [Value, Value][] {
  return pair('subject_alt_name', extension, (value) => readAll(readDer(value).body).map(generalName))
}

function generalName({ tag, body }: DerNode): string {
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
const keyIdentifier = (extension: Extension | undefined): Value => (extension ? colons(readDer(extension.value).body) : null)

function authorityOf(extension: Extension | undefined): { key: Value; issuer: Value; serial: Value } {
  const parts = extension ? readAll(readDer(extension.value).body) : []
  const find = (tag: number): DerNode | undefined => parts.find((part) => part.tag === tag)
  const [key, issuer, serial] = [find(0x80), find(0xa1), find(0x82)]
  return {
    key: key ? colons(key.body) : null,
    issuer: issuer ? readAll(issuer.body).map(generalName) : null,
    serial: serial ? normalInt(readInteger(serial.body)) : null,
  }
}

function accessUri(extension: Extension | undefined, method: string): Value {
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

const fingerprints = (bytes: Uint8Array): Dict =>
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

const KEY_TYPES: Readonly<Record<string, string>> = {
  rsa: 'RSA',
  dsa: 'DSA',
  ec: 'ECC',
  ed25519: 'Ed25519',
  ed448: 'Ed448',
  x25519: 'X25519',
  x448: 'X448',
}
const CURVES: Readonly<Record<string, readonly [string, number]>> = {
  prime256v1: ['secp256r1', 256],
  secp384r1: ['secp384r1', 384],
  secp521r1: ['secp521r1', 521],
  secp256k1: ['secp256k1', 256],
}

function publicKey(key: KeyObject, der: Uint8Array): [Value, Value][] {
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
