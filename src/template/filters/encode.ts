/** Filters that encode, hash and quote text. */
import { createHash } from 'node:crypto'
import { own, type Value } from '../../base/index.ts'
import { createVault, isSealed, sealWith } from '../../vault/index.ts'
import { asIndex, filterError, isUndefined, str, typeError, typeName, valueError } from '../python/index.ts'
import { fromBytes, toBytes } from './bytes.ts'
import { classOf, type FilterTable, filter, plain } from './define.ts'
import { hashPassword } from './password-hash.ts'

/** How long a salt is to be; the reference compares it with a number first. */
function sizeOf(value: Value): number {
  const size = asIndex(value)
  if (size === undefined) throw typeError(`'<' not supported between instances of '${typeName(value)}' and 'int'`)
  return size
}

export const ENCODING: FilterTable = {
  b64decode: filter('b64decode', [['encoding', 'utf-8']], (value, [encoding]) => fromBytes(decodeBase64(toBytes(value)), str(encoding))),
  b64encode: filter('b64encode', [['encoding', 'utf-8']], (value, [encoding]) =>
    Buffer.from(toBytes(value, str(encoding))).toString('base64'),
  ),
  checksum: plain('secure_hash_s', (value) => digest('sha1', value)),
  hash: filter('get_hash', [['hashtype', 'sha1']], (value, [type]) => digest(str(type), value)),
  md5: plain('md5s', (value) => digest('md5', value)),
  password_hash: filter(
    'get_encrypted_password',
    [
      ['hashtype', 'sha512'],
      ['salt', null],
      ['salt_size', null],
      ['rounds', null],
      ['ident', null],
    ],
    (value, [type, salt, size, rounds, ident]) => {
      if (isUndefined(value)) value.raise()
      if (typeof value !== 'string' && !(value instanceof Uint8Array))
        throw typeError(`secret must be unicode or bytes, not ${typeName(value)}`)
      return hashPassword(str(value), str(type), {
        salt: salt === null ? undefined : str(salt),
        saltSize: size === null ? undefined : sizeOf(size),
        rounds: rounds === null ? undefined : asIndex(typeof rounds === 'string' ? Number(rounds) : rounds),
        ident: ident === null ? undefined : str(ident),
      })
    },
  ),
  quote: plain('quote', (value) => shellQuote(value === null ? '' : str(value))),
  sha1: plain('secure_hash_s', (value) => digest('sha1', value)),
  to_uuid: filter('to_uuid', [['namespace', '361E6D51-FAEC-444A-9079-341386DA8E2E']], (value, [namespace]) =>
    nameUuid(value, str(namespace)),
  ),
  unvault: filter('do_unvault', ['secret', ['vault_id', 'filter_default'], ['vaultid', null]], (value, [secret]) => {
    if (isUndefined(value)) value.raise()
    if (typeof secret !== 'string') throw typeError(`Secret passed is required to be as string, instead we got: ${classOf(secret)}`)
    if (typeof value !== 'string') throw typeError(`Vault should be in the form of a string, instead we got: ${classOf(value)}`)
    if (!isSealed(value)) return value
    try {
      return createVault([{ id: 'filter_default', password: Buffer.from(secret) }]).open(value)
    } catch (error) {
      throw filterError(`Unable to decrypt: ${(error as Error).message}`, error)
    }
  }),
  urldecode: plain('unquote_plus', (value) => unquotePlus(str(value))),
  urlsplit: filter(
    'split_url',
    [
      ['query', ''],
      ['alias', 'urlsplit'],
    ],
    (value, [query, alias]) => {
      const parts = splitUrl(str(value))
      if (query === '' || query === null) return parts
      const part = parts.get(query)
      if (part === undefined) throw filterError(`${str(alias)}: unknown URL component: ${str(query)}`)
      return part
    },
  ),
  vault: filter(
    'do_vault',
    ['secret', ['salt', null], ['vault_id', 'filter_default'], ['wrap_object', false], ['vaultid', null]],
    (value, [secret, salt, id]) => {
      if (isUndefined(value)) value.raise()
      if (typeof secret !== 'string') throw typeError(`Secret passed is required to be a string, instead we got: ${classOf(secret)}`)
      if (typeof value !== 'string' && !(value instanceof Uint8Array))
        throw typeError(`Can only vault strings, instead we got: ${classOf(value)}`)
      return sealWith({ id: str(id), password: Buffer.from(secret) }, toBytes(value), salt === null ? undefined : toBytes(salt))
    },
  ),
}

const HASHES: Readonly<Record<string, string>> = {
  md5: 'md5',
  sha1: 'sha1',
  sha224: 'sha224',
  sha256: 'sha256',
  sha384: 'sha384',
  sha512: 'sha512',
  blake2b: 'blake2b512',
  blake2s: 'blake2s256',
  sha3_224: 'sha3-224',
  sha3_256: 'sha3-256',
  sha3_384: 'sha3-384',
  sha3_512: 'sha3-512',
  sha512_256: 'sha512-256',
  sha512_224: 'sha512-224',
  ripemd160: 'ripemd160',
  sm3: 'sm3',
}

