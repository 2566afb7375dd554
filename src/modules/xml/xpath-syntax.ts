/** The text of an XPath 1.0 expression → its tree. */

export class XPathError extends Error {}

export interface Step {
  readonly axis: string
  readonly test: NodeTest
  readonly predicates: readonly Expression[]
}

export type NodeTest =
  | { readonly kind: 'name'; readonly prefix: string; readonly local: string }
  | { readonly kind: 'type'; readonly type: string; readonly target: string | undefined }

export type Expression =
  | { readonly kind: 'binary'; readonly operator: string; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'negative'; readonly of: Expression }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[] }
  | { readonly kind: 'filter'; readonly of: Expression; readonly predicates: readonly Expression[] }
  | { readonly kind: 'path'; readonly from: Expression | 'root' | 'here'; readonly steps: readonly Step[] }

interface Token {
  readonly kind: 'operator' | 'name' | 'text' | 'number' | 'end'
  readonly text: string
}

const TOKEN =
  /\s*(?:("[^"]*"|'[^']*')|(\d+(?:\.\d*)?|\.\d+)|([\p{L}_][\p{L}\p{N}_.\u00b7-]*(?::(?!:)(?:\*|[\p{L}_][\p{L}\p{N}_.\u00b7-]*))?)|(\/\/|::|\.\.|!=|<=|>=|[()[\].@,/|+\-=<>*$]))/uy

const WORD_OPERATORS = new Set(['and', 'or', 'div', 'mod'])

export function readXPath(text: string): Expression {
  const reader = new Reader(tokens(text))
  const expression = reader.expression()
  if (reader.peek().kind !== 'end') throw new XPathError('Invalid expression')
  return expression
}

function tokens(text: string): Token[] {
  const found: Token[] = []
  for (let at = 0; text.slice(at).trim() !== ''; ) {
    TOKEN.lastIndex = at
    const match = TOKEN.exec(text)
    if (!match) throw new XPathError('Invalid expression')
    at = TOKEN.lastIndex
    const [, string, number, name, operator] = match
    if (string !== undefined) found.push({ kind: 'text', text: string.slice(1, -1) })
    else if (number !== undefined) found.push({ kind: 'number', text: number })
    else if (name !== undefined) found.push(wordToken(name, found.at(-1)))
    else found.push({ kind: 'operator', text: operator === '*' && isOperand(found.at(-1)) ? 'times' : operator! })
  }
  return [...found, { kind: 'end', text: '' }]
}

/** After an operand, `and` and its kind are operators, and `*` multiplies. */
const isOperand = (before: Token | undefined): boolean =>
  before !== undefined && (before.kind !== 'operator' || [')', ']', '.', '..', '*'].includes(before.text))

const wordToken = (name: string, before: Token | undefined): Token =>
  WORD_OPERATORS.has(name) && isOperand(before) ? { kind: 'operator', text: name } : { kind: 'name', text: name }

const LEVELS: readonly (readonly string[])[] = [['or'], ['and'], ['=', '!='], ['<', '<=', '>', '>='], ['+', '-'], ['times', 'div', 'mod']]
const NODE_TYPES = new Set(['node', 'text', 'comment', 'processing-instruction'])
const AXES = new Set([
  ...['ancestor', 'ancestor-or-self', 'attribute', 'child', 'descendant', 'descendant-or-self', 'following'],
  ...['following-sibling', 'namespace', 'parent', 'preceding', 'preceding-sibling', 'self'],
])
const ANYTHING: Step = { axis: 'descendant-or-self', test: { kind: 'type', type: 'node', target: undefined }, predicates: [] }

class Reader {
  private at = 0
  constructor(private readonly all: readonly Token[]) {}

  peek(ahead = 0): Token {
    return this.all[Math.min(this.at + ahead, this.all.length - 1)]!
  }

  private is(text: string, ahead = 0): boolean {
    const token = this.peek(ahead)
    return token.kind === 'operator' && token.text === text
  }

  private take(text: string): boolean {
    if (!this.is(text)) return false
    this.at++
    return true
  }

  private must(text: string): void {
    if (!this.take(text)) throw new XPathError('Invalid expression')
  }

  expression(level = 0): Expression {
    const operators = LEVELS[level]
    if (!operators) return this.negative()
    let left = this.expression(level + 1)
    for (let token = this.peek(); token.kind === 'operator' && operators.includes(token.text); token = this.peek()) {
      this.at++
      left = { kind: 'binary', operator: token.text, left, right: this.expression(level + 1) }
    }
    return left
  }

  private negative(): Expression {
    if (this.take('-')) return { kind: 'negative', of: this.negative() }
    let left = this.path()
    while (this.take('|')) left = { kind: 'binary', operator: '|', left, right: this.path() }
    return left
  }

  private path(): Expression {
    if (this.startsPrimary()) {
      let from = this.primary()
      if (this.is('[')) from = { kind: 'filter', of: from, predicates: this.predicates() }
      if (!this.is('/') && !this.is('//')) return from
      return { kind: 'path', from, steps: this.furtherSteps() }
    }
    if (this.take('//')) return { kind: 'path', from: 'root', steps: [ANYTHING, this.step(), ...this.furtherSteps()] }
    if (this.take('/')) return { kind: 'path', from: 'root', steps: this.startsStep() ? [this.step(), ...this.furtherSteps()] : [] }
    return { kind: 'path', from: 'here', steps: [this.step(), ...this.furtherSteps()] }
  }

  private furtherSteps(): Step[] {
    const steps: Step[] = []
    for (;;) {
      if (this.take('//')) steps.push(ANYTHING, this.step())
      else if (this.take('/')) steps.push(this.step())
      else return steps
    }
  }

  private startsStep(): boolean {
    return this.peek().kind === 'name' || ['.', '..', '@', '*'].some((text) => this.is(text))
  }

  private startsPrimary(): boolean {
    const token = this.peek()
    if (token.kind === 'text' || token.kind === 'number' || this.is('(') || this.is('$')) return true
    return token.kind === 'name' && this.is('(', 1) && !NODE_TYPES.has(token.text)
  }

  private primary(): Expression {
    const token = this.peek()
    this.at++
    if (token.kind === 'text') return { kind: 'text', value: token.text }
    if (token.kind === 'number') return { kind: 'number', value: Number(token.text) }
    if (token.text === '$') {
      this.at++
      return { kind: 'variable', name: this.all[this.at - 1]!.text }
    }
    if (token.kind === 'name') return { kind: 'call', name: token.text, args: this.argumentList() }
    const inner = this.expression()
    this.must(')')
    return inner
  }

  private argumentList(): Expression[] {
    this.must('(')
    const args: Expression[] = []
    if (this.take(')')) return args
    do args.push(this.expression())
    while (this.take(','))
    this.must(')')
    return args
  }

  private predicates(): Expression[] {
    const found: Expression[] = []
    while (this.take('[')) {
      found.push(this.expression())
      this.must(']')
    }
    return found
  }

  private step(): Step {
    const node = { kind: 'type', type: 'node', target: undefined } as const
    if (this.take('.')) return { axis: 'self', test: node, predicates: [] }
    if (this.take('..')) return { axis: 'parent', test: node, predicates: [] }
    let axis = 'child'
    if (this.take('@')) axis = 'attribute'
    else if (this.peek().kind === 'name' && this.is('::', 1)) {
      axis = this.peek().text
      if (!AXES.has(axis)) throw new XPathError('Invalid expression')
      this.at += 2
    }
    return { axis, test: this.nodeTest(), predicates: this.predicates() }
  }

  private nodeTest(): NodeTest {
    if (this.take('*')) return { kind: 'name', prefix: '', local: '*' }
    const token = this.peek()
    if (token.kind !== 'name') throw new XPathError('Invalid expression')
    this.at++
    if (NODE_TYPES.has(token.text) && this.take('(')) {
      const target = this.peek().kind === 'text' ? this.peek().text : undefined
      if (target !== undefined) this.at++
      this.must(')')
      return { kind: 'type', type: token.text, target }
    }
    const at = token.text.indexOf(':')
    return at < 0
      ? { kind: 'name', prefix: '', local: token.text }
      : { kind: 'name', prefix: token.text.slice(0, at), local: token.text.slice(at + 1) }
  }
}
