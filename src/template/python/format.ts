/** `text.format(*args, **kwargs)`: replacement fields with attributes, items, conversions and nested specifications. */
import type { Value } from '../../base/index.ts'
import { PyError, valueError } from './errors.ts'
import { formatValue } from './spec.ts'
import { ascii, repr, str } from './text.ts'

/** What a field's name leads to. */
export interface FieldSource {
  /** by position or by name; raises Python's IndexError or KeyError */
  first(key: number | string): Value
  attribute(value: Value, name: string): Value
  item(value: Value, key: number | string): Value
  /** how a value is written, where that is not as Python's format() does it */
  format?(value: Value, spec: string): string
}

const MOST_NESTED = 2

export function formatText(text: string, source: FieldSource): string {
  return expand(text, source, { next: 0, manual: undefined }, MOST_NESTED)
}

interface Numbering {
  next: number
  /** false once fields were numbered by themselves, true once by hand */
  manual: boolean | undefined
}

function expand(text: string, source: FieldSource, numbering: Numbering, depth: number): string {
  if (depth === 0) throw valueError('Max string recursion exceeded')
  let out = ''
  let at = 0
  while (at < text.length) {
    const brace = nextBrace(text, at)
    out += text.slice(at, brace)
    if (brace === text.length) break
    if (text[brace] === text[brace + 1]) {
      out += text[brace]
      at = brace + 2
      continue
    }
    if (text[brace] === '}') throw valueError("Single '}' encountered in format string")
    const end = closing(text, brace + 1)
    out += field(text.slice(brace + 1, end), source, numbering, depth)
    at = end + 1
  }
  return out
}

function nextBrace(text: string, from: number): number {
  for (let i = from; i < text.length; i++) if (text[i] === '{' || text[i] === '}') return i
  return text.length
}

function closing(text: string, from: number): number {
  if (from >= text.length) throw valueError("Single '{' encountered in format string")
  let depth = 1
  let bracket = false
  for (let i = from; i < text.length; i++) {
    const char = text[i]
    if (char === '[' && depth === 1) bracket = true
    else if (char === ']') bracket = false
    else if (char === '{' && !bracket) depth++
    else if (char === '}' && !bracket && --depth === 0) return i
  }
  throw valueError(text.slice(from).includes(':') ? "unmatched '{' in format spec" : "expected '}' before end of string")
}

const FIELD = /^([^!:[]*(?:\[[^\]]*\][^!:[]*)*)(?:!(.*?))?(?::(.*))?$/s
const CONVERT: Readonly<Record<string, (value: Value) => string>> = { s: str, r: repr, a: ascii }

function field(body: string, source: FieldSource, numbering: Numbering, depth: number): string {
  const match = FIELD.exec(body)
  if (!match) throw valueError("expected '}' before end of string")
  const [, path = '', conversion, spec = ''] = match
  let value = lookUp(path, source, numbering)
  if (conversion !== undefined) {
    const convert = CONVERT[conversion]
    if (!convert) {
      throw valueError(conversion === '' ? "unmatched '{' in format spec" : `Unknown conversion specifier ${conversion}`)
    }
    value = convert(value)
  }
  const how = spec.includes('{') || spec.includes('}') ? expand(spec, source, numbering, depth - 1) : spec
  return source.format ? source.format(value, how) : formatValue(value, how)
}

function lookUp(path: string, source: FieldSource, numbering: Numbering): Value {
  const [head = ''] = /^[^.[]*/.exec(path) ?? []
  let value = source.first(firstKey(head, numbering))
  let rest = path.slice(head.length)
  while (rest !== '') {
    const step = /^(?:\.([^.[]+)|\[([^\]]+)\])/.exec(rest)
    if (!step)
      throw valueError(
        rest.startsWith('.') || rest.startsWith('[')
          ? 'Empty attribute in format string'
          : "Only '.' or '[' may follow ']' in format field specifier",
      )
    value =
      step[1] !== undefined ? source.attribute(value, step[1]) : source.item(value, /^\d+$/.test(step[2]!) ? Number(step[2]) : step[2]!)
    rest = rest.slice(step[0].length)
  }
  return value
}

function firstKey(head: string, numbering: Numbering): number | string {
  const manual = head !== ''
  if (manual && !/^\d+$/.test(head)) return head
  if (numbering.manual !== undefined && numbering.manual !== manual) {
    throw valueError(
      manual
        ? 'cannot switch from automatic field numbering to manual field specification'
        : 'cannot switch from manual field specification to automatic field numbering',
    )
  }
  numbering.manual = manual
  return manual ? Number(head) : numbering.next++
}

/** Positional arguments and keywords, as `str.format` finds them. */
export function firstArgument(args: readonly Value[], named: (name: string) => Value | undefined, key: number | string): Value {
  if (typeof key === 'number') {
    const value = args[key]
    if (value === undefined) throw new PyError('IndexError', `Replacement index ${key} out of range for positional args tuple`)
    return value
  }
  const value = named(key)
  if (value === undefined) throw new PyError('KeyError', repr(key))
  return value
}
