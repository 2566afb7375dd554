/** Turns values into text as Python's str() and repr() do. */
import { Float, LazyDict, OMIT, Tuple, type Value } from '../../base/index.ts'
import { floatRepr } from './number.ts'
import { PyObject } from './object.ts'

/** `str(x)` */
export function str(value: Value): string {
  if (typeof value === 'string') return value
  if (value instanceof PyObject) return value.str()
  return value === OMIT ? OMIT.text : repr(value)
}

/** `repr(x)` */
export function repr(value: Value): string {
  switch (typeof value) {
    case 'string':
      return quote(value)
    case 'number':
    case 'bigint':
      return String(value)
    case 'boolean':
      return value ? 'True' : 'False'
  }
  if (value === null) return 'None'
  if (Array.isArray(value)) return within(value, '[...]', () => `[${value.map(repr).join(', ')}]`)
  if (value instanceof Map) return within(value, '{...}', () => dictRepr(value))
  if (value instanceof Float) return floatRepr(value.value)
  if (value instanceof Tuple) return value.items.length === 1 ? `(${repr(value.items[0]!)},)` : `(${value.items.map(repr).join(', ')})`
  if (value instanceof LazyDict) return lazyRepr(value)
  if (value instanceof Uint8Array) return bytesRepr(value)
  return value instanceof PyObject ? value.repr() : quote(OMIT.text)
}

/** The containers that are being written: one that holds itself is written as dots inside, as Python has it. */
const open: Value[] = []

function within(container: Value, dots: string, write: () => string): string {
  if (open.includes(container)) return dots
  open.push(container)
  try {
    return write()
  } finally {
    open.pop()
  }
}

function dictRepr(dict: Map<Value, Value>): string {
  const parts: string[] = []
  for (const [key, value] of dict) parts.push(`${repr(key)}: ${repr(value)}`)
  return `{${parts.join(', ')}}`
}

function lazyRepr(dict: LazyDict): string {
  const parts: string[] = []
  for (const key of dict.keys()) parts.push(`${quote(key)}: ${repr(dict.get(key) ?? null)}`)
  return `{${parts.join(', ')}}`
}

const PLAIN = /^[\x20-\x26\x28-\x5b\x5d-\x7e]*$/
const ESCAPES: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\\': '\\\\' }
const UNPRINTABLE = /[\\\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu

function quote(text: string): string {
  if (PLAIN.test(text)) return `'${text}'`
  const escaped = text.replace(UNPRINTABLE, (char) => ESCAPES[char] ?? codeEscape(char.codePointAt(0)!))
  if (!text.includes("'")) return `'${escaped}'`
  return text.includes('"') ? `'${escaped.replaceAll("'", "\\'")}'` : `"${escaped}"`
}

function codeEscape(code: number): string {
  if (code <= 0xff) return `\\x${code.toString(16).padStart(2, '0')}`
  return code <= 0xffff ? `\\u${code.toString(16).padStart(4, '0')}` : `\\U${code.toString(16).padStart(8, '0')}`
}

/** `ascii(x)`: repr() with everything beyond ASCII escaped. */
export const ascii = (value: Value): string => repr(value).replace(/[^\x00-\x7f]/gu, (char) => codeEscape(char.codePointAt(0)!))

function bytesRepr(bytes: Uint8Array): string {
  let body = ''
  for (const byte of bytes) {
    const char = String.fromCharCode(byte)
    if (ESCAPES[char]) body += ESCAPES[char]
    else body += byte < 0x20 || byte >= 0x7f ? `\\x${byte.toString(16).padStart(2, '0')}` : char
  }
  if (!body.includes("'")) return `b'${body}'`
  return body.includes('"') ? `b'${body.replaceAll("'", "\\'")}'` : `b"${body}"`
}
