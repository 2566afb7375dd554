/** Turns a Python literal's text (`[1, 'a']`, `True`, `0x1F`, `1, 2`) into its value; any other text is none. */
import { Float, Tuple, type Value } from '../base/index.ts'

/** The value, or undefined when the text is no literal. */
export function readLiteral(text: string): Value | undefined {
  try {
    const reader = new Reader(text.replace(/^[ \t]+/, ''))
    const value = reader.list('end')
    return value
  } catch (error) {
    if (error instanceof NoLiteral) return undefined
    throw error
  }
}

class NoLiteral extends Error {}

const WORDS: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['True', true],
  ['False', false],
  ['None', null],
])

const ESCAPES: { readonly [letter: string]: string } = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '\n': '',
}

const NUMBER =
  /(?:0[xX](?:_?[0-9a-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+|(?:\d(?:_?\d)*)?\.\d(?:_?\d)*(?:[eE][-+]?\d(?:_?\d)*)?|\d(?:_?\d)*\.?(?:[eE][-+]?\d(?:_?\d)*)?)(?![\w.])/y
const STRING = /([rR]?[bB]?|[bB][rR]|[uU])('''|"""|'|")/y
const CLOSING: { readonly [open: string]: string } = { '(': ')', '[': ']', '{': '}' }

class Reader {
  #at = 0
  #depth = 0
  constructor(readonly text: string) {}

  /** One value, or several with commas between them, which are a tuple. */
  list(until: ')' | 'end'): Value {
    this.#blank()
    if (until === ')' && this.#take(')')) return new Tuple([])
    const first = this.#value()
    const items = [first]
    let isTuple = false
    while (this.#take(',')) {
      isTuple = true
      if (this.#isAt(until)) break
      items.push(this.#value())
    }
    if (until === 'end' ? !this.#isAt('end') : !this.#take(')')) throw new NoLiteral()
    return isTuple ? new Tuple(items) : first
  }

  #isAt(what: string): boolean {
    this.#blank()
    return what === 'end' ? this.#at >= this.text.length : this.text[this.#at] === what
  }

  #take(what: string): boolean {
    if (!this.#isAt(what)) return false
    this.#at++
    return true
  }

  /** Blanks and comments; line breaks, too, inside brackets and at the end. */
  #blank(): void {
    const blank = this.#depth > 0 ? /(?:\s|#.*|\\\n)*/y : /(?:[ \t\f]|#.*|\\\n)*(?:\s*$)?/y
    blank.lastIndex = this.#at
    blank.test(this.text)
    this.#at = blank.lastIndex
  }

  #value(): Value {
    this.#blank()
    const c = this.text[this.#at] ?? ''
    if (c in CLOSING) return this.#bracketed(c)
    const signed = /[-+]/.test(c)
    if (signed) {
      this.#at++
      this.#blank()
    }
    const number = this.#number(c === '-')
    if (number !== undefined) return number
    if (signed) throw new NoLiteral()
    return this.#strings() ?? this.#word()
  }

  #bracketed(open: string): Value {
    this.#at++
    this.#depth++
    const value = open === '(' ? this.list(')') : open === '[' ? this.#items(']') : this.#braces()
    this.#depth--
    return value
  }

  #items(close: string, items: Value[] = []): Value[] {
    while (!this.#take(close)) {
      if (items.length > 0 && !this.#take(',')) throw new NoLiteral()
      if (this.#take(close)) break
      items.push(this.#value())
    }
    return items
  }

  /** A dict, or a set, which is a list here. */
  #braces(): Value {
    const dict = new Map<Value, Value>()
    while (!this.#take('}')) {
      if (dict.size > 0 && !this.#take(',')) throw new NoLiteral()
      if (this.#take('}')) break
      const key = this.#value()
      if (!this.#take(':')) {
        if (dict.size === 0) return [...new Set(this.#items('}', [key]))]
        throw new NoLiteral()
      }
      dict.set(key, this.#value())
    }
    return dict
  }

  #number(negative: boolean): Value | undefined {
    const text = this.#match(NUMBER)?.[0].replaceAll('_', '')
    if (text === undefined) return undefined
    if (/^0[xob]/i.test(text)) return narrow(negative ? -BigInt(text.toLowerCase()) : BigInt(text.toLowerCase()))
    if (/[.eE]/.test(text)) return new Float(negative ? -Number(text) : Number(text))
    if (/^0+[1-9]/.test(text)) throw new NoLiteral()
    return narrow(negative ? -BigInt(text) : BigInt(text))
  }

  /** Strings side by side are one. */
  #strings(): Value | undefined {
    let joined: string | undefined
    let bytes = false
    for (;;) {
      this.#blank()
      const open = this.#match(STRING)
      if (!open) break
      const prefix = open[1]!.toLowerCase()
      bytes = prefix.includes('b')
      joined = (joined ?? '') + this.#body(open[2]!, prefix.includes('r'), bytes)
    }
    return bytes && joined !== undefined ? new Uint8Array(Buffer.from(joined, 'latin1')) : joined
  }

  #body(quote: string, raw: boolean, bytes: boolean): string {
    let out = ''
    for (;;) {
      const c = this.text[this.#at]
      if (c === undefined || (c === '\n' && quote.length === 1)) throw new NoLiteral()
      if (this.text.startsWith(quote, this.#at)) {
        this.#at += quote.length
        return out
      }
      if (c === '\\' && raw) {
        out += this.text.slice(this.#at, this.#at + 2)
        this.#at += 2
      } else if (c === '\\') out += this.#escape(bytes)
      else {
        out += c
        this.#at++
      }
    }
  }

  #escape(bytes: boolean): string {
    const code = this.#match(/\\(?:x([0-9a-fA-F]{2})|([0-7]{1,3})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/y)
    if (code && !(bytes && (code[3] ?? code[4]))) {
      const [, hex, octal, short, long] = code
      return String.fromCodePoint(octal !== undefined ? Number.parseInt(octal, 8) : Number.parseInt((hex ?? short ?? long)!, 16))
    }
    const letter = this.text[this.#at + 1] ?? ''
    if (/[xuUN]/.test(letter) && !bytes) throw new NoLiteral()
    this.#at += 2
    return ESCAPES[letter] ?? `\\${letter}`
  }

  #word(): Value {
    const value = WORDS.get(this.#match(/\w+/y)?.[0] ?? '')
    if (value === undefined) throw new NoLiteral()
    return value
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at
    const match = pattern.exec(this.text)
    if (match) this.#at = pattern.lastIndex
    return match
  }
}

function narrow(size: bigint): number | bigint {
  const number = Number(size)
  return Number.isSafeInteger(number) ? number : size
}
