/** xml: makes elements, attributes and texts of an XML file or text be there, be others, or be gone; or tells them. */
import { type Json, type JsonObject, toJson, type Value } from '../../base/index.ts'
import { type Args, asText, bool, choice, dict, fallback, list, path, raw, str } from '../../params/index.ts'
import { textOf } from '../../remote/index.ts'
import { type Change, type Done, defineModule, type Host, ModuleFailure, type Result } from '../api.ts'
import { type Edited, openFile, saveFile } from '../files/edit.ts'
import { childrenOf } from '../xml/children.ts'
import { readXml, XmlError } from '../xml/parse.ts'
import { clarkName, elementsAt, type Place, spawn } from '../xml/spawn.ts'
import { isText, type XmlDocument, type XmlElement } from '../xml/tree.ts'
import { writeDocument, writeNode } from '../xml/write.ts'
import { evaluate, nodesOf, type PathNode, pathTo, stringOf, truth } from '../xml/xpath.ts'
import { readXPath, XPathError } from '../xml/xpath-syntax.ts'

const params = {
  add_children: list<Value>('raw', { description: 'children that the element gets besides those it has' }),
  attribute: raw({ description: 'the attribute that gets the value' }),
  backup: fallback(bool(), false),
  content: choice(['attribute', 'text'], { description: 'what is told of the elements' }),
  count: fallback(bool({ description: 'tell how many fit the path' }), false),
  input_type: choice(['xml', 'yaml'], 'yaml', { description: 'form of the children' }),
  insertafter: fallback(bool({ description: 'children go behind the last match' }), false),
  insertbefore: fallback(bool({ description: 'children go before the first match' }), false),
  namespaces: fallback(dict({ description: 'addresses of the prefixes in the path' }), new Map()),
  path: path({ aliases: ['dest', 'file'] }),
  pretty_print: fallback(bool({ description: 'write elements on lines of their own, indented' }), false),
  print_match: fallback(bool({ description: 'tell the paths of the matches' }), false),
  set_children: list<Value>('raw', { description: 'children that the element has, and no others' }),
  state: choice(['absent', 'present'], 'present', { aliases: ['ensure'] }),
  strip_cdata_tags: fallback(bool({ description: 'make plain text of CDATA' }), false),
  value: raw({ description: 'text of the element, or value of the attribute' }),
  xmlstring: str({ description: 'the XML itself, instead of a file' }),
  xpath: str({ description: 'an XPath that leads to what is meant' }),
} as const

type XmlArgs = Args<typeof params>

export default defineModule({
  name: 'community.general.xml',
  summary: 'Manages parts of XML files.',
  params,
  rules: {
    requiredBy: { add_children: ['xpath'], attribute: ['value'], content: ['xpath'], set_children: ['xpath'], value: ['xpath'] },
    requiredIf: [
      ['count', true, ['xpath']],
      ['print_match', true, ['xpath']],
      ['insertbefore', true, ['xpath']],
      ['insertafter', true, ['xpath']],
    ],
    requiredOneOf: [
      ['path', 'xmlstring'],
      ['add_children', 'content', 'count', 'pretty_print', 'print_match', 'set_children', 'value'],
    ],
    mutuallyExclusive: [
      ['add_children', 'content', 'count', 'print_match', 'set_children', 'value'],
      ['path', 'xmlstring'],
      ['insertbefore', 'insertafter'],
    ],
  },
  async *run(args, host) {
    const { file, text } = await source(args, host)
    if (args.xpath !== undefined) checkPath(args.xpath)
    const place = { doc: parse(args, text), namespaces: new Map([...args.namespaces].map(([k, v]) => [asText(k), asText(v)])) }
    const before = writeDocument(place.doc, true)
    const told = args.xpath === undefined ? undefined : checked(() => deed(args, place, args.xpath!))
    if (told === undefined && !args.pretty_print) throw new ModuleFailure("Don't know what to do")
    const after = writeDocument(place.doc, args.pretty_print)
    const edit = { before, after, text }
    return told === undefined ? yield* reformatted(args, host, file, edit) : yield* finished(args, host, place, file, { ...edit, told })
  },
})

interface Edit {
  readonly text: string
  readonly before: string
  readonly after: string
}

async function source(args: XmlArgs, host: Host): Promise<{ file: Edited | undefined; text: string }> {
  if (args.xmlstring) return { file: undefined, text: args.xmlstring }
  const file = await openFile(editArgs(args), host)
  if (!file.real.exists || file.real.kind !== 'file') throw new ModuleFailure(`The target XML source '${args.path ?? ''}' does not exist.`)
  return { file, text: decoded(file.content ?? new Uint8Array()) }
}