function digest(type: string, value: Value): string {
  const name = own(HASHES, type.toLowerCase())
  if (!name) throw filterError(`unsupported hash type ${type}`)
  return createHash(name).update(toBytes(value)).digest('hex')
}

/** base64.b64decode: foreign characters are passed over; enough padding behind enough data ends it. */
function decodeBase64(bytes: Uint8Array): Uint8Array {
  let data = ''
  let pads = 0
  for (const byte of bytes) {
    const char = String.fromCharCode(byte)
    if (char === '=') {
      if (data.length % 4 >= 2 && (data.length % 4) + ++pads >= 4) return Buffer.from(data, 'base64')
    } else if (/[A-Za-z0-9+/]/.test(char)) {
      pads = 0
      data += char
    }
  }
  const rest = data.length % 4
  if (rest === 1)
    throw valueError(`Invalid base64-encoded string: number of data characters (${data.length}) cannot be 1 more than a multiple of 4`)
  if (rest !== 0) throw valueError('Incorrect padding')
  return Buffer.from(data, 'base64')
}

/** shlex.quote */
export function shellQuote(text: string): string {
  if (text === '') return "''"
  return /[^\w@%+=:,./-]/u.test(text) || /[^\x00-\x7f]/.test(text) ? `'${text.replaceAll("'", `'"'"'`)}'` : text
}

function nameUuid(value: Value, namespace: string): string {
  const hex = namespace.replace(/^urn:uuid:/, '').replace(/[{}-]/g, '')
  if (!/^[0-9a-fA-F]{32}$/.test(hex))
    throw filterError(`Invalid value '${namespace}' for 'namespace': badly formed hexadecimal UUID string`)
  const hash = createHash('sha1').update(Buffer.from(hex, 'hex')).update(toBytes(value)).digest().subarray(0, 16)
  hash[6] = (hash[6]! & 0x0f) | 0x50
  hash[8] = (hash[8]! & 0x3f) | 0x80
  return hash.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

function unquotePlus(text: string): string {
  return text.replaceAll('+', ' ').replace(/(?:%[0-9A-Fa-f]{2})+/g, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'))
}

/** urllib's urlsplit, its parts in the order of their names. */
export function splitUrl(url: string): Map<Value, Value> {
  const parsed = splitUrlParts(url)
  const { user, password, hostname, port } = authority(parsed.netloc)
  return new Map<Value, Value>([
    ['fragment', parsed.fragment],
    ['hostname', hostname],
    ['netloc', parsed.netloc],
    ['password', password],
    ['path', parsed.path],
    ['port', port],
    ['query', parsed.query],
    ['scheme', parsed.scheme],
    ['username', user],
  ])
}

export interface UrlParts {
  readonly scheme: string
  readonly netloc: string
  readonly path: string
  readonly query: string
  readonly fragment: string
}

export function splitUrlParts(given: string): UrlParts {
  let rest = given.replace(/^[\x00-\x20]+/, '').replace(/[\t\r\n]/g, '')
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(rest)
  if (scheme) rest = rest.slice(scheme[0].length)
  let netloc = ''
  if (rest.startsWith('//')) {
    const end = rest.slice(2).search(/[/?#]/)
    netloc = end === -1 ? rest.slice(2) : rest.slice(2, end + 2)
    rest = rest.slice(2 + netloc.length)
    if (netloc.includes('[') !== netloc.includes(']')) throw valueError('Invalid IPv6 URL')
  }
  const [, beforeFragment = '', fragment = ''] = /^([^#]*)#?([\s\S]*)$/.exec(rest)!
  const [, path = '', query = ''] = /^([^?]*)\??([\s\S]*)$/.exec(beforeFragment)!
  return { scheme: (scheme?.[1] ?? '').toLowerCase(), netloc, path, query, fragment }
}

function authority(netloc: string): { user: Value; password: Value; hostname: Value; port: Value } {
  const at = netloc.lastIndexOf('@')
  const info = at === -1 ? undefined : netloc.slice(0, at)
  const host = netloc.slice(at + 1)
  const colon = info?.indexOf(':') ?? -1
  const bracket = /^\[([^\]]*)\](?::(.*))?/.exec(host)
  const [name, portText] = bracket
    ? [bracket[1]!, bracket[2]]
    : [host.split(':')[0]!, host.includes(':') ? host.slice(host.indexOf(':') + 1) : undefined]
  return {
    user: info === undefined ? null : colon === -1 ? info : info.slice(0, colon),
    password: info === undefined || colon === -1 ? null : info.slice(colon + 1),
    hostname: name === '' ? null : name.replace(/^[^%]*/, (bare) => bare.toLowerCase()),
    port: portOf(portText),
  }
}

function portOf(text: string | undefined): Value {
  if (text === undefined || text === '') return null
  if (!/^\d+$/.test(text)) throw valueError(`Port could not be cast to integer value as '${text}'`)
  if (Number(text) > 65535) throw valueError('Port out of range 0-65535')
  return Number(text)
}
