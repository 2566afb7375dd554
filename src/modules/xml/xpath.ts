/** Evaluates XPath 1.0 expressions on the tree of a document. */
import { isText, type XmlAttribute, type XmlDocument, type XmlElement, type XmlNode } from './tree.ts'
import { type Expression, type NodeTest, readXPath, type Step, XPathError } from './xpath-syntax.ts'

export type PathNode = XmlDocument | XmlNode | XmlAttribute
export type PathValue = readonly PathNode[] | string | number | boolean

interface Context {
  readonly doc: XmlDocument
  readonly namespaces: ReadonlyMap<string, string>
  readonly node: PathNode
  readonly position: number
  readonly size: number
}

/** The value of an expression at a node, the document itself otherwise. */
export function evaluate(text: string, doc: XmlDocument, namespaces: ReadonlyMap<string, string>, node: PathNode = doc): PathValue {
  return resultOf(readXPath(text), { doc, namespaces, node, position: 1, size: 1 })
}

function resultOf(expression: Expression, context: Context): PathValue {
  switch (expression.kind) {
    case 'text':
    case 'number':
      return expression.value
    case 'negative':
      return -numberOf(resultOf(expression.of, context))
    case 'variable':
      throw new XPathError('Undefined variable')
    case 'binary':
      return binary(expression.operator, expression.left, expression.right, context)
    case 'filter':
      return expression.predicates.reduce<readonly PathNode[]>(
        (nodes, one) => filtered(nodes, one, context),
        nodesOf(resultOf(expression.of, context)),
      )
    case 'path':
      return path(expression, context)
    case 'call':
      return call(expression.name, expression.args, context)
  }
}

const NUMERIC: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  times: (a, b) => a * b,
  div: (a, b) => a / b,
  mod: (a, b) => a % b,
}

function binary(operator: string, left: Expression, right: Expression, context: Context): PathValue {
  const value = (of: Expression): PathValue => resultOf(of, context)
  if (operator === 'or') return truth(value(left)) || truth(value(right))
  if (operator === 'and') return truth(value(left)) && truth(value(right))
  if (operator === '|') return inOrder([...nodesOf(value(left)), ...nodesOf(value(right))], context.doc)
  const numeric = NUMERIC[operator]
  if (numeric) return numeric(numberOf(value(left)), numberOf(value(right)))
  return compare(operator, value(left), value(right))
}

/** Sets of nodes are compared by any of their members. */
function compare(operator: string, a: PathValue, b: PathValue): boolean {
  if (typeof a === 'object' && typeof b === 'boolean') return comparePlain(operator, truth(a), b)
  if (typeof b === 'object' && typeof a === 'boolean') return comparePlain(operator, a, truth(b))
  if (typeof a === 'object') return a.some((node) => compare(operator, stringOfNode(node), b))
  if (typeof b === 'object') return b.some((node) => compare(operator, a, stringOfNode(node)))
  return comparePlain(operator, a, b)
}

function comparePlain(operator: string, a: string | number | boolean, b: string | number | boolean): boolean {
  if (operator === '=' || operator === '!=') {
    const equal =
      typeof a === 'boolean' || typeof b === 'boolean'
        ? truth(a) === truth(b)
        : typeof a === 'number' || typeof b === 'number'
          ? numberOf(a) === numberOf(b)
          : a === b
    return equal === (operator === '=')
  }
  const [x, y] = [numberOf(a), numberOf(b)]
  return operator === '<' ? x < y : operator === '<=' ? x <= y : operator === '>' ? x > y : x >= y
}

export function truth(value: PathValue): boolean {
  if (typeof value === 'object') return value.length > 0
  return typeof value === 'number' ? value !== 0 && !Number.isNaN(value) : value !== '' && value !== false
}

function numberOf(value: PathValue): number {
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return value ? 1 : 0
  const text = stringOf(value).trim()
  return /^-?(\d+(\.\d*)?|\.\d+)$/.test(text) ? Number(text) : Number.NaN
}

