/** openssl_csr_info: a PEM request for a certificate → what it asks for. */
import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import type { Value } from '../../base/index.ts'
import { SIGNATURES } from '../oids.ts'
import { filterError, isUndefined } from '../python/index.ts'
import {
  alternativeNames,
  authorityOf,
  basicConstraints,
  byOid,
  type Dict,
  type Extension,
  extendedUsage,
  extensionsOf,
  generalName,
  keyIdentifier,
  keyUsage,
  mustStaple,
  namesOf,
  publicKey,
} from './certificate-parts.ts'
import { classOf, filter } from './define.ts'
import { type DerNode, readAll, readDer, readOid } from './der.ts'

const ENCODINGS = ['ignore', 'idna', 'unicode']

/** Refuses what is no way of telling names. */
export function nameEncoding(encoding: Value): void {
  if (typeof encoding !== 'string') throw filterError(`The name_encoding option must be of a text type, not ${classOf(encoding)}`)
  if (!ENCODINGS.includes(encoding))
    throw filterError(`The name_encoding option must be one of the values "ignore", "idna", or "unicode", not "${encoding}"`)
}

export const requestInfo = filter('openssl_csr_info', [['name_encoding', 'ignore']], (value, [encoding]) => {
  if (isUndefined(value)) value.raise()
  if (typeof value !== 'string') throw filterError(`The community.crypto.openssl_csr_info input must be a text type, not ${classOf(value)}`)
  nameEncoding(encoding)
  const der = pemBody(value)
  if (!der) throw filterError('Unable to load request: no PEM block of a certificate request was found')
  try {
    return describe(der)
  } catch (error) {
    throw filterError(`Unable to load request: ${(error as Error).message}`, error)
  }
})

function pemBody(text: string): Uint8Array | undefined {
  const [, body] = /-----BEGIN (?:NEW )?CERTIFICATE REQUEST-----([^-]+)-----END (?:NEW )?CERTIFICATE REQUEST-----/.exec(text) ?? []
  return body === undefined ? undefined : Buffer.from(body, 'base64')
}

/** The attribute that holds the extensions that are asked for. */
const EXTENSION_REQUEST = '1.2.840.113549.1.9.14'

function describe(der: Uint8Array): Dict {
  const [asked, algorithm, signature] = readAll(readDer(der).body) as [DerNode, DerNode, DerNode]
  const [, subject, key, attributes] = readAll(asked.body) as [DerNode, DerNode, DerNode, DerNode | undefined]
  const extensions = extensionsOf(requested(attributes))
  const own = namesOf(subject)
  const authority = authorityOf(extensions.get('2.5.29.35'))
  const publicPart = createPublicKey({ key: Buffer.from(key.whole), format: 'der', type: 'spki' })
  if (!isValid(asked.whole, readOid(readAll(algorithm.body)[0]!.body), signature.body.subarray(1), publicPart))
    throw new Error('CSR signature is invalid!')
  return new Map<Value, Value>([
    ['subject', new Map(own)],
    ['subject_ordered', own.map((pair) => [...pair])],
    ...keyUsage(extensions.get('2.5.29.15')),
    ...extendedUsage(extensions.get('2.5.29.37')),
    ...basicConstraints(extensions.get('2.5.29.19')),
    ...mustStaple(extensions.get('1.3.6.1.5.5.7.1.24')),
    ...alternativeNames(extensions.get('2.5.29.17')),
    ...nameConstraints(extensions.get('2.5.29.30')),
    ...publicKey(publicPart, key.whole),
    ['subject_key_identifier', keyIdentifier(extensions.get('2.5.29.14'))],
    ['authority_key_identifier', authority.key],
    ['authority_cert_issuer', authority.issuer],
    ['authority_cert_serial_number', authority.serial],
    ['extensions_by_oid', byOid(extensions)],
    ['signature_valid', true],
  ])
}

function requested(attributes: DerNode | undefined): DerNode | undefined {
  for (const attribute of attributes ? readAll(attributes.body) : []) {
    const [oid, set] = readAll(attribute.body) as [DerNode, DerNode]
    if (readOid(oid.body) === EXTENSION_REQUEST) return readDer(set.body)
  }
  return undefined
}

function nameConstraints(extension: Extension | undefined): [Value, Value][] {
  const parts = extension ? readAll(readDer(extension.value).body) : []
  const names = (tag: number): Value => {
    const list = parts.find((part) => part.tag === tag)
    return extension ? (list ? readAll(list.body).map((tree) => generalName(readAll(tree.body)[0]!)) : []) : null
  }
  return [
    ['name_constraints_permitted', names(0xa0)],
    ['name_constraints_excluded', names(0xa1)],
    ['name_constraints_critical', extension?.critical ?? false],
  ]
}

/** Did the owner of the key sign it? The hash is named by the algorithm; keys of Edwards curves have none. */
function isValid(asked: Uint8Array, oid: string, signature: Uint8Array, key: KeyObject): boolean {
  const hash = /(md5|sha\d+)/i.exec(SIGNATURES[oid] ?? '')?.[1]?.toLowerCase()
  try {
    return verify(hash, asked, key, signature)
  } catch {
    return false
  }
}
