/** ansible.utils' from_xml and to_xml: XML text ↔ dicts, with attributes under `@name` and text under `#text`. */
import { LazyDict, Tuple, type Value } from '../../base/index.ts'
import { eager, filterError, isMapping, isUndefined, str, toList, truth } from '../python/index.ts'
import { classOf, type FilterTable, filter } from './define.ts'
import { readXml, type XmlElement } from './xml-read.ts'

type Dict = Map<Value, Value>

export const XML: FilterTable = {
  from_xml: filter('from_xml', [['engine', 'xmltodict']], (value, [engine]) => {
    checkEngine(engine, 'from_xml')
    if (isUndefined(value)) value.raise()
    const root = typeof value === 'string' ? readXml(value) : undefined
    if (!root) throw filterError("Error when using plugin 'from_xml': Input Xml is not valid")
    return new Map([[root.name, contentOf(root)]])
  }),
  to_xml: filter(
    'to_xml',
    [
      ['engine', 'xmltodict'],
      ['indent', 'tabs'],
      ['indent_width', 4],
      ['full_document', true],
    ],
    (value, [engine, indent, width, whole]) => {
      checkEngine(engine, 'to_xml')
      if (isUndefined(value)) value.raise()
      if (indent !== 'tabs' && indent !== 'spaces')
        throw filterError(`['value of indent must be one of: tabs, spaces, got: ${str(indent)}']`)
      return toXml(value, indent === 'spaces' ? ' '.repeat(Number(width)) : '\t', truth(whole))
    },
  ),
}

function checkEngine(engine: Value, plugin: string): void {
  if (engine !== 'xmltodict') throw filterError(`Error when using plugin '${plugin}': engine: ${str(engine)} is not supported `)
}

/** An element: None when empty, its text when it has nothing else, else a dict. */
function contentOf(element: XmlElement): Value {
  const dict: Dict = new Map(element.attributes.map(([name, text]) => [`@${name}`, text]))
  for (const [name, values] of valuesByName(element)) dict.set(name, values.length === 1 ? values[0]! : values)
  const text = element.text.trim()
  if (dict.size === 0) return text === '' ? null : text
  if (text !== '') dict.set('#text', text)
  return dict
}

/** Elements of the same name come together, where the first of them stands. */
function valuesByName({ children }: XmlElement): Map<string, Value[]> {
  const out = new Map<string, Value[]>()
  for (const child of children) {
    const known = out.get(child.name)
    if (known) known.push(contentOf(child))
    else out.set(child.name, [contentOf(child)])
  }
  return out
}

function toXml(value: Value, indent: string, whole: boolean): string {
  const invalid = filterError("Error when using plugin 'to_xml': Input json is not valid")
  if (!isMapping(value)) {
    const type = classOf(value)
    throw filterError(
      str([`argument 'data' is of type ${type} and we were unable to convert to dict: ${type} cannot be converted to a dict`]),
    )
  }
  const roots = [...dictOf(value)]
  if (whole && (roots.length !== 1 || (Array.isArray(roots[0]![1]) && roots[0]![1].length > 1))) throw invalid
  const text = roots.map(([name, item]) => written(str(name), item, 0, indent)).join('')
  return whole ? `<?xml version="1.0" encoding="utf-8"?>\n${text}` : text
}

const dictOf = (value: Dict | LazyDict): Dict => (value instanceof LazyDict ? eager(value) : value)

/** An element, or one for each member of a list. */
function written(name: string, value: Value, depth: number, indent: string): string {
  const items = Array.isArray(value) || value instanceof Tuple ? toList(value) : [value]
  return items.map((item) => one(name, item, depth, indent)).join('')
}

function one(name: string, value: Value, depth: number, indent: string): string {
  const dict: Dict = value === null ? new Map() : isMapping(value) ? dictOf(value) : new Map([['#text', plainText(value)]])
  let attributes = ''
  let text = ''
  const children: [string, Value][] = []
  for (const [key, item] of dict) {
    const named = str(key)
    if (named === '#text') text = item === null ? '' : plainText(item)
    else if (named.startsWith('@')) attributes += ` ${named.slice(1)}=${quoted(item === null ? '' : plainText(item))}`
    else children.push([named, item])
  }
  const margin = indent.repeat(depth)
  const inner = children.map(([child, item]) => written(child, item, depth + 1, indent)).join('')
  const body = children.length > 0 ? `\n${inner}${escaped(text)}${margin}` : escaped(text)
  return `${margin}<${name}${attributes}>${body}</${name}>${depth > 0 ? '\n' : ''}`
}

const plainText = (value: Value): string => (typeof value === 'boolean' ? String(value) : str(value))

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('>', '&gt;').replaceAll('<', '&lt;')

/** An attribute's value in the quotes that need no escape. */
function quoted(text: string): string {
  const safe = escaped(text).replaceAll('\n', '&#10;').replaceAll('\r', '&#13;').replaceAll('\t', '&#9;')
  if (!safe.includes('"')) return `"${safe}"`
  return safe.includes("'") ? `"${safe.replaceAll('"', '&quot;')}"` : `'${safe}'`
}
