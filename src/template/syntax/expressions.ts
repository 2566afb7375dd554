/** Parses expressions with Jinja2's precedence: condition, or, and, not, comparison, + -, ~, * / // %, **, sign, postfix, filters and tests. */
import { Float } from '../../base/index.ts'
import { normalInt } from '../python/index.ts'
import type { BinaryOperator, CallArguments, CompareOperator, Expression, FilterNode, Target } from './ast.ts'
import { TemplateSyntaxError } from './problem.ts'
import type { TokenStream } from './stream.ts'
import { describeToken } from './token.ts'

export class ExpressionParser {
  /** a mistake that shows only once the whole has been read */
  protected late: TemplateSyntaxError | undefined

  constructor(protected readonly stream: TokenStream) {}

  expression(withCondition = true): Expression {
    return withCondition ? this.condition() : this.or()
  }

  /** One expression, or several with commas between them: a tuple. */
  tuple(options: { withCondition?: boolean; simplified?: boolean; parentheses?: boolean } = {}): Expression {
    const { withCondition = true, simplified = false, parentheses = false } = options
    const { start } = this.stream.current
    const items: Expression[] = []
    let isTuple = false
    for (;;) {
      if (items.length > 0) this.stream.expectOperator(',')
      if (this.tupleEnds()) break
      items.push(simplified ? this.primary() : this.expression(withCondition))
      if (!this.stream.isOperator(',')) break
      isTuple = true
    }
    if (!isTuple) {
      if (items[0]) return items[0]
      if (!parentheses) this.stream.fail(`Expected an expression, got '${describeToken(this.stream.current)}'`)
    }
    return { kind: 'tuple', items, ...this.since(start) }
  }

  /** `name`, `name, other` or (with `namespace`) `name.member`. */
  target(options: { namespace?: boolean; nameOnly?: boolean } = {}): Target {
    const { start } = this.stream.current
    if (options.namespace && this.stream.aheadIs('operator', '.')) {
      const object = this.stream.expect('name').value
      this.stream.next()
      return { kind: 'member', object, name: this.stream.expect('name').value, ...this.since(start) }
    }
    if (options.nameOnly) return this.asTarget({ kind: 'name', name: this.stream.expect('name').value, ...this.since(start) })
    return this.asTarget(this.tuple({ simplified: true }))
  }

  protected asTarget(node: Expression): Target {
    if (canAssign(node)) return node as Target
    return this.stream.fail(`can't assign to '${KIND_NAMES[node.kind] ?? node.kind}'`, node.start)
  }

  private tupleEnds(): boolean {
    const { current } = this.stream
    return current.type === 'variable_end' || current.type === 'block_end' || this.stream.isOperator(')')
  }

  protected since(start: number): { start: number; end: number } {
    return { start, end: this.stream.lastEnd }
  }

  private condition(): Expression {
    const { start } = this.stream.current
    let then = this.or()
    while (this.stream.skipName('if')) {
      const test = this.or()
      const otherwise = this.stream.skipName('else') ? this.condition() : undefined
      then = { kind: 'condition', test, then, otherwise, ...this.since(start) }
    }
    return then
  }

  private or(): Expression {
    const { start } = this.stream.current
    let left = this.and()
    while (this.stream.skipName('or')) left = { kind: 'or', left, right: this.and(), ...this.since(start) }
    return left
  }

  private and(): Expression {
    const { start } = this.stream.current
    let left = this.not()
    while (this.stream.skipName('and')) left = { kind: 'and', left, right: this.not(), ...this.since(start) }
    return left
  }

  private not(): Expression {
    const { start } = this.stream.current
    if (!this.stream.skipName('not')) return this.comparison()
    return { kind: 'not', operand: this.not(), ...this.since(start) }
  }

  private comparison(): Expression {
    const { start } = this.stream.current
    const first = this.sum()
    const rest: { operator: CompareOperator; operand: Expression }[] = []
    for (let operator = this.compareOperator(); operator; operator = this.compareOperator()) rest.push({ operator, operand: this.sum() })
    return rest.length === 0 ? first : { kind: 'compare', first, rest, ...this.since(start) }
  }

  private compareOperator(): CompareOperator | undefined {
    const { current } = this.stream
    if (current.type === 'operator' && COMPARISONS.has(current.value)) return this.stream.next().value as CompareOperator
    if (this.stream.skipName('in')) return 'in'
    if (!this.stream.isName('not') || !this.stream.aheadIs('name', 'in')) return undefined
    this.stream.next()
    this.stream.next()
    return 'not in'
  }

  private sum(): Expression {
    return this.binary(SUMS, () => this.concat())
  }

  private concat(): Expression {
    const { start } = this.stream.current
    const items = [this.product()]
    while (this.stream.skipOperator('~')) items.push(this.product())
    return items.length === 1 ? items[0]! : { kind: 'concat', items, ...this.since(start) }
  }

