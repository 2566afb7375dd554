/** Turns nodes into raw values: texts with template marks become templates with their place, sealed ones stay sealed. */
import { looksLikeTemplate, Problem, type Raw, type Span, span, Template, type Timestamp, type Value, Vaulted } from '../base/index.ts'
import type { DocumentOptions, Unvault } from './api.ts'
import type { MappingNode, Node, ScalarNode } from './node.ts'
import { isShared } from './shared.ts'
import { readTimestamp } from './timestamp.ts'

/** A node as people wrote it. What is aliased in the document is one object here, too. */
export function nodeToRaw(node: Node, options: DocumentOptions = {}): Raw {
  if (node.kind === 'scalar' && typeof node.value !== 'string') return node.value
  return new Converter(options.unvault, true).convert(node, false)
}

const asText = ({ text }: Timestamp): string => text

/** A node as data: nothing in it is a template. Sealed texts are opened at once; dates are text where nobody says what else. */
export function nodeToValue(node: Node, options: DocumentOptions = {}, timestamp: (found: Timestamp) => Value = asText): Value {
  return new Converter(options.unvault, false, timestamp).convert(node, true) as Value
}

/** The entries of a mapping as raw values under their names. */
export function mappingToVars(node: MappingNode, options: DocumentOptions = {}): Map<string, Raw> {
  const converter = new Converter(options.unvault, true)
  return new Map(node.entries.map(({ key, value }) => [String(key.value), converter.convert(value, node.tag === '!unsafe')]))
}

class Converter {
  private sharedNodes: Map<Node, Raw> | undefined

  constructor(
    readonly unvault: Unvault | undefined,
    readonly lazy: boolean,
    readonly timestamp: (found: Timestamp) => Raw = (found) => found,
  ) {}

  convert(node: Node, unsafe: boolean): Raw {
    if (!isShared(node)) return this.make(node, unsafe)
    this.sharedNodes ??= new Map()
    const before = this.sharedNodes.get(node)
    if (before !== undefined) return before
    const made = this.make(node, unsafe)
    this.sharedNodes.set(node, made)
    return made
  }

  private make(node: Node, parentUnsafe: boolean): Raw {
    const unsafe = parentUnsafe || node.tag === '!unsafe'
    if (node.kind === 'scalar') return this.scalar(node, unsafe)
    if (node.kind === 'sequence') return node.items.map((item) => this.convert(item, unsafe))
    const dict = new Map<Raw, Raw>()
    for (let i = 0; i < node.entries.length; i++) {
      const { key, value } = node.entries[i]!
      dict.set(this.dateIn(key) ?? key.value, this.convert(value, unsafe))
    }
    return dict
  }

  private scalar(node: ScalarNode, unsafe: boolean): Raw {
    const { value, tag } = node
    if (typeof value !== 'string') return value
    if (tag === '!!binary') return new Uint8Array(Buffer.from(value, 'base64'))
    if (tag === '!vault' || tag === '!vault-encrypted') {
      const open = () => this.open(value, node.span)
      return this.lazy ? new Vaulted(value, open, node.span) : open()
    }
    const timestamp = this.dateIn(node)
    if (timestamp !== undefined) return timestamp
    return unsafe || !looksLikeTemplate(value) ? value : new Template(value, textSpan(node, value))
  }

  private dateIn(node: ScalarNode): Raw | undefined {
    const found = timestampIn(node)
    return found && this.timestamp(found)
  }

  private open(ciphertext: string, at: Span): string {
    if (!this.unvault) throw new Problem('there is no vault secret to open this text with', { kind: 'vault', span: at })
    try {
      return this.unvault(ciphertext)
    } catch (error) {
      if (!(error instanceof Problem) || error.span) throw error
      throw new Problem(error.message, { kind: error.kind, span: at, hint: error.hint, notes: error.notes, cause: error })
    }
  }
}

/** The date that an unquoted scalar is, or one that its tag makes a date. */
const timestampIn = ({ value, tag, style, span: at }: ScalarNode): Timestamp | undefined =>
  typeof value === 'string' && (tag === '!!timestamp' || (style === 'plain' && tag === undefined)) ? readTimestamp(value, at) : undefined

/**
 * The range in which the text stands letter for letter, so that an offset into the text is an offset into the file;
 * an empty range at the text's start where it was folded, escaped or indented.
 */
export function textSpan(node: ScalarNode, text: string): Span {
  const { source } = node.span
  const from = TEXT_STARTS[node.style](source.text, node.span.start)
  if (source.text.startsWith(text, from)) return span(source, from, from + text.length)
  const line = text.trimEnd()
  return source.text.startsWith(line, from) && !line.includes('\n') ? span(source, from, from + line.length) : span(source, from)
}

const afterQuote = (_text: string, start: number): number => start + 1

/** The first letter of a block scalar: behind its header line and the indentation. */
function blockStart(text: string, start: number): number {
  const header = text.indexOf('\n', start)
  const content = /\S/.exec(text.slice(header + 1))
  return header === -1 || !content ? start : header + 1 + content.index
}

const TEXT_STARTS: { readonly [style in ScalarNode['style']]: (text: string, start: number) => number } = {
  plain: (_text, start) => start,
  single: afterQuote,
  double: afterQuote,
  literal: blockStart,
  folded: blockStart,
}