export function stringOf(value: PathValue): string {
  if (typeof value === 'object') return value.length === 0 ? '' : stringOfNode(value[0]!)
  if (typeof value === 'number') return Number.isFinite(value) || Number.isNaN(value) ? String(value) : value > 0 ? 'Infinity' : '-Infinity'
  return String(value)
}

export function stringOfNode(node: PathNode): string {
  if (node.kind === 'document') return stringOfNode(node.root)
  if (node.kind !== 'element') return node.value
  return node.children.map((child) => (isText(child) || child.kind === 'element' ? stringOfNode(child) : '')).join('')
}

export function nodesOf(value: PathValue): readonly PathNode[] {
  if (typeof value !== 'object') throw new XPathError('Invalid type')
  return value
}

function path({ from, steps }: Extract<Expression, { kind: 'path' }>, context: Context): readonly PathNode[] {
  let nodes: readonly PathNode[] = from === 'root' ? [context.doc] : from === 'here' ? [context.node] : nodesOf(resultOf(from, context))
  for (const step of steps)
    nodes = inOrder(
      nodes.flatMap((node) => take(step, { ...context, node })),
      context.doc,
    )
  return nodes
}

function take(step: Step, context: Context): readonly PathNode[] {
  const axis = AXES[step.axis]
  if (!axis) throw new XPathError('Invalid expression')
  const found = axis(context.node, context.doc).filter((node) => fits(node, step, context))
  return step.predicates.reduce<readonly PathNode[]>((nodes, one) => filtered(nodes, one, context), found)
}

function filtered(nodes: readonly PathNode[], predicate: Expression, context: Context): readonly PathNode[] {
  return nodes.filter((node, i) => {
    const value = resultOf(predicate, { ...context, node, position: i + 1, size: nodes.length })
    return typeof value === 'number' ? value === i + 1 : truth(value)
  })
}

function fits(node: PathNode, { axis, test }: Step, context: Context): boolean {
  if (test.kind === 'type') return fitsType(node, test)
  if (node.kind !== (axis === 'attribute' ? 'attribute' : 'element')) return false
  const { local, uri } = node as XmlElement | XmlAttribute
  if (test.prefix === '') return test.local === '*' || (local === test.local && uri === '')
  const wanted = context.namespaces.get(test.prefix)
  if (wanted === undefined) throw new XPathError('Undefined namespace prefix')
  return uri === wanted && (test.local === '*' || test.local === local)
}

function fitsType(node: PathNode, { type, target }: Extract<NodeTest, { kind: 'type' }>): boolean {
  if (type === 'node') return true
  if (type === 'text') return node.kind === 'text' || node.kind === 'cdata'
  if (type === 'comment') return node.kind === 'comment'
  return node.kind === 'instruction' && (target === undefined || node.target === target)
}

const parentOf = (node: PathNode, doc: XmlDocument): PathNode | undefined => (node.kind === 'document' ? undefined : (node.parent ?? doc))

function childrenOf(node: PathNode): readonly PathNode[] {
  if (node.kind === 'document') return [...node.before, node.root, ...node.after]
  return node.kind === 'element' ? node.children : []
}

const descendants = (node: PathNode): PathNode[] => childrenOf(node).flatMap((child) => [child, ...descendants(child)])

function ancestors(node: PathNode, doc: XmlDocument): PathNode[] {
  const parent = parentOf(node, doc)
  return parent ? [parent, ...ancestors(parent, doc)] : []
}

function siblings(node: PathNode, doc: XmlDocument): { before: PathNode[]; after: PathNode[] } {
  const parent = node.kind === 'attribute' ? undefined : parentOf(node, doc)
  const all = parent ? childrenOf(parent) : []
  const at = all.indexOf(node)
  return { before: all.slice(0, Math.max(at, 0)).reverse(), after: at < 0 ? [] : all.slice(at + 1) }
}

