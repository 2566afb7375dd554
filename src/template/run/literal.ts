/** Reads text as a Python literal, as ast.literal_eval does, with JSON's true, false and null besides. */
import { Float, Tuple, type Value } from '../../base/index.ts'
import { dictSet, negate, normalInt, PyError, PySet } from '../python/index.ts'
import { readPythonString } from './literal-strings.ts'

export interface LiteralOptions {
  /** reads true, false and null too */
  readonly json: boolean
}

/** The value that the text spells, undefined where it spells none. */
export function parseLiteral(text: string, options: LiteralOptions): Value | undefined {
  try {
    return new LiteralReader(text, options).whole()
  } catch (error) {
    if (error instanceof NotLiteral || error instanceof RangeError || error instanceof PyError) return undefined
    throw error
  }
}

class NotLiteral extends Error {}

const NUMBER =
  /(?:0[xX](?:_?[\da-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+|(?:\d(?:_?\d)*\.?(?:\d(?:_?\d)*)?|\.\d(?:_?\d)*)(?:[eE][+-]?\d(?:_?\d)*)?)(?![\w.])/y
const NAME = /[A-Za-z_]\w*/y
const CONSTANTS: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['True', true],
  ['False', false],
  ['None', null],
])
const JSON_CONSTANTS: ReadonlyMap<string, Value> = new Map<string, Value>([...CONSTANTS, ['true', true], ['false', false], ['null', null]])

class LiteralReader {
  private at = 0
  /** brackets that are open: within them line breaks are blanks */
  private depth = 0
  private readonly constants: ReadonlyMap<string, Value>

  constructor(
    private readonly text: string,
    options: LiteralOptions,
  ) {
    this.constants = options.json ? JSON_CONSTANTS : CONSTANTS
  }

  whole(): Value {
    const value = this.tupleOr(this.value())
    this.blanks()
    while (this.text[this.at] === '\n' || this.text[this.at] === '\r') {
      this.at++
      this.blanks()
    }
    if (this.at < this.text.length) throw new NotLiteral()
    return value
  }

  /** Without brackets, a comma makes a tuple. */
  private tupleOr(first: Value): Value {
    this.blanks()
    if (this.text[this.at] !== ',') return first
    const items = [first]
    while (this.take(',')) {
      this.blanks()
      if (this.at >= this.text.length || this.text[this.at] === '\n') break
      items.push(this.value())
      this.blanks()
    }
    return new Tuple(items)
  }

  private blanks(): void {
    for (;;) {
      const char = this.text[this.at]
      if (char === ' ' || char === '\t' || char === '\f' || (this.depth > 0 && (char === '\n' || char === '\r'))) this.at++
      else if (char === '\\' && this.text[this.at + 1] === '\n') this.at += 2
      else if (char === '#') {
        while (this.at < this.text.length && this.text[this.at] !== '\n') this.at++
      } else return
    }
  }

  private take(char: string): boolean {
    this.blanks()
    if (this.text[this.at] !== char) return false
    this.at++
    return true
  }

  private value(): Value {
    this.blanks()
    const char = this.text[this.at]
    if (char === undefined) throw new NotLiteral()
    if (char === '[') return this.within(']', (items) => items)
    if (char === '(') return this.parenthesized()
    if (char === '{') return this.dictOrSet()
    if (char === '-' || char === '+') return this.signed(char)
    if (char === '.' || (char >= '0' && char <= '9')) return this.number()
    const string = readPythonString(this.text, this.at)
    if (string) return this.strings()
    return this.constant()
  }

  private within<T>(close: string, build: (items: Value[], trailing: boolean) => T): T {
    this.at++
    this.depth++
    const items: Value[] = []
    let trailing = false
    while (!this.take(close)) {
      if (items.length > 0 && !trailing) throw new NotLiteral()
      items.push(this.value())
      trailing = this.take(',')
    }
    this.depth--
    return build(items, trailing)
  }

  private parenthesized(): Value {
    return this.within(')', (items, trailing) => (items.length === 1 && !trailing ? items[0]! : new Tuple(items)))
  }

  private dictOrSet(): Value {
    this.at++
    this.depth++
    if (this.take('}')) {
      this.depth--
      return new Map()
    }
    const first = this.value()
    const value = this.take(':') ? this.dict(first) : this.set(first)
    this.depth--
    return value
  }

  private dict(firstKey: Value): Value {
    const dict = new Map<Value, Value>()
    dictSet(dict, hashable(firstKey), this.value())
    while (this.take(',')) {
      if (this.take('}')) return dict
      const key = this.value()
      if (!this.take(':')) throw new NotLiteral()
      dictSet(dict, hashable(key), this.value())
    }
    if (!this.take('}')) throw new NotLiteral()
    return dict
  }

  private set(first: Value): Value {
    const items = [hashable(first)]
    while (this.take(',')) {
      if (this.take('}')) return new PySet(items)
      items.push(hashable(this.value()))
    }
    if (!this.take('}')) throw new NotLiteral()
    return new PySet(items)
  }

  private signed(sign: string): Value {
    this.at++
    this.blanks()
    const next = this.text[this.at] ?? ''
    if (!/[\d.]/.test(next)) throw new NotLiteral()
    const value = this.number()
    return sign === '-' ? negate(value) : value
  }

  private number(): Value {
    NUMBER.lastIndex = this.at
    const found = NUMBER.exec(this.text)
    if (!found) throw new NotLiteral()
    this.at += found[0].length
    const digits = found[0].replaceAll('_', '')
    if (/^0[xXoObB]/.test(digits)) return normalInt(BigInt(digits))
    if (/[.eE]/.test(digits)) return new Float(Number(digits))
    if (/^0+[1-9]/.test(digits)) throw new NotLiteral()
    return normalInt(BigInt(digits))
  }

  /** Neighbouring strings are one. */
  private strings(): Value {
    const parts: (string | Uint8Array)[] = []
    for (let found = readPythonString(this.text, this.at); found; found = readPythonString(this.text, this.at)) {
      if (found === 'wrong') throw new NotLiteral()
      parts.push(found.value)
      this.at = found.end
      this.blanks()
    }
    if (parts.every((part) => typeof part === 'string')) return parts.join('')
    if (parts.some((part) => typeof part === 'string')) throw new NotLiteral()
    return Uint8Array.from(parts.flatMap((part) => [...(part as Uint8Array)]))
  }

  private constant(): Value {
    NAME.lastIndex = this.at
    const name = NAME.exec(this.text)?.[0]
    const value = name === undefined ? undefined : this.constants.get(name)
    if (name === 'set' && this.text.slice(this.at).match(/^set\s*\(\s*\)/)) {
      this.at += /^set\s*\(\s*\)/.exec(this.text.slice(this.at))![0].length
      return new PySet()
    }
    if (value === undefined) throw new NotLiteral()
    this.at += name!.length
    return value
  }
}

function hashable(value: Value): Value {
  if (Array.isArray(value)) throw new PyError('TypeError', "unhashable type: 'list'")
  if (value instanceof Map) throw new PyError('TypeError', "unhashable type: 'dict'")
  return value
}
