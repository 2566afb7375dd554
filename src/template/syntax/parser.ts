/** Parses a template's text into statements. */
import type { CallNode, Expression, FilterNode, MacroParameters, Statement, Target } from './ast.ts'
import { ExpressionParser } from './expressions.ts'
import { tokenize } from './lexer.ts'
import { TemplateSyntaxError } from './problem.ts'
import type { SyntaxSettings } from './settings.ts'
import { TokenStream } from './stream.ts'

/** The statements of a whole template. */
export function parseTemplate(text: string, settings: SyntaxSettings): Statement[] {
  return new Parser(new TokenStream(tokenize(text, settings)), settings).template()
}

type Ends = readonly string[]

class Parser extends ExpressionParser {
  private readonly openTags: string[] = []
  private readonly openEnds: Ends[] = []
  private readonly blockNames = new Set<string>()

  constructor(
    stream: TokenStream,
    private readonly settings: SyntaxSettings,
  ) {
    super(stream)
  }

  template(): Statement[] {
    const all = this.statements([])
    if (this.late) throw this.late
    return all
  }

  /** Statements up to one of the tags in `ends`, which becomes the current token; without ends up to the template's end. */
  private statements(ends: Ends): Statement[] {
    if (ends.length > 0) this.openEnds.push(ends)
    const out: Statement[] = []
    while (!this.stream.is('eof')) {
      const token = this.stream.current
      if (token.type === 'data') {
        this.stream.next()
        out.push({ kind: 'data', text: token.value, start: token.start, end: token.end })
      } else if (token.type === 'variable_begin') {
        this.stream.next()
        const value = this.tuple()
        this.stream.expect('variable_end')
        out.push({ kind: 'output', value, ...this.since(token.start) })
      } else {
        this.stream.next()
        if (this.stream.is('name') && ends.includes(this.stream.current.value)) {
          this.openEnds.pop()
          return out
        }
        out.push(...this.statement(token.start))
        this.stream.expect('block_end')
      }
    }
    if (ends.length > 0) this.failAtEnd(ends)
    return out
  }

  /** Statements within a tag pair: `%}` … `{% end %}`; the end's name is consumed if `drop` says so. */
  private body(ends: Ends, drop: boolean): Statement[] {
    this.stream.skipOperator(':')
    this.stream.expect('block_end')
    const out = this.statements(ends)
    if (drop) this.stream.next()
    return out
  }

  private statement(start: number): Statement[] {
    const tag = this.stream.current
    if (tag.type !== 'name') this.stream.fail('tag name expected')
    const parse = this.statementParser(tag.value)
    if (!parse) this.failUnknownTag(tag.value)
    this.openTags.push(tag.value)
    this.stream.next()
    const parsed = parse.call(this, start)
    this.openTags.pop()
    return Array.isArray(parsed) ? parsed : [parsed]
  }

  private statementParser(name: string): ((this: Parser, start: number) => Statement | Statement[]) | undefined {
    if (name === 'do') return this.settings.doExtension ? this.doStatement : undefined
    if (name === 'break' || name === 'continue') return this.settings.loopControls ? this.loopControl : undefined
    return Object.hasOwn(PARSERS, name) ? PARSERS[name as keyof typeof PARSERS] : undefined
  }

  forStatement(start: number): Statement {
    const target = this.target()
    this.stream.expect('name', 'in')
    const iterable = this.tuple({ withCondition: false })
    const test = this.stream.skipName('if') ? this.expression() : undefined
    const recursive = this.stream.skipName('recursive')
    const body = this.body(['endfor', 'else'], false)
    const otherwise = this.stream.next().value === 'endfor' ? [] : this.body(['endfor'], true)
    return { kind: 'for', target, iterable, test, recursive, body, otherwise, ...this.since(start) }
  }

  ifStatement(start: number): Statement {
    const branches: { test: Expression; body: Statement[] }[] = []
    let otherwise: Statement[] = []
    for (;;) {
      const test = this.tuple({ withCondition: false })
      branches.push({ test, body: this.body(['elif', 'else', 'endif'], false) })
      const end = this.stream.next().value
      if (end === 'elif') continue
      if (end === 'else') otherwise = this.body(['endif'], true)
      return { kind: 'if', branches, otherwise, ...this.since(start) }
    }
  }

