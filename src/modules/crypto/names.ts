/** Names as tasks write them (`CN: x`, `DNS:a.example`, `dirName:CN=x`) → identifiers of attributes, and bytes in DER. */
import { domainToASCII } from 'node:url'
import { isDict, type Value } from '../../base/index.ts'
import { ATTRIBUTES } from '../../template/index.ts'
import { ModuleFailure } from '../api.ts'
import { addressBytes, nameOf, oid, tagged } from './der-write.ts'

/** Short names that openssl has for attributes. */
const SHORT: Readonly<Record<string, string>> = {
  CN: '2.5.4.3',
  SN: '2.5.4.4',
  C: '2.5.4.6',
  L: '2.5.4.7',
  ST: '2.5.4.8',
  street: '2.5.4.9',
  O: '2.5.4.10',
  OU: '2.5.4.11',
  GN: '2.5.4.42',
  email: '1.2.840.113549.1.9.1',
  UID: '0.9.2342.19200300.100.1.1',
  DC: '0.9.2342.19200300.100.1.25',
}

const BY_NAME: ReadonlyMap<string, string> = new Map([
  ...Object.entries(SHORT),
  ...Object.entries(ATTRIBUTES).map(([dotted, name]) => [name, dotted] as const),
])

export function attributeOid(name: string): string {
  const dotted = BY_NAME.get(name) ?? (/^[0-9]+(\.[0-9]+)+$/.test(name) ? name : undefined)
  if (dotted === undefined) throw new ModuleFailure(`Cannot find OID for "${name}"`)
  return dotted
}

/** `CN` for `commonName`. */
export const shortName = (name: string): string => SHORT_NAMES.get(BY_NAME.get(name) ?? '') ?? name

const SHORT_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries(SHORT).flatMap(([short, dotted]) => (short === 'email' ? [] : [[dotted, short] as const])),
)

export type NamePairs = readonly (readonly [string, string])[]

/** A dict of parts → its pairs; a list gives one pair for each of its texts. */
export function namePairs(parts: Value, where: string): NamePairs {
  if (!isDict(parts)) return []
  return [...parts].flatMap(([key, value]) => {
    const texts = Array.isArray(value) ? value : [value]
    return texts.map((text): [string, string] => {
      if (typeof text !== 'string') throw new ModuleFailure(valueWords(String(key), where, Array.isArray(value)))
      if (text === '')
        throw new ModuleFailure(
          Array.isArray(value)
            ? `Values for ${String(key)} in ${where} must not be empty strings`
            : `Value for ${String(key)} in ${where} must not be an empty string`,
        )
      return [String(key), text]
    })
  })
}

const valueWords = (key: string, where: string, many: boolean): string =>
  many ? `Values ${key} in ${where} must be strings` : `Value for ${key} in ${where} must be either a string or a list of strings`

/** A list of dicts of one part each → their pairs in this order. */
export function orderedPairs(entries: readonly Value[], where: string): NamePairs {
  return entries.flatMap((entry, at) => {
    if (!isDict(entry) || entry.size !== 1)
      throw new ModuleFailure(`Entry #${at + 1} in ${where} must be a dictionary with exactly one key-value pair`)
    return namePairs(entry, where)
  })
}

const text = (tag: number, value: string): Uint8Array => tagged(tag, Buffer.from(value, 'utf8'))

/** A name of a kind → its bytes; `kind:` goes before it. */
const KINDS: Readonly<Record<string, (value: string) => Uint8Array>> = {
  email: (value) =>
    text(
      0x81,
      value.replace(/@(.*)$/, (_, domain: string) => `@${ascii(domain)}`),
    ),
  DNS: (value) => text(0x82, ascii(value)),
  URI: (value) => text(0x86, value),
  IP: (value) => tagged(0x87, networkBytes(value)),
  RID: (value) => {
    if (!/^[0-9]+(\.[0-9]+)+$/.test(value)) throw new ModuleFailure(`no object identifier: ${value}`)
    return tagged(0x88, contentOf(oid(value)))
  },
  dirName: (value) => tagged(0xa4, nameOf(directoryPairs(value))),
  otherName: (value) => {
    const parts = /^([0-9]+(?:\.[0-9]+)*);([0-9a-fA-F]{1,2}(?::[0-9a-fA-F]{1,2})*)$/.exec(value)
    if (!parts) throw new ModuleFailure('it must be <OID>;<bytes in hex>')
    const bytes = Uint8Array.from(parts[2]!.split(':').map((one) => Number.parseInt(one, 16)))
    return tagged(0xa0, oid(parts[1]!), tagged(0xa0, bytes))
  },
}

/** DER of a name such as `DNS:a.example`. */
export function generalNameDer(name: string, what: string): Uint8Array {
  const at = name.indexOf(':')
  if (at < 0) throw new ModuleFailure(`Cannot parse ${what} "${name}" (forgot "DNS:" prefix?)`)
  const kind = KINDS[name.slice(0, at)]
  if (!kind) throw new ModuleFailure(`Cannot parse ${what} "${name}" (potentially unsupported by cryptography backend)`)
  try {
    return kind(name.slice(at + 1))
  } catch (error) {
    throw new ModuleFailure(`Cannot parse ${what} "${name}": ${(error as Error).message}`)
  }
}

/** Letters beyond ASCII in the way of domain names; a star and a dot at the front stay. */
function ascii(domain: string): string {
  return /^[\x00-\x7f]*$/.test(domain) ? domain : domainToASCII(domain)
}

const contentOf = (der: Uint8Array): Uint8Array => der.subarray(2)

function networkBytes(value: string): Uint8Array {
  const [address = '', length] = value.split('/')
  const bytes = addressBytes(address)
  if (length === undefined) return bytes
  const mask = length.includes('.') || length.includes(':') ? addressBytes(length) : maskOf(Number(length), bytes.length)
  return Uint8Array.from([...bytes, ...mask])
}

const maskOf = (length: number, size: number): Uint8Array =>
  Uint8Array.from({ length: size }, (_, at) => (0xff << (8 - Math.min(8, Math.max(0, length - at * 8)))) & 0xff)

/** `CN=x,O=y`: written from the end, as directories do; a backslash keeps a comma. */
function directoryPairs(value: string): NamePairs {
  const slash = value.trimStart().startsWith('/')
  const parts =
    (slash
      ? value
          .trimStart()
          .slice(1)
          .match(/(?:\\.|[^/\\])+/gs)
      : value.match(/(?:\\.|[^,\\])+/gs)) ?? []
  return parts.toReversed().map((part) => {
    const [, key, content] = /^\s*([^=\s]+)\s*=\s*(.*)$/s.exec(part) ?? []
    if (key === undefined) throw new ModuleFailure(`cannot start part in "${part}"`)
    return [attributeOid(key), content!.replace(/\\([0-9a-fA-F]{2})|\\(.)/g, unescaped)]
  })
}

const unescaped = (_: string, hex: string | undefined, letter: string | undefined): string =>
  hex === undefined ? (letter ?? '') : String.fromCharCode(Number.parseInt(hex, 16))
