/**
 * Turns YAML as playbooks mostly write it into nodes, many times faster than the full parser does; undefined for a text that holds anything else
 * (tags, tabs, mistakes, …), which the full parser then reads. What it gives is exactly what the full parser would.
 */
import { type Source, type Span, span } from '../base/index.ts'
import { mergeEntries } from './mapping.ts'
import { type Entry, indexed, type MappingNode, type Node, type ScalarNode, type SequenceNode } from './node.ts'
import { readBlockText } from './quick-block.ts'
import { readQuotedText } from './quick-quoted.ts'
import { resolvePlain } from './scalar.ts'
import { aliased } from './shared.ts'

/** Something that only the full parser understands. */
class Unusual extends Error {}
const UNUSUAL = new Unusual()

const RARE = /[\t\r\u0000-\u0008\u000b-\u001f\u0085\u2028\u2029\ufeff]|^(?:%|\.\.\.)/m
const LAST_MARK = /\n\.\.\.\n*$/
const ANCHOR = /[A-Za-z0-9_-]+/y
const KEY_END = /:(?= |$)/
/** A key that is a word, at the end of its line or before a space. */
const WORD_KEY = /[A-Za-z_][\w.-]*:(?=[ \n])/y
/** A text without quotes to the end of its line. */
const PLAIN_TO_END = /[^\s\-?:,[\]{}#&*!|>'"%@`](?:[^\n:#]|:(?![ \n])|(?<! )#)*\n/y
/** What is within quotes and needs no reading, to the end of its line. */
const SIMPLE_DOUBLE = /"[^"\\\n]*"\n/y
const SIMPLE_SINGLE = /'[^'\n]*'\n/y
const SPACES = / */y
/** Blank lines and comments, and the blanks before what comes then. */
const BLANK = /(?:[ \n]+|#[^\n]*)*/y
/** A word in brackets that ends there. */
const FLOW_WORD = /[A-Za-z0-9_./][\w./-]*(?=[,\]}])/y
const MOST_DEEP = 60
const LONGEST_KEY = 900

const Code = {
  LineFeed: 10,
  Space: 32,
  DoubleQuote: 34,
  Hash: 35,
  Anchor: 38,
  Quote: 39,
  Star: 42,
  Comma: 44,
  Dash: 45,
  Colon: 58,
  OpenBracket: 91,
  CloseBracket: 93,
  OpenBrace: 123,
  Pipe: 124,
  CloseBrace: 125,
  Greater: 62,
} as const

export interface QuickDocument {
  /** undefined: there is nothing in it */
  readonly node: Node | undefined
}

export function parseQuickly(source: Source): QuickDocument | undefined {
  const text = source.text.replace(LAST_MARK, '\n')
  if (RARE.test(text)) return undefined
  try {
    return { node: new QuickReader(source, text).document() }
  } catch (error) {
    if (error === UNUSUAL) return undefined
    throw error
  }
}

/** Characters that a plain text may not begin with, or that mean something there. */
const STARTS = new Set([...'-?:,[]{}#&*!|>\'"%@`'].map((c) => c.charCodeAt(0)))

// names with # would be checked at each use, and there are a million
class QuickReader {
  private readonly source: Source
  private readonly text: string
  private at = 0
  private depth = 0
  private readonly anchors = new Map<string, Node>()

  constructor(source: Source, text: string) {
    this.source = source
    this.text = text
  }

  document(): Node | undefined {
    this.skipBlank()
    if (this.text.startsWith('---', this.at) && this.column(this.at) === 0) {
      this.at += 3
      this.endOfLine()
      this.skipBlank()
    }
    if (this.at >= this.text.length) return undefined
    const first = this.text.charCodeAt(this.at)
    if (this.column(this.at) !== 0 || first === Code.OpenBracket || first === Code.OpenBrace) throw UNUSUAL
    const node = this.isItem(this.at) ? this.sequence(0) : this.mapping(0)
    if (this.at < this.text.length) throw UNUSUAL
    return node
  }

  /** To the next character that is neither blank, line break nor comment; at the start of a line's content or at the end. */
  private skipBlank(): void {
    this.at = endOf(BLANK, this.text, this.at)
  }

