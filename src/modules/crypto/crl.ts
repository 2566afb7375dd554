/** The DER of a list of revoked certificates → its parts, and what results tell of them. */
import type { Json, JsonObject } from '../../base/index.ts'
import { SIGNATURES } from '../../template/index.ts'
import { type Der, integerOf, oidOf, readDer } from './der.ts'
import { generalName, names, number } from './describe.ts'
import { type Extension, type Name, readExtensions, readName, readTime } from './x509.ts'

export interface Revoked {
  readonly serial: bigint
  /** `20240131235959Z` */
  readonly date: string
  readonly reason?: string | undefined
  readonly reasonCritical?: boolean
  readonly invalidity?: string | undefined
  readonly invalidityCritical?: boolean
  readonly issuer?: readonly string[] | undefined
  readonly issuerCritical?: boolean
  /** the entry as it is in the list */
  readonly whole?: Uint8Array
}

export interface Crl {
  readonly issuer: Name
  readonly lastUpdate: string
  readonly nextUpdate: string | undefined
  readonly signature: string
  readonly revoked: readonly Revoked[]
}

/** By their numbers. */
export const REASONS: readonly string[] = [
  ...['unspecified', 'key_compromise', 'ca_compromise', 'affiliation_changed', 'superseded', 'cessation_of_operation', 'certificate_hold'],
  ...['', 'remove_from_crl', 'privilege_withdrawn', 'aa_compromise'],
]

const isTime = (one: Der | undefined): boolean => one?.tag === 0x17 || one?.tag === 0x18

export function readCrl(der: Uint8Array): Crl {
  const [body, algorithm] = readDer(der).parts
  const fields = [...body!.parts]
  if (fields[0]!.tag === 2) fields.shift()
  const [, issuer, last, ...rest] = fields
  const next = isTime(rest[0]) ? rest.shift() : undefined
  const list = rest[0]?.tag === 0x30 ? rest.shift() : undefined
  return {
    issuer: readName(issuer!),
    lastUpdate: readTime(last!),
    nextUpdate: next && readTime(next),
    signature: oidOf(algorithm!.parts[0]!.content),
    revoked: (list?.parts ?? []).map(readRevoked),
  }
}

function readRevoked({ parts, whole }: Der): Revoked {
  const extensions = readExtensions(parts[2])
  const find = (oid: string): Extension | undefined => extensions.find((one) => one.oid === oid)
  const [reason, invalidity, issuer] = [find('2.5.29.21'), find('2.5.29.24'), find('2.5.29.29')]
  return {
    serial: integerOf(parts[0]!.content),
    date: readTime(parts[1]!),
    reason: reason && REASONS[readDer(reason.value).content[0] ?? 0],
    reasonCritical: reason?.critical ?? false,
    invalidity: invalidity && readTime(readDer(invalidity.value)),
    invalidityCritical: invalidity?.critical ?? false,
    issuer: issuer && readDer(issuer.value).parts.map(generalName),
    issuerCritical: issuer?.critical ?? false,
    whole,
  }
}

export const toldRevoked = (one: Revoked): JsonObject => ({
  serial_number: number(one.serial),
  revocation_date: one.date,
  issuer: one.issuer ? ([...one.issuer] as Json) : null,
  issuer_critical: one.issuerCritical ?? false,
  reason: one.reason ?? null,
  reason_critical: one.reasonCritical ?? false,
  invalidity_date: one.invalidity ?? null,
  invalidity_date_critical: one.invalidityCritical ?? false,
})

export const toldCrl = (crl: Crl): JsonObject => ({
  last_update: crl.lastUpdate,
  next_update: crl.nextUpdate ?? null,
  digest: SIGNATURES[crl.signature] ?? crl.signature,
  ...names('issuer', crl.issuer),
})
