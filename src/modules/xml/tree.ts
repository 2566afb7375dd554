/** The tree of an XML document: elements that know their parent, with texts, comments and instructions between them. */

export interface XmlText {
  readonly kind: 'text' | 'cdata'
  parent: XmlElement | undefined
  value: string
}

export interface XmlComment {
  readonly kind: 'comment'
  parent: XmlElement | undefined
  readonly value: string
}

export interface XmlInstruction {
  readonly kind: 'instruction'
  parent: XmlElement | undefined
  readonly target: string
  readonly value: string
}

export interface XmlAttribute {
  readonly kind: 'attribute'
  readonly parent: XmlElement
  readonly prefix: string
  readonly local: string
  readonly uri: string
  value: string
}

export type XmlNode = XmlElement | XmlText | XmlComment | XmlInstruction

export class XmlElement {
  readonly kind = 'element'
  parent: XmlElement | undefined
  children: XmlNode[] = []
  attributes: XmlAttribute[] = []
  /** what `xmlns` and `xmlns:x` say here: prefix (empty for the default) → address */
  readonly declared = new Map<string, string>()
  constructor(
    public prefix: string,
    readonly local: string,
    readonly uri: string,
  ) {}

  get name(): string {
    return this.prefix === '' ? this.local : `${this.prefix}:${this.local}`
  }

  /** `{address}name` */
  get tag(): string {
    return clark(this.uri, this.local)
  }

  /** What comes before the first child that is no text; null where there is nothing. */
  get text(): string | null {
    const texts = this.children.slice(0, this.leading()).map((one) => (one as XmlText).value)
    return texts.length === 0 ? null : texts.join('')
  }

  set text(value: string | null) {
    this.children.splice(0, this.leading(), ...(value === null ? [] : [newText(value, this)]))
  }

  /** Children that are no texts. */
  get items(): Exclude<XmlNode, XmlText>[] {
    return this.children.filter((one): one is Exclude<XmlNode, XmlText> => !isText(one))
  }

  attribute(uri: string, local: string): XmlAttribute | undefined {
    return this.attributes.find((one) => one.uri === uri && one.local === local)
  }

  setAttribute(uri: string, local: string, value: string): void {
    const there = this.attribute(uri, local)
    if (there) there.value = value
    else this.attributes.push({ kind: 'attribute', parent: this, prefix: uri === '' ? '' : prefixFor(this, uri, true), local, uri, value })
  }

  /** Adds a child at the end. */
  append(child: XmlNode): void {
    attach(child, this)
    this.children.push(child)
  }

  /** Adds a child before the item of this index, or at the end. */
  insertItem(index: number, child: XmlNode): void {
    const before = this.items[index]
    attach(child, this)
    this.children.splice(before ? this.children.indexOf(before) : this.children.length, 0, child)
  }

  /** Takes a child out; the text that follows it goes with it. */
  remove(child: XmlNode): void {
    const at = this.children.indexOf(child)
    const end = this.children.findIndex((one, i) => i > at && !isText(one))
    this.children.splice(at, (end < 0 ? this.children.length : end) - at)
    child.parent = undefined
  }

  private leading(): number {
    const first = this.children.findIndex((one) => !isText(one))
    return first < 0 ? this.children.length : first
  }
}

export interface XmlDocument {
  readonly kind: 'document'
  /** `<!DOCTYPE …>` as it is written; empty where there is none */
  readonly doctype: string
  readonly before: readonly XmlNode[]
  readonly root: XmlElement
  readonly after: readonly XmlNode[]
}

export const isText = (node: XmlNode): node is XmlText => node.kind === 'text' || node.kind === 'cdata'

export const newText = (value: string, parent: XmlElement): XmlText => ({ kind: 'text', parent, value })

export const clark = (uri: string, local: string): string => (uri === '' ? local : `{${uri}}${local}`)

export const XML_URI = 'http://www.w3.org/XML/1998/namespace'

/** The address that a prefix stands for at an element. */
export function uriFor(element: XmlElement | undefined, prefix: string): string | undefined {
  if (prefix === 'xml') return XML_URI
  for (let at = element; at; at = at.parent) if (at.declared.has(prefix)) return at.declared.get(prefix)
  return undefined
}

/** A prefix that stands for an address at an element; a new one is declared there. */
export function prefixFor(element: XmlElement, uri: string, forAttribute: boolean): string {
  const known = knownPrefix(element, uri, forAttribute)
  if (known !== undefined) return known
  let number = 0
  while (uriFor(element, `ns${number}`) !== undefined) number++
  element.declared.set(`ns${number}`, uri)
  return `ns${number}`
}

function knownPrefix(element: XmlElement | undefined, uri: string, forAttribute: boolean): string | undefined {
  if (uri === XML_URI) return 'xml'
  for (let at = element; at; at = at.parent)
    for (const [prefix, address] of at.declared)
      if (address === uri && !(forAttribute && prefix === '') && uriFor(element, prefix) === uri) return prefix
  return undefined
}

/** Takes the child from where it was; what its declarations say is left to those around it where they say the same. */
function attach(child: XmlNode, parent: XmlElement): void {
  child.parent?.remove(child)
  child.parent = parent
  if (child.kind !== 'element') return
  for (const [prefix, uri] of child.declared) {
    const around = knownPrefix(parent, uri, prefix !== '' && usedByAttributes(child, uri))
    if (around === undefined) continue
    child.declared.delete(prefix)
    rename(child, prefix, around, uri)
  }
  if (child.uri !== '' && uriFor(child, child.prefix) !== child.uri) child.prefix = prefixFor(child, child.uri, false)
}

const usedByAttributes = (element: XmlElement, uri: string): boolean =>
  element.attributes.some((one) => one.uri === uri) || element.children.some((one) => one.kind === 'element' && usedByAttributes(one, uri))

function rename(element: XmlElement, from: string, to: string, uri: string): void {
  if (element.declared.has(from)) return
  if (element.prefix === from && element.uri === uri) element.prefix = to
  element.attributes = element.attributes.map((one) => (one.prefix === from && one.uri === uri ? { ...one, prefix: to } : one))
  for (const child of element.children) if (child.kind === 'element') rename(child, from, to, uri)
}
