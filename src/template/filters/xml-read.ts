/** XML text → its root element; undefined where it is not well-formed. */

export interface XmlElement {
  readonly name: string
  readonly attributes: readonly (readonly [string, string])[]
  readonly children: XmlElement[]
  /** all text of its own, put together */
  text: string
}

export function readXml(text: string): XmlElement | undefined {
  try {
    return new Reader(text).document()
  } catch (error) {
    if (error instanceof NotWellFormed) return undefined
    throw error
  }
}

class NotWellFormed extends Error {}

const NAME = /[\p{L}_:][\p{L}\p{N}_:.\-·]*/uy
const ATTRIBUTE = /\s+([\p{L}_:][\p{L}\p{N}_:.\-·]*)\s*=\s*("[^"<]*"|'[^'<]*')/uy
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
/** what may stand before and behind the root, and is passed over within it: [opening, closing] */
const PASSED: readonly (readonly [string, string])[] = [
  ['<!--', '-->'],
  ['<?', '?>'],
]

class Reader {
  private at = 0
  constructor(private readonly text: string) {}

  document(): XmlElement {
    if (this.text.startsWith('\ufeff')) this.at++
    this.misc(true)
    const root = this.tree()
    this.misc(false)
    if (this.at < this.text.length) throw new NotWellFormed()
    return root
  }

  /** Blanks, comments and instructions outside the root; before it a document type, too. */
  private misc(before: boolean): void {
    for (;;) {
      while (/\s/.test(this.text[this.at] ?? '')) this.at++
      if (this.pass()) continue
      if (!before || !this.text.startsWith('<!DOCTYPE', this.at)) return
      const found = /<!DOCTYPE[^[>]*(?:\[[\s\S]*?\]\s*)?>/y
      found.lastIndex = this.at
      if (!found.test(this.text)) throw new NotWellFormed()
      this.at = found.lastIndex
    }
  }

  private pass(): boolean {
    const kind = PASSED.find(([opening]) => this.text.startsWith(opening, this.at))
    if (!kind) return false
    const end = this.text.indexOf(kind[1], this.at + kind[0].length)
    if (end === -1) throw new NotWellFormed()
    this.at = end + kind[1].length
    return true
  }

  /** The root with all in it, without recursion, so that depth costs nothing. */
  private tree(): XmlElement {
    const first = this.open()
    const stack = first.closed ? [] : [first.element]
    while (stack.length > 0) {
      const inner = stack.at(-1)!
      const mark = this.text.indexOf('<', this.at)
      if (mark === -1) throw new NotWellFormed()
      inner.text += unescaped(this.text.slice(this.at, mark))
      this.at = mark
      if (this.cdata(inner) || this.pass()) continue
      if (this.text.startsWith('</', this.at)) {
        this.close(inner.name)
        stack.pop()
        continue
      }
      const { element, closed } = this.open()
      inner.children.push(element)
      if (!closed) stack.push(element)
    }
    return first.element
  }

  private cdata(into: XmlElement): boolean {
    if (!this.text.startsWith('<![CDATA[', this.at)) return false
    const end = this.text.indexOf(']]>', this.at)
    if (end === -1) throw new NotWellFormed()
    into.text += this.text.slice(this.at + '<![CDATA['.length, end)
    this.at = end + 3
    return true
  }

  private open(): { element: XmlElement; closed: boolean } {
    if (this.text[this.at] !== '<') throw new NotWellFormed()
    this.at++
    const name = this.match(NAME)?.[0]
    if (name === undefined) throw new NotWellFormed()
    const attributes: [string, string][] = []
    for (let found = this.match(ATTRIBUTE); found; found = this.match(ATTRIBUTE)) {
      if (attributes.some(([known]) => known === found![1])) throw new NotWellFormed()
      attributes.push([found[1]!, unescaped(found[2]!.slice(1, -1)).replace(/[\n\t\r]/g, ' ')])
    }
    const end = this.match(/\s*(\/?)>/y)
    if (!end) throw new NotWellFormed()
    return { element: { name, attributes, children: [], text: '' }, closed: end[1] === '/' }
  }

  private close(name: string): void {
    this.at += 2
    if (!this.text.startsWith(name, this.at)) throw new NotWellFormed()
    this.at += name.length
    if (!this.match(/\s*>/y)) throw new NotWellFormed()
  }

  private match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)
    if (found) this.at = pattern.lastIndex
    return found
  }
}

function unescaped(text: string): string {
  const lines = text.replace(/\r\n?/g, '\n')
  return lines.replace(/&(?:#(\d+)|#x([0-9a-fA-F]+)|([^\s;&]+))?;?/g, (whole, decimal?: string, hex?: string, name?: string) => {
    if (!whole.endsWith(';')) throw new NotWellFormed()
    if (name !== undefined) {
      const known = Object.hasOwn(ENTITIES, name) ? ENTITIES[name] : undefined
      if (known === undefined) throw new NotWellFormed()
      return known
    }
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
    if (!(code > 0 && code <= 0x10ffff)) throw new NotWellFormed()
    return String.fromCodePoint(code)
  })
}
