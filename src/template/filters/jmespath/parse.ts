/** JMESPath text → its parts, by binding powers. */
import { PyError } from '../../python/index.ts'
import { type Token, tokenize } from './lex.ts'
import type { Comparator, Expression } from './node.ts'

const POWERS: Readonly<Record<string, number>> = {
  '|': 1,
  '||': 2,
  '&&': 3,
  '==': 5,
  '!=': 5,
  '<': 5,
  '<=': 5,
  '>': 5,
  '>=': 5,
  '[]': 9,
  '*': 20,
  '[?': 21,
  '.': 40,
  '!': 45,
  '{': 50,
  '[': 55,
  '(': 60,
}
/** Tokens below this end a projection. */
const PROJECTION_STOP = 10
const COMPARATORS = new Set(['==', '!=', '<', '<=', '>', '>='])
const TYPE_NAMES: Readonly<Record<string, string>> = { name: 'UNQUOTED_IDENTIFIER', quoted: 'QUOTED_IDENTIFIER' }
const IDENTITY: Expression = { kind: 'identity' }

const kept = new Map<string, Expression>()

export function parseJmesPath(text: string): Expression {
  const known = kept.get(text)
  if (known) return known
  const parser = new Parser(text)
  const made = parser.expression(0)
  parser.finish()
  kept.set(text, made)
  return made
}

class Parser {
  private readonly tokens: readonly Token[]
  private at = 0
  private readonly text: string

  constructor(text: string) {
    this.text = text
    this.tokens = tokenize(text)
  }

  private get token(): Token {
    return this.tokens[this.at]!
  }
  private take(): Token {
    return this.tokens[this.at++]!
  }
  private accept(type: string): boolean {
    if (this.token.type !== type) return false
    this.at++
    return true
  }
  expect(type: string): Token {
    if (this.token.type !== type) throw this.fail(this.token)
    return this.take()
  }
  /** Nothing may be left. */
  finish(): void {
    if (this.token.type !== 'eof') throw this.fail(this.token, `Unexpected token: ${String(this.token.value)}`)
  }
  private fail(token: Token, reason = 'Invalid jmespath expression'): PyError {
    if (token.type === 'eof')
      return new PyError('ValueError', `Invalid jmespath expression: Incomplete expression:\n"${this.text}"\n${' '.repeat(token.at + 1)}^`)
    return new PyError(
      'ValueError',
      `${reason}: Parse error at column ${token.at}, token "${String(token.value)}" (${TYPE_NAMES[token.type] ?? token.type.toUpperCase()}), for expression:\n"${this.text}"\n${' '.repeat(token.at + 1)}^`,
    )
  }

  expression(power: number): Expression {
    let left = this.start(this.take())
    while (power < (POWERS[this.token.type] ?? 0)) left = this.continue(left, this.take())
    return left
  }

  /** What a token begins. */
  private start(token: Token): Expression {
    switch (token.type) {
      case 'literal':
        return { kind: 'literal', value: token.value }
      case 'name':
        return this.token.type === '(' ? this.call(String(token.value)) : { kind: 'field', name: String(token.value) }
      case 'quoted':
        if (this.token.type === '(') throw this.fail(this.token)
        return { kind: 'field', name: String(token.value) }
      case '*':
        return { kind: 'projectValues', left: IDENTITY, right: this.token.type === ']' ? IDENTITY : this.projected(POWERS['*']!) }
      case '[?':
        return this.filter(IDENTITY)
      case '{':
        return this.dict()
      case '(': {
        const inner = this.expression(0)
        this.expect(')')
        return inner
      }
      case '[]':
        return { kind: 'project', left: { kind: 'flatten', body: IDENTITY }, right: this.projected(POWERS['[]']!) }
      case '!':
        return { kind: 'not', body: this.expression(POWERS['!']!) }
      case '[':
        return this.bracket()
      case '&':
        return { kind: 'reference', body: this.expression(0) }
      case '@':
        return { kind: 'current' }
    }
    throw this.fail(token)
  }

