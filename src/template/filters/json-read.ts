/** JSON text → values, with floats and big integers kept, in Python's words when it is none. */
import { Float, type Value } from '../../base/index.ts'
import { normalInt, PyError } from '../python/index.ts'

export function readJson(text: string): Value {
  return new JsonReader(text).whole()
}

const WORDS: readonly (readonly [string, Value])[] = [
  ['null', null],
  ['true', true],
  ['false', false],
  ['NaN', new Float(Number.NaN)],
  ['Infinity', new Float(Number.POSITIVE_INFINITY)],
  ['-Infinity', new Float(Number.NEGATIVE_INFINITY)],
]
const ESCAPES: Readonly<Record<string, string>> = { '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }
const NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?/y

class JsonReader {
  private at = 0
  private readonly text: string

  constructor(text: string) {
    this.text = text
  }

  whole(): Value {
    if (this.text.startsWith('\ufeff')) throw this.fail('Unexpected UTF-8 BOM (decode using utf-8-sig)', 0)
    this.blanks()
    const value = this.value()
    this.blanks()
    if (this.at < this.text.length) throw this.fail('Extra data', this.at)
    return value
  }

  private fail(message: string, at: number): PyError {
    const before = this.text.slice(0, at)
    const line = before.split('\n').length
    const column = at - before.lastIndexOf('\n')
    return new PyError('ValueError', `${message}: line ${line} column ${column} (char ${at})`)
  }

  private blanks(): void {
    while (/[ \t\n\r]/.test(this.text[this.at] ?? '')) this.at++
  }

  private value(): Value {
    const char = this.text[this.at]
    if (char === '"') return this.string()
    if (char === '{') return this.object()
    if (char === '[') return this.array()
    for (const [word, value] of WORDS) {
      if (!this.text.startsWith(word, this.at)) continue
      this.at += word.length
      return value
    }
    return this.number()
  }

  private number(): Value {
    NUMBER.lastIndex = this.at
    const found = NUMBER.exec(this.text)
    if (!found) throw this.fail('Expecting value', this.at)
    this.at += found[0].length
    return found[1] === undefined && found[2] === undefined ? normalInt(BigInt(found[0])) : new Float(Number(found[0]))
  }

  private string(): string {
    const start = this.at++
    let out = ''
    for (;;) {
      const char = this.text[this.at]
      if (char === undefined) throw this.fail('Unterminated string starting at', start)
      if (char < ' ') throw this.fail('Invalid control character at', this.at)
      this.at++
      if (char === '"') return out
      out += char === '\\' ? this.escape(start) : char
    }
  }

  private escape(start: number): string {
    const char = this.text[this.at]
    if (char === undefined) throw this.fail('Unterminated string starting at', start)
    if (char !== 'u') {
      const known = ESCAPES[char]
      if (known === undefined) throw this.fail('Invalid \\escape', this.at - 1)
      this.at++
      return known
    }
    const digits = this.text.slice(this.at + 1, this.at + 5)
    if (!/^[0-9A-Fa-f]{4}$/.test(digits)) throw this.fail('Invalid \\uXXXX escape', this.at)
    this.at += 5
    return String.fromCharCode(Number.parseInt(digits, 16))
  }

  private object(): Value {
    const dict = new Map<Value, Value>()
    this.at++
    this.blanks()
    if (this.text[this.at] === '}') {
      this.at++
      return dict
    }
    for (;;) {
      if (this.text[this.at] !== '"') throw this.fail('Expecting property name enclosed in double quotes', this.at)
      const key = this.string()
      this.blanks()
      if (this.text[this.at] !== ':') throw this.fail("Expecting ':' delimiter", this.at)
      this.at++
      this.blanks()
      dict.set(key, this.value())
      this.blanks()
      const next = this.text[this.at]
      if (next === '}') break
      if (next !== ',') throw this.fail("Expecting ',' delimiter", this.at)
      this.at++
      this.blanks()
      if (this.text[this.at] !== '"') throw this.fail('Expecting property name enclosed in double quotes', this.at)
    }
    this.at++
    return dict
  }

  private array(): Value {
    const items: Value[] = []
    this.at++
    this.blanks()
    if (this.text[this.at] === ']') {
      this.at++
      return items
    }
    for (;;) {
      items.push(this.value())
      this.blanks()
      const next = this.text[this.at]
      if (next === ']') break
      if (next !== ',') throw this.fail("Expecting ',' delimiter", this.at)
      this.at++
      this.blanks()
    }
    this.at++
    return items
  }
}
