/** Turns a `plugin: constructed` file into statements: variables and groups computed from what is known of each host so far. */
import { Problem, type Raw, type RawVars, Template, type Value } from '../base/index.ts'
import { type MappingNode, type Node, nodeToValue } from '../documents/index.ts'
import type { Scope, Templar } from '../template/index.ts'
import { groupNamesOf, type Keyed, keyedGroups } from './keyed-groups.ts'
import type { Statement } from './statements.ts'
import type { Store } from './store.ts'

export interface ConstructedOptions {
  readonly templar: Templar
  /** what a fact cache remembers of a host */
  readonly factsOf: (host: string) => RawVars
  /** variables of the command line, for `use_extra_vars` */
  readonly extraVars: RawVars
  /** ANSIBLE_INVENTORY_USE_EXTRA_VARS, where the file says nothing */
  readonly useExtraVars: boolean
  /** files of variables beside the sources that were read before, for `use_vars_plugins` */
  readonly filed: (kind: 'group_vars' | 'host_vars', name: string) => RawVars
  readonly groupName: (name: string) => string
}

interface Construction {
  readonly compose: ReadonlyMap<string, string>
  readonly groups: ReadonlyMap<string, string>
  readonly keyed: readonly Keyed[]
  /** what cannot be computed is an error rather than left out */
  readonly strict: boolean
  readonly extraVars: RawVars
  readonly filed: ConstructedOptions['filed']
}

/** Hosts see what was computed for those before them: each one's statements are applied by `apply` at once. */
export function readConstructed(root: Node, store: Store, options: ConstructedOptions): Statement[] {
  const construction = readConstruction(root, options)
  return store.hosts().flatMap((host) => constructHost(host, construction, store, options))
}

const NO_VARS: RawVars = new Map()

function readConstruction(root: Node, options: ConstructedOptions): Construction {
  if (root.kind !== 'mapping') throw new Problem('a constructed inventory must be a dict', { kind: 'inventory', span: root.span })
  const flag = (name: string, otherwise: boolean): boolean => {
    const value = optionOf(root, name)
    return value === undefined ? otherwise : value === true || /^(?:yes|true|on|y|t|1)$/i.test(String(value))
  }
  return {
    compose: texts(optionOf(root, 'compose')),
    groups: texts(optionOf(root, 'groups')),
    strict: flag('strict', false),
    keyed: keyedGroups(optionOf(root, 'keyed_groups'), flag('leading_separator', true), root.span),
    extraVars: flag('use_extra_vars', options.useExtraVars) ? options.extraVars : NO_VARS,
    filed: flag('use_vars_plugins', false) ? options.filed : () => NO_VARS,
  }
}

function optionOf(root: MappingNode, name: string): Value | undefined {
  const found = root.entries.find((entry) => entry.key.value === name)
  return found && nodeToValue(found.value)
}

const texts = (value: Value | undefined): Map<string, string> =>
  new Map(value instanceof Map ? [...value].map(([name, text]) => [String(name), String(text)]) : [])

function constructHost(host: string, construction: Construction, store: Store, { templar, factsOf, groupName }: ConstructedOptions) {
  const { compose, groups, keyed, strict, extraVars, filed } = construction
  const vars = new Map<string, Raw>([...knownVars(host, store, filed), ...factsOf(host)])
  const plain = scopeOf(vars, NO_VARS, templar)
  const composing = scopeOf(vars, extraVars, templar)
  const attempt = <T>(what: string, work: () => T): T | undefined => {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      if (!strict) return undefined
      throw new Problem(`${what}: ${error.message}`, { kind: 'inventory', cause: error })
    }
  }
  const statements: Statement[] = []
  const composed = new Map<string, Value>()
  for (const [key, expression] of compose) {
    const value = attempt(`Could not set ${key} for host ${host}`, () => templar.expression(expression, composing))
    if (value === undefined) continue
    composed.set(key, value)
    statements.push({ do: 'hostVar', host, key, value })
  }
  // a host's own variables, those just computed among them, are over what its groups and the cache say
  for (const [key, value] of [...(store.host(host)?.vars ?? []), ...composed]) vars.set(key, value)
  const join = (group: string): void => void statements.push({ do: 'group', name: group }, { do: 'host', name: host, group })
  for (const [name, condition] of groups) {
    const safe = groupName(name)
    if (attempt(`Could not add host ${host} to group ${safe}`, () => templar.condition(new Template(condition), plain))) join(safe)
  }
  for (const rule of keyed) {
    const what = `Could not generate group for host ${host} from ${rule.key} entry`
    const key = attempt(what, () => templar.expression(rule.key, composing))
    if (key === undefined) continue
    const names = groupNamesOf(key, rule, host, strict)
    if (names.length === 0) continue
    const parent =
      rule.parent &&
      attempt(`Could not generate parent group ${rule.parent}`, () => templar.text(templar.render(asTemplate(rule.parent!), composing)))
    if (rule.parent && parent === undefined) continue
    for (const group of names.map(groupName)) {
      join(group)
      if (parent) statements.push({ do: 'group', name: groupName(parent) }, { do: 'child', group: groupName(parent), child: group })
    }
  }
  return statements
}

/** Variables of a host's groups, the weakest first, and its own; each with the files beside the sources over them. */
function knownVars(host: string, store: Store, filed: ConstructedOptions['filed']): Map<string, Raw> {
  const names = store.groupsOf(host)
  const written = names.flatMap((name) => [...(store.group(name)?.vars ?? [])])
  const beside = names.flatMap((name) => [...filed('group_vars', name)])
  return new Map<string, Raw>([
    ...written,
    ...beside,
    ...(store.host(host)?.vars ?? []),
    ['inventory_hostname', host],
    ['inventory_hostname_short', host.split('.')[0]!],
    ['group_names', names.filter((name) => name !== 'all').sort()],
    ...filed('host_vars', host),
  ])
}

function scopeOf(vars: ReadonlyMap<string, Raw>, over: RawVars, templar: Templar): Scope {
  const scope: Scope = {
    get: (name) => {
      const raw = over.get(name) ?? vars.get(name)
      return raw === undefined ? undefined : templar.render(raw, scope)
    },
    has: (name) => over.has(name) || vars.has(name),
    names: () => new Set([...vars.keys(), ...over.keys()]).values(),
    fromHost: () => false,
  }
  return scope
}

const asTemplate = (text: string): Raw => (text.includes('{{') ? new Template(text) : text)