  /** What a token makes of the expression before it. */
  private continue(left: Expression, token: Token): Expression {
    const { type } = token
    if (COMPARATORS.has(type)) return { kind: 'compare', operator: type as Comparator, left, right: this.expression(POWERS[type]!) }
    switch (type) {
      case '.':
        if (this.accept('*')) return { kind: 'projectValues', left, right: this.projected(POWERS['.']!) }
        return { kind: 'chain', left, right: this.afterDot(POWERS['.']!) }
      case '|':
        return { kind: 'pipe', left, right: this.expression(POWERS['|']!) }
      case '||':
        return { kind: 'or', left, right: this.expression(POWERS['||']!) }
      case '&&':
        return { kind: 'and', left, right: this.expression(POWERS['&&']!) }
      case '[]':
        return { kind: 'project', left: { kind: 'flatten', body: left }, right: this.projected(POWERS['[]']!) }
      case '[?':
        return this.filter(left)
      case '[':
        return this.subscript(left)
    }
    throw this.fail(token)
  }

  private call(name: string): Expression {
    this.take()
    const args: Expression[] = []
    while (!this.accept(')')) {
      args.push(this.expression(0))
      if (this.token.type !== ')') this.expect(',')
    }
    return { kind: 'call', name, args }
  }

  private filter(left: Expression): Expression {
    const condition = this.expression(0)
    this.expect(']')
    const right = this.token.type === '[]' ? IDENTITY : this.projected(POWERS['[?']!)
    return { kind: 'filter', left, condition, right }
  }

  private bracket(): Expression {
    if (this.token.type === 'number' || this.token.type === ':') return this.indexOrSlice(IDENTITY)
    if (this.token.type === '*' && this.tokens[this.at + 1]?.type === ']') {
      this.at += 2
      return { kind: 'project', left: IDENTITY, right: this.projected(POWERS['*']!) }
    }
    return this.list()
  }

  private subscript(left: Expression): Expression {
    if (this.token.type === 'number' || this.token.type === ':') return this.indexOrSlice(left)
    this.expect('*')
    this.expect(']')
    return { kind: 'project', left, right: this.projected(POWERS['*']!) }
  }

  private indexOrSlice(left: Expression): Expression {
    const parts: (number | null)[] = [null, null, null]
    let place = 0
    for (; this.token.type !== ']'; ) {
      if (this.accept(':')) {
        if (++place > 2) throw this.fail(this.token)
      } else parts[place] = this.expect('number').value as number
    }
    this.take()
    if (place === 0)
      return left === IDENTITY ? { kind: 'index', index: parts[0]! } : { kind: 'chain', left, right: { kind: 'index', index: parts[0]! } }
    const slice: Expression = { kind: 'slice', start: parts[0]!, stop: parts[1]!, step: parts[2]! }
    return { kind: 'project', left: left === IDENTITY ? slice : { kind: 'chain', left, right: slice }, right: this.projected(POWERS['*']!) }
  }

  private list(): Expression {
    const items = [this.expression(0)]
    while (this.accept(',')) items.push(this.expression(0))
    this.expect(']')
    return { kind: 'list', items }
  }

  private dict(): Expression {
    const entries: [string, Expression][] = []
    do {
      const key = this.take()
      if (key.type !== 'name' && key.type !== 'quoted') throw this.fail(key)
      this.expect(':')
      entries.push([String(key.value), this.expression(0)])
    } while (this.accept(','))
    this.expect('}')
    return { kind: 'dict', entries }
  }

  private afterDot(power: number): Expression {
    const { type } = this.token
    if (type === 'name' || type === 'quoted' || type === '*') return this.expression(power)
    if (this.accept('[')) return this.list()
    if (this.accept('{')) return this.dict()
    throw this.fail(this.token)
  }

  /** The right side of a projection. */
  private projected(power: number): Expression {
    const { type } = this.token
    if ((POWERS[type] ?? 0) < PROJECTION_STOP) return IDENTITY
    if (type === '[' || type === '[?') return this.expression(power)
    if (this.accept('.')) return this.afterDot(power)
    throw this.fail(this.token)
  }
}
