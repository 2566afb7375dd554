/** Reads the escapes of a string literal as Python's unicode-escape does. */
import { characterNamed } from '../python/index.ts'
import { TemplateSyntaxError } from './problem.ts'

const ESCAPE = /\\(\n|[\\'"abfnrtv]|[0-7]{1,3}|x[0-9a-fA-F]{0,2}|u[0-9a-fA-F]{0,4}|U[0-9a-fA-F]{0,8}|N(?:\{[^}]*\})?|$)/g
/** What follows a backslash, and what both stand for. */
export const SINGLE_ESCAPES: Readonly<Record<string, string>> = {
  '\n': '',
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}
const HEX_LENGTH: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 }
const COMPLAINT: Readonly<Record<string, string>> = {
  x: 'truncated \\xXX escape',
  u: 'truncated \\uXXXX escape',
  U: 'truncated \\UXXXXXXXX escape',
}

/** The text that a literal's body stands for. */
export function decodeEscapes(body: string, offset: number): string {
  if (!body.includes('\\')) return body
  return body.replace(ESCAPE, (_, code: string) => {
    const single = SINGLE_ESCAPES[code]
    if (single !== undefined) return single
    if (code === '') throw new TemplateSyntaxError('\\ at end of string', offset)
    if (/^[0-7]/.test(code)) return String.fromCharCode(Number.parseInt(code, 8))
    const length = HEX_LENGTH[code[0]!]
    if (length === undefined) return named(code, offset)
    if (code.length !== length + 1) throw new TemplateSyntaxError(COMPLAINT[code[0]!]!, offset)
    const point = Number.parseInt(code.slice(1), 16)
    if (point > 0x10ffff) throw new TemplateSyntaxError('illegal Unicode character', offset)
    return String.fromCodePoint(point)
  })
}

/** N{name} */
function named(code: string, offset: number): string {
  const name = /^N\{([^}]+)\}$/.exec(code)?.[1]
  if (name === undefined) throw new TemplateSyntaxError('malformed \\N character escape', offset)
  const found = characterNamed(name)
  if (found === undefined) throw new TemplateSyntaxError('unknown Unicode character name', offset)
  return String.fromCodePoint(found)
}
