/** A mapping of keywords as written → its values, checked for shape, with what is unknown or misshaped noted. */
import { dirname, join } from 'node:path'
import { didYouMean, own, type Raw, type RawVars, type Span, Template } from '../base/index.ts'
import { type Entry, entry, type MappingNode, mappingToVars, type Node, nodeToRaw, textSpan } from '../documents/index.ts'
import { builtinGroups, requireGroup } from './action-groups.ts'
import type { LoadContext } from './api.ts'
import type { Findings } from './findings.ts'
import type { OwnKeywords } from './inherit.ts'
import { KEYWORDS, keywordAt, keywordsAt, namesAt, PLACE_NAMES, PLACE_WORDS, type Place, type Shape } from './keywords.ts'
import type { Condition } from './model.ts'

/** Where values are read: how to open sealed texts, and whom to tell what is wrong. */
export interface Reading {
  readonly context: LoadContext
  readonly findings: Findings
  /** library/ folders of playbooks and roles met so far */
  readonly folders?: readonly string[] | undefined
}

/** The node of a keyword; undefined when it is not there. */
export const nodeOf = (node: MappingNode, name: string): Node | undefined => entry(node, name)?.value

/** The first entry of a kind, and the one that is too many. Entries are counted, as in `checkKeywords`. */
export function firstTwo({ entries }: MappingNode, fits: (entry: Entry) => boolean): readonly [Entry | undefined, Entry | undefined] {
  let first: Entry | undefined
  for (let i = 0; i < entries.length; i++) {
    const one = entries[i]!
    if (!fits(one)) continue
    if (first) return [first, one]
    first = one
  }
  return [first, undefined]
}

/** The raw value of a keyword; undefined when it is not there. */
export function rawOf(node: MappingNode, name: string, { context }: Reading): Raw | undefined {
  const value = nodeOf(node, name)
  return value && nodeToRaw(value, context.documents)
}

/**
 * Notes keywords that may not stand here and values of a wrong shape; entries are counted here, not walked, for there are thousands, and each step of a walk
 * makes an object. `more`: keys that are something else than keywords.
 */
export function checkKeywords(node: MappingNode, place: Place, reading: Reading, more: (key: string) => boolean = () => false): void {
  const { findings } = reading
  const keywords = keywordsAt(place)
  const { entries } = node
  for (let i = 0; i < entries.length; i++) {
    const { key, value } = entries[i]!
    const name = String(key.value)
    const keyword = keywords.get(name)
    if (keyword) {
      const wrong = wrongShape(value, keyword.shape)
      if (wrong) findings.report(malformed(name, place, value) ?? `'${name}' must be ${wrong}, not ${whatIs(value)}`, value.span)
      else if (name === 'module_defaults') for (const layer of listed(value)) checkGroups(layer, reading)
    } else if (more(name)) continue
    else if (isPassedOver(name, place, reading)) reading.context.warn(`Ignoring invalid attribute: ${name}`)
    else findings.report(`'${name}' is not a valid attribute for a ${PLACE_NAMES[place]}`, key.span, { hint: keywordHint(name, place) })
  }
}

/** INVALID_TASK_ATTRIBUTE_FAILED=False lets keywords of other kinds of tasks pass; a name that is none counts as one action too many. */
const isPassedOver = (name: string, place: Place, { context }: Reading): boolean =>
  context.ignoreUnknownKeywords === true &&
  ['task', 'handler', 'include'].includes(place) &&
  (keywordAt(name, 'task') ?? keywordAt(name, 'handler')) !== undefined

/** Keywords whose value is a list of tasks or roles, and what Ansible says where it is none. */
const MALFORMED: Readonly<Record<string, string>> = {
  tasks: 'A malformed block was encountered while loading tasks',
  pre_tasks: 'A malformed block was encountered while loading pre_tasks',
  post_tasks: 'A malformed block was encountered while loading post_tasks',
  handlers: 'A malformed block was encountered while loading handlers',
  block: 'A malformed block was encountered while loading a block',
  rescue: 'A malformed block was encountered while loading rescue.',
  always: 'A malformed block was encountered while loading always',
  roles: 'A malformed role declaration was encountered.',
}

function malformed(name: string, place: Place, value: Node): string | undefined {
  const words = place === 'play' || place === 'block' ? own(MALFORMED, name) : undefined
  return name === 'tasks' && words !== undefined ? `${words}: ${shownValue(value)} should be a list or None` : words
}

const shownValue = (node: Node): string => (node.kind === 'scalar' ? String(node.value) : whatIs(node))

/** Groups of modules must be known. */
function checkGroups(layer: Node, { context, findings, folders = [] }: Reading): void {
  if (layer.kind !== 'mapping') return
  for (const { key } of layer.entries) {
    const name = /^group\/(.*)$/.exec(String(key.value))?.[1]
    if (name === undefined) continue
    const near = folders.map((folder) => join(dirname(folder), 'collections'))
    const wrong = requireGroup(name, context, near)
    if (wrong) findings.report(wrong, key.span, { hint: didYouMean(name, builtinGroups()) })
  }
}

/** A near keyword, or where the keyword may stand. */
export function keywordHint(name: string, place: Place): string | undefined {
  const near = didYouMean(name, namesAt(place))
  if (near || !Object.hasOwn(KEYWORDS, name)) return near
  const places = [...KEYWORDS[name]!.at].map((at) => PLACE_WORDS[at])
  return `'${name}' may stand in ${places.join(', ')}`
}

const SCALAR = (node: Node): boolean => node.kind === 'scalar'
const NOTHING = (node: Node): boolean => node.kind === 'scalar' && node.value === null
const TEXT = (node: Node): boolean => node.kind === 'scalar' && typeof node.value === 'string'

