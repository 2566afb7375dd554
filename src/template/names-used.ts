/** A template's text → the variables it asks for, without rendering it. */

import { GLOBALS, RUN_GLOBALS } from './run/globals.ts'
import { parseTemplate } from './syntax/parser.ts'
import { DEFAULT_SYNTAX } from './syntax/settings.ts'

export interface UsedNames {
  /** what must be there */
  readonly needed: ReadonlySet<string>
  /** what is asked after (`is defined`, `default`) and may be missing */
  readonly guarded: ReadonlySet<string>
}

interface Found {
  readonly used: Set<string>
  readonly guarded: Set<string>
  /** what the template makes itself: set, for, macro, import */
  readonly own: Set<string>
}

const GUARDS: ReadonlySet<string> = new Set(['defined', 'undefined', 'default', 'd', 'ansible.builtin.default'])

/** `bare`: the text is an expression, as in `when`. What does not parse uses nothing; that is told elsewhere. */
export function namesUsed(text: string, bare: boolean): UsedNames {
  const found: Found = { used: new Set(), guarded: new Set(), own: new Set() }
  try {
    visit(parseTemplate(bare && !/\{[{%]/.test(text) ? `{{ ${text} }}` : text, DEFAULT_SYNTAX), found)
  } catch {
    return { needed: new Set(), guarded: new Set() }
  }
  const isNeeded = (name: string): boolean =>
    !found.guarded.has(name) && !found.own.has(name) && !GLOBALS.has(name) && !RUN_GLOBALS.has(name) && !IMPLIED.has(name)
  return { needed: new Set([...found.used].filter(isNeeded)), guarded: found.guarded }
}

/** Names inside of loops and macros. */
const IMPLIED: ReadonlySet<string> = new Set(['loop', 'caller', 'varargs', 'kwargs', 'self', 'super', 'true', 'false', 'none'])

interface Node {
  readonly [part: string]: unknown
}

/** Every node is looked at in the same way: only a few kinds give or guard names. */
function visit(node: unknown, found: Found): void {
  if (Array.isArray(node)) for (const one of node) visit(one, found)
  else if (typeof node === 'object' && node !== null && !(node instanceof Map)) visitNode(node as Node, found)
}

function visitNode(node: Node, found: Found): void {
  if (node['kind'] === 'name') found.used.add(String(node['name']))
  if ((node['kind'] === 'test' || node['kind'] === 'filter') && GUARDS.has(String(node['name']))) guard(node['target'], found)
  for (const part of MAKERS[String(node['kind'])] ?? []) make(node[part], found)
  for (const part of Object.keys(node)) visit(node[part], found)
}

/** `a.b['c'] is defined` guards `a`. */
function guard(node: unknown, found: Found): void {
  const { kind, name, object } = (node ?? {}) as Node
  if (kind === 'name') found.guarded.add(String(name))
  else if (object !== undefined) guard(object, found)
}

/** Which parts of a statement make names. */
const MAKERS: Readonly<Record<string, readonly string[]>> = {
  ...{ for: ['target'], set: ['target'], setBlock: ['target'], with: ['targets'], macro: ['name', 'parameters'] },
  ...{ callBlock: ['parameters'], import: ['target'], fromImport: ['names'] },
}

function make(part: unknown, found: Found): void {
  if (typeof part === 'string') found.own.add(part)
  else if (Array.isArray(part)) for (const one of part) make(one, found)
  else if (typeof part === 'object' && part !== null) {
    const { name, alias, items, names } = part as Node
    for (const one of [alias ?? name, items, names]) make(one, found)
  }
}