  private column(at: number): number {
    return at - (this.text.lastIndexOf('\n', at - 1) + 1)
  }

  /** Behind a value: blanks and a comment, then the line ends. */
  private endOfLine(): void {
    const text = this.text
    let at = this.at
    while (text.charCodeAt(at) === Code.Space) at++
    const c = text.charCodeAt(at)
    if (c === Code.Hash && (at > this.at || at === 0)) {
      const end = text.indexOf('\n', at)
      this.at = end === -1 ? text.length : end + 1
    } else if (c === Code.LineFeed) this.at = at + 1
    else if (at >= text.length) this.at = at
    else throw UNUSUAL
  }

  private isItem(at: number): boolean {
    if (this.text.charCodeAt(at) !== Code.Dash) return false
    const next = this.text.charCodeAt(at + 1)
    return next === Code.Space || next === Code.LineFeed || Number.isNaN(next)
  }

  /** A list whose dashes stand in `column`, the first of them here. */
  private sequence(column: number): SequenceNode {
    this.enter()
    const start = this.at
    const items: Node[] = []
    do {
      if (!this.isItem(this.at)) throw UNUSUAL
      this.at++
      items.push(this.item(column))
      this.skipBlank()
    } while (this.at < this.text.length && this.column(this.at) === column && this.isItem(this.at))
    this.depth--
    return { kind: 'sequence', items, span: this.span(start, items.at(-1)!.span.end) }
  }

  private item(column: number): Node {
    const text = this.text
    while (text.charCodeAt(this.at) === Code.Space) this.at++
    const c = text.charCodeAt(this.at)
    if (Number.isNaN(c) || c === Code.LineFeed || c === Code.Hash) return this.below(column, false) ?? unusual()
    if (c === Code.Anchor) return this.anchored(column, false)
    const inner = this.column(this.at)
    if (this.isItem(this.at)) return this.sequence(inner)
    return this.isKey(this.at) ? this.mapping(inner) : this.value(column)
  }

  private isKey(at: number): boolean {
    return endOf(WORD_KEY, this.text, at) !== -1 || this.keyEnd(at) !== undefined
  }

  /** `&name`, then a value on the same line or on those below. */
  private anchored(column: number, isValue: boolean): Node {
    this.at++
    const name = this.name()
    const after = this.at
    while (this.text.charCodeAt(this.at) === Code.Space) this.at++
    const c = this.text.charCodeAt(this.at)
    const isEnd = Number.isNaN(c) || c === Code.LineFeed || c === Code.Hash
    if (!isEnd && (this.at === after || (!isValue && this.keyEnd(this.at) !== undefined))) throw UNUSUAL
    if (isEnd) this.at = after
    const node = (isEnd ? this.below(column, isValue) : this.value(column)) ?? unusual()
    // what an anchor inside stands for is not known before its end, and a name may be given anew
    if (this.anchors.has(name)) throw UNUSUAL
    this.anchors.set(name, node)
    return node
  }

  private name(): string {
    ANCHOR.lastIndex = this.at
    const name = ANCHOR.exec(this.text)?.[0] ?? unusual()
    this.at += name.length
    return name
  }

  private alias(): Node {
    this.at++
    return aliased(this.anchors.get(this.name()) ?? unusual())
  }

  /** What stands on the lines below a key or a dash; undefined where nothing does. */
  private below(column: number, isValue: boolean): Node | undefined {
    this.endOfLine()
    this.skipBlank()
    if (this.at >= this.text.length) return undefined
    const inner = this.column(this.at)
    if (inner < column) return undefined
    const isItem = this.isItem(this.at)
    if (inner === column) return isValue && isItem ? this.sequence(inner) : undefined
    if (isItem) return this.sequence(inner)
    return this.isKey(this.at) ? this.mapping(inner) : this.value(column)
  }

  /** A dict whose keys stand in `column`, the first of them here. */
  private mapping(column: number): MappingNode {
    this.enter()
    const start = this.at
    const entries: Entry[] = []
    do {
      entries.push(this.entry(column))
      this.skipBlank()
    } while (this.at < this.text.length && this.column(this.at) === column && !this.isItem(this.at))
    this.depth--
    return mapping(entries, this.span(start, entries[entries.length - 1]!.value.span.end))
  }

