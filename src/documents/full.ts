/** Turns any YAML 1.1 or JSON text into nodes that know their place. */
import type { Alias, Document, Pair, ParsedNode, Scalar, YAMLMap, YAMLSeq } from 'yaml'
import { didYouMean, Problem, Problems, positionAt, type Source, type Span, span } from '../base/index.ts'
import type { DocumentOptions } from './api.ts'
import { yamlLibrary } from './library.ts'
import { mergeEntries, type Written } from './mapping.ts'
import type { MappingNode, Node, ScalarNode } from './node.ts'
import { type Mended, mendQuotes, readQuoted } from './quotes.ts'
import { readJsonNumber, resolvePlain } from './scalar.ts'
import { aliased } from './shared.ts'
import { quoteTemplateHint, startsWithTemplate, syntaxProblems } from './syntax.ts'
import { isKnownTag, KNOWN_TAGS, resolveTagged, shortTag } from './tags.ts'

export interface ParseOptions extends DocumentOptions {
  /** several documents are welcome and come back as one sequence */
  readonly multi?: boolean | undefined
}

const PARSE = {
  version: '1.1',
  schema: 'failsafe',
  merge: false,
  uniqueKeys: false,
  strict: false,
  prettyErrors: false,
  logLevel: 'silent',
  resolveKnownTags: false,
} as const

/** Parses one document; undefined when there is nothing in it. */
export function parseFully(source: Source, options: ParseOptions = {}): Node | undefined {
  const { documents, quotes } = parse(source)
  if (options.multi) {
    const items = documents.map((document) => read(document, source, options, quotes) ?? emptyScalar(source))
    return { kind: 'sequence', items, span: span(source, 0, source.text.length) }
  }
  if (documents.length > 1) throw secondDocument(source, documents[1]!)
  return documents[0] && read(documents[0], source, options, quotes)
}

type Quotes = Mended['quotes'] | undefined

function parse(source: Source): { readonly documents: readonly Document.Parsed[]; readonly quotes?: Quotes } {
  const documents = parseText(source.text)
  const faults = documents.flatMap((document) => document.errors)
  if (faults.length === 0) return { documents }
  const mended = mendQuotes(source.text)
  const again = mended && parseText(mended.text)
  if (again?.every((document) => document.errors.length === 0)) return { documents: again, quotes: mended?.quotes }
  const problems = syntaxProblems(source, faults)
  throw problems.length === 1 ? problems[0] : new Problems(problems)
}

function parseText(text: string): readonly Document.Parsed[] {
  const parsed = yamlLibrary().parseAllDocuments(text, PARSE)
  return Array.isArray(parsed) ? parsed : []
}

function secondDocument(source: Source, document: Document.Parsed): Problem {
  const marker = source.text.lastIndexOf('---', document.range[0])
  const at = marker === -1 ? document.range[0] : marker
  return new Problem('only one document is expected in the file', {
    kind: 'syntax',
    span: span(source, at, Math.min(source.text.length, at + 3)),
    hint: 'remove everything from the second --- on, or put it in a file of its own',
  })
}

function read(document: Document.Parsed, source: Source, options: ParseOptions, quotes: Quotes): Node | undefined {
  const root = document.contents
  if (!root || (yamlLibrary().isScalar(root) && root.source === '' && root.range[0] === root.range[1] && root.type === 'PLAIN'))
    return undefined
  const reader = new Reader(source, isJson(source.text), quotes)
  const node = reader.node(root)
  if (reader.problems.length > 0) throw reader.problems.length === 1 ? reader.problems[0] : new Problems(reader.problems)
  reader.duplicates.sort((a, b) => a.depth - b.depth)
  for (const { message } of reader.duplicates) options.warn?.(message)
  return node
}

function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const emptyScalar = (source: Source): ScalarNode => ({ kind: 'scalar', value: null, span: span(source, 0), style: 'plain' })

const STYLES: { readonly [type: string]: ScalarNode['style'] } = {
  PLAIN: 'plain',
  QUOTE_SINGLE: 'single',
  QUOTE_DOUBLE: 'double',
  BLOCK_LITERAL: 'literal',
  BLOCK_FOLDED: 'folded',
}

/** Walks one document's tree; collects what is wrong with its meaning on the way. */
class Reader {
  readonly problems: Problem[] = []
  readonly duplicates: { readonly depth: number; readonly message: string }[] = []
  readonly #anchors = new Map<string, Node | undefined>()
  #depth = 0

  constructor(
    readonly source: Source,
    readonly json: boolean,
    readonly quotes: Quotes,
  ) {}

  node(from: ParsedNode): Node {
    const { isAlias, isScalar, isSeq } = yamlLibrary()
    if (isAlias(from)) return this.#alias(from)
    const anchor = from.anchor
    if (anchor) this.#anchors.set(anchor, undefined)
    const tag = from.tag === undefined ? undefined : shortTag(from.tag)
    if (tag !== undefined && !isKnownTag(tag)) this.#unknownTag(tag, from.range[0])
    this.#depth++
    const node = isScalar(from)
      ? this.#scalar(this.#written(from), from.type ?? 'PLAIN', from.range, tag)
      : isSeq(from)
        ? this.#sequence(from, tag)
        : this.#mapping(from as YAMLMap.Parsed, tag)
    this.#depth--
    if (anchor) this.#anchors.set(anchor, node)
    return node
  }

