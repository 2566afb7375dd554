/** XML text → its tree. What is not well-formed is told with its line and column. */
import { isText, uriFor, XML_URI, type XmlDocument, XmlElement, type XmlNode } from './tree.ts'

export class XmlError extends Error {}

export interface ReadOptions {
  /** leave out the blanks between elements */
  readonly dropBlanks?: boolean
  /** CDATA becomes text */
  readonly stripCdata?: boolean
}

export function readXml(text: string, options: ReadOptions = {}): XmlDocument {
  return new Reader(text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n'), options).document()
}

const NAME = /[A-Za-z_:\u0080-\uffff][-A-Za-z0-9_:.\u0080-\uffff]*/y
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

class Reader {
  private at = 0
  private readonly entities = new Map(Object.entries(ENTITIES))
  constructor(
    private readonly text: string,
    private readonly options: ReadOptions,
  ) {}

  document(): XmlDocument {
    if (this.text.startsWith('<?xml') && /\s/.test(this.text[5] ?? '')) this.until('?>')
    const before = this.aside()
    let doctype = ''
    if (this.text.startsWith('<!DOCTYPE', this.at)) {
      doctype = this.doctype()
      before.push(...this.aside())
    }
    if (this.text[this.at] !== '<') throw this.error('Start tag expected, ’<’ not found'.replace(/’/g, "'"))
    const root = this.element()
    const after = this.aside()
    if (this.at < this.text.length) throw this.error('Extra content at the end of the document')
    return { kind: 'document', doctype, before, root, after }
  }

  private error(message: string, at = this.at): XmlError {
    const lines = this.text.slice(0, at).split('\n')
    const [line, column] = [lines.length, lines.at(-1)!.length + 1]
    return new XmlError(`${message}, line ${line}, column ${column} (<string>, line ${line})`)
  }

  /** Comments, instructions and blanks outside the root. */
  private aside(): XmlNode[] {
    const found: XmlNode[] = []
    for (;;) {
      while (/\s/.test(this.text[this.at] ?? '')) this.at++
      const node = this.commentOrInstruction()
      if (!node) return found
      found.push(node)
    }
  }

  private commentOrInstruction(): XmlNode | undefined {
    if (this.text.startsWith('<!--', this.at)) {
      this.at += 4
      return { kind: 'comment', parent: undefined, value: this.until('-->') }
    }
    if (!this.text.startsWith('<?', this.at)) return undefined
    this.at += 2
    const target = this.name()
    const value = this.until('?>').replace(/^\s+/, '')
    return { kind: 'instruction', parent: undefined, target, value }
  }

  /** The text up to a mark; goes behind it. */
  private until(mark: string): string {
    const end = this.text.indexOf(mark, this.at)
    if (end < 0) throw this.error(`${mark} expected, and the document ends`, this.text.length)
    const found = this.text.slice(this.at, end)
    this.at = end + mark.length
    return found
  }

  private name(): string {
    NAME.lastIndex = this.at
    const name = NAME.exec(this.text)?.[0]
    if (name === undefined) throw this.error('xmlParseStartTag: invalid element name')
    this.at += name.length
    return name
  }

  private doctype(): string {
    const start = this.at
    let depth = 0
    for (; this.at < this.text.length; this.at++) {
      const c = this.text[this.at]!
      if (c === '"' || c === "'") this.at = this.text.indexOf(c, this.at + 1)
      else if (c === '[') depth++
      else if (c === ']') depth--
      else if (c === '>' && depth === 0) break
      if (this.at < 0) throw this.error('the document type does not end', this.text.length)
    }
    const doctype = this.text.slice(start, ++this.at)
    for (const [, name, double, single] of doctype.matchAll(/<!ENTITY\s+([^\s%]+)\s+(?:"([^"]*)"|'([^']*)')\s*>/g))
      this.entities.set(name!, double ?? single ?? '')
    return doctype
  }

  private element(parent?: XmlElement): XmlElement {
    const start = this.at++
    const name = this.name()
    const { given, empty } = this.startTag(name, start)
    const element = this.named(name, given, parent, start)
    if (!empty) this.content(element, name, start)
    return element
  }

  private startTag(name: string, start: number): { given: Map<string, string>; empty: boolean } {
    const given = new Map<string, string>()
    for (;;) {
      const before = this.at
      while (/\s/.test(this.text[this.at] ?? '')) this.at++
      if (this.text.startsWith('/>', this.at)) {
        this.at += 2
        return { given, empty: true }
      }
      if (this.text[this.at] === '>') {
        this.at++
        return { given, empty: false }
      }
      if (this.at >= this.text.length) throw this.error(`Couldn't find end of Start Tag ${name}`, start)
      if (before === this.at) throw this.error('attributes construct error')
      const [key, value] = this.attribute()
      if (given.has(key)) throw this.error(`Attribute ${key} redefined`)
      given.set(key, value)
    }
  }

  private attribute(): [string, string] {
    const key = this.name()
    const equals = /\s*=\s*/y
    equals.lastIndex = this.at
    const gap = equals.exec(this.text)
    if (!gap) throw this.error(`Specification mandates value for attribute ${key}`)
    this.at += gap[0].length
    const mark = this.text[this.at]
    if (mark !== '"' && mark !== "'") throw this.error(`AttValue: " or ' expected`)
    this.at++
    const value = this.until(mark)
    if (value.includes('<')) throw this.error(`Unescaped '<' not allowed in attributes values`)
    return [key, this.resolved(value.replace(/[\n\t]/g, ' '))]
  }

  private named(name: string, given: ReadonlyMap<string, string>, parent: XmlElement | undefined, start: number): XmlElement {
    const [prefix, local] = split(name)
    const declared = new Map<string, string>()
    for (const [key, value] of given)
      if (key === 'xmlns') declared.set('', value)
      else if (key.startsWith('xmlns:')) declared.set(key.slice(6), value)
    const uriOf = (p: string): string => {
      const uri = declared.get(p) ?? uriFor(parent, p)
      if (uri === undefined && p !== '') throw this.error(`Namespace prefix ${p} on ${local} is not defined`, start)
      return uri ?? ''
    }
    const element = new XmlElement(prefix, local, uriOf(prefix))
    element.parent = parent
    for (const [p, uri] of declared) element.declared.set(p, uri)
    for (const [key, value] of given) {
      if (key === 'xmlns' || key.startsWith('xmlns:')) continue
      const [p, own] = split(key)
      const uri = p === '' ? '' : p === 'xml' ? XML_URI : uriOf(p)
      element.attributes.push({ kind: 'attribute', parent: element, prefix: p, local: own, uri, value })
    }
    return element
  }

  private content(element: XmlElement, name: string, start: number): void {
    for (;;) {
      const next = this.text.indexOf('<', this.at)
      if (next < 0) throw this.error(`Premature end of data in tag ${name} line ${this.lineOf(start)}`, this.text.length)
      if (next > this.at) this.characters(element, this.text.slice(this.at, next), next)
      this.at = next
      if (this.text.startsWith('</', next)) {
        this.endTag(element, name, start)
        return
      }
      if (this.text.startsWith('<![CDATA[', next)) {
        this.at += 9
        const value = this.until(']]>')
        if (this.options.stripCdata) this.addText(element, value)
        else element.children.push({ kind: 'cdata', parent: element, value })
        continue
      }
      const child = this.commentOrInstruction() ?? this.element(element)
      child.parent = element
      element.children.push(child)
    }
  }

  private endTag(element: XmlElement, name: string, start: number): void {
    this.at += 2
    const end = this.name()
    if (end !== name) throw this.error(`Opening and ending tag mismatch: ${name} line ${this.lineOf(start)} and ${end}`)
    while (/\s/.test(this.text[this.at] ?? '')) this.at++
    if (this.text[this.at] !== '>') throw this.error("expected '>'")
    this.at++
    element.children = element.children.filter((one) => !isText(one) || one.value !== '')
  }

  private lineOf(at: number): number {
    return this.text.slice(0, at).split('\n').length
  }

  private characters(element: XmlElement, raw: string, next: number): void {
    if (this.options.dropBlanks && /^[ \n\t\r]*$/.test(raw) && this.isBorder(element, next)) return
    if (raw.includes(']]>')) throw this.error("Sequence ']]>' not allowed in content")
    this.addText(element, this.resolved(raw))
  }

  /** Blanks are no content beside elements, unless the element has text before. */
  private isBorder(element: XmlElement, next: number): boolean {
    for (let at: XmlElement | undefined = element; at; at = at.parent) {
      const space = at.attribute(XML_URI, 'space')?.value
      if (space === 'preserve') return false
      if (space !== undefined) break
    }
    if (element.children.length === 0) return !this.text.startsWith('</', next)
    return !element.children.some((one) => one.kind === 'text')
  }

  private addText(element: XmlElement, value: string): void {
    const last = element.children.at(-1)
    if (last?.kind === 'text') last.value += value
    else element.children.push({ kind: 'text', parent: element, value })
  }

  private resolved(text: string, depth = 0): string {
    if (!text.includes('&')) return text
    return text.replace(/&([^;&\s]*;?)/g, (_, body: string) => {
      const name = body.slice(0, -1)
      if (!body.endsWith(';') || name === '') throw this.error("EntityRef: expecting ';'")
      const code = /^#(?:x([0-9a-fA-F]+)|(\d+))$/.exec(name)
      if (code) return String.fromCodePoint(code[1] === undefined ? Number(code[2]) : Number.parseInt(code[1], 16))
      const value = this.entities.get(name)
      if (value === undefined || depth > 8) throw this.error(`Entity '${name}' not defined`)
      return Object.hasOwn(ENTITIES, name) ? value : this.resolved(value, depth + 1)
    })
  }
}

function split(name: string): [string, string] {
  const at = name.indexOf(':')
  return at < 0 ? ['', name] : [name.slice(0, at), name.slice(at + 1)]
}