  private product(): Expression {
    return this.binary(PRODUCTS, () => this.binary(POWERS, () => this.unary()))
  }

  private binary(operators: ReadonlySet<string>, operand: () => Expression): Expression {
    const { start } = this.stream.current
    let left = operand()
    while (this.stream.is('operator') && operators.has(this.stream.current.value)) {
      const operator = this.stream.next().value as BinaryOperator
      left = { kind: 'binary', operator, left, right: operand(), ...this.since(start) }
    }
    return left
  }

  /** A sign binds tighter than `**`, and filters do not reach into its operand. */
  protected unary(withFilter = true): Expression {
    const { start } = this.stream.current
    let node: Expression
    if (this.stream.isOperator('-') || this.stream.isOperator('+')) {
      const operator = this.stream.next().value as '-' | '+'
      node = { kind: 'sign', operator, operand: this.unary(false), ...this.since(start) }
    } else node = this.primary()
    node = this.postfix(node)
    return withFilter ? this.filters(node) : node
  }

  protected primary(): Expression {
    const token = this.stream.current
    if (token.type === 'name') {
      this.stream.next()
      return CONSTANTS.has(token.value)
        ? { kind: 'constant', value: CONSTANTS.get(token.value)!, ...this.since(token.start) }
        : { kind: 'name', name: token.value, ...this.since(token.start) }
    }
    if (token.type === 'string') return this.strings()
    if (token.type === 'integer' || token.type === 'float') {
      this.stream.next()
      return { kind: 'constant', value: numberOf(token.type, token.value), ...this.since(token.start) }
    }
    if (this.stream.skipOperator('(')) {
      const node = this.tuple({ parentheses: true })
      this.stream.expectOperator(')')
      return { ...node, ...this.since(token.start) }
    }
    if (this.stream.isOperator('[')) return this.list()
    if (this.stream.isOperator('{')) return this.dict()
    return this.stream.fail(`unexpected '${describeToken(token)}'`)
  }

  private strings(): Expression {
    const { start } = this.stream.current
    let value = ''
    while (this.stream.is('string')) value += this.stream.next().value
    return { kind: 'constant', value, ...this.since(start) }
  }

  private list(): Expression {
    const { start } = this.stream.expectOperator('[')
    const items: Expression[] = []
    while (!this.stream.isOperator(']')) {
      if (items.length > 0) this.stream.expectOperator(',')
      if (this.stream.isOperator(']')) break
      items.push(this.expression())
    }
    this.stream.expectOperator(']')
    return { kind: 'list', items, ...this.since(start) }
  }

  private dict(): Expression {
    const { start } = this.stream.expectOperator('{')
    const items: [Expression, Expression][] = []
    while (!this.stream.isOperator('}')) {
      if (items.length > 0) this.stream.expectOperator(',')
      if (this.stream.isOperator('}')) break
      const key = this.expression()
      this.stream.expectOperator(':')
      items.push([key, this.expression()])
    }
    this.stream.expectOperator('}')
    return { kind: 'dict', items, ...this.since(start) }
  }

  protected postfix(node: Expression): Expression {
    let result = node
    for (;;) {
      if (this.stream.isOperator('.') || this.stream.isOperator('[')) result = this.subscript(result)
      else if (this.stream.isOperator('(')) result = this.call(result)
      else return result
    }
  }

  protected filters(node: Expression): Expression {
    let result = node
    for (;;) {
      if (this.stream.isOperator('|')) result = this.filter(result)
      else if (this.stream.isName('is')) result = this.test(result)
      else if (this.stream.isOperator('(')) result = this.call(result)
      else return result
    }
  }

  private subscript(object: Expression): Expression {
    const { start } = object
    if (this.stream.next().value === '.') {
      const member = this.stream.next()
      if (member.type === 'name') return { kind: 'attribute', object, name: member.value, ...this.since(start) }
      if (member.type !== 'integer') this.stream.fail('expected name or number', member.start)
      const key: Expression = { kind: 'constant', value: numberOf('integer', member.value), start: member.start, end: member.end }
      return { kind: 'item', object, key, ...this.since(start) }
    }
    const keys: Expression[] = []
    while (!this.stream.isOperator(']')) {
      if (keys.length > 0) this.stream.expectOperator(',')
      keys.push(this.subscribed())
    }
    this.stream.expectOperator(']')
    const key: Expression = keys.length === 1 ? keys[0]! : { kind: 'tuple', items: keys, ...this.since(start) }
    return { kind: 'item', object, key, ...this.since(start) }
  }

