/** Walks over tokens with one token of foresight, and complains in Jinja2's words. */
import { TemplateSyntaxError } from './problem.ts'
import { describeToken, describeType, type Token, type TokenType } from './token.ts'

export class TokenStream {
  private at = 0
  constructor(private readonly tokens: readonly Token[]) {}

  get current(): Token {
    return checked(this.tokens[this.at]!)
  }
  get ahead(): Token {
    return checked(this.tokens[Math.min(this.at + 1, this.tokens.length - 1)]!)
  }
  /** where the token before the current one ended */
  get lastEnd(): number {
    return this.at === 0 ? 0 : this.tokens[this.at - 1]!.end
  }
  next(): Token {
    const token = this.current
    if (token.type !== 'eof') this.advance()
    return token
  }
  /** What cannot be a token is told of as soon as it is next. */
  private advance(): void {
    this.at++
    checked(this.tokens[this.at]!)
  }
  is(type: TokenType, value?: string): boolean {
    return matches(this.current, type, value)
  }
  aheadIs(type: TokenType, value?: string): boolean {
    return matches(this.ahead, type, value)
  }
  isOperator(value: string): boolean {
    return matches(this.current, 'operator', value)
  }
  isName(value: string): boolean {
    return matches(this.current, 'name', value)
  }
  skip(type: TokenType, value?: string): boolean {
    if (!this.is(type, value)) return false
    this.advance()
    return true
  }
  skipOperator(value: string): boolean {
    return this.skip('operator', value)
  }
  skipName(value: string): boolean {
    return this.skip('name', value)
  }
  expect(type: TokenType, value?: string): Token {
    if (this.is(type, value)) return this.next()
    const expected = value ?? describeType(type)
    if (this.is('eof')) this.fail(`unexpected end of template, expected '${expected}'.`)
    this.fail(`expected token '${expected}', got '${describeToken(this.current)}'`)
  }
  expectOperator(value: string): Token {
    return this.expect('operator', value)
  }
  fail(message: string, offset: number = this.current.start): never {
    throw new TemplateSyntaxError(message, offset)
  }
}

function checked(token: Token): Token {
  if (token.error) throw token.error
  return token
}

const matches = (token: Token, type: TokenType, value: string | undefined): boolean =>
  token.type === type && (value === undefined || token.value === value)
