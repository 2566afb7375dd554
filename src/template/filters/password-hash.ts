/** A password → its hash as crypt(3) writes it: sha512, sha256, md5 and bcrypt, with passlib's defaults. */
import { createHash, hash, randomInt } from 'node:crypto'
import bcrypt from 'bcryptjs'
import { own } from '../../base/index.ts'
import { filterError, typeError } from '../python/index.ts'

export interface PasswordOptions {
  readonly salt?: string | undefined
  readonly saltSize?: number | undefined
  readonly rounds?: number | undefined
  readonly ident?: string | undefined
}

const ALPHABET = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const BCRYPT_ALPHABET = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

interface SchemeOptions extends PasswordOptions {
  readonly scheme: string
}

type Scheme = (password: string, options: SchemeOptions) => string

const SCHEMES: Readonly<Record<string, Scheme>> = {
  md5_crypt: md5Crypt,
  bcrypt: bcryptHash,
  sha256_crypt: (password, options) => shaCrypt(password, options, 'sha256', '5', 535_000),
  sha512_crypt: (password, options) => shaCrypt(password, options, 'sha512', '6', 656_000),
  plaintext: (password) => password,
}
const ALIASES: Readonly<Record<string, string>> = { md5: 'md5_crypt', blowfish: 'bcrypt', sha256: 'sha256_crypt', sha512: 'sha512_crypt' }

/** Schemes of passlib that hash a user's name, too. */
const WANT_A_USER: ReadonlySet<string> = new Set(['cisco_asa', 'cisco_pix', 'msdcc', 'msdcc2', 'oracle10', 'postgres_md5'])

export function hashPassword(password: string, type: string, options: PasswordOptions): string {
  const name = own(ALIASES, type) ?? type
  const scheme = Object.hasOwn(SCHEMES, name) ? SCHEMES[name] : undefined
  if (!scheme && WANT_A_USER.has(name))
    throw filterError(`${name} is not in the list of supported passlib algorithms: ${Object.keys(ALIASES).join(', ')}`)
  if (!scheme) throw twice(`passlib does not support '${name}' algorithm`)
  return scheme(password, { ...options, scheme: name })
}

/** The reference says what went wrong twice. */
const twice = (message: string): Error => filterError(`${message}. ${message}`)
const unhashable = (why: string): Error => twice(`Could not hash the secret.. ${why}`)

function checkRounds(scheme: string, rounds: number, least: number, most: number): void {
  if (rounds < least) throw unhashable(`${scheme}: min_desired_rounds (${rounds}) is too low, must be at least ${least}`)
  if (rounds > most) throw unhashable(`${scheme}: min_desired_rounds (${rounds}) is too large, cannot be more than ${most}`)
}

function randomSalt(size: number, alphabet = ALPHABET): string {
  return Array.from({ length: size }, () => alphabet[randomInt(alphabet.length)]).join('')
}

/** The salt asked for, or a new one; what crypt cannot take is refused. */
function saltFor(options: SchemeOptions, most: number, size: number): string {
  if (!options.salt) return randomSalt(options.saltSize ?? size)
  if ([...options.salt].some((char) => !ALPHABET.includes(char))) throw unhashable(`invalid characters in ${options.scheme} salt`)
  if (options.salt.length > most) throw unhashable(`salt too large (${options.scheme} requires <= ${most} chars)`)
  return options.salt
}

function bcryptHash(password: string, options: SchemeOptions): string {
  const rounds = options.rounds || 12
  const ident = (options.ident ?? '2b').replaceAll('$', '')
  let salt = options.salt ? options.salt : randomSalt(22, BCRYPT_ALPHABET)
  if ([...salt].some((char) => !BCRYPT_ALPHABET.includes(char))) throw unhashable('invalid characters in bcrypt salt')
  if (salt.length !== 22) throw unhashable(`salt too ${salt.length < 22 ? 'small' : 'large'} (bcrypt requires exactly 22 chars)`)
  checkRounds('bcrypt', rounds, 4, 31)
  salt = salt.slice(0, 21) + BCRYPT_ALPHABET[BCRYPT_ALPHABET.indexOf(salt[21]!) & 0x30]!
  const hash = bcrypt.hashSync(password, `$2b$${String(rounds).padStart(2, '0')}$${salt}`)
  return hash.replace(/^\$2b\$/, `$${ident}$`)
}

function shaCrypt(password: string, options: SchemeOptions, algorithm: 'sha256' | 'sha512', id: string, usual: number): string {
  const rounds = options.rounds || usual
  checkRounds(`${algorithm}_crypt`, rounds, 1000, 999_999_999)
  const salt = saltFor(options, 16, 16)
  const digest = shaRounds(Buffer.from(password), Buffer.from(salt), algorithm, rounds)
  const told = rounds === 5000 ? '' : `rounds=${rounds}$`
  return `$${id}$${told}${salt}$${encodeSha(digest, algorithm)}`
}

