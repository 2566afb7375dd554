/** x509_certificate_info: tells what a certificate says. */
import { createPublicKey } from 'node:crypto'
import { BigNumber, type Json, type JsonObject } from '../../base/index.ts'
import { asText, choice, dict, path, str } from '../../params/index.ts'
import { textOf } from '../../remote/index.ts'
import { defineModule, ModuleFailure } from '../api.ts'
import { colonsOf, type Der, hexOf, integerOf, oidOf, pemToDer, readDer, TAG, textIn } from './der.ts'
import { fingerprintsOf, keyFacts } from './fingerprints.ts'
import { PURPOSES, SIGNATURES, USAGES } from './oids.ts'
import { asn1Time, timeOf } from './time.ts'
import { type Certificate, type Extension, type Name, readCertificate } from './x509.ts'

export default defineModule({
  name: 'community.crypto.x509_certificate_info',
  aliases: ['community.crypto.openssl_certificate_info'],
  summary: 'Tells what a certificate says.',
  params: {
    content: str({ description: 'the certificate' }),
    name_encoding: choice(['ignore', 'idna', 'unicode'], 'ignore', { description: 'how names beyond ASCII are told' }),
    path: path({ description: 'file of the certificate' }),
    select_crypto_backend: choice(['auto', 'cryptography'], 'auto', { description: 'has no effect' }),
    valid_at: dict({ description: 'times to be told about, by names of yours' }),
  },
  rules: { requiredOneOf: [['path', 'content']], mutuallyExclusive: [['path', 'content']] },
  async *run(args, host) {
    const text = args.content ?? textOf(await host.read(args.path!))
    const der = pemToDer(text) ?? (args.content === undefined ? await host.read(args.path!) : undefined)
    if (!der) throw new ModuleFailure('the certificate is not in PEM format')
    const now = host.now()
    const certificate = parsed(der)
    const valid = (time: string): boolean => certificate.notBefore <= time && time <= certificate.notAfter
    const validAt = Object.fromEntries(
      [...(args.valid_at ?? new Map())].map(([name, time]) => [asText(name), valid(timeOf(asText(time), now))]),
    )
    return { changed: false, ...described(certificate, der, asn1Time(now)), valid_at: validAt }
  },
})

function parsed(der: Uint8Array): Certificate {
  try {
    return readCertificate(der)
  } catch (error) {
    throw new ModuleFailure(`the certificate cannot be read: ${(error as Error).message}`)
  }
}

function described(certificate: Certificate, der: Uint8Array, now: string): JsonObject {
  const { extensions } = certificate
  return {
    version: certificate.version,
    serial_number: number(certificate.serial),
    signature_algorithm: SIGNATURES[certificate.signature] ?? certificate.signature,
    ...names('subject', certificate.subject),
    ...names('issuer', certificate.issuer),
    not_before: certificate.notBefore,
    not_after: certificate.notAfter,
    expired: certificate.notAfter < now,
    ...keyOf(certificate.key),
    fingerprints: fingerprintsOf(der),
    ...purposes(extensions),
    ...identifiers(extensions),
    extensions_by_oid: Object.fromEntries(
      extensions.map(({ oid, critical, value }) => [oid, { critical, value: Buffer.from(value).toString('base64') }]),
    ),
    issuer_uri: accessOf(extensions, '1.3.6.1.5.5.7.48.2'),
    ocsp_uri: accessOf(extensions, '1.3.6.1.5.5.7.48.1'),
  }
}

const number = (value: bigint): Json =>
  value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : (new BigNumber(String(value)) as unknown as Json)

const names = (key: string, name: Name): JsonObject => ({
  [key]: Object.fromEntries(name),
  [`${key}_ordered`]: name.map(([k, v]) => [k, v]),
})

function keyOf(der: Uint8Array): JsonObject {
  const facts = keyFacts(der)
  const key = createPublicKey({ key: Buffer.from(der), format: 'der', type: 'spki' })
  return {
    public_key: key.export({ format: 'pem', type: 'spki' }) as string,
    public_key_type: facts.type,
    public_key_data: keyData(der, facts.type, facts.size, facts.curve),
    public_key_fingerprints: fingerprintsOf(der),
  }
}

function keyData(der: Uint8Array, type: string, size: number | undefined, curve: string | undefined): JsonObject {
  const bits = readDer(der).parts[1]!.content.subarray(1)
  if (type === 'RSA') {
    const [modulus, exponent] = readDer(bits).parts
    return { size: size ?? null, modulus: number(integerOf(modulus!.content)), exponent: number(integerOf(exponent!.content)) }
  }
  if (type !== 'ECC') return {}
  const half = (bits.length - 1) / 2
  const at = (start: number): Json => number(BigInt(`0x${hexOf(bits.subarray(start, start + half)) || '0'}`))
  return { curve: curve ?? null, exponent_size: half * 8, x: at(1), y: at(1 + half) }
}

const find = (extensions: readonly Extension[], oid: string): Extension | undefined => extensions.find((one) => one.oid === oid)

function purposes(extensions: readonly Extension[]): JsonObject {
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

function generalName(name: Der): string {
  const text = textIn(name)
  const kinds: Readonly<Record<number, () => string>> = {
    129: () => `email:${text}`,
    130: () => `DNS:${text}`,
    134: () => `URI:${text}`,
    135: () => `IP:${addressOf(name.content)}`,
    136: () => `RID:${oidOf(name.content)}`,
  }
  return kinds[name.tag]?.() ?? `otherName:${hexOf(name.content)}`
}

function addressOf(bytes: Uint8Array): string {
  if (bytes.length === 4) return bytes.join('.')
  const groups = (hexOf(bytes).match(/.{4}/g) ?? []).map((group) => Number.parseInt(group, 16).toString(16))
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1)
}

function identifiers(extensions: readonly Extension[]): JsonObject {
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

/** The first address of a kind that the certificate tells how to find more. */
function accessOf(extensions: readonly Extension[], method: string): string | null {
  const access = find(extensions, '1.3.6.1.5.5.7.1.1')
  const entry = access && readDer(access.value).parts.find((one) => oidOf(one.parts[0]!.content) === method)
  return entry ? textIn(entry.parts[1]!) : null
}
