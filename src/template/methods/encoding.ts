/** Text to bytes and back, in the encodings that playbooks name. */
import { type CodePage, codePage, own } from '../../base/index.ts'
import { PyError } from '../python/index.ts'

type Encoding = 'utf-8' | 'ascii' | 'latin-1' | 'utf-16-le'

const NAMES: Readonly<Record<string, Encoding>> = {
  utf8: 'utf-8',
  u8: 'utf-8',
  ascii: 'ascii',
  usascii: 'ascii',
  latin1: 'latin-1',
  iso88591: 'latin-1',
  utf16le: 'utf-16-le',
}

function encodingOf(name: string): Encoding {
  const known = own(NAMES, name.toLowerCase().replace(/[-_ ]/g, ''))
  if (!known) throw new PyError('UnicodeError', `unknown encoding: ${name}`)
  return known
}

const LIMIT = { ascii: 128, 'latin-1': 256 } as const

/** `text.encode(encoding, errors)` */
export function encode(text: string, name: string, errors: string): Uint8Array {
  const page = codePage(name)
  if (page) return encodeWith((char) => page.bytesOf(char), text, name, errors)
  const encoding = encodingOf(name)
  if (encoding === 'utf-8') return new TextEncoder().encode(text)
  if (encoding === 'utf-16-le') return Uint8Array.from(Buffer.from(text, 'utf16le'))
  const limit = LIMIT[encoding]
  const oneByte = (char: string): Uint8Array | undefined => {
    const code = char.codePointAt(0)!
    return code < limit ? Uint8Array.of(code) : undefined
  }
  return encodeWith(oneByte, text, encoding, errors, `ordinal not in range(${limit})`)
}

function encodeWith(
  bytesOf: (char: string) => Uint8Array | undefined,
  text: string,
  encoding: string,
  errors: string,
  why = 'character maps to <undefined>',
): Uint8Array {
  const parts = [...text].map((char, position) => bytesOf(char) ?? Buffer.from(substitute(char, encoding, errors, position, why)))
  return Uint8Array.from(Buffer.concat(parts))
}

function substitute(char: string, encoding: string, errors: string, position: number, why: string): string {
  const code = char.codePointAt(0)!
  if (errors === 'ignore') return ''
  if (errors === 'replace') return '?'
  if (errors === 'xmlcharrefreplace') return `&#${code};`
  const escaped =
    code <= 0xff
      ? `\\x${code.toString(16)}`
      : code <= 0xffff
        ? `\\u${code.toString(16).padStart(4, '0')}`
        : `\\U${code.toString(16).padStart(8, '0')}`
  if (errors === 'backslashreplace') return escaped
  throw new PyError('UnicodeError', `'${encoding}' codec can't encode character '${escaped}' in position ${position}: ${why}`, {
    cause: char,
  })
}

/** `bytes.decode(encoding, errors)` */
export function decode(bytes: Uint8Array, name: string, errors: string): string {
  const page = codePage(name)
  if (page) return decodeWith(page, bytes, name)
  const encoding = encodingOf(name)
  if (encoding === 'latin-1') return Buffer.from(bytes).toString('latin1')
  if (encoding === 'utf-16-le') return Buffer.from(bytes).toString('utf16le')
  const bad = encoding === 'ascii' ? bytes.findIndex((byte) => byte > 127) : -1
  if (bad !== -1 && errors === 'strict') {
    throw new PyError(
      'UnicodeError',
      `'ascii' codec can't decode byte 0x${bytes[bad]!.toString(16)} in position ${bad}: ordinal not in range(128)`,
    )
  }
  try {
    return new TextDecoder('utf-8', { fatal: errors === 'strict', ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw new PyError('UnicodeError', "'utf-8' codec can't decode the bytes", { cause })
  }
}

function decodeWith(page: CodePage, bytes: Uint8Array, name: string): string {
  try {
    return page.textOf(bytes)
  } catch (cause) {
    throw new PyError('UnicodeError', `'${name}' codec can't decode the bytes`, { cause })
  }
}
