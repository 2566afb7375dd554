/** Turns text into bytes and back in the encodings that playbooks name. */
import { type CodePage, codePage } from '../../base/index.ts'
import { ModuleFailure } from '../api.ts'

/** Python's names for encodings that Node has, without case, dashes and underscores. */
const NODE_NAMES: Readonly<Record<string, BufferEncoding>> = {
  utf8: 'utf8',
  ascii: 'latin1',
  usascii: 'latin1',
  latin1: 'latin1',
  iso88591: 'latin1',
  l1: 'latin1',
  utf16le: 'utf16le',
}

/** A byte that is no UTF-8 stands in text as U+DC00 plus its value, as Python's surrogateescape has it. */
const ESCAPED = /[\udc80-\udcff]/u

export function encodeText(text: string, encoding: string): Uint8Array {
  const page = codePage(encoding)
  if (page) return encodeWith(page, text, encoding)
  const name = nodeName(encoding)
  if (name !== 'utf8' || !ESCAPED.test(text)) return Buffer.from(text, name)
  const parts = text.split(/([\udc80-\udcff])/u)
  return Buffer.concat(parts.map((part, i) => (i % 2 === 1 ? Buffer.from([part.charCodeAt(0) - 0xdc00]) : Buffer.from(part, 'utf8'))))
}

function encodeWith(page: CodePage, text: string, encoding: string): Uint8Array {
  const parts = [...text].map((char, position) => {
    const bytes = page.bytesOf(char)
    if (!bytes) throw new ModuleFailure(`'${encoding}' codec can't encode character '${char}' in position ${position}`)
    return bytes
  })
  return Buffer.concat(parts)
}

export function decodeText(bytes: Uint8Array, encoding: string): string {
  const page = codePage(encoding)
  if (page) return page.textOf(bytes)
  const name = nodeName(encoding)
  if (name !== 'utf8') return Buffer.from(bytes).toString(name)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return escapedText(Buffer.from(bytes).toString('latin1'))
  }
}

/** One well-formed character of UTF-8, as bytes. */
const SEQUENCE =
  /[\x00-\x7f]+|[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}|[\x80-\xff]/g

function escapedText(binary: string): string {
  return binary.replace(SEQUENCE, (sequence) => {
    const code = sequence.charCodeAt(0)
    if (sequence.length === 1 && code >= 0x80) return String.fromCharCode(0xdc00 + code)
    return code < 0x80 ? sequence : Buffer.from(sequence, 'latin1').toString('utf8')
  })
}

function nodeName(encoding: string): BufferEncoding {
  const name = NODE_NAMES[encoding.toLowerCase().replace(/[-_]/g, '')]
  if (name === undefined) throw new ModuleFailure(`unknown encoding: ${encoding}`)
  return name
}

/** Python's open() reads so much at a time. */
const PIECE = 8192

/** The text of a file up to where it is none of the encoding, as far as Python reads it before it stumbles. */
export function readableText(bytes: Uint8Array, encoding: string): { readonly text: string; readonly whole: boolean } {
  const name = codePage(encoding) ? undefined : nodeName(encoding)
  if (name !== undefined && name !== 'utf8') return { text: Buffer.from(bytes).toString(name), whole: true }
  const read = codePage(encoding)?.reader() ?? utf8Reader()
  let text = ''
  try {
    for (let at = 0; at < bytes.length; at += PIECE) text += read(bytes.subarray(at, at + PIECE), at + PIECE >= bytes.length)
  } catch {
    return { text, whole: false }
  }
  return { text, whole: true }
}

function utf8Reader(): (bytes: Uint8Array, last: boolean) => string {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  return (bytes, last) => decoder.decode(bytes, { stream: !last })
}
