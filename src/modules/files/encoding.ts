/** Turns text into bytes and back in the encodings that playbooks name. */
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

export function encodeText(text: string, encoding: string): Uint8Array {
  return Buffer.from(text, nodeName(encoding))
}

/** Text of bytes; in UTF-8, bytes that are none become lone surrogates, so that `encodeText` gives them back. */
export function decodeText(bytes: Uint8Array, encoding: string): string {
  return Buffer.from(bytes).toString(nodeName(encoding))
}

function nodeName(encoding: string): BufferEncoding {
  const name = NODE_NAMES[encoding.toLowerCase().replace(/[-_]/g, '')]
  if (name === undefined) throw new ModuleFailure(`unknown encoding: ${encoding}`)
  return name
}