  private entry(column: number): Entry {
    return this.commonEntry(column) ?? this.anyEntry(column)
  }

  /** An entry whose line is of the common kind: a word as key, then nothing or a simple text; undefined for others, and where the text may go on below. */
  private commonEntry(column: number): Entry | undefined {
    const text = this.text
    const start = this.at
    const colon = endOf(WORD_KEY, text, start) - 1
    if (colon < 0 || colon - start > LONGEST_KEY) return undefined
    let from = colon + 1
    const key = this.plain(start, colon, text.slice(start, colon))
    if (text.charCodeAt(from) === Code.LineFeed) {
      this.at = from
      return { key, value: this.below(column, true) ?? nothing(this.source, colon) }
    }
    while (text.charCodeAt(from) === Code.Space) from++
    const value = this.commonValue(from, column)
    return value && { key, value }
  }

  /** A text that ends with its line, read; undefined where it is of another kind. */
  private commonValue(from: number, column: number): ScalarNode | undefined {
    const text = this.text
    const first = text.charCodeAt(from)
    if (first === Code.DoubleQuote || first === Code.Quote) {
      const end = endOf(first === Code.Quote ? SIMPLE_SINGLE : SIMPLE_DOUBLE, text, from)
      if (end === -1) return undefined
      this.at = end
      const style = first === Code.Quote ? 'single' : 'double'
      return { kind: 'scalar', value: text.slice(from + 1, end - 2), span: this.span(from, end - 1), style }
    }
    const end = endOf(PLAIN_TO_END, text, from)
    if (end === -1) return undefined
    const next = this.contentAfter(end)
    if (next === undefined || next - end > column) return undefined
    let last = end - 1
    while (text.charCodeAt(last - 1) === Code.Space) last--
    this.at = end
    return this.plain(from, last, text.slice(from, last))
  }

  /** Where the content of the line stands that begins here; undefined where there is none but perhaps a comment. */
  private contentAfter(start: number): number | undefined {
    const text = this.text
    const at = endOf(SPACES, text, start)
    const c = text.charCodeAt(at)
    return c === Code.LineFeed || c === Code.Hash ? undefined : at
  }

  private anyEntry(column: number): Entry {
    const text = this.text
    const colon = this.keyEnd(this.at)
    if (colon === undefined) throw UNUSUAL
    const key = this.key(colon)
    this.at = colon + 1
    while (text.charCodeAt(this.at) === Code.Space) this.at++
    const c = text.charCodeAt(this.at)
    const isEmpty = Number.isNaN(c) || c === Code.LineFeed || c === Code.Hash
    if (c === Code.Hash && this.at === colon + 1) throw UNUSUAL
    if (isEmpty) this.at = colon + 1
    const value = isEmpty ? this.below(column, true) : c === Code.Anchor ? this.anchored(column, true) : this.value(column)
    return { key, value: value ?? nothing(this.source, key.span.end) }
  }

  /** Where the colon stands behind a key that begins at `start`; undefined where there is no key. */
  private keyEnd(start: number): number | undefined {
    const text = this.text
    const first = text.charCodeAt(start)
    let at = start
    if (first === Code.DoubleQuote || first === Code.Quote) {
      const quoted = readQuotedText(text, start)
      if (!quoted || text.slice(start, quoted.end).includes('\n')) return undefined
      at = quoted.end
      while (text.charCodeAt(at) === Code.Space) at++
      return text.charCodeAt(at) === Code.Colon && isBreak(text.charCodeAt(at + 1)) ? at : undefined
    }
    if (STARTS.has(first)) return undefined
    const found = text.indexOf('\n', start)
    const line = text.slice(start, found === -1 ? undefined : found)
    const colon = KEY_END.exec(line)
    if (!colon || line.lastIndexOf(' #', colon.index - 1) > 0) return undefined
    at = start + colon.index
    if (at - start > LONGEST_KEY) throw UNUSUAL
    return at
  }

  private key(colon: number): ScalarNode {
    const start = this.at
    const first = this.text.charCodeAt(start)
    if (first === Code.DoubleQuote || first === Code.Quote) return this.quoted()
    let end = colon
    while (this.text.charCodeAt(end - 1) === Code.Space) end--
    return this.plain(start, end, this.text.slice(start, end))
  }