function shaRounds(key: Buffer, salt: Buffer, algorithm: 'sha256' | 'sha512', rounds: number): Buffer {
  const digestOf = (...parts: readonly Uint8Array[]): Buffer => hash(algorithm, Buffer.concat(parts), 'buffer')
  const alternate = digestOf(key, salt, key)
  const first: Buffer[] = [key, salt, repeatTo(alternate, key.length)]
  for (let bits = key.length; bits > 0; bits >>= 1) first.push(bits & 1 ? alternate : key)
  const digest = digestOf(...first)
  const p = repeatTo(digestOf(...Array<Buffer>(key.length).fill(key)), key.length)
  const s = repeatTo(digestOf(...Array<Buffer>(16 + digest[0]!).fill(salt)), salt.length)
  const middles = [0, 1, 2, 3].map((i) => Buffer.concat([i & 1 ? s : Buffer.alloc(0), i & 2 ? p : Buffer.alloc(0)]))
  return manyRounds(digest, p, middles, algorithm, rounds)
}

/** Hundreds of thousands of hashes: the parts are laid out once, and only the digest is written anew. */
function manyRounds(start: Buffer, p: Buffer, middles: readonly Buffer[], algorithm: 'sha256' | 'sha512', rounds: number): Buffer {
  const even = middles.map((middle) => Buffer.concat([start, middle, p]))
  const odd = middles.map((middle) => Buffer.concat([p, middle, start]))
  let digest = start
  for (let i = 0; i < rounds; i++) {
    const which = (i % 3 ? 1 : 0) | (i % 7 ? 2 : 0)
    const input = i & 1 ? odd[which]! : even[which]!
    input.set(digest, i & 1 ? input.length - digest.length : 0)
    digest = hash(algorithm, input, 'buffer')
  }
  return digest
}

function repeatTo(block: Buffer, length: number): Buffer {
  const out = Buffer.alloc(length)
  for (let i = 0; i < length; i++) out[i] = block[i % block.length]!
  return out
}

/** Three bytes at a time, the least bits first. */
function encode24(high: number, middle: number, low: number, count: number): string {
  let word = (high << 16) | (middle << 8) | low
  let out = ''
  for (let i = 0; i < count; i++) {
    out += ALPHABET[word & 63]
    word >>>= 6
  }
  return out
}

function encodeSha(digest: Buffer, algorithm: 'sha256' | 'sha512'): string {
  const [third, step] = algorithm === 'sha512' ? [21, 1] : [10, 2]
  let [a, b, c] = [0, third, third * 2]
  let out = ''
  for (let i = 0; i < third; i++) {
    out += encode24(digest[a]!, digest[b]!, digest[c]!, 4)
    ;[a, b, c] = step === 1 ? [b + 1, c + 1, a + 1] : [c + 1, a + 1, b + 1]
  }
  return out + (algorithm === 'sha512' ? encode24(0, 0, digest[63]!, 2) : encode24(0, digest[31]!, digest[30]!, 3))
}

function md5Crypt(password: string, options: SchemeOptions): string {
  if (options.rounds) throw typeError("MinimalHandler.using() got an unexpected keyword argument 'rounds'")
  const salt = saltFor(options, 8, 8)
  const key = Buffer.from(password)
  const saltBytes = Buffer.from(salt)
  const digestOf = (...parts: readonly Uint8Array[]): Buffer => createHash('md5').update(Buffer.concat(parts)).digest()
  const alternate = digestOf(key, saltBytes, key)
  const first: Buffer[] = [key, Buffer.from('$1$'), saltBytes, repeatTo(alternate, key.length)]
  for (let bits = key.length; bits > 0; bits >>= 1) first.push(bits & 1 ? Buffer.alloc(1) : key.subarray(0, 1))
  let digest = digestOf(...first)
  for (let i = 0; i < 1000; i++) {
    const parts = [i & 1 ? key : digest]
    if (i % 3) parts.push(saltBytes)
    if (i % 7) parts.push(key)
    parts.push(i & 1 ? digest : key)
    digest = digestOf(...parts)
  }
  const at = (i: number): number => digest[i]!
  const groups = [0, 1, 2, 3, 4].map((i) => encode24(at(i), at(i + 6), at(i === 4 ? 5 : i + 12), 4))
  return `$1$${salt}$${groups.join('')}${encode24(0, 0, at(11), 2)}`
}
