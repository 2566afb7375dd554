/** What a list of revoked certificates is to say → its DER but for the signature, and the algorithms that sign it. */
import { ModuleFailure } from '../api.ts'
import { REASONS } from './crl.ts'
import { TAG } from './der.ts'
import { generalizedTime, integer, NULL, nameOf, octets, oid, sequence, tagged, time } from './der-write.ts'

export interface Entry {
  readonly serial: bigint
  /** `20240131235959Z` */
  readonly date: string
  /** names in DER */
  readonly issuer: readonly Uint8Array[] | undefined
  readonly issuerCritical: boolean
  readonly reason: string | undefined
  readonly reasonCritical: boolean
  readonly invalidity: string | undefined
  readonly invalidityCritical: boolean
}

/** An entry's bytes. */
export function entryDer(entry: Entry): Uint8Array {
  const extensions = [
    ...(entry.issuer ? [extension('2.5.29.29', entry.issuerCritical, sequence(...entry.issuer))] : []),
    ...(entry.reason === undefined
      ? []
      : [extension('2.5.29.21', entry.reasonCritical, tagged(TAG.enumerated, Uint8Array.of(REASONS.indexOf(entry.reason))))]),
    ...(entry.invalidity === undefined ? [] : [extension('2.5.29.24', entry.invalidityCritical, generalizedTime(entry.invalidity))]),
  ]
  return sequence(integer(entry.serial), time(entry.date), ...(extensions.length > 0 ? [sequence(...extensions)] : []))
}

const extension = (id: string, critical: boolean, value: Uint8Array): Uint8Array =>
  sequence(oid(id), ...(critical ? [Uint8Array.of(TAG.boolean, 1, 0xff)] : []), octets(value))

/** By the kind of the key: the algorithm's identifier for each digest, and whether parameters are written. */
const ALGORITHMS: Readonly<Record<string, { readonly oids: Readonly<Record<string, string>>; readonly parameters: boolean }>> = {
  RSA: {
    oids: {
      md5: '1.2.840.113549.1.1.4',
      sha1: '1.2.840.113549.1.1.5',
      sha256: '1.2.840.113549.1.1.11',
      sha384: '1.2.840.113549.1.1.12',
      sha512: '1.2.840.113549.1.1.13',
    },
    parameters: true,
  },
  ECC: {
    oids: {
      sha1: '1.2.840.10045.4.1',
      sha256: '1.2.840.10045.4.3.2',
      sha384: '1.2.840.10045.4.3.3',
      sha512: '1.2.840.10045.4.3.4',
    },
    parameters: false,
  },
  DSA: {
    oids: {
      sha1: '1.2.840.10040.4.3',
      sha256: '2.16.840.1.101.3.4.3.2',
      sha384: '2.16.840.1.101.3.4.3.3',
      sha512: '2.16.840.1.101.3.4.3.4',
    },
    parameters: false,
  },
}

/** Keys that sign without a digest of their choice. */
const WITHOUT_DIGEST: Readonly<Record<string, string>> = { Ed25519: '1.3.101.112', Ed448: '1.3.101.113' }

export interface Algorithm {
  readonly oid: string
  readonly der: Uint8Array
  readonly digest: string | undefined
}

export function algorithmOf(type: string, digest: string): Algorithm {
  const own = WITHOUT_DIGEST[type]
  if (own !== undefined) return { oid: own, der: sequence(oid(own)), digest: undefined }
  const kind = ALGORITHMS[type]
  const id = kind?.oids[digest]
  if (!kind || id === undefined) throw new ModuleFailure(`a key of type ${type} cannot sign with the digest ${digest}`)
  return { oid: id, der: sequence(oid(id), ...(kind.parameters ? [NULL] : [])), digest }
}

/** All but the signature. */
export const crlBody = (
  algorithm: Algorithm,
  issuer: readonly (readonly [string, string])[],
  [last, next]: readonly [string, string],
  entries: readonly Uint8Array[],
): Uint8Array =>
  sequence(integer(1n), algorithm.der, nameOf(issuer), time(last), time(next), ...(entries.length > 0 ? [sequence(...entries)] : []))
