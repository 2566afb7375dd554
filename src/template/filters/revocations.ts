/** x509_crl_info: a list of revoked certificates, PEM or base64 → who revoked what, when and why. */
import type { Value } from '../../base/index.ts'
import { SIGNATURES } from '../oids.ts'
import { filterError, isUndefined, normalInt } from '../python/index.ts'
import { type Dict, type Extension, extensionsOf, generalName, namesOf, timeText } from './certificate-parts.ts'
import { classOf, filter } from './define.ts'
import { type DerNode, readAll, readDer, readInteger, readOid } from './der.ts'
import { nameEncoding } from './request.ts'

export const revocationsInfo = filter(
  'x509_crl_info',
  [
    ['name_encoding', 'ignore'],
    ['list_revoked_certificates', true],
  ],
  (value, [encoding, list]) => {
    if (isUndefined(value)) value.raise()
    if (typeof value !== 'string') throw filterError(`The community.crypto.x509_crl_info input must be a text type, not ${classOf(value)}`)
    nameEncoding(encoding)
    if (typeof list !== 'boolean') throw filterError(`The list_revoked_certificates option must be a boolean, not ${classOf(list)}`)
    const [, pem] = /-----BEGIN X509 CRL-----([^-]+)-----END X509 CRL-----/.exec(value) ?? []
    try {
      return describe(Buffer.from(pem ?? value, 'base64'), pem === undefined ? 'der' : 'pem', list)
    } catch (error) {
      throw filterError(`Error while decoding CRL: ${(error as Error).message}`, error)
    }
  },
)

const TIMES = [0x17, 0x18]

function describe(der: Uint8Array, format: string, wanted: boolean): Dict {
  const [list, algorithm] = readAll(readDer(der).body) as [DerNode, DerNode]
  const parts = readAll(list.body)
  if (parts[0]?.tag === 2) parts.shift()
  const [, issuer, lastUpdate, ...rest] = parts as [DerNode, DerNode, DerNode, ...DerNode[]]
  const nextUpdate = TIMES.includes(rest[0]?.tag ?? 0) ? rest.shift() : undefined
  const names = namesOf(issuer)
  const digest = readOid(readAll(algorithm.body)[0]!.body)
  const revoked = rest[0]?.tag === 0x30 ? readAll(rest[0].body).map(entry) : []
  return new Map<Value, Value>([
    ['changed', false],
    ['format', format],
    ['last_update', timeText(lastUpdate)],
    ['next_update', nextUpdate ? timeText(nextUpdate) : null],
    ['digest', SIGNATURES[digest] ?? digest],
    ['issuer_ordered', names.map((pair) => [...pair])],
    ['issuer', new Map(names)],
    ...(wanted ? [['revoked_certificates', revoked] as [Value, Value]] : []),
  ])
}

/** Why a certificate was revoked, by its number in RFC 5280, 5.3.1. */
const REASONS = [
  'unspecified',
  'key_compromise',
  'ca_compromise',
  'affiliation_changed',
  'superseded',
  'cessation_of_operation',
  'certificate_hold',
  null,
  'remove_from_crl',
  'privilege_withdrawn',
  'aa_compromise',
]

function entry(node: DerNode): Dict {
  const [serial, date, list] = readAll(node.body) as [DerNode, DerNode, DerNode | undefined]
  const extensions = extensionsOf(list)
  const told = (name: string, oid: string, read: (extension: Extension) => Value): [Value, Value][] => {
    const extension = extensions.get(oid)
    return [
      [name, extension ? read(extension) : null],
      [`${name}_critical`, extension?.critical ?? false],
    ]
  }
  return new Map<Value, Value>([
    ['serial_number', normalInt(readInteger(serial.body))],
    ['revocation_date', timeText(date)],
    ...told('issuer', '2.5.29.29', ({ value }) => readAll(readDer(value).body).map(generalName)),
    ...told('reason', '2.5.29.21', ({ value }) => REASONS[Number(readInteger(readDer(value).body))] ?? null),
    ...told('invalidity_date', '2.5.29.24', ({ value }) => timeText(readDer(value))),
  ])
}
