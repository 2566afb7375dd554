/** YAML nodes → text, laid out and folded as libyaml's emitter does it. */
import { type Analysis, analyze } from './yaml-analyze.ts'
import type { YamlMapping, YamlNode, YamlScalar, YamlSequence } from './yaml-node.ts'
import { YamlPage } from './yaml-page.ts'
import { writeDouble, writeFolded, writeLiteral, writePlain, writeSingle } from './yaml-scalars.ts'

export interface EmitOptions {
  readonly indent?: number | undefined
  readonly width?: number | undefined
  readonly allowUnicode?: boolean | undefined
  readonly explicitStart?: boolean | undefined
  readonly explicitEnd?: boolean | undefined
  /** `1.1`: the head of the document says so */
  readonly version?: string | undefined
}

/** Longer keys are written with `? `. */
const LONGEST_KEY = 128

type Style = 'plain' | 'single' | 'double' | 'literal' | 'folded'

/** Styles by their signs. */
const WANTED: Readonly<Record<string, Style>> = { "'": 'single', '"': 'double', '|': 'literal', '>': 'folded' }

/** Where a node stands. */
type Place = 'root' | 'sequence' | 'mapping' | 'key'

export function emitYaml(root: YamlNode, options: EmitOptions): string {
  nameAnchors(root)
  const emitter = new Emitter(options)
  emitter.document(root, options)
  return emitter.page.text()
}

class Emitter {
  readonly page: YamlPage
  private readonly allowUnicode: boolean
  private flowLevel = 0
  private indent = -1

  constructor(options: EmitOptions) {
    this.page = new YamlPage(options.indent, options.width)
    this.allowUnicode = options.allowUnicode ?? false
  }

  document(root: YamlNode, options: EmitOptions): void {
    if (options.version) {
      this.page.indicator(`%YAML ${options.version}`, true)
      this.page.newLine(this.indent)
    }
    if (options.explicitStart || options.version) this.page.indicator('---', true)
    if (options.version) this.page.newLine(this.indent)
    this.node(root, 'root')
    this.page.newLine(this.indent)
    if (!options.explicitEnd) return
    this.page.indicator('...', true)
    this.page.newLine(this.indent)
  }

  private node(node: YamlNode, place: Place): void {
    if (node.kind === 'alias') {
      this.page.indicator(`*${node.target.anchor}`, true)
      if (place === 'key') this.page.put(' ')
      return
    }
    if (node.anchor) this.page.indicator(`&${node.anchor}`, true)
    if (node.kind === 'scalar') this.scalar(node, place === 'key')
    else if (node.kind === 'sequence') this.sequence(node, place)
    else this.mapping(node)
  }

  private sequence(node: YamlSequence, place: Place): void {
    if (this.flowLevel > 0 || node.flow || node.items.length === 0) {
      this.flowSequence(node)
      return
    }
    // a list right below a key is not indented further
    this.indented(false, place === 'mapping' && !this.page.indention, () => {
      for (const item of node.items) {
        this.page.newLine(this.indent)
        this.page.indicator('-', true, false, true)
        this.node(item, 'sequence')
      }
    })
  }

  private mapping(node: YamlMapping): void {
    if (node.tag) this.page.indicator(node.tag, true)
    if (this.flowLevel > 0 || node.flow || node.entries.length === 0) {
      this.flowMapping(node)
      return
    }
    this.indented(false, false, () => {
      for (const [key, value] of node.entries) {
        this.page.newLine(this.indent)
        if (this.isSimpleKey(key)) {
          this.node(key, 'key')
          this.page.indicator(':', false)
        } else {
          this.page.indicator('?', true, false, true)
          this.node(key, 'mapping')
          this.page.newLine(this.indent)
          this.page.indicator(':', true, false, true)
        }
        this.node(value, 'mapping')
      }
    })
  }

  private flowSequence(node: YamlSequence): void {
    this.flow('[', ']', node.items, (item) => this.node(item, 'sequence'))
  }

