/** Text to bytes and back, in the encodings that playbooks name. */
import { own } from '../../base/index.ts'
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
  const encoding = encodingOf(name)
  if (encoding === 'utf-8') return new TextEncoder().encode(text)
  if (encoding === 'utf-16-le') return Uint8Array.from(Buffer.from(text, 'utf16le'))
  const bytes: number[] = []
  let position = 0
  for (const char of text) {
    const code = char.codePointAt(0)!
    if (code < LIMIT[encoding]) bytes.push(code)
    else bytes.push(...Buffer.from(substitute(char, code, encoding, errors, position)))
    position++
  }
  return Uint8Array.from(bytes)
}

function substitute(char: string, code: number, encoding: keyof typeof LIMIT, errors: string, position: number): string {
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
  throw new PyError(
    'UnicodeError',
    `'${encoding}' codec can't encode character '${escaped}' in position ${position}: ordinal not in range(${LIMIT[encoding]})`,
    { cause: char },
  )
}

/** `bytes.decode(encoding, errors)` */
export function decode(bytes: Uint8Array, name: string, errors: string): string {
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
