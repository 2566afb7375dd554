/** Text ↔ bytes as Ansible does it: what is not UTF-8 becomes lone surrogates and comes back from them. */
import type { Value } from '../../base/index.ts'
import { encode } from '../methods/encoding.ts'
import { isUndefined, PyError, str } from '../python/index.ts'

/** Any value as bytes: texts encoded, everything else as str() prints it. */
export function toBytes(value: Value, encoding = 'utf-8'): Uint8Array {
  if (value instanceof Uint8Array) return value
  if (isUndefined(value)) value.raise()
  const text = str(value)
  if (!/^utf-?8$/i.test(encoding)) return encode(text, encoding, 'strict')
  return /[\ud800-\udfff]/.test(text) ? escapedBytes(text) : new TextEncoder().encode(text)
}

function escapedBytes(text: string): Uint8Array {
  const out: number[] = []
  for (const char of text) {
    const code = char.codePointAt(0)!
    if (code >= 0xdc80 && code <= 0xdcff) out.push(code - 0xdc00)
    else out.push(...new TextEncoder().encode(char))
  }
  return Uint8Array.from(out)
}

export function fromBytes(bytes: Uint8Array, encoding = 'utf-8'): string {
  const name = encoding.toLowerCase().replace(/[-_ ]/g, '')
  if (name === 'latin1' || name === 'iso88591') return Buffer.from(bytes).toString('latin1')
  if (name === 'utf16le') return Buffer.from(bytes).toString('utf16le')
  if (name === 'ascii' || name === 'usascii') return Array.from(bytes, (b) => String.fromCharCode(b < 128 ? b : 0xdc00 + b)).join('')
  if (name !== 'utf8') throw new PyError('UnicodeError', `unknown encoding: ${encoding}`)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return decodeEscaping(bytes)
  }
}

function decodeEscaping(bytes: Uint8Array): string {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let out = ''
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at]!
    const size = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0
    const char = size === 0 ? undefined : tryDecode(decoder, bytes.subarray(at, at + size))
    out += char ?? String.fromCharCode(0xdc00 + first)
    at += char === undefined ? 1 : size
  }
  return out
}

function tryDecode(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined // not a character
  }
}