  private flowMapping(node: YamlMapping): void {
    this.flow('{', '}', node.entries, ([key, value]) => {
      if (this.isSimpleKey(key)) {
        this.node(key, 'key')
        this.page.indicator(':', false)
      } else {
        this.page.indicator('?', true)
        this.node(key, 'mapping')
        if (this.page.isPastWidth()) this.page.newLine(this.indent)
        this.page.indicator(':', true)
      }
      this.node(value, 'mapping')
    })
  }

  private flow<T>(open: string, close: string, parts: readonly T[], write: (part: T) => void): void {
    this.page.indicator(open, true, true)
    this.indented(true, false, () => {
      this.flowLevel++
      parts.forEach((part, i) => {
        if (i > 0) this.page.indicator(',', false)
        if (this.page.isPastWidth()) this.page.newLine(this.indent)
        write(part)
      })
      this.flowLevel--
    })
    this.page.indicator(close, false)
  }

  private indented(flow: boolean, indentless: boolean, write: () => void): void {
    const outer = this.indent
    if (outer < 0) this.indent = flow ? this.page.bestIndent : 0
    else if (!indentless) this.indent += this.page.bestIndent
    write()
    this.indent = outer
  }

  private isSimpleKey(node: YamlNode): boolean {
    if (node.kind === 'alias') return (node.target.anchor?.length ?? 0) <= LONGEST_KEY
    const anchor = node.anchor?.length ?? 0
    if (node.kind === 'sequence') return node.items.length === 0 && anchor <= LONGEST_KEY
    if (node.kind === 'mapping') return node.entries.length === 0 && anchor <= LONGEST_KEY
    return !/[\r\n\x85\u2028\u2029]/.test(node.text) && anchor + Buffer.byteLength(node.text) <= LONGEST_KEY
  }

  private scalar(node: YamlScalar, isKey: boolean): void {
    const chars = Array.from(node.text)
    const analysis = analyze(chars, this.allowUnicode)
    const style = this.styleOf(node, analysis, chars.length === 0, isKey)
    if (!node.plain && !node.quoted && node.tag) this.page.indicator(node.tag, true)
    else if (style !== 'plain' && !node.quoted) this.page.indicator('!', true)
    this.indented(true, false, () => {
      if (style === 'plain') writePlain(this.page, chars, !isKey, this.indent, this.flowLevel > 0)
      else if (style === 'single') writeSingle(this.page, chars, !isKey, this.indent)
      else if (style === 'double') writeDouble(this.page, chars, !isKey, this.indent, this.allowUnicode)
      else if (style === 'folded') writeFolded(this.page, chars, this.indent)
      else writeLiteral(this.page, chars, this.indent)
    })
  }

  private styleOf(node: YamlScalar, analysis: Analysis, empty: boolean, isKey: boolean): Style {
    const inFlow = this.flowLevel > 0
    if (isKey && analysis.multiline) return 'double'
    const wanted = node.literal ? 'literal' : WANTED[node.style ?? '']
    if (wanted === 'literal' || wanted === 'folded') return analysis.block && !inFlow && !isKey ? wanted : 'double'
    if (wanted === 'double') return 'double'
    if (wanted === 'single') return analysis.single ? 'single' : 'double'
    const tagged = !node.plain && !node.quoted && node.tag !== undefined
    const plainAllowed = inFlow ? analysis.flowPlain : analysis.blockPlain
    if (plainAllowed && !(empty && (inFlow || isKey)) && (node.plain || tagged)) return 'plain'
    return analysis.single ? 'single' : 'double'
  }
}

/** Gives a name to every collection that is met a second time, in the order of those second meetings. */
function nameAnchors(root: YamlNode): void {
  let count = 0
  const walk = (node: YamlNode): void => {
    if (node.kind === 'alias') node.target.anchor ??= `id${String(++count).padStart(3, '0')}`
    else if (node.kind === 'sequence') node.items.forEach(walk)
    else if (node.kind === 'mapping') for (const [key, value] of node.entries) [key, value].forEach(walk)
  }
  walk(root)
}
