/** The text or bytes of an OpenSSH certificate → the key it is for, as ssh2 knows keys, under the certificate's name. */
import { readFileSync } from 'node:fs'
import ssh2, { type ParsedKey } from 'ssh2'
import { Fields, pack } from '../wire.ts'

const MARK = '-cert-v01@openssh.com'

/** How many fields of a certificate, after its nonce, are the key's own. */
const fieldsOf: Readonly<Record<string, number>> = {
  'ssh-ed25519': 1,
  'ssh-rsa': 2,
  'ecdsa-sha2-nistp256': 2,
  'ecdsa-sha2-nistp384': 2,
  'ecdsa-sha2-nistp521': 2,
}

export interface Certificate {
  /** in wire form */
  readonly bytes: Buffer
  readonly type: string
  /** the public key that it is for, in wire form */
  readonly key: Buffer
}

export const isCertificateType = (type: string): boolean => type.endsWith(MARK)

/** Nothing where it is no certificate, or one for a kind of key that ssh2 cannot use. */
export function certificateOf(bytes: Buffer): Certificate | undefined {
  const fields = new Fields(bytes)
  const type = fields.text()
  const kind = type.slice(0, -MARK.length)
  const count = isCertificateType(type) ? fieldsOf[kind] : undefined
  if (count === undefined) return undefined
  fields.string()
  return { bytes, type, key: pack(kind, ...Array.from({ length: count }, () => fields.string())) }
}

/** A certificate from a file, `x-cert.pub`. */
export function readCertificate(path: string): Certificate | undefined {
  try {
    const [, base64 = ''] = readFileSync(path, 'utf8').trim().split(/\s+/)
    return certificateOf(Buffer.from(base64, 'base64'))
  } catch {
    return undefined
  }
}

/** The certificate in the form that ssh2 takes for a public key: all of the key it is for, but the names and bytes of the certificate. */
export function publicKeyOf(certificate: Certificate): ParsedKey | undefined {
  const key = ssh2.utils.parseKey(certificate.key) as ParsedKey | ParsedKey[] | Error
  if (key instanceof Error) return undefined
  return Object.create(Array.isArray(key) ? key[0]! : key, {
    type: { value: certificate.type },
    getPublicSSH: { value: () => certificate.bytes },
  }) as ParsedKey
}

/** A private key's signature in wire form, as it stands beside its certificate. */
export function signatureBy(key: ParsedKey, data: Buffer): Buffer {
  if (key.type.startsWith('ecdsa')) return pack(key.type, numbersOf(key.sign(data)))
  return key.type === 'ssh-rsa' ? pack('rsa-sha2-512', key.sign(data, 'sha512')) : pack(key.type, key.sign(data))
}

/** A sequence of two DER integers → the two numbers as SSH writes them. */
function numbersOf(der: Buffer): Buffer {
  let at = der[1]! < 0x80 ? 2 : 2 + (der[1]! & 0x7f)
  const next = (): Buffer => {
    const length = der[at + 1]!
    const value = der.subarray(at + 2, at + 2 + length)
    at += 2 + length
    return value
  }
  return pack(next(), next())
}
