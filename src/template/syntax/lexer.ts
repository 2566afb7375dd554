/** Cuts a template's text into tokens that know their offsets, with Jinja2's treatment of blanks around tags. */
import { later } from '../../base/index.ts'
import { indexOf, repr } from '../python/index.ts'
import { TemplateSyntaxError } from './problem.ts'
import type { SyntaxSettings } from './settings.ts'
import { decodeEscapes } from './strings.ts'
import type { Token, TokenType } from './token.ts'

interface LexerRules {
  readonly opening: RegExp
  readonly kinds: ReadonlyMap<string, 'block' | 'variable' | 'comment'>
  readonly rawStart: RegExp
  readonly rawEnd: RegExp
  readonly blockEnd: RegExp
  readonly variableEnd: RegExp
  readonly commentEnd: RegExp
}

/** The tokens of a text whose line ends are all `\n`. The last one is `eof`. */
export function tokenize(text: string, settings: SyntaxSettings, decoding = true): Token[] {
  return new Lexer(text, settings, decoding).run()
}

const rulesBySettings = new WeakMap<SyntaxSettings, LexerRules>()

function rulesFor(settings: SyntaxSettings): LexerRules {
  const known = rulesBySettings.get(settings)
  if (known) return known
  const kinds = new Map<string, 'block' | 'variable' | 'comment'>([
    [settings.commentStart, 'comment'],
    [settings.blockStart, 'block'],
    [settings.variableStart, 'variable'],
  ])
  const starts = [...kinds.keys()].sort((a, b) => b.length - a.length).map(quote)
  const blockStart = quote(settings.blockStart)
  const blockEnd = quote(settings.blockEnd)
  const trim = settings.trimBlocks ? '\\n?' : ''
  const closing = (end: string): string => `(?:\\+${end}|-${end}\\s*|${end}${trim})`
  const rules: LexerRules = {
    opening: new RegExp(`(${starts.join('|')})([-+]?)`, 'g'),
    kinds,
    rawStart: new RegExp(`${blockStart}([-+]?)\\s*raw\\s*(?:-${blockEnd}\\s*|${blockEnd})`, 'y'),
    rawEnd: new RegExp(`${blockStart}([-+]?)\\s*endraw\\s*${closing(blockEnd)}`, 'g'),
    blockEnd: new RegExp(closing(blockEnd), 'y'),
    variableEnd: new RegExp(`-${quote(settings.variableEnd)}\\s*|${quote(settings.variableEnd)}`, 'y'),
    commentEnd: new RegExp(closing(quote(settings.commentEnd)), 'g'),
  }
  rulesBySettings.set(settings, rules)
  return rules
}

const quote = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')

