/** The DER of a certificate or a request → its parts by name. */

import { ATTRIBUTES } from '../../template/index.ts'
import { type Der, hexOf, integerOf, oidOf, readDer, TAG, textIn } from './der.ts'

export interface Extension {
  readonly oid: string
  readonly critical: boolean
  readonly value: Uint8Array
}

export type Name = readonly (readonly [string, string])[]

export interface Request {
  readonly subject: Name
  /** the public key with its algorithm */
  readonly key: Uint8Array
  readonly extensions: readonly Extension[]
  readonly signature: string
  /** the bytes that are signed, and the signature itself */
  readonly signed: Uint8Array
  readonly seal: Uint8Array
}

export interface Certificate extends Request {
  readonly version: number
  readonly serial: bigint
  readonly issuer: Name
  /** `20240131235959Z` */
  readonly notBefore: string
  readonly notAfter: string
}

export function readRequest(der: Uint8Array): Request {
  const [info, algorithm, seal] = readDer(der).parts
  const [, subject, key, attributes] = info!.parts
  const asked = attributes?.parts.find((one) => oidOf(one.parts[0]!.content) === '1.2.840.113549.1.9.14')
  return {
    subject: readName(subject!),
    key: key!.whole,
    extensions: readExtensions(asked?.parts[1]?.parts[0]),
    signature: oidOf(algorithm!.parts[0]!.content),
    signed: info!.whole,
    seal: seal!.content.subarray(1),
  }
}

export function readCertificate(der: Uint8Array): Certificate {
  const [body, algorithm, seal] = readDer(der).parts
  const fields = [...body!.parts]
  const version = fields[0]!.tag === 0xa0 ? Number(integerOf(fields.shift()!.parts[0]!.content)) + 1 : 1
  const [serial, , issuer, validity, subject, key, ...rest] = fields
  return {
    version,
    serial: integerOf(serial!.content),
    issuer: readName(issuer!),
    notBefore: readTime(validity!.parts[0]!),
    notAfter: readTime(validity!.parts[1]!),
    subject: readName(subject!),
    key: key!.whole,
    extensions: readExtensions(rest.find((one) => one.tag === 0xa3)?.parts[0]),
    signature: oidOf(algorithm!.parts[0]!.content),
    signed: body!.whole,
    seal: seal!.content.subarray(1),
  }
}

export function readName(name: Der): Name {
  return name.parts.flatMap((set) =>
    set.parts.map((pair) => {
      const oid = oidOf(pair.parts[0]!.content)
      return [ATTRIBUTES[oid] ?? oid, textIn(pair.parts[1]!)] as const
    }),
  )
}

/** Years of two digits end with 2049. */
export function readTime({ tag, content }: Der): string {
  const text = Buffer.from(content).toString('latin1')
  return tag === 23 ? `${Number(text.slice(0, 2)) < 50 ? '20' : '19'}${text}` : text
}

export function readExtensions(list: Der | undefined): Extension[] {
  return (list?.parts ?? []).map(({ parts }) => ({
    oid: oidOf(parts[0]!.content),
    critical: parts.length > 2 && parts[1]!.tag === TAG.boolean && parts[1]!.content[0] !== 0,
    value: parts.at(-1)!.content,
  }))
}

/** One text for all that two requests or certificates must have in common to be as good as each other. */
export function essence({ subject, key, extensions }: Request): string {
  const sorted = extensions.map((one) => `${one.oid} ${one.critical} ${hexOf(one.value)}`).sort()
  return JSON.stringify([subject, hexOf(key), sorted])
}