/** Nearest first, as positions count. */
const AXES: Readonly<Record<string, (node: PathNode, doc: XmlDocument) => readonly PathNode[]>> = {
  self: (node) => [node],
  child: (node) => childrenOf(node),
  parent: (node, doc) => ancestors(node, doc).slice(0, 1),
  attribute: (node) => (node.kind === 'element' ? node.attributes : []),
  namespace: () => [],
  descendant: (node) => descendants(node),
  'descendant-or-self': (node) => [node, ...descendants(node)],
  ancestor: ancestors,
  'ancestor-or-self': (node, doc) => [node, ...ancestors(node, doc)],
  'following-sibling': (node, doc) => siblings(node, doc).after,
  'preceding-sibling': (node, doc) => siblings(node, doc).before,
  following: (node, doc) =>
    [node, ...ancestors(node, doc)].flatMap((one) => siblings(one, doc).after.flatMap((s) => [s, ...descendants(s)])),
  preceding: (node, doc) =>
    [node, ...ancestors(node, doc)].flatMap((one) => siblings(one, doc).before.flatMap((s) => [s, ...descendants(s)].reverse())),
}

/** Each node once, in the order of the document. */
function inOrder(nodes: readonly PathNode[], doc: XmlDocument): readonly PathNode[] {
  const set = new Set(nodes)
  if (set.size < 2) return [...set]
  const all: PathNode[] = [doc, ...descendants(doc)].flatMap((node): PathNode[] =>
    node.kind === 'element' ? [node, ...node.attributes] : [node],
  )
  const found = all.filter((node) => set.has(node))
  return found.length === set.size ? found : [...set]
}

type Call = (args: readonly PathValue[], context: Context) => PathValue

const nodeNamed = (args: readonly PathValue[], context: Context): PathNode | undefined =>
  args.length === 0 ? context.node : nodesOf(args[0]!)[0]
const textAt = (args: readonly PathValue[], context: Context, index = 0): string =>
  args[index] === undefined ? stringOfNode(context.node) : stringOf(args[index]!)
const hasName = (node: PathNode | undefined): node is XmlElement | XmlAttribute => node?.kind === 'element' || node?.kind === 'attribute'

/** [least arguments, most, what it does] */
const FUNCTIONS: Readonly<Record<string, readonly [number, number, Call]>> = {
  last: [0, 0, (_, { size }) => size],
  position: [0, 0, (_, { position }) => position],
  count: [1, 1, ([nodes]) => nodesOf(nodes!).length],
  id: [1, 1, ([ids], { doc }) => byId(ids!, doc)],
  'local-name': [0, 1, (args, context) => nameOf(nodeNamed(args, context), (one) => one.local)],
  'namespace-uri': [0, 1, (args, context) => nameOf(nodeNamed(args, context), (one) => one.uri)],
  name: [
    0,
    1,
    (args, context) => nameOf(nodeNamed(args, context), (one) => (one.prefix === '' ? one.local : `${one.prefix}:${one.local}`)),
  ],
  string: [0, 1, (args, context) => textAt(args, context)],
  concat: [2, 99, (args) => args.map(stringOf).join('')],
  'starts-with': [2, 2, ([a, b]) => stringOf(a!).startsWith(stringOf(b!))],
  contains: [2, 2, ([a, b]) => stringOf(a!).includes(stringOf(b!))],
  'substring-before': [2, 2, ([a, b]) => before(stringOf(a!), stringOf(b!))],
  'substring-after': [2, 2, ([a, b]) => after(stringOf(a!), stringOf(b!))],
  substring: [
    2,
    3,
    ([text, from, length]) => substring(stringOf(text!), numberOf(from!), length === undefined ? undefined : numberOf(length)),
  ],
  'string-length': [0, 1, (args, context) => [...textAt(args, context)].length],
  'normalize-space': [0, 1, (args, context) => textAt(args, context).trim().replace(/\s+/g, ' ')],
  translate: [3, 3, ([text, from, to]) => translate(stringOf(text!), [...stringOf(from!)], [...stringOf(to!)])],
  boolean: [1, 1, ([value]) => truth(value!)],
  not: [1, 1, ([value]) => !truth(value!)],
  true: [0, 0, () => true],
  false: [0, 0, () => false],
  lang: [1, 1, ([wanted], { node, doc }) => isInLanguage(node, stringOf(wanted!).toLowerCase(), doc)],
  number: [0, 1, (args, context) => numberOf(args[0] ?? stringOfNode(context.node))],
  sum: [1, 1, ([nodes]) => nodesOf(nodes!).reduce((all, node) => all + numberOf(stringOfNode(node)), 0)],
  floor: [1, 1, ([value]) => Math.floor(numberOf(value!))],
  ceiling: [1, 1, ([value]) => Math.ceil(numberOf(value!))],
  round: [1, 1, ([value]) => Math.round(numberOf(value!))],
}

