/** The tree of an XML document → text, as libxml2 writes it. */
import { isText, type XmlDocument, type XmlElement, type XmlNode } from './tree.ts'

/** The document with its declaration; pretty: elements on lines of their own, indented by two. */
export function writeDocument(doc: XmlDocument, pretty = false): string {
  const end = pretty ? '\n' : ''
  return [
    "<?xml version='1.0' encoding='UTF-8'?>\n",
    doctypeOf(doc),
    ...doc.before.map((node) => writeNode(node, pretty) + end),
    writeNode(doc.root, pretty),
    ...doc.after.map((node) => end + writeNode(node, pretty)),
    end,
  ].join('')
}

/** One that names another root is left out; its declarations stand on lines of their own. */
function doctypeOf({ doctype, root }: XmlDocument): string {
  const [, name, middle, inner] = /^<!DOCTYPE\s+([^\s>[]+)([^[]*?)\s*(?:\[(.*)\]\s*)?>$/s.exec(doctype) ?? []
  if (name !== root.name) return ''
  const declared = inner === undefined ? [] : (inner.match(/<!--.*?-->|<(?:"[^"]*"|'[^']*'|[^>"'])*>|%[^;]*;/gs) ?? [])
  return `<!DOCTYPE ${name}${middle}${declared.length === 0 ? '' : ` [\n${declared.join('\n')}\n]`}>\n`
}

export function writeNode(node: XmlNode, pretty = false, depth = 0): string {
  switch (node.kind) {
    case 'text':
      return escapeText(node.value)
    case 'cdata':
      return `<![CDATA[${node.value}]]>`
    case 'comment':
      return `<!--${node.value}-->`
    case 'instruction':
      return `<?${node.target}${node.value === '' ? '' : ` ${node.value}`}?>`
    case 'element':
      return writeElement(node, pretty, depth)
  }
}

function writeElement(element: XmlElement, pretty: boolean, depth: number): string {
  const { name, children } = element
  const start = `<${name}${declarations(element)}${element.attributes.map(attribute).join('')}`
  if (children.length === 0) return `${start}/>`
  const spread = pretty && !children.some(isText)
  const inner = children.map((child) => writeNode(child, spread, depth + 1))
  if (!spread) return `${start}>${inner.join('')}</${name}>`
  const indent = (level: number): string => `\n${'  '.repeat(level)}`
  return `${start}>${inner.map((one) => indent(depth + 1) + one).join('')}${indent(depth)}</${name}>`
}

const declarations = (element: XmlElement): string =>
  [...element.declared].map(([prefix, uri]) => ` xmlns${prefix === '' ? '' : `:${prefix}`}="${escapeAttribute(uri)}"`).join('')

const attribute = ({ prefix, local, value }: XmlElement['attributes'][number]): string =>
  ` ${prefix === '' ? '' : `${prefix}:`}${local}="${escapeAttribute(value)}"`

const escapeText = (text: string): string =>
  text.replace(/[&<>\r]/g, (c) => (c === '&' ? '&amp;' : c === '<' ? '&lt;' : c === '>' ? '&gt;' : '&#13;'))

const MARKS: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
}

const escapeAttribute = (text: string): string => text.replace(/[&<>"\n\r\t]/g, (c) => MARKS[c]!)
