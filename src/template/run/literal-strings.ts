/** Reads one string literal of Python: prefixes, triple quotes, escapes. */
import { SINGLE_ESCAPES } from '../syntax/strings.ts'

export interface PythonString {
  readonly value: string | Uint8Array
  readonly end: number
}

const OPENING = /([a-zA-Z]{0,2})('''|"""|'|")/y
/** The literal that starts at an offset; undefined where none starts, 'wrong' where Python would refuse it. */
export function readPythonString(text: string, at: number): PythonString | 'wrong' | undefined {
  OPENING.lastIndex = at
  const opening = OPENING.exec(text)
  if (!opening) return undefined
  const prefix = opening[1]!.toLowerCase()
  const quote = opening[2]!
  if (!['', 'r', 'b', 'u', 'rb', 'br'].includes(prefix)) return 'wrong'
  const start = at + opening[0].length
  const end = closing(text, start, quote)
  if (end === undefined) return 'wrong'
  const body = text.slice(start, end)
  const isBytes = prefix.includes('b')
  if (isBytes && /[^\x00-\x7f]/.test(body)) return 'wrong'
  const value = prefix.includes('r') ? body : decoded(body, isBytes)
  if (value === undefined) return 'wrong'
  return { value: isBytes ? Uint8Array.from(value, (char) => char.charCodeAt(0)) : value, end: end + quote.length }
}

function closing(text: string, from: number, quote: string): number | undefined {
  for (let i = from; i < text.length; i++) {
    if (text[i] === '\\') i++
    else if (text.startsWith(quote, i)) return i
    else if (text[i] === '\n' && quote.length === 1) return undefined
  }
  return undefined
}

/** The text without escapes; undefined where an escape is broken. */
function decoded(body: string, isBytes: boolean): string | undefined {
  if (!body.includes('\\')) return body
  let broken = false
  const value = body.replace(/\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-7]{1,3}|[\s\S])/g, (whole, code: string) => {
    const simple = SINGLE_ESCAPES[code]
    if (simple !== undefined) return simple
    if (/^[0-7]/.test(code)) return String.fromCharCode(Number.parseInt(code, 8))
    if (code.length === 1) {
      if (code === 'x' || (!isBytes && (code === 'u' || code === 'U' || code === 'N'))) broken = true
      return whole
    }
    if (isBytes && code[0] !== 'x') return whole
    const point = Number.parseInt(code.slice(1), 16)
    if (point > 0x10ffff) broken = true
    return broken ? '' : String.fromCodePoint(point)
  })
  return broken ? undefined : value
}
