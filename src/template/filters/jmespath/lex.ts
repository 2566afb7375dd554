/** JMESPath text → tokens. */
import type { Value } from '../../../base/index.ts'
import { valueError } from '../../python/index.ts'
import { readJson } from '../json-read.ts'

export interface Token {
  readonly type: string
  readonly value: Value
  readonly at: number
}

const SYMBOLS = [
  '||',
  '&&',
  '==',
  '!=',
  '<=',
  '>=',
  '[?',
  '[]',
  '[',
  ']',
  '{',
  '}',
  '(',
  ')',
  '.',
  ',',
  ':',
  '*',
  '@',
  '|',
  '&',
  '<',
  '>',
  '!',
]
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y
const NUMBER = /-?\d+/y
const QUOTED = /"(?:\\.|[^"\\])*"/sy
const RAW = /'(?:\\.|[^'\\])*'/sy
const LITERAL = /`(?:\\.|[^`\\])*`/sy

export function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  const match = (form: RegExp): string | undefined => {
    form.lastIndex = at
    return form.exec(text)?.[0]
  }
  while (at < text.length) {
    const char = text[at]!
    if (/\s/.test(char)) {
      at++
      continue
    }
    const [token, size] = next(text, at, match)
    tokens.push(token)
    at += size
  }
  return [...tokens, { type: 'eof', value: '', at: text.length }]
}

function next(text: string, at: number, match: (form: RegExp) => string | undefined): [Token, number] {
  const name = match(NAME)
  if (name !== undefined) return [{ type: 'name', value: name, at }, name.length]
  const number = match(NUMBER)
  if (number !== undefined) return [{ type: 'number', value: Number(number), at }, number.length]
  const quoted = match(QUOTED)
  if (quoted !== undefined) return [{ type: 'quoted', value: readJson(quoted), at }, quoted.length]
  const raw = match(RAW)
  if (raw !== undefined) return [{ type: 'literal', value: raw.slice(1, -1).replaceAll("\\'", "'"), at }, raw.length]
  const literal = match(LITERAL)
  if (literal !== undefined)
    return [{ type: 'literal', value: literalValue(literal.slice(1, -1).replaceAll('\\`', '`').trimStart()), at }, literal.length]
  const symbol = SYMBOLS.find((s) => text.startsWith(s, at))
  if (symbol === undefined) throw valueError(`Bad jmespath expression: Unknown token ${text[at]}:\n${text}\n${' '.repeat(at)}^`)
  return [{ type: symbol, value: symbol, at }, symbol.length]
}

/** JSON, or where it is none, the text itself. */
function literalValue(text: string): Value {
  try {
    return readJson(text)
  } catch {
    return readJson(`"${text}"`)
  }
}
