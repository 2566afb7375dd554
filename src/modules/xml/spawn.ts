/** Makes what a simple path asks for be there: elements, texts and attributes that are missing. */
import { ModuleFailure } from '../api.ts'
import { childrenOf, setNamed, splitClark } from './children.ts'
import { clark, type XmlDocument, XmlElement } from './tree.ts'
import { writeDocument } from './write.ts'
import { evaluate, type PathNode } from './xpath.ts'

export interface Place {
  readonly doc: XmlDocument
  readonly namespaces: ReadonlyMap<string, string>
}

const IDENT = '[a-zA-Z-][a-zA-Z0-9_.-]*'
const NAME = `${IDENT}|${IDENT}:${IDENT}`
const QUOTED = `('(?:.*)'|"(?:.*)")`

type Wish =
  | { readonly kind: 'element'; readonly name: string; readonly text: string | undefined }
  | { readonly kind: 'attribute'; readonly name: string; readonly value: string | undefined }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'subtree'; readonly name: string; readonly inner: readonly string[] }

const FORMS: readonly (readonly [RegExp, (groups: readonly string[]) => Wish])[] = [
  [new RegExp(`^(.*)/(${NAME})$`), ([, , name]) => ({ kind: 'element', name: name!, text: undefined })],
  [new RegExp(`^(.*)/(${NAME})/text\\(\\)=${QUOTED}$`), ([, , name, text]) => ({ kind: 'element', name: name!, text: bare(text!) })],
  [new RegExp(`^(.*)/@(${NAME})$`), ([, , name]) => ({ kind: 'attribute', name: name!, value: undefined })],
  [new RegExp(`^(.*)/@(${NAME})=${QUOTED}$`), ([, , name, value]) => ({ kind: 'attribute', name: name!, value: bare(value!) })],
  [
    new RegExp(`^(.*)/(${NAME})\\[(.*)\\]$`),
    ([, , name, inner]) => ({ kind: 'subtree', name: name!, inner: inner!.split(' and ').map((one) => one.trim()) }),
  ],
  [new RegExp(`^(.*)/text\\(\\)=${QUOTED}$`), ([, , value]) => ({ kind: 'text', value: bare(value!) })],
]

const bare = (quoted: string): string => quoted.slice(1, -1)

/** Whether something had to be made. The path begins at the document, or at an element (`./…`). */
export function spawn(place: Place, xpath: string, from: PathNode = place.doc): boolean {
  const form = FORMS.map(([pattern, wish]) => [pattern.exec(xpath.trim()), wish] as const).find(([match]) => match !== null)
  if (!form) throw new ModuleFailure(`Can't process Xpath ${xpath} in order to spawn nodes! tree is ${writeDocument(place.doc)}`)
  const [match, wishOf] = form
  const inner = match![1]!
  const parents = (): XmlElement[] => elementsAt(place, inner, from)
  const madeParent = parents().length === 0 && spawn(place, inner, from)
  return fulfil(place, wishOf(match!), parents()) || madeParent
}

/** The elements that a path leads to; none where its first match is no element. */
export function elementsAt(place: Place, xpath: string, from: PathNode = place.doc): XmlElement[] {
  const found = evaluate(xpath, place.doc, place.namespaces, from)
  if (typeof found !== 'object') return []
  return found[0]?.kind === 'element' ? found.filter((one): one is XmlElement => one instanceof XmlElement) : []
}

function fulfil(place: Place, wish: Wish, parents: readonly XmlElement[]): boolean {
  if (wish.kind === 'text') {
    const others = parents.filter((one) => one.text !== wish.value)
    for (const one of others) one.text = wish.value
    return others.length > 0
  }
  const name = clarkName(place, wish.name)
  if (wish.kind === 'attribute') {
    const others = parents.filter((one) => wish.value === undefined || one.attribute(...splitClark(name))?.value !== wish.value)
    for (const one of others) setNamed(one, name, wish.value ?? '')
    return others.length > 0
  }
  const [child] = childrenOf([name], 'yaml')
  if (wish.kind === 'element' && wish.text) child!.text = wish.text
  for (const parent of parents) {
    parent.append(child!)
    if (wish.kind === 'subtree') for (const one of wish.inner) spawn(place, `./${one}`, child!)
  }
  return parents.length > 0
}

/** `x:name` with the address that the task gives for x. */
export function clarkName({ namespaces }: Place, name: string): string {
  if (!name.includes(':')) return name
  const [prefix = '', local = ''] = name.split(':')
  const uri = namespaces.get(prefix)
  if (uri === undefined) throw new ModuleFailure(`the namespace '${prefix}' of '${name}' is not among the namespaces given`)
  return clark(uri, local)
}
