/** Turns text (`a=1, b="two words"`, JSON, a Python literal's simple forms) into a dict. */
import { type Dict, Float, fromJson, type Json, type Value } from '../base/index.ts'

/** The dict that a text spells, or undefined where it spells none. */
export function dictFromText(text: string): Dict | undefined {
  return text.startsWith('{') ? fromBraces(text) : text.includes('=') ? fromPairs(text) : undefined
}

function fromBraces(text: string): Dict | undefined {
  try {
    const value = fromJson(JSON.parse(text) as Json)
    return value instanceof Map ? value : undefined
  } catch {
    const literal = new Literal(text).whole()
    return literal instanceof Map ? literal : undefined
  }
}

function fromPairs(text: string): Dict | undefined {
  const dict: Dict = new Map()
  for (const field of fieldsOf(text.trim())) {
    const at = field.indexOf('=')
    if (at === -1) return undefined
    dict.set(field.slice(0, at), field.slice(at + 1))
  }
  return dict
}

/** Fields stand between commas and blanks; quotes hold them together, a backslash takes the next character as it is. */
function fieldsOf(text: string): string[] {
  const fields: string[] = []
  let field = ''
  let quote = ''
  for (let i = 0; i < text.length; i++) {
    const c = text[i]!
    if (c === '\\') field += text[++i] ?? ''
    else if (quote === '' && (c === "'" || c === '"')) quote = c
    else if (quote !== '' && c === quote) quote = ''
    else if (quote === '' && (c === ',' || c === ' ')) {
      if (field) fields.push(field)
      field = ''
    } else field += c
  }
  if (field) fields.push(field)
  return fields
}

const WORDS: Readonly<Record<string, Value>> = { True: true, False: false, None: null }

/** Reads Python's literals: dicts, lists, tuples as lists, texts, numbers, True, False, None. */
class Literal {
  private at = 0
  constructor(private readonly text: string) {}

  whole(): Value | undefined {
    try {
      const value = this.value()
      this.blanks()
      return this.at === this.text.length ? value : undefined
    } catch {
      return undefined
    }
  }

  private value(): Value {
    this.blanks()
    const c = this.text[this.at]
    if (c === '{') return this.dict()
    if (c === '[') return this.items(']')
    if (c === '(') return this.items(')')
    if (c === "'" || c === '"') return this.string(c)
    const word = /^[-+]?[\w.]+/.exec(this.text.slice(this.at))?.[0] ?? ''
    this.at += word.length
    if (Object.hasOwn(WORDS, word)) return WORDS[word]!
    if (/^[-+]?\d+$/.test(word)) return Number(word)
    if (/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(word)) return new Float(Number(word))
    throw new SyntaxError('not a literal')
  }

  private dict(): Dict {
    const dict: Dict = new Map()
    this.at++
    while (!this.closes('}')) {
      const key = this.value()
      this.expect(':')
      dict.set(key, this.value())
      if (!this.comma('}')) break
    }
    return dict
  }

  private items(end: string): Value[] {
    const list: Value[] = []
    this.at++
    while (!this.closes(end)) {
      list.push(this.value())
      if (!this.comma(end)) break
    }
    return list
  }

  private string(mark: string): string {
    let out = ''
    for (this.at++; this.text[this.at] !== mark; this.at++) {
      if (this.at >= this.text.length) throw new SyntaxError('an open quote')
      if (this.text[this.at] === '\\') this.at++
      out += this.text[this.at] ?? ''
    }
    this.at++
    return out
  }

  private blanks(): void {
    while (/\s/.test(this.text[this.at] ?? '')) this.at++
  }

  private closes(end: string): boolean {
    this.blanks()
    if (this.at >= this.text.length) throw new SyntaxError('an open bracket')
    if (this.text[this.at] !== end) return false
    this.at++
    return true
  }

  private expect(mark: string): void {
    this.blanks()
    if (this.text[this.at++] !== mark) throw new SyntaxError(`no ${mark}`)
  }

  private comma(end: string): boolean {
    this.blanks()
    if (this.text[this.at] === ',') {
      this.at++
      return true
    }
    this.expect(end)
    return false
  }
}
