/** Parts of certificates and requests → what results tell of them: keys, names, purposes, identifiers. */
import { createPublicKey } from 'node:crypto'
import { BigNumber, type Json, type JsonObject } from '../../base/index.ts'
import { PURPOSES, USAGES } from '../../template/index.ts'
import { colonsOf, type Der, hexOf, integerOf, oidOf, readDer, TAG, textIn } from './der.ts'
import { fingerprintsOf, keyFacts } from './fingerprints.ts'
import { shortName } from './names.ts'
import { type Extension, type Name, readName } from './x509.ts'

export const number = (value: bigint): Json =>
  value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : (new BigNumber(String(value)) as unknown as Json)

export const names = (key: string, name: Name): JsonObject => ({
  [key]: Object.fromEntries(name),
  [`${key}_ordered`]: name.map(([k, v]) => [k, v]),
})

export function keyOf(der: Uint8Array): JsonObject {
  const facts = keyFacts(der)
  const key = createPublicKey({ key: Buffer.from(der), format: 'der', type: 'spki' })
  return {
    public_key: key.export({ format: 'pem', type: 'spki' }) as string,
    public_key_type: facts.type,
    public_key_data: keyData(der, facts.type, facts.size, facts.curve),
    public_key_fingerprints: fingerprintsOf(der),
  }
}

export function keyData(der: Uint8Array, type: string, size: number | undefined, curve: string | undefined): JsonObject {
  const bits = readDer(der).parts[1]!.content.subarray(1)
  if (type === 'RSA') {
    const [modulus, exponent] = readDer(bits).parts
    return { size: size ?? null, modulus: number(integerOf(modulus!.content)), exponent: number(integerOf(exponent!.content)) }
  }
  if (type === 'DSA') {
    const [p, q, g] = readDer(der).parts[0]!.parts[1]!.parts.map((one) => number(integerOf(one.content)))
    return { size: size ?? null, p: p!, q: q!, g: g!, y: number(integerOf(readDer(bits).content)) }
  }
  if (type !== 'ECC') return {}
  const half = (bits.length - 1) / 2
  const at = (start: number): Json => number(BigInt(`0x${hexOf(bits.subarray(start, start + half)) || '0'}`))
  return { curve: curve ?? null, exponent_size: Number(/\d+/.exec(curve ?? '')?.[0] ?? half * 8), x: at(1), y: at(1 + half) }
}

export const find = (extensions: readonly Extension[], oid: string): Extension | undefined => extensions.find((one) => one.oid === oid)

export function purposes(extensions: readonly Extension[]): JsonObject {
  const told = (oid: string, read: (der: Der) => Json): [Json, boolean] => {
    const one = find(extensions, oid)
    return one ? [read(readDer(one.value)), one.critical] : [null, false]
  }
  const [usage, usageCritical] = told('2.5.29.15', usagesOf)
  const [extended, extendedCritical] = told('2.5.29.37', ({ parts }) =>
    parts.map((one) => PURPOSES[oidOf(one.content)] ?? oidOf(one.content)).sort(),
  )
  const [basic, basicCritical] = told('2.5.29.19', constraintsOf)
  const [staple, stapleCritical] = told('1.3.6.1.5.5.7.1.24', ({ parts }) => parts.some((one) => integerOf(one.content) === 5n))
  const [alternative, alternativeCritical] = told('2.5.29.17', ({ parts }) => parts.map(generalName))
  return {
    key_usage: usage,
    key_usage_critical: usageCritical,
    extended_key_usage: extended,
    extended_key_usage_critical: extendedCritical,
    basic_constraints: basic,
    basic_constraints_critical: basicCritical,
    ocsp_must_staple: staple,
    ocsp_must_staple_critical: stapleCritical,
    subject_alt_name: alternative,
    subject_alt_name_critical: alternativeCritical,
  }
}

function usagesOf({ content }: Der): string[] {
  const bytes = content.subarray(1)
  return USAGES.filter((_, bit) => ((bytes[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1)
    .map(([, long]) => long)
    .sort()
}

function constraintsOf({ parts }: Der): string[] {
  const authority = parts.some((one) => one.tag === TAG.boolean && one.content[0] !== 0)
  const length = parts.find((one) => one.tag === TAG.integer)
  return [`CA:${authority ? 'TRUE' : 'FALSE'}`, ...(length ? [`pathlen:${integerOf(length.content)}`] : [])].sort()
}

export function generalName(name: Der): string {
  const text = textIn(name)
  const kinds: Readonly<Record<number, () => string>> = {
    129: () => `email:${text}`,
    130: () => `DNS:${text}`,
    134: () => `URI:${text}`,
    135: () => `IP:${addressOf(name.content)}`,
    136: () => `RID:${oidOf(name.content)}`,
    160: () => `otherName:${oidOf(name.parts[0]!.content)};${colonsOf(name.parts[1]!.content)}`,
    164: () => `dirName:${directoryName(readName(name.parts[0]!))}`,
  }
  return kinds[name.tag]?.() ?? `otherName:${hexOf(name.content)}`
}

/** Written from the end, with short names. */
const directoryName = (name: Name): string =>
  name
    .toReversed()
    .map(([key, value]) => `${shortName(key)}=${directoryText(value)}`)
    .join(',')

const directoryText = (value: string): string =>
  value
    .replace(/[\\,+<>;"]/g, '\\$&')
    .replaceAll('\0', '\\00')
    .replace(/^[ #]|(?<!\\) $/g, '\\$&')

function addressOf(bytes: Uint8Array): string {
  if (bytes.length === 8 || bytes.length === 32) return networkOf(bytes)
  if (bytes.length === 4) return bytes.join('.')
  const groups = (hexOf(bytes).match(/.{4}/g) ?? []).map((group) => Number.parseInt(group, 16).toString(16))
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1)
}

/** An address and how many bits of it are the network's. */
function networkOf(bytes: Uint8Array): string {
  const half = bytes.length / 2
  const bits = [...bytes.subarray(half)].reduce((all, byte) => all + byte.toString(2).replaceAll('0', '').length, 0)
  return `${addressOf(bytes.subarray(0, half))}/${bits}`
}

export function identifiers(extensions: readonly Extension[]): JsonObject {
  const own = find(extensions, '2.5.29.14')
  const authority = find(extensions, '2.5.29.35')
  const parts = authority ? readDer(authority.value).parts : []
  const key = parts.find((one) => one.tag === 0x80)
  const issuer = parts.find((one) => one.tag === 0xa1)
  const serial = parts.find((one) => one.tag === 0x82)
  return {
    subject_key_identifier: own ? colonsOf(readDer(own.value).content) : null,
    authority_key_identifier: key ? colonsOf(key.content) : null,
    authority_cert_issuer: issuer ? issuer.parts.map(generalName) : null,
    authority_cert_serial_number: serial ? number(integerOf(serial.content)) : null,
  }
}