  setStatement(start: number): Statement {
    const target = this.target({ namespace: true })
    if (this.stream.skipOperator('=')) return { kind: 'set', target, value: this.tuple(), ...this.since(start) }
    const filter = this.stream.isOperator('|') ? this.filterChain() : undefined
    const body = this.body(['endset'], true)
    return { kind: 'setBlock', target, filter, body, ...this.since(start) }
  }

  /** `| a | b(1)` without a target. */
  private filterChain(): FilterNode {
    this.stream.next()
    return this.filter(this.oneFilter(undefined)) as FilterNode
  }

  withStatement(start: number): Statement {
    const targets: Target[] = []
    const values: Expression[] = []
    while (!this.stream.is('block_end')) {
      if (targets.length > 0) this.stream.expectOperator(',')
      targets.push(this.target())
      this.stream.expectOperator('=')
      values.push(this.expression())
    }
    return { kind: 'with', targets, values, body: this.body(['endwith'], true), ...this.since(start) }
  }

  /** Ansible's environment escapes nothing: the tag is a scope. */
  autoescapeStatement(start: number): Statement {
    this.expression()
    return { kind: 'scope', body: this.body(['endautoescape'], true), ...this.since(start) }
  }

  blockStatement(start: number): Statement {
    const { value: name, start: at } = this.stream.expect('name')
    if (this.blockNames.has(name)) this.stream.fail(`block '${name}' defined twice`, at)
    this.blockNames.add(name)
    const scoped = this.stream.skipName('scoped')
    const required = this.stream.skipName('required')
    if (this.stream.isOperator('-'))
      this.stream.fail('Block names in Jinja have to be valid Python identifiers and may not contain hyphens, use an underscore instead.')
    const body = this.body(['endblock'], true)
    if (required && body.some((child) => child.kind !== 'data' || child.text.trim() !== '')) {
      this.stream.fail('Required blocks can only contain comments or whitespace')
    }
    this.stream.skipName(name)
    return { kind: 'block', name, scoped, required, body, ...this.since(start) }
  }

  extendsStatement(start: number): Statement {
    return { kind: 'extends', template: this.expression(), ...this.since(start) }
  }

  includeStatement(start: number): Statement {
    const template = this.expression()
    let ignoreMissing = false
    if (this.stream.isName('ignore') && this.stream.aheadIs('name', 'missing')) {
      ignoreMissing = true
      this.stream.next()
      this.stream.next()
    }
    return { kind: 'include', template, ignoreMissing, withContext: this.contextWords() ?? true, ...this.since(start) }
  }

  /** `with context`, `without context`, or neither. */
  private contextWords(): boolean | undefined {
    const { current } = this.stream
    if (!(this.stream.isName('with') || this.stream.isName('without')) || !this.stream.aheadIs('name', 'context')) return undefined
    this.stream.next()
    this.stream.next()
    return current.value === 'with'
  }

  importStatement(start: number): Statement {
    const template = this.expression()
    this.stream.expect('name', 'as')
    const target = this.stream.expect('name').value
    return { kind: 'import', template, target, withContext: this.contextWords() ?? false, ...this.since(start) }
  }

  fromStatement(start: number): Statement {
    const template = this.expression()
    this.stream.expect('name', 'import')
    const names: { name: string; alias: string }[] = []
    let withContext: boolean | undefined
    for (;;) {
      if (names.length > 0) this.stream.expectOperator(',')
      if (!this.stream.is('name')) this.stream.expect('name')
      withContext = this.contextWords()
      if (withContext !== undefined) break
      const at = this.stream.current.start
      const name = this.stream.next().value
      if (name.startsWith('_')) this.stream.fail('names starting with an underline can not be imported', at)
      names.push({ name, alias: this.stream.skipName('as') ? this.stream.expect('name').value : name })
      withContext = this.contextWords()
      if (withContext !== undefined || !this.stream.isOperator(',')) break
    }
    return { kind: 'fromImport', template, names, withContext: withContext ?? false, ...this.since(start) }
  }

