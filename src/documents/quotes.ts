/**
 * Turns quoted texts whose later lines stand too far left, which Ansible accepts and the YAML parser refuses, into a form the parser takes:
 * their line breaks become blanks, so that every offset stays; their values are then read from the text as written.
 */
import { yamlLibrary } from './library.ts'

export interface Mended {
  readonly text: string
  /** offsets of the opening quotes, with those behind the closing ones */
  readonly quotes: ReadonlyMap<number, number>
}

/** Undefined when there is nothing to mend, or a quote is really missing. */
export function mendQuotes(written: string): Mended | undefined {
  const quotes = new Map<number, number>()
  let text = written
  for (;;) {
    const open = firstUnclosed(text)
    if (open === undefined) return quotes.size === 0 ? undefined : { text, quotes }
    const close = closingQuote(text, open)
    if (close === undefined || quotes.has(open)) return undefined
    quotes.set(open, close)
    text = text.slice(0, open) + text.slice(open, close).replace(/[\r\n]/g, ' ') + text.slice(close)
  }
}

/** What a quoted text says, its quotes included in the slice. */
export function readQuoted(slice: string): string | undefined {
  const document = yamlLibrary().parseDocument(slice, {
    version: '1.1',
    schema: 'failsafe',
    strict: false,
    prettyErrors: false,
    logLevel: 'silent',
  })
  const value = document.errors.length === 0 ? document.toJS() : undefined
  return typeof value === 'string' ? value : undefined
}

/** Marks the lexer puts between the pieces of the text; they are not part of it. */
const MARKS = new Set(['\u0002', '\u0018', '\u001f'])

function firstUnclosed(text: string): number | undefined {
  let offset = 0
  for (const lexeme of new (yamlLibrary().Lexer)().lex(text)) {
    if (MARKS.has(lexeme)) continue
    const quote = lexeme[0]
    if ((quote === '"' || quote === "'") && text[offset] === quote && closingQuote(lexeme, 0) === undefined) return offset
    offset += lexeme.length
  }
  return undefined
}

/** The offset behind the quote that closes the one at `open`. */
function closingQuote(text: string, open: number): number | undefined {
  const closing = text[open] === '"' ? /(?:[^"\\]|\\[\s\S])*"/y : /(?:[^']|'')*'(?!')/y
  closing.lastIndex = open + 1
  return closing.test(text) ? closing.lastIndex : undefined
}