const editArgs = (args: XmlArgs): Parameters<typeof openFile>[0] => ({ path: args.path ?? '', backup: args.backup, unsafe_writes: false })

/** Text in the encoding that it names itself. */
function decoded(bytes: Uint8Array): string {
  const named = /^<\?xml[^>]*encoding=["']([\w.-]+)["']/.exec(Buffer.from(bytes.subarray(0, 200)).toString('latin1'))?.[1]
  const mark = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined
  try {
    return new TextDecoder(mark ?? named ?? 'utf-8').decode(bytes)
  } catch {
    throw new ModuleFailure(`the encoding ${named} is not known`)
  }
}

function checkPath(xpath: string): void {
  try {
    readXPath(xpath)
  } catch (error) {
    if (error instanceof XPathError) throw new ModuleFailure(`Syntax error in xpath expression: ${xpath} (${error.message})`)
    throw error
  }
}

function parse(args: XmlArgs, text: string): XmlDocument {
  try {
    return readXml(text, { dropBlanks: args.pretty_print, stripCdata: args.strip_cdata_tags })
  } catch (error) {
    if (error instanceof XmlError) throw new ModuleFailure(`Error while parsing document: ${args.path ?? 'xml_string'} (${error.message})`)
    throw error
  }
}

function checked<T>(evaluates: () => T): T {
  try {
    return evaluates()
  } catch (error) {
    if (error instanceof XPathError) throw new ModuleFailure(error.message)
    throw error
  }
}

/** Does what is asked to the tree; what it finds on the way belongs in the result. */
function deed(args: XmlArgs, place: Place, xpath: string): JsonObject {
  const found = (): readonly PathNode[] => nodesOf(evaluate(xpath, place.doc, place.namespaces))
  if (args.print_match) return matchPaths(xpath, found(), place.doc)
  if (args.count) return counted(place, xpath)
  if (args.content !== undefined) return contents(xpath, elementsAt(place, xpath), args.content)
  if (args.state === 'absent') removeAll(xpath, found())
  else if (args.set_children !== undefined) setChildren(elementsAt(place, xpath), childrenOf(args.set_children, args.input_type))
  else if (args.add_children?.length) addChildren(args, elementsAt(place, xpath), childrenOf(args.add_children, args.input_type))
  else if (args.value !== undefined && args.value !== null) setValue(args, place, xpath, asText(args.value))
  else if (!isThere(place, xpath)) spawn(place, xpath)
  return {}
}

function matchPaths(xpath: string, found: readonly PathNode[], doc: XmlDocument): JsonObject {
  const paths = found.map((node) => {
    if (node.kind === 'document') return '/'
    if (node.kind === 'attribute' || isText(node)) throw new ModuleFailure(`selector '${xpath}' matches what is no element`)
    return pathTo(node, doc)
  })
  return { msg: `selector '${xpath}' match: [${paths.map((one) => JSON.stringify(one)).join(', ')}]`, matches: [] }
}

function counted(place: Place, xpath: string): JsonObject {
  const count = Number(stringOf(evaluate(`count(${xpath.startsWith('//') ? '' : '/'}${xpath})`, place.doc, place.namespaces)))
  return { msg: `found ${count} nodes`, count }
}

function contents(xpath: string, elements: readonly XmlElement[], what: 'attribute' | 'text'): JsonObject {
  if (elements.length === 0) throw new ModuleFailure(`Xpath ${xpath} does not reference a node!`)
  const matches = elements.map((one) => ({
    [one.tag]:
      what === 'text'
        ? one.text
        : Object.fromEntries(one.attributes.map((a) => [a.uri === '' ? a.local : `{${a.uri}}${a.local}`, a.value])),
  }))
  return { count: matches.length, matches, msg: matches.length as Json as string }
}

function removeAll(xpath: string, found: readonly PathNode[]): void {
  for (const node of found) {
    const parent = node.kind === 'document' ? undefined : node.parent
    if (node.kind === 'document' || !parent || (node.kind !== 'attribute' && isText(node)))
      throw new ModuleFailure(`Couldn't delete xpath target: ${xpath} (it is no element or attribute below the root)`)
    if (node.kind === 'attribute') parent.attributes = parent.attributes.filter((one) => one !== node)
    else parent.remove(node)
  }
}

function setChildren(elements: readonly XmlElement[], children: readonly XmlElement[]): void {
  const wanted = children.map((one) => writeNode(one))
  for (const element of elements) {
    const now = element.items.map((one) => writeNode(one) + tailOf(element, one))
    if (now.length === wanted.length && now.every((one, i) => one === wanted[i])) continue
    for (const item of element.items) element.remove(item)
    for (const child of children) element.append(child)
  }
}

/** The text behind an item. */
function tailOf(element: XmlElement, item: XmlElement['items'][number]): string {
  const next = element.children[element.children.indexOf(item) + 1]
  return next && isText(next) ? writeNode(next) : ''
}

function addChildren(args: XmlArgs, elements: readonly XmlElement[], children: readonly XmlElement[]): void {
  const target = args.insertbefore ? elements[0] : elements.at(-1)
  if (!target) return
  if (!args.insertbefore && !args.insertafter) {
    for (const element of elements) for (const child of children) element.append(child)
    return
  }
  const parent = elements[0]!.parent
  if (!parent || !target.parent) throw new ModuleFailure('nothing can be inserted beside the root')
  const index = target.parent.items.indexOf(target) + (args.insertafter ? 1 : 0)
  children.forEach((child, i) => {
    parent.insertItem(index + i, child)
  })
}

function setValue(args: XmlArgs, place: Place, xpath: string, value: string): void {
  spawnFor(place, xpath)
  const elements = elementsAt(place, xpath)
  if (elements.length === 0) throw new ModuleFailure(`Xpath ${xpath} does not reference a node! tree is ${writeDocument(place.doc)}`)
  const attribute = args.attribute === undefined || args.attribute === null || args.attribute === '' ? undefined : asText(args.attribute)
  for (const element of elements) {
    if (attribute === undefined) {
      if (element.text !== value) element.text = value
    } else {
      const [, uri, local] = /^\{([^}]*)\}(.*)$/s.exec(clarkName(place, attribute)) ?? [undefined, '', attribute]
      element.setAttribute(uri!, local!, value)
    }
  }
}

