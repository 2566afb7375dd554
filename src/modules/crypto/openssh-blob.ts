/** A public key → its line for OpenSSH; undefined for kinds that OpenSSH does not know. */
import type { KeyObject } from 'node:crypto'

export function opensshKey(key: KeyObject): string | undefined {
  const kind = key.asymmetricKeyType ?? ''
  const parts = PARTS[kind]?.(key.export({ format: 'jwk' }))
  return parts && `${textOf(parts[0]!)} ${Buffer.concat(parts.map(field)).toString('base64')}`
}

type Jwk = ReturnType<KeyObject['export']> & Readonly<Record<string, unknown>>

const text = (value: string): Buffer => Buffer.from(value, 'latin1')
const textOf = (bytes: Buffer): string => bytes.toString('latin1')

/** A field begins with its length. */
const field = (bytes: Buffer): Buffer => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}

const bytesOf = (value: unknown): Buffer => Buffer.from(String(value), 'base64url')

/** A number whose first bit is set gets a byte before it. */
const positive = (bytes: Buffer): Buffer => ((bytes[0] ?? 0) & 0x80 ? Buffer.concat([Buffer.alloc(1), bytes]) : bytes)

const CURVES: Readonly<Record<string, string>> = { 'P-256': 'nistp256', 'P-384': 'nistp384', 'P-521': 'nistp521' }

const PARTS: Readonly<Record<string, (jwk: Jwk) => Buffer[] | undefined>> = {
  rsa: (jwk) => [text('ssh-rsa'), positive(bytesOf(jwk['e'])), positive(bytesOf(jwk['n']))],
  ed25519: (jwk) => [text('ssh-ed25519'), bytesOf(jwk['x'])],
  ec: (jwk) => {
    const curve = CURVES[String(jwk['crv'])]
    if (curve === undefined) return undefined
    return [text(`ecdsa-sha2-${curve}`), text(curve), Buffer.concat([Buffer.from([4]), bytesOf(jwk['x']), bytesOf(jwk['y'])])]
  },
}