  /** A value that begins here and belongs to something in `column`; the line is left behind. */
  private value(column: number): Node {
    const c = this.text.charCodeAt(this.at)
    if (c === Code.Pipe || c === Code.Greater) return this.blockText(column)
    const node =
      c === Code.DoubleQuote || c === Code.Quote
        ? this.quoted()
        : c === Code.OpenBracket || c === Code.OpenBrace
          ? this.flow(column)
          : c === Code.Star
            ? this.alias()
            : this.plainLines(column)
    this.endOfLine()
    return node
  }

  private blockText(column: number): ScalarNode {
    const start = this.at
    const block = readBlockText(this.text, start, column) ?? unusual()
    this.at = block.next
    const style = this.text.charCodeAt(start) === Code.Pipe ? 'literal' : 'folded'
    return { kind: 'scalar', value: block.value, span: this.span(start, block.end), style }
  }

  private quoted(): ScalarNode {
    const start = this.at
    const quoted = readQuotedText(this.text, start) ?? unusual()
    this.at = quoted.end
    const style = this.text.charCodeAt(start) === Code.Quote ? 'single' : 'double'
    return { kind: 'scalar', value: quoted.value, span: this.span(start, quoted.end), style }
  }

  /** An unquoted text, with the lines below that go on with it. */
  private plainLines(column: number): ScalarNode {
    const text = this.text
    const start = this.at
    if (STARTS.has(text.charCodeAt(start)) && !this.startsWithDash(start)) throw UNUSUAL
    let end = this.plainEnd(start)
    let value = text.slice(start, end)
    for (;;) {
      const line = this.continuation(end, column)
      if (line === undefined) break
      const lineEnd = this.plainEnd(line.start)
      value += (line.breaks === 1 ? ' ' : '\n'.repeat(line.breaks - 1)) + text.slice(line.start, lineEnd)
      end = lineEnd
    }
    this.at = end
    return this.plain(start, end, value)
  }

  /** A dash that begins a word: `-x`, `-1`. */
  private startsWithDash(start: number): boolean {
    return this.text.charCodeAt(start) === Code.Dash && !isBreak(this.text.charCodeAt(start + 1))
  }

  /** Where an unquoted text's line ends, the blanks behind it left out. */
  private plainEnd(start: number): number {
    const found = this.text.indexOf('\n', start)
    const line = this.text.slice(start, found === -1 ? undefined : found)
    const comment = line.indexOf(' #')
    const shown = (comment === -1 ? line : line.slice(0, comment)).replace(/ +$/, '')
    if (shown.endsWith(':') || shown.includes(': ')) throw UNUSUAL
    return start + shown.length
  }

  /** The next line that goes on with a text that stopped at `end`. */
  private continuation(end: number, column: number): { readonly start: number; readonly breaks: number } | undefined {
    const text = this.text
    let at = end
    let breaks = 0
    for (; ; at++) {
      const c = text.charCodeAt(at)
      if (c === Code.LineFeed) breaks++
      else if (c !== Code.Space) break
    }
    const isOver = at >= text.length || this.column(at) <= column
    const isComment = text.charCodeAt(at) === Code.Hash
    if (breaks === 0 || isOver) return undefined
    // after a comment no text may go on; whether this is one, the full parser finds out
    if (isComment) throw UNUSUAL
    return { start: at, breaks }
  }

  private plain(start: number, end: number, text: string): ScalarNode {
    return { kind: 'scalar', value: resolvePlain(text), span: this.span(start, end), style: 'plain' }
  }

  /** Lists and dicts in brackets. */
  private flow(column: number): Node {
    this.enter()
    const node = this.text.charCodeAt(this.at) === Code.OpenBracket ? this.flowSequence(column) : this.flowMapping(column)
    this.depth--
    return node
  }

  private flowSequence(column: number): SequenceNode {
    const start = this.at++
    const items: Node[] = []
    while (this.inFlow(column) !== Code.CloseBracket) {
      items.push(this.flowValue(column))
      this.separator(column, Code.CloseBracket)
    }
    this.at++
    return { kind: 'sequence', items, span: this.span(start, this.at) }
  }

