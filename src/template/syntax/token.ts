/** What the lexer cuts a template into, and how Jinja2's messages call the pieces. */

export type TokenType =
  | 'data'
  | 'variable_begin'
  | 'variable_end'
  | 'block_begin'
  | 'block_end'
  | 'name'
  | 'string'
  | 'integer'
  | 'float'
  | 'operator'
  | 'eof'
  | 'error'

export interface Token {
  readonly type: TokenType
  /** the text, decoded for strings; an operator's sign */
  readonly value: string
  /** offsets in the template's text */
  readonly start: number
  readonly end: number
  /** what is wrong at an `error`: it is raised only when the parser gets there */
  readonly error?: Error
}

/** Jinja2's names of the kinds of tokens, for its error messages. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  data: 'template data / text',
  variable_begin: 'begin of print statement',
  variable_end: 'end of print statement',
  block_begin: 'begin of statement block',
  block_end: 'end of statement block',
  eof: 'end of template',
}

export function describeType(type: string): string {
  return DESCRIPTIONS[type] ?? type
}

/** A name is called by itself, an operator by its sign, everything else by its kind. */
export const describeToken = (token: Token): string =>
  token.type === 'name' || token.type === 'operator' ? token.value : describeType(token.type)