  #alias(from: Alias.Parsed): Node {
    const node = this.#anchors.get(from.source)
    if (node) return aliased(node)
    const known = this.#anchors.has(from.source)
    const at = span(this.source, from.range[0], from.range[1])
    const message = known ? `the anchor '${from.source}' contains itself` : `there is no anchor '${from.source}' before this`
    const hint = known ? undefined : (didYouMean(from.source, this.#anchors.keys()) ?? 'quote a value that starts with *')
    this.problems.push(new Problem(message, { kind: 'syntax', span: at, hint }))
    return emptyScalar(this.source)
  }

  #scalar(text: string, type: string, [start, end]: readonly number[], tag: string | undefined): ScalarNode {
    const style = STYLES[type] ?? 'plain'
    const isBlock = style === 'literal' || style === 'folded'
    const at = span(this.source, start!, isBlock ? start! + this.source.text.slice(start, end).trimEnd().length : end!)
    const resolved = tag !== undefined ? resolveTagged(tag, text) : style === 'plain' ? this.#plain(text) : text
    if (resolved === undefined) {
      this.problems.push(new Problem(`'${text}' is no ${tag?.replace('!!', '')}`, { kind: 'syntax', span: at }))
      return { kind: 'scalar', value: text, span: at, style, tag }
    }
    return tag === undefined
      ? { kind: 'scalar', value: resolved, span: at, style }
      : { kind: 'scalar', value: resolved, span: at, style, tag }
  }

  #written(from: Scalar.Parsed): string {
    const end = this.quotes?.get(from.range[0])
    return (end === undefined ? undefined : readQuoted(this.source.text.slice(from.range[0], end))) ?? from.source ?? ''
  }

  #plain(text: string) {
    return (this.json ? readJsonNumber(text) : undefined) ?? resolvePlain(text)
  }

  #sequence(from: YAMLSeq.Parsed, tag: string | undefined): Node {
    const items = (from.items as ParsedNode[]).map((item) => this.node(item))
    return { kind: 'sequence', items, span: this.#around(from, items.at(-1)), ...(tag === undefined ? {} : { tag }) }
  }

  #mapping(from: YAMLMap.Parsed, tag: string | undefined): MappingNode {
    const written: Written[] = []
    for (const pair of from.items as Pair<ParsedNode, ParsedNode | null>[]) {
      const key = this.#key(pair.key)
      if (!key) continue
      written.push({ key, value: pair.value && !isLeftOut(pair.value) ? this.node(pair.value) : this.#missing(pair.key) })
    }
    const at = this.#around(from, written.at(-1)?.value)
    const { entries, duplicates, problems } = mergeEntries(written)
    this.problems.push(...problems)
    if (!this.json) for (const name of duplicates) this.duplicates.push({ depth: this.#depth, message: duplicateKey(at, name) })
    return { kind: 'mapping', entries, span: at, ...(tag === undefined ? {} : { tag }) }
  }

  /** A list or dict without brackets ends where the last thing in it does. */
  #around(from: YAMLMap.Parsed | YAMLSeq.Parsed, last: Node | undefined): Span {
    return span(this.source, from.range[0], from.flow || !last ? from.range[1] : last.span.end)
  }

  #key(from: ParsedNode | null): ScalarNode | undefined {
    if (!from) return emptyScalar(this.source)
    const node = this.node(from)
    if (node.kind === 'scalar') return node
    const line = this.source.text.slice(this.source.text.lastIndexOf('\n', from.range[0]) + 1).split('\n', 1)[0]!
    const hint = startsWithTemplate(line) || node.kind === 'mapping' ? quoteTemplateHint : undefined
    const at = span(this.source, from.range[0] - (node.kind === 'mapping' ? 1 : 0), from.range[1])
    this.problems.push(new Problem(`a ${node.kind === 'mapping' ? 'dict' : 'list'} cannot be a key`, { kind: 'syntax', span: at, hint }))
    return undefined
  }

  /** `key:` with nothing behind it. */
  #missing(key: ParsedNode | null): ScalarNode {
    const at = key ? key.range[1] : 0
    return { kind: 'scalar', value: null, span: span(this.source, at), style: 'plain' }
  }

  #unknownTag(tag: string, start: number): void {
    const at = this.source.text.lastIndexOf(tag, start)
    this.problems.push(
      new Problem(`the tag ${tag} is not known`, {
        kind: 'syntax',
        span: at === -1 ? span(this.source, start) : span(this.source, at, at + tag.length),
        hint: didYouMean(tag, KNOWN_TAGS) ?? 'quote a value that starts with !',
      }),
    )
  }
}

/** Is it a value of which nothing is written? */
const isLeftOut = (from: ParsedNode): boolean =>
  yamlLibrary().isScalar(from) && from.source === '' && from.type === 'PLAIN' && from.tag === undefined && from.anchor === undefined

function duplicateKey(at: Span, name: string): string {
  const { line, column } = positionAt(at.source.text, at.start)
  return `While constructing a mapping from ${at.source.name}, line ${line}, column ${column}, found a duplicate dict key (${name}). Using last defined value only.`
}
