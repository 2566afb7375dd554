/** Turns plain bytes and a password into sealed bytes and back: AES-256 in counter mode under an HMAC, both keys from PBKDF2. */
import { createCipheriv, createDecipheriv, createHmac, pbkdf2Sync, randomBytes, timingSafeEqual } from 'node:crypto'
import { readHex } from './envelope.ts'

const ROUNDS = 10_000
const BLOCK = 16

/** Seals bytes. The salt is random unless given. */
export function encrypt(plain: Uint8Array, password: Uint8Array, salt: Uint8Array = randomBytes(32)): Uint8Array {
  const keys = deriveKeys(password, salt)
  const cipher = createCipheriv('aes-256-ctr', keys.cipher, keys.counter).setAutoPadding(false)
  const sealed = Buffer.concat([cipher.update(pad(plain)), cipher.final()])
  const mac = createHmac('sha256', keys.mac).update(sealed).digest()
  return Buffer.from([salt, mac, sealed].map((part) => Buffer.from(part).toString('hex')).join('\n'))
}

/** Opens bytes; undefined when the password is not the one. */
export function decrypt(body: Uint8Array, password: Uint8Array): Uint8Array | undefined {
  const [salt, mac, sealed] = Buffer.from(body).toString('latin1').split('\n').map(readHex)
  if (!salt || !mac || !sealed) return undefined
  const keys = deriveKeys(password, salt)
  const expected = createHmac('sha256', keys.mac).update(sealed).digest()
  if (expected.length !== mac.length || !timingSafeEqual(expected, mac)) return undefined
  const cipher = createDecipheriv('aes-256-ctr', keys.cipher, keys.counter).setAutoPadding(false)
  return unpad(Buffer.concat([cipher.update(sealed), cipher.final()]))
}

interface Keys {
  readonly cipher: Uint8Array
  readonly mac: Uint8Array
  readonly counter: Uint8Array
}

function deriveKeys(password: Uint8Array, salt: Uint8Array): Keys {
  const bytes = pbkdf2Sync(password, salt, ROUNDS, 80, 'sha256')
  return { cipher: bytes.subarray(0, 32), mac: bytes.subarray(32, 64), counter: bytes.subarray(64, 80) }
}

function pad(plain: Uint8Array): Uint8Array {
  const size = BLOCK - (plain.length % BLOCK)
  return Buffer.concat([plain, Buffer.alloc(size, size)])
}

const unpad = (padded: Buffer): Uint8Array => padded.subarray(0, padded.length - (padded.at(-1) ?? 0))