  private flowMapping(column: number): MappingNode {
    const text = this.text
    const start = this.at++
    const entries: Entry[] = []
    while (this.inFlow(column) !== Code.CloseBrace) {
      const key = this.flowScalar()
      if (this.inFlow(column) !== Code.Colon || text.charCodeAt(this.at + 1) !== Code.Space) throw UNUSUAL
      if (text.slice(key.span.start, this.at).includes('\n')) throw UNUSUAL
      this.at++
      this.inFlow(column)
      entries.push({ key, value: this.flowValue(column) })
      this.separator(column, Code.CloseBrace)
    }
    this.at++
    return mapping(entries, this.span(start, this.at))
  }

  private separator(column: number, close: number): void {
    const c = this.inFlow(column)
    if (c === Code.Comma) this.at++
    else if (c !== close) throw UNUSUAL
  }

  /** The next character inside brackets; lines must stand further in than what they belong to, and have no comments. */
  private inFlow(column: number): number {
    const text = this.text
    let isNewLine = false
    for (;;) {
      const c = text.charCodeAt(this.at)
      if (c === Code.LineFeed) isNewLine = true
      else if (c !== Code.Space) {
        if (c === Code.Hash || (isNewLine && this.column(this.at) <= column)) throw UNUSUAL
        return c
      }
      this.at++
    }
  }

  private flowValue(column: number): Node {
    const c = this.text.charCodeAt(this.at)
    return c === Code.OpenBracket || c === Code.OpenBrace ? this.flow(column) : this.flowScalar()
  }

  private flowScalar(): ScalarNode {
    const text = this.text
    const start = this.at
    const first = text.charCodeAt(start)
    if (first === Code.DoubleQuote || first === Code.Quote) {
      const node = this.quoted()
      if (text.charCodeAt(this.at) === Code.Colon && !isBreak(text.charCodeAt(this.at + 1))) throw UNUSUAL
      return node
    }
    if (Number.isNaN(first) || STARTS.has(first)) throw UNUSUAL
    const word = endOf(FLOW_WORD, text, start)
    if (word !== -1) {
      this.at = word
      return this.plain(start, word, text.slice(start, word))
    }
    let end = start
    for (let at = start; ; at++) {
      const c = text.charCodeAt(at)
      if (c === Code.Comma || c === Code.CloseBracket || c === Code.CloseBrace) break
      if (c === Code.LineFeed || c === Code.Hash || c === Code.OpenBracket || c === Code.OpenBrace || Number.isNaN(c)) throw UNUSUAL
      if (c === Code.Colon) {
        const next = text.charCodeAt(at + 1)
        if (next === Code.Space) break
        if (isBreak(next) || STARTS.has(next)) throw UNUSUAL
      }
      if (c !== Code.Space) end = at + 1
    }
    this.at = end
    return this.plain(start, end, text.slice(start, end))
  }

  private enter(): void {
    if (++this.depth > MOST_DEEP) throw UNUSUAL
  }

  private span(start: number, end: number): Span {
    return span(this.source, start, end)
  }
}

/** Where a sticky pattern that matches here ends; -1 where it does not. Asked so, V8 makes no list of what was found. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : -1
}

/** What a key has where nothing is written. */
const nothing = (source: Source, at: number): ScalarNode => ({ kind: 'scalar', value: null, span: span(source, at, at), style: 'plain' })

const isBreak = (c: number): boolean => c === Code.Space || c === Code.LineFeed || Number.isNaN(c)

/** A dict with the entries that count; keys that occur twice are left to the full parser. */
function mapping(entries: readonly Entry[], at: Span): MappingNode {
  const index = indexed(entries)
  if (index.size === entries.length && entries.every(isSimple)) return { kind: 'mapping', entries, span: at, index }
  const { entries: kept, duplicates, problems } = mergeEntries(entries)
  if (duplicates.length > 0 || problems.length > 0) throw UNUSUAL
  return { kind: 'mapping', entries: kept, span: at }
}

const isSimple = ({ key: { value } }: Entry): boolean => typeof value === 'string' && value !== '<<'

function unusual(): never {
  throw UNUSUAL
}