  macroStatement(start: number): Statement {
    const name = this.target({ nameOnly: true })
    const parameters = this.parameters()
    const body = this.body(['endmacro'], true)
    return { kind: 'macro', name: name.kind === 'name' ? name.name : '', parameters, body, ...this.since(start) }
  }

  private parameters(): MacroParameters {
    const names: string[] = []
    const defaults: Expression[] = []
    this.stream.expectOperator('(')
    while (!this.stream.isOperator(')')) {
      if (names.length > 0) this.stream.expectOperator(',')
      const target = this.target({ nameOnly: true })
      if (target.kind === 'name') names.push(target.name)
      if (this.stream.skipOperator('=')) defaults.push(this.expression())
      else if (defaults.length > 0) this.stream.fail('non-default argument follows default argument')
    }
    this.stream.expectOperator(')')
    return { names, defaults }
  }

  callStatement(start: number): Statement {
    const parameters: MacroParameters = this.stream.isOperator('(') ? this.parameters() : { names: [], defaults: [] }
    const call = this.expression()
    if (call.kind !== 'call') this.stream.fail('expected call', start)
    return { kind: 'callBlock', call: call as CallNode, parameters, body: this.body(['endcall'], true), ...this.since(start) }
  }

  filterStatement(start: number): Statement {
    const filter = this.filter(this.oneFilter(undefined)) as FilterNode
    return { kind: 'filterBlock', filter, body: this.body(['endfilter'], true), ...this.since(start) }
  }

  printStatement(start: number): Statement[] {
    const out: Statement[] = []
    while (!this.stream.is('block_end')) {
      if (out.length > 0) this.stream.expectOperator(',')
      out.push({ kind: 'output', value: this.expression(), ...this.since(start) })
    }
    return out
  }

  private doStatement(start: number): Statement {
    return { kind: 'do', value: this.tuple(), ...this.since(start) }
  }

  private loopControl(start: number): Statement {
    const kind = this.openTags.at(-1) === 'break' ? 'break' : 'continue'
    const around = this.openTags.findLast((tag) => tag === 'for' || STANDING_ALONE.has(tag))
    if (around !== 'for') this.late ??= new TemplateSyntaxError(STRAY[kind], start)
    return { kind, ...this.since(start) }
  }

  private failUnknownTag(name: string): never {
    this.stream.fail(this.tagMessage(name, this.openEnds, 'Encountered unknown tag'))
  }

  private failAtEnd(ends: Ends): never {
    this.stream.fail(this.tagMessage(undefined, this.openEnds.length > 0 ? this.openEnds : [ends], 'Unexpected end of template'))
  }

  /** What was met, what was looked for, and which block is open. */
  private tagMessage(name: string | undefined, open: readonly Ends[], lead: string): string {
    const expected = new Set(open.flat())
    const innermost = open.at(-1)
    const wanted = innermost?.map((end) => `'${end}'`).join(' or ')
    const message = [name === undefined ? `${lead}.` : `${lead} '${name}'.`]
    if (wanted) {
      message.push(
        name !== undefined && expected.has(name)
          ? `You probably made a nesting mistake. Jinja is expecting this tag, but currently looking for ${wanted}.`
          : `Jinja was looking for the following tags: ${wanted}.`,
      )
    }
    const tag = this.openTags.at(-1)
    if (tag) message.push(`The innermost block that needs to be closed is '${tag}'.`)
    return message.join(' ')
  }
}

/** Tags whose bodies are no part of the loop around them. */
const STANDING_ALONE: ReadonlySet<string> = new Set(['macro', 'call', 'block'])

const STRAY = { break: "'break' outside loop", continue: "'continue' not properly in loop" } as const

const PARSERS = {
  for: Parser.prototype.forStatement,
  if: Parser.prototype.ifStatement,
  set: Parser.prototype.setStatement,
  with: Parser.prototype.withStatement,
  autoescape: Parser.prototype.autoescapeStatement,
  block: Parser.prototype.blockStatement,
  extends: Parser.prototype.extendsStatement,
  include: Parser.prototype.includeStatement,
  import: Parser.prototype.importStatement,
  from: Parser.prototype.fromStatement,
  macro: Parser.prototype.macroStatement,
  call: Parser.prototype.callStatement,
  filter: Parser.prototype.filterStatement,
  print: Parser.prototype.printStatement,
} as const