  private subscribed(): Expression {
    const { start } = this.stream.current
    let from: Expression | undefined
    if (!this.stream.skipOperator(':')) {
      from = this.expression()
      if (!this.stream.skipOperator(':')) return from
    }
    const to = this.sliceEdge()
    const by = this.stream.skipOperator(':') ? this.sliceEdge() : undefined
    return { kind: 'slice', from, to, by, ...this.since(start) }
  }

  private sliceEdge(): Expression | undefined {
    const ends = this.stream.isOperator(':') || this.stream.isOperator(']') || this.stream.isOperator(',')
    return ends ? undefined : this.expression()
  }

  private call(callee: Expression): Expression {
    return { kind: 'call', callee, ...this.callArguments(), ...this.since(callee.start) }
  }

  protected callArguments(): CallArguments {
    const { start } = this.stream.expectOperator('(')
    const args: Expression[] = []
    const kwargs: { key: string; value: Expression }[] = []
    let star: Expression | undefined
    let starStar: Expression | undefined
    const ensure = (valid: boolean): void => {
      if (!valid) this.stream.fail('invalid syntax for function call expression', start)
    }
    let first = true
    while (!this.stream.isOperator(')')) {
      if (!first) {
        this.stream.expectOperator(',')
        if (this.stream.isOperator(')')) break
      }
      first = false
      if (this.stream.skipOperator('*')) {
        ensure(!star && !starStar)
        star = this.expression()
      } else if (this.stream.skipOperator('**')) {
        ensure(!starStar)
        starStar = this.expression()
      } else if (this.stream.is('name') && this.stream.aheadIs('operator', '=')) {
        ensure(!starStar)
        const { value: key, start: at } = this.stream.next()
        if (kwargs.some((one) => one.key === key)) this.late ??= new TemplateSyntaxError(`keyword argument repeated: ${key}`, at)
        this.stream.next()
        kwargs.push({ key, value: this.expression() })
      } else {
        ensure(!star && !starStar && kwargs.length === 0)
        args.push(this.expression())
      }
    }
    this.stream.expectOperator(')')
    return { args, kwargs, star, starStar }
  }

  /** `| name(…)`: without a target (in `{% filter name %}`) the first bar is missing. */
  protected filter(target: Expression): Expression {
    let node = target
    while (this.stream.skipOperator('|')) node = this.oneFilter(node)
    return node
  }

  protected oneFilter(target: Expression | undefined): FilterNode {
    const start = target?.start ?? this.stream.current.start
    const name = this.dottedName()
    const call = this.stream.isOperator('(') ? this.callArguments() : NO_ARGUMENTS
    return { kind: 'filter', target, name, ...call, ...this.since(start) }
  }

  private dottedName(): string {
    let name = this.stream.expect('name').value
    while (this.stream.skipOperator('.')) name += `.${this.stream.expect('name').value}`
    return name
  }

  private test(target: Expression): Expression {
    this.stream.next()
    const negated = this.stream.skipName('not')
    const name = this.dottedName()
    const node: Expression = { kind: 'test', target, name, ...this.testArguments(), ...this.since(target.start) }
    return negated ? { kind: 'not', operand: node, ...this.since(target.start) } : node
  }

  private testArguments(): CallArguments {
    if (this.stream.isOperator('(')) return this.callArguments()
    const { type, value } = this.stream.current
    const startsArgument =
      type === 'string' || type === 'integer' || type === 'float' || (type === 'operator' && (value === '[' || value === '{'))
    if (!startsArgument && (type !== 'name' || value === 'else' || value === 'or' || value === 'and')) return NO_ARGUMENTS
    if (this.stream.isName('is')) this.stream.fail('You cannot chain multiple tests with is')
    return { ...NO_ARGUMENTS, args: [this.postfix(this.primary())] }
  }
}

const NO_ARGUMENTS: CallArguments = { args: [], kwargs: [], star: undefined, starStar: undefined }
const COMPARISONS: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>='])
const SUMS: ReadonlySet<string> = new Set(['+', '-'])
const PRODUCTS: ReadonlySet<string> = new Set(['*', '/', '//', '%'])
const POWERS: ReadonlySet<string> = new Set(['**'])
const CONSTANTS: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
  ['none', null],
  ['None', null],
])
function canAssign(node: Expression): boolean {
  return node.kind === 'tuple' ? node.items.every(canAssign) : node.kind === 'name' && !RESERVED.has(node.name)
}

const RESERVED: ReadonlySet<string> = new Set(['true', 'false', 'none', 'True', 'False', 'None'])

/** How Jinja2 calls its nodes in “can't assign to”. */
const KIND_NAMES: Readonly<Record<string, string>> = {
  constant: 'const',
  name: 'name',
  list: 'list',
  dict: 'dict',
  call: 'call',
  attribute: 'getattr',
  item: 'getitem',
}

function numberOf(type: 'integer' | 'float', text: string): number | bigint | Float {
  return type === 'float' ? new Float(Number(text)) : normalInt(BigInt(text))
}