function call(name: string, args: readonly Expression[], context: Context): PathValue {
  const found = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined
  if (!found) throw new XPathError('Unregistered function')
  const [least, most, run] = found
  if (args.length < least || args.length > most) throw new XPathError('Invalid number of arguments')
  return run(
    args.map((one) => resultOf(one, context)),
    context,
  )
}

const nameOf = (node: PathNode | undefined, name: (node: XmlElement | XmlAttribute) => string): string =>
  hasName(node) ? name(node) : node?.kind === 'instruction' ? node.target : ''

const before = (text: string, mark: string): string => (text.includes(mark) ? text.slice(0, text.indexOf(mark)) : '')
const after = (text: string, mark: string): string => (text.includes(mark) ? text.slice(text.indexOf(mark) + mark.length) : '')

function substring(text: string, from: number, length: number | undefined): string {
  const start = Math.round(from)
  const end = length === undefined ? Number.POSITIVE_INFINITY : start + Math.round(length)
  return [...text].filter((_, i) => i + 1 >= start && i + 1 < end).join('')
}

const translate = (text: string, from: readonly string[], to: readonly string[]): string =>
  [...text].map((c) => (from.includes(c) ? (to[from.indexOf(c)] ?? '') : c)).join('')

function byId(ids: PathValue, doc: XmlDocument): readonly PathNode[] {
  const wanted = new Set((typeof ids === 'object' ? ids.map(stringOfNode).join(' ') : stringOf(ids)).split(/\s+/))
  return descendants(doc).filter(
    (node) => node.kind === 'element' && node.attributes.some((a) => a.prefix === 'xml' && a.local === 'id' && wanted.has(a.value)),
  )
}

function isInLanguage(node: PathNode, wanted: string, doc: XmlDocument): boolean {
  for (const one of [node, ...ancestors(node, doc)]) {
    const lang =
      one.kind === 'element' ? one.attributes.find((a) => a.prefix === 'xml' && a.local === 'lang')?.value.toLowerCase() : undefined
    if (lang !== undefined) return lang === wanted || lang.startsWith(`${wanted}-`)
  }
  return false
}

/** The path of a node, as libxml2 tells it. */
export function pathTo(node: XmlNode, doc: XmlDocument): string {
  const parent = node.parent
  const [name, alike] = nameInPath(node)
  const same = (parent?.children ?? [...doc.before, doc.root, ...doc.after]).filter(alike)
  return `${parent ? pathTo(parent, doc) : ''}/${name}${same.length > 1 ? `[${same.indexOf(node) + 1}]` : ''}`
}

function nameInPath(node: XmlNode): [string, (other: XmlNode) => boolean] {
  if (node.kind === 'comment') return ['comment()', (other) => other.kind === 'comment']
  if (node.kind === 'instruction')
    return [`processing-instruction('${node.target}')`, (other) => other.kind === 'instruction' && other.target === node.target]
  if (node.kind !== 'element') return ['text()', isText]
  if (node.uri !== '' && node.prefix === '') return ['*', (other) => other.kind === 'element']
  return [node.name, (other) => other.kind === 'element' && other.name === node.name]
}
