/** Turns a `plugin: constructed` file into statements: variables and groups computed from what is known of each host so far. */
import { Problem, type Raw, Template, type Value } from '../base/index.ts'
import { type MappingNode, type Node, nodeToValue } from '../documents/index.ts'
import type { Scope, Templar } from '../template/index.ts'
import { safeGroupName } from './names.ts'
import type { Reading, Statement } from './statements.ts'
import type { Store } from './store.ts'

interface Keyed {
  readonly key: string
  readonly prefix: string
  readonly separator: string
  readonly parent: string | undefined
  readonly fallback: string | undefined
  readonly trailing: boolean
}

interface Construction {
  readonly compose: ReadonlyMap<string, string>
  readonly groups: ReadonlyMap<string, string>
  readonly keyed: readonly Keyed[]
  /** what cannot be computed is an error rather than left out */
  readonly strict: boolean
}

export function readConstructed(root: Node, store: Store, templar: Templar): Reading {
  const construction = readConstruction(root)
  const statements = store.hosts().flatMap((host) => constructHost(host, construction, store, templar))
  return { statements }
}

function readConstruction(root: Node): Construction {
  if (root.kind !== 'mapping') throw new Problem('a constructed inventory must be a dict', { kind: 'inventory', span: root.span })
  const leading = optionOf(root, 'leading_separator') !== false
  const keyed = optionOf(root, 'keyed_groups')
  return {
    compose: texts(optionOf(root, 'compose')),
    groups: texts(optionOf(root, 'groups')),
    strict: optionOf(root, 'strict') === true,
    keyed: Array.isArray(keyed) ? keyed.flatMap((one) => (one instanceof Map ? [readKeyed(one, leading, root)] : [])) : [],
  }
}

function readKeyed(dict: ReadonlyMap<Value, Value>, leading: boolean, root: Node): Keyed {
  const text = (name: string): string | undefined =>
    dict.get(name) === undefined || dict.get(name) === null ? undefined : String(dict.get(name))
  const key = text('key')
  if (key === undefined) throw new Problem('an entry of keyed_groups needs a key', { kind: 'inventory', span: root.span })
  const prefix = text('prefix') ?? ''
  const separator = prefix === '' && !leading ? '' : (text('separator') ?? '_')
  return {
    key,
    prefix,
    separator,
    parent: text('parent_group'),
    fallback: text('default_value'),
    trailing: dict.get('trailing_separator') !== false,
  }
}

function optionOf(root: MappingNode, name: string): Value | undefined {
  const found = root.entries.find((entry) => entry.key.value === name)
  return found && nodeToValue(found.value)
}

const texts = (value: Value | undefined): Map<string, string> =>
  new Map(value instanceof Map ? [...value].map(([name, text]) => [String(name), String(text)]) : [])

function constructHost(host: string, { compose, groups, keyed, strict }: Construction, store: Store, templar: Templar): Statement[] {
  const vars = knownVars(host, store)
  const scope = scopeOf(vars, templar)
  const attempt = <T>(work: () => T): T | undefined => {
    try {
      return work()
    } catch (error) {
      if (strict || !(error instanceof Problem)) throw error
      return undefined
    }
  }
  const statements: Statement[] = []
  for (const [key, expression] of compose) {
    const value = attempt(() => templar.expression(expression, scope))
    if (value === undefined) continue
    vars.set(key, value)
    statements.push({ do: 'hostVar', host, key, value })
  }
  const join = (group: string, parent?: string): void => {
    statements.push({ do: 'group', name: group }, { do: 'host', name: host, group })
    if (parent !== undefined)
      statements.push({ do: 'group', name: safeGroupName(parent) }, { do: 'child', group: safeGroupName(parent), child: group })
  }
  for (const [name, condition] of groups) if (attempt(() => templar.condition(new Template(condition), scope))) join(safeGroupName(name))
  for (const rule of keyed) {
    const parent = rule.parent === undefined ? undefined : attempt(() => String(templar.render(asTemplate(rule.parent!), scope)))
    for (const part of keyParts(
      attempt(() => templar.expression(rule.key, scope)),
      rule,
    ))
      join(safeGroupName(part), parent)
  }
  return statements
}

/** The names a key leads to: one for a text, one for each of a list, `key_value` for a dict. */
function keyParts(value: Value | undefined, { prefix, separator, fallback, trailing }: Keyed): string[] {
  const named = (name: string): string => prefix + separator + name
  const one = (item: Value): string | undefined => (item === '' || item === null ? fallback : String(item))
  if (Array.isArray(value)) return value.flatMap((item) => one(item) ?? []).map(named)
  if (value instanceof Map) {
    return [...value].map(([key, item]) =>
      named(
        item === ''
          ? fallback
            ? `${String(key)}${separator}${fallback}`
            : `${String(key)}${trailing ? separator : ''}`
          : `${String(key)}${separator}${String(item)}`,
      ),
    )
  }
  const text = value === undefined ? undefined : one(value)
  return text === undefined ? [] : [named(text)]
}

/** Variables of a host's groups, the weakest first, and its own. */
function knownVars(host: string, store: Store): Map<string, Raw> {
  const groups = store.groupsOf(host).flatMap((name) => [...(store.group(name)?.vars ?? [])])
  const vars = new Map<string, Raw>([...groups, ...(store.host(host)?.vars ?? [])])
  vars.set('inventory_hostname', host)
  vars.set(
    'group_names',
    store.groupsOf(host).filter((name) => name !== 'all'),
  )
  return vars
}

function scopeOf(vars: ReadonlyMap<string, Raw>, templar: Templar): Scope {
  const scope: Scope = {
    get: (name) => {
      const raw = vars.get(name)
      return raw === undefined ? undefined : templar.render(raw, scope)
    },
    has: (name) => vars.has(name),
    names: () => vars.keys(),
    fromHost: () => false,
  }
  return scope
}

const asTemplate = (text: string): Raw => (text.includes('{{') ? new Template(text) : text)
