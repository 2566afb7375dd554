/** x509_certificate_info: a PEM certificate → what it says. */
import { X509Certificate } from 'node:crypto'
import type { Value } from '../../base/index.ts'
import { SIGNATURES } from '../oids.ts'
import { filterError, isUndefined, normalInt } from '../python/index.ts'
import {
  accessUri,
  alternativeNames,
  authorityOf,
  basicConstraints,
  byOid,
  type Dict,
  extendedUsage,
  extensionsOf,
  fingerprints,
  keyIdentifier,
  keyUsage,
  mustStaple,
  namesOf,
  publicKey,
  timeText,
} from './certificate-parts.ts'
import { classOf, filter } from './define.ts'
import { type DerNode, readAll, readDer, readInteger, readOid } from './der.ts'

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

function describe(certificate: X509Certificate): Dict {
  const parts = readAll(readDer(readDer(certificate.raw).body).body)
  if (parts[0]!.tag !== 0xa0) parts.unshift({ tag: 0xa0, body: Uint8Array.of(2, 1, 0), whole: Uint8Array.of() })
  const [version, , signature, issuer, validity, subject, key] = parts as [DerNode, DerNode, DerNode, DerNode, DerNode, DerNode, DerNode]
  const wrapped = parts.slice(7).find((node) => node.tag === 0xa3)
  const extensions = extensionsOf(wrapped && readDer(wrapped.body))
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
