/** Private keys on the controller: makes them, reads them of bytes, and writes them in the form that is asked for. */
import { createCipheriv, createHash, createPrivateKey, generateKeyPair, type KeyObject, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { textOf } from '../../remote/index.ts'
import { ModuleFailure } from '../api.ts'
import { readDer } from './der.ts'
import { integer, octets, oid, sequence } from './der-write.ts'

export type KeyForm = 'pkcs1' | 'pkcs8' | 'raw'

/** Node's own names of curves that have another one elsewhere. */
const CURVES: Readonly<Record<string, string>> = { secp256r1: 'prime256v1', secp192r1: 'prime192v1' }

export interface KeyKind {
  readonly type: string
  readonly size: number
  readonly curve?: string | undefined
}

const generate = promisify(generateKeyPair) as (kind: string, options: object) => Promise<{ readonly privateKey: KeyObject }>

export async function makePrivateKey({ type, size, curve }: KeyKind): Promise<KeyObject> {
  const options: Readonly<Record<string, object>> = {
    RSA: { modulusLength: size },
    DSA: { modulusLength: size, divisorLength: size < 2048 ? 160 : 256 },
    ECC: { namedCurve: CURVES[curve ?? ''] ?? curve },
  }
  try {
    return (await generate(type === 'ECC' ? 'ec' : type.toLowerCase(), options[type] ?? {})).privateKey
  } catch (error) {
    throw new ModuleFailure(`a key of type ${type} cannot be made: ${(error as Error).message}`)
  }
}

export interface ReadKey {
  readonly key: KeyObject
  readonly form: KeyForm
  readonly sealed: boolean
}

/** Raw keys of these lengths; of two kinds with one length the hint tells which. */
const RAW: readonly (readonly [string, number, string])[] = [
  ['X25519', 32, '1.3.101.110'],
  ['Ed25519', 32, '1.3.101.112'],
  ['X448', 56, '1.3.101.111'],
  ['Ed448', 57, '1.3.101.113'],
]

/** Undefined where the bytes are no key, or are sealed with something else. */
export function readPrivateKey(bytes: Uint8Array, passphrase: string | undefined, hint: string): ReadKey | undefined {
  const text = textOf(bytes)
  const label = /^-----BEGIN (.*)-----/m.exec(text)?.[1]
  try {
    if (label === undefined) return { key: rawKey(bytes, hint), form: 'raw', sealed: false }
    const key = createPrivateKey({ key: text, ...(passphrase === undefined ? {} : { passphrase }) })
    return {
      key,
      form: label === 'PRIVATE KEY' || label === 'ENCRYPTED PRIVATE KEY' ? 'pkcs8' : 'pkcs1',
      sealed: label.startsWith('ENCRYPTED') || /^Proc-Type: 4,ENC/m.test(text),
    }
  } catch {
    return undefined
  }
}

function rawKey(bytes: Uint8Array, hint: string): KeyObject {
  const kinds = RAW.filter(([, length]) => length === bytes.length)
  const kind = kinds.find(([name]) => name === hint) ?? kinds.find(([name]) => name.startsWith('Ed')) ?? kinds[0]
  if (!kind) throw new ModuleFailure('Cannot load raw key')
  const der = sequence(integer(0n), sequence(oid(kind[2])), octets(octets(bytes)))
  return createPrivateKey({ key: Buffer.from(der), format: 'der', type: 'pkcs8' })
}

/** The key's bytes; sealed where there is a passphrase. */
export function writePrivateKey(key: KeyObject, form: KeyForm, passphrase: string | undefined): Uint8Array {
  const kind = key.asymmetricKeyType ?? ''
  const cannot = new ModuleFailure(`Cryptography backend cannot serialize the private key in the required format "${form}"`)
  const seal = passphrase === undefined ? {} : { cipher: 'aes-256-cbc', passphrase }
  const pem = (type: 'pkcs1' | 'pkcs8' | 'sec1'): Uint8Array =>
    Buffer.from(key.export({ type, format: 'pem', ...seal } as never) as unknown as string)
  if (form === 'pkcs8') return pem('pkcs8')
  if (form === 'raw') {
    const length = RAW.find(([name]) => name.toLowerCase() === kind)?.[1]
    if (length === undefined || passphrase !== undefined) throw cannot
    const der = key.export({ type: 'pkcs8', format: 'der' })
    return new Uint8Array(der.subarray(der.length - length))
  }
  if (kind === 'rsa') return pem('pkcs1')
  if (kind === 'ec') return pem('sec1')
  if (kind !== 'dsa') throw cannot
  return dsaPem(key, passphrase)
}

/** SEQUENCE { 0, p, q, g, y, x }, which Node does not write. */
function dsaPem(key: KeyObject, passphrase: string | undefined): Uint8Array {
  const [, algorithm, secret] = readDer(new Uint8Array(key.export({ type: 'pkcs8', format: 'der' }))).parts
  const numbers = algorithm!.parts[1]!.parts.map(({ content }) => big(content))
  const x = big(readDer(secret!.content).content)
  const [p = 0n, q = 0n, g = 0n] = numbers
  const der = Buffer.from(sequence(integer(0n), ...[p, q, g, power(g, x, p), x].map(integer)))
  const [head, body] = passphrase === undefined ? ['', der] : sealed(der, passphrase)
  const lines = body.toString('base64').replace(/.{1,64}/g, '$&\n')
  return Buffer.from(`-----BEGIN DSA PRIVATE KEY-----\n${head}${lines}-----END DSA PRIVATE KEY-----\n`)
}

const big = (content: Uint8Array): bigint => BigInt(`0x${Buffer.from(content).toString('hex') || '0'}`)

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let [result, square] = [1n, base % modulus]
  for (let left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) result = (result * square) % modulus
    square = (square * square) % modulus
  }
  return result
}

/** As the old form of PEM is sealed: the key comes of the passphrase and the first half of the vector. */
function sealed(der: Buffer, passphrase: string): [string, Buffer] {
  const vector = randomBytes(16)
  const hash = (...parts: Buffer[]): Buffer => createHash('md5').update(Buffer.concat(parts)).digest()
  const secret = Buffer.concat([Buffer.from(passphrase), vector.subarray(0, 8)])
  const first = hash(secret)
  const cipher = createCipheriv('aes-256-cbc', Buffer.concat([first, hash(first, secret)]), vector)
  const head = `Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,${vector.toString('hex').toUpperCase()}\n\n`
  return [head, Buffer.concat([cipher.update(der), cipher.final()])]
}