const SHAPES: Readonly<Record<Exclude<Shape, 'any'>, { readonly words: string; readonly fits: (node: Node) => boolean }>> = {
  value: { words: 'a single value', fits: SCALAR },
  words: { words: 'a value or a list of values', fits: (node) => SCALAR(node) || (node.kind === 'sequence' && node.items.every(SCALAR)) },
  conditions: { words: 'a condition or a list of them', fits: (node) => node.kind !== 'mapping' },
  dict: { words: 'a dict', fits: (node) => node.kind === 'mapping' || NOTHING(node) },
  list: { words: 'a list', fits: (node) => node.kind === 'sequence' || NOTHING(node) },
  tags: { words: 'a text or a list of texts', fits: (node) => TEXT(node) || (node.kind === 'sequence' && node.items.every(SCALAR)) },
  texts: { words: 'a text or a list of texts', fits: (node) => NOTHING(node) || (node.kind !== 'mapping' && listed(node).every(TEXT)) },
  layers: { words: 'anything', fits: () => true },
  dicts: {
    words: 'a dict or a list of dicts, whose keys are names of modules or groups and no templates',
    fits: (node) => NOTHING(node) || listed(node).every(({ kind }) => kind === 'mapping'),
  },
}

/** What the value had to be, where it is not. */
export function wrongShape(node: Node, shape: Shape): string | undefined {
  if (shape === 'any' || SHAPES[shape].fits(node)) return undefined
  return SHAPES[shape].words
}

/** What a value is, in a message. */
export function whatIs(node: Node): string {
  if (node.kind === 'mapping') return 'a dict'
  if (node.kind === 'sequence') return 'a list'
  if (node.value === null) return 'nothing'
  return typeof node.value === 'string' ? `the text '${node.value}'` : `the value ${String(node.value)}`
}

/** The inheritable keywords among the entries; those of a wrong shape are left out (they have been noted). */
export function ownKeywords(node: MappingNode, place: Place, reading: Reading): OwnKeywords {
  const own: Record<string, unknown> = {}
  const keywords = keywordsAt(place)
  const { entries } = node
  for (let i = 0; i < entries.length; i++) {
    const { key, value } = entries[i]!
    const keyword = keywords.get(key.value as string)
    if (keyword?.to && !wrongShape(value, keyword.shape)) own[keyword.to] = READERS[keyword.shape](value, reading)
  }
  return own
}

const READERS: Readonly<Record<Shape, (node: Node, reading: Reading) => unknown>> = {
  value: raw,
  any: raw,
  dict: raw,
  list: raw,
  words: (node, reading) => listed(node).map((item) => raw(item, reading)),
  texts: layers,
  dicts: layers,
  layers,
  conditions,
  tags,
}

function layers(node: Node, reading: Reading): Raw[] {
  return NOTHING(node) ? [] : listed(node).map((item) => raw(item, reading))
}

const listed = (node: Node): readonly Node[] => (node.kind === 'sequence' ? node.items : [node])

function raw(node: Node, { context }: Reading): Raw {
  return nodeToRaw(node, context.documents)
}

/** Conditions: text is an expression with its place. */
export function conditions(node: Node, reading: Reading): Condition[] {
  return listed(node).map((item) => {
    const value = raw(item, reading)
    return typeof value === 'string' ? new Template(value, item.kind === 'scalar' ? textSpan(item, value) : item.span) : value
  })
}

/** Tags: one text is split at commas, those within template marks too; a list is taken as it is. */
export function tags(node: Node, reading: Reading): Raw[] {
  if (node.kind !== 'scalar') return listed(node).map((item) => raw(item, reading))
  const each = String(node.value).split(',')
  return each.map((part) => part.trim()).map((tag) => (tag.includes('{{') || tag.includes('{%') ? new Template(tag, node.span) : tag))
}

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/
const RESERVED = new Set(
  `False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda
   nonlocal not or pass raise return try while with yield`.split(/\s+/),
)

/** May a variable be called so? */
export const isVariableName = (name: string): boolean => IDENTIFIER.test(name) && !RESERVED.has(name)

/** The `vars:` of a mapping. */
export function varsIn(node: MappingNode, { context, findings }: Reading): RawVars {
  const vars = nodeOf(node, 'vars')
  if (vars?.kind !== 'mapping') return NO_VARS
  for (const { key } of vars.entries) {
    const name = String(key.value)
    if (typeof key.value !== 'string' || !isVariableName(name))
      findings.report(`'${name}' is no name for a variable`, key.span, { hint: NAME_RULE })
  }
  return mappingToVars(vars, context.documents)
}

const NAME_RULE = 'a name has letters, digits and underscores, starts with no digit, and is no word of Python'
export const NO_VARS: RawVars = new Map()

/** A single text; undefined when it is something else. */
export const textOf = (node: Node | undefined): string | undefined =>
  node?.kind === 'scalar' && typeof node.value === 'string' ? node.value : undefined

/** A literal truth value; undefined when it is something else. */
export function booleanOf(node: Node | undefined): boolean | undefined {
  if (node?.kind !== 'scalar') return undefined
  if (typeof node.value === 'boolean') return node.value
  const word = String(node.value).toLowerCase()
  return TRUE.has(word) ? true : FALSE.has(word) ? false : undefined
}
const TRUE = new Set(['yes', 'true', 'on', 'y', 't', '1'])
const FALSE = new Set(['no', 'false', 'off', 'n', 'f', '0'])

/** The place of an entry: its key's. */
export const placeOfKey = (node: MappingNode, name: string): Span => entry(node, name)?.key.span ?? node.span
