/** x509_certificate_info: tells what a certificate says. */
import type { JsonObject } from '../../base/index.ts'
import { asText, choice, dict, path, str } from '../../params/index.ts'
import { textOf } from '../../remote/index.ts'
import { SIGNATURES } from '../../template/index.ts'
import { defineModule, ModuleFailure } from '../api.ts'
import { oidOf, pemToDer, readDer, textIn } from './der.ts'
import { find, identifiers, keyOf, names, number, purposes } from './describe.ts'
import { fingerprintsOf } from './fingerprints.ts'
import { asn1Time, timeOf } from './time.ts'
import { type Certificate, type Extension, readCertificate } from './x509.ts'

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

/** The first address of a kind that the certificate tells how to find more. */
function accessOf(extensions: readonly Extension[], method: string): string | null {
  const access = find(extensions, '1.3.6.1.5.5.7.1.1')
  const entry = access && readDer(access.value).parts.find((one) => oidOf(one.parts[0]!.content) === method)
  return entry ? textIn(entry.parts[1]!) : null
}