const BLANK = /\s+/y
const FLOAT = /(?<!\.)(?:\d+_)*\d+(?:(?:\.(?:\d+_)*\d+)?e[+-]?(?:\d+_)*\d+|\.(?:\d+_)*\d+)/iy
const INTEGER = /0b(?:_?[01])+|0o(?:_?[0-7])+|0x(?:_?[\da-f])+|[1-9](?:_?\d)*|0(?:_?0)*/iy
const NAME = later(() => /[\p{L}\p{N}\p{M}\p{Pc}\u00b7\u0387\u1369-\u1371\u19da\u2118\u212e\u309b\u309c]+/uy)
/** The same where nothing but ASCII stands in and behind them, as in most templates: the others are built only when they are needed. */
const ASCII_NAME = /\w+(?![\w\u0080-\uffff])/y
const ASCII_IDENTIFIER = /^[A-Za-z_]\w*$/
const STRING = /'([^'\\]*(?:\\.[^'\\]*)*)'|"([^"\\]*(?:\\.[^"\\]*)*)"/sy
const OPERATOR = /\*\*|\/\/|==|!=|>=|<=|[+\-/*%~[\](){}><=.:|,;]/y
const IDENTIFIER = later(() => /^[\p{XID_Start}_]\p{XID_Continue}*$/u)
const PAIRS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

class Lexer {
  private readonly tokens: Token[] = []
  private readonly rules: LexerRules
  private at = 0
  /** does the text so far end where a line starts? */
  private lineStarting = true

  constructor(
    private readonly text: string,
    private readonly settings: SyntaxSettings,
    /** are the escapes of strings read, or do only the places of the tokens count? */
    private readonly decoding: boolean,
  ) {
    this.rules = rulesFor(settings)
  }

  run(): Token[] {
    try {
      while (this.at < this.text.length) this.data()
      this.push('eof', '', this.text.length, this.text.length)
    } catch (error) {
      if (!(error instanceof TemplateSyntaxError)) throw error
      this.tokens.push({ type: 'error', value: '', start: error.offset, end: error.offset, error })
    }
    return this.tokens
  }

  private push(type: TokenType, value: string, start: number, end: number): void {
    this.tokens.push({ type, value, start, end })
  }

  /** Text up to the next tag, and the tag. */
  private data(): void {
    const { opening, kinds, rawStart } = this.rules
    opening.lastIndex = this.at
    const found = opening.exec(this.text)
    if (!found) {
      this.pushData(this.text.slice(this.at), this.at)
      this.at = this.text.length
      return
    }
    const kind = kinds.get(found[1]!)!
    rawStart.lastIndex = found.index
    const raw = kind === 'block' ? rawStart.exec(this.text) : null
    const start = this.at
    this.pushData(this.stripped(this.text.slice(start, found.index), raw ? raw[1]! : found[2]!, kind), start)
    this.at = found.index + (raw ? raw[0].length : found[0].length)
    if (raw) this.raw(found.index)
    else if (kind === 'comment') this.comment(found.index)
    else this.tag(kind, found.index)
    this.lineStarting = this.text[this.at - 1] === '\n'
  }

  private pushData(text: string, start: number): void {
    if (text === '') return
    const { newlineSequence } = this.settings
    this.push('data', newlineSequence === '\n' ? text : text.replaceAll('\n', newlineSequence), start, start + text.length)
  }

  /** The text before a tag, without what the tag takes away. */
  private stripped(text: string, sign: string, kind: 'block' | 'variable' | 'comment'): string {
    if (sign === '-') return text.replace(/\s+$/, '')
    if (sign === '+' || !this.settings.lstripBlocks || kind === 'variable') return text
    const line = text.lastIndexOf('\n') + 1
    if (line === 0 && !this.lineStarting) return text
    return /^\s*$/.test(text.slice(line)) ? text.slice(0, line) : text
  }

  private raw(start: number): void {
    const { rawEnd } = this.rules
    rawEnd.lastIndex = this.at
    const end = rawEnd.exec(this.text)
    if (!end && this.at === this.text.length) return
    if (!end) throw new TemplateSyntaxError('Missing end of raw directive', start)
    this.lineStarting = this.text[this.at - 1] === '\n'
    this.pushData(this.stripped(this.text.slice(this.at, end.index), end[1]!, 'block'), this.at)
    this.at = end.index + end[0].length
  }

  private comment(start: number): void {
    const { commentEnd } = this.rules
    commentEnd.lastIndex = this.at
    const end = commentEnd.exec(this.text)
    if (!end && this.at === this.text.length) return
    if (!end) throw new TemplateSyntaxError('Missing end of comment tag', start)
    this.at = end.index + end[0].length
  }

  private tag(kind: 'block' | 'variable', start: number): void {
    this.push(`${kind}_begin`, '', start, this.at)
    const end = kind === 'block' ? this.rules.blockEnd : this.rules.variableEnd
    const open: string[] = []
    while (this.at < this.text.length) {
      if (open.length === 0) {
        end.lastIndex = this.at
        const closing = end.exec(this.text)
        if (closing) {
          this.push(`${kind}_end`, '', this.at, this.at + closing[0].length)
          this.at += closing[0].length
          return
        }
      }
      this.inner(open)
    }
  }

  /** One token within a tag. */
  private inner(open: string[]): void {
    const start = this.at
    const char = this.text[start]!
    if (this.match(BLANK)) return
    if (char >= '0' && char <= '9') this.number(start)
    else if (char === "'" || char === '"') this.string(start)
    else if (!this.operator(open, start)) this.name(start)
  }

  /** `1.5`, `0x1f`, and what only begins like a number and is no name either. */
  private number(start: number): void {
    const float = this.match(FLOAT)
    const digits = float ?? this.match(INTEGER)
    if (digits) this.push(float ? 'float' : 'integer', digits[0].replaceAll('_', ''), start, this.at)
    else this.name(start)
  }

  private string(start: number): void {
    const string = this.match(STRING)
    if (!string) throw this.unexpected(start)
    this.push('string', this.literal(string[1] ?? string[2]!, start), start, this.at)
  }

  private operator(open: string[], start: number): boolean {
    const operator = this.match(OPERATOR)
    if (!operator) return false
    balance(operator[0], open, start)
    this.push('operator', operator[0], start, this.at)
    return true
  }

  private name(start: number): void {
    const name = this.match(ASCII_NAME) ?? this.match(NAME())
    if (!name) throw this.unexpected(start)
    if (!ASCII_IDENTIFIER.test(name[0]) && !IDENTIFIER().test(name[0]))
      throw new TemplateSyntaxError('Invalid character in identifier', start)
    this.push('name', name[0], start, this.at)
  }

  private unexpected(start: number): TemplateSyntaxError {
    return new TemplateSyntaxError(
      `unexpected char ${repr(String.fromCodePoint(this.text.codePointAt(start)!))} at ${indexOf(this.text, start)}`,
      start,
    )
  }

  private literal(body: string, start: number): string {
    const { newlineSequence } = this.settings
    if (!this.decoding) return body
    return decodeEscapes(newlineSequence === '\n' ? body : body.replaceAll('\n', newlineSequence), start)
  }

  private match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)
    if (found) this.at += found[0].length
    return found
  }
}

function balance(operator: string, open: string[], start: number): void {
  const closing = PAIRS[operator]
  if (closing) {
    open.push(closing)
    return
  }
  if (!')]}'.includes(operator)) return
  const expected = open.pop()
  if (expected === undefined) throw new TemplateSyntaxError(`unexpected '${operator}'`, start)
  if (expected !== operator) throw new TemplateSyntaxError(`unexpected '${operator}', expected '${expected}'`, start)
}
