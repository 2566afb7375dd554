/** The line of an OpenSSH certificate → its parts: what is certified, for whom, for how long, by whom. */
import { createHash } from 'node:crypto'
import { textOf } from '../../remote/index.ts'

export interface SshCertificate {
  /** `ssh-ed25519-cert-v01@openssh.com` */
  readonly kind: string
  readonly serial: bigint
  readonly type: 'user' | 'host' | ''
  readonly identifier: string
  readonly principals: readonly string[]
  /** seconds since 1970 */
  readonly validAfter: bigint
  readonly validBefore: bigint
  readonly criticalOptions: readonly (readonly [string, string])[]
  readonly extensions: readonly (readonly [string, string])[]
  /** fingerprints of both keys */
  readonly publicKey: string
  readonly signingKey: string
  readonly signatureType: string
}

const SUFFIX = '-cert-v01@openssh.com'

/** How many fields a key of a kind has. */
const KEY_FIELDS: Readonly<Record<string, number>> = {
  'ssh-rsa': 2,
  'ssh-dss': 4,
  'ssh-ed25519': 1,
  'ecdsa-sha2-nistp256': 2,
  'ecdsa-sha2-nistp384': 2,
  'ecdsa-sha2-nistp521': 2,
}

/** Throws where the text is no certificate. */
export function readSshCertificate(text: string): SshCertificate {
  const [kind = '', encoded = ''] = text.split(' ')
  if (encoded === '') throw new Error('Certificate not in OpenSSH format')
  const base = kind.endsWith(SUFFIX) ? kind.slice(0, -SUFFIX.length) : ''
  const fields = KEY_FIELDS[base]
  if (fields === undefined) throw new Error(`Invalid certificate format identifier: ${kind}`)
  const reader = new Reader(Buffer.from(encoded, 'base64'))
  if (reader.text() !== kind) throw new Error('Certificate formats do not match')
  reader.bytes()
  const key = Array.from({ length: fields }, () => reader.bytes())
  const serial = reader.big()
  const type = TYPES[reader.number()] ?? ''
  const identifier = reader.text()
  const principals = reader.inner().all((one) => one.text())
  const [validAfter, validBefore] = [reader.big(), reader.big()]
  const options = (): (readonly [string, string])[] => reader.inner().all((one) => [one.text(), optionValue(one.bytes())] as const)
  const [criticalOptions, extensions] = [options(), options()]
  reader.bytes()
  const signingKey = fingerprintOf(reader.bytes())
  const signatureType = reader.inner().text()
  if (!reader.atEnd) throw new Error('Invalid certificate data: there is more behind the signature')
  const publicKey = fingerprintOf(Buffer.concat([Buffer.from(base), ...key].map(framed)))
  return {
    ...{ kind, serial, type, identifier, principals, validAfter, validBefore, criticalOptions, extensions },
    ...{ publicKey, signingKey, signatureType },
  }
}

const TYPES: Readonly<Record<number, 'user' | 'host'>> = { 1: 'user', 2: 'host' }

const framed = (bytes: Uint8Array): Buffer => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}

const optionValue = (data: Buffer): string => (data.length === 0 ? '' : new Reader(data).text())

/** As ssh-keygen tells it. */
const fingerprintOf = (blob: Uint8Array): string => `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`

/** Reads fields one after another; each text and number has its length before it. */
class Reader {
  #at = 0

  constructor(readonly data: Buffer) {}

  get atEnd(): boolean {
    return this.#at === this.data.length
  }

  number(): number {
    return this.#take(4).readUInt32BE()
  }

  big(): bigint {
    return this.#take(8).readBigUInt64BE()
  }

  bytes(): Buffer {
    return this.#take(this.number())
  }

  text(): string {
    return textOf(this.bytes())
  }

  inner(): Reader {
    return new Reader(this.bytes())
  }

  all<T>(read: (reader: Reader) => T): T[] {
    const found: T[] = []
    while (!this.atEnd) found.push(read(this))
    return found
  }

  #take(length: number): Buffer {
    if (this.#at + length > this.data.length) throw new Error('Invalid certificate data: it ends too early')
    this.#at += length
    return this.data.subarray(this.#at - length, this.#at)
  }
}