/** A path that is a comparison says itself whether all is as wished. */
function isThere(place: Place, xpath: string): boolean {
  const found = evaluate(xpath, place.doc, place.namespaces)
  return typeof found === 'object' ? elementsAt(place, xpath).length > 0 : truth(found)
}

/** Makes the element be there; what is wrong with its path is told with the document. */
function spawnFor(place: Place, xpath: string): void {
  try {
    if (elementsAt(place, xpath).length === 0) spawn(place, xpath)
  } catch (error) {
    if (!(error instanceof XPathError)) throw error
    const hint =
      place.doc.root.declared.size > 0 && !xpath.includes(':')
        ? 'XML document has namespace(s) defined, but no namespace prefix(es) used in xpath!\n'
        : ''
    throw new ModuleFailure(`${hint}Xpath ${xpath} causes a failure: ${error.message}\n  -- tree is ${writeDocument(place.doc)}`)
  }
}

/** What two texts have in common where they differ in blanks between elements alone. */
function gist(text: string): string {
  return writeNode(readXml(text, { dropBlanks: true, stripCdata: true }).root)
}

async function* finished(
  args: XmlArgs,
  host: Host,
  place: Place,
  file: Edited | undefined,
  { before, after, told }: Edit & { readonly told: JsonObject },
): AsyncGenerator<Change, Result, Done> {
  const changed = gist(before) !== gist(writeDocument(place.doc))
  const actions = { xpath: args.xpath!, namespaces: toJson(args.namespaces), state: args.state }
  const string = args.xmlstring ? { xmlstring: after } : {}
  if (!changed) return { actions, changed, ...told, ...string }
  const diff = { before, after: writeDocument(place.doc, true) }
  if (!file) return { actions, changed, ...told, ...string, ...(host.diff ? { diff } : {}) }
  const backup = yield* written(args, host, file, after)
  return { actions, changed, ...told, ...(host.diff ? { diff } : {}), ...backup }
}

async function* reformatted(
  args: XmlArgs,
  host: Host,
  file: Edited | undefined,
  { text, after }: Edit,
): AsyncGenerator<Change, Result, Done> {
  if (!file) return { changed: after !== text, xmlstring: after }
  const changed = textOf(file.content ?? new Uint8Array()) !== after
  return changed ? { changed, ...(yield* written(args, host, file, after)) } : { changed }
}

async function* written(args: XmlArgs, host: Host, file: Edited, after: string): AsyncGenerator<Change, JsonObject, Done> {
  const saved = yield* saveFile(editArgs(args), file, { bytes: new TextEncoder().encode(after), changed: true, msg: '' }, host)
  return saved.backup === '' ? {} : { backup_file: saved.backup }
}
