/** An inventory → what `tsspray inventory` prints: the JSON of inventory scripts, YAML, or a tree. */
import { didYouMean, Problem, type Raw, Template, Timestamp, type Value, Vaulted } from '../base/index.ts'
import type { Inventory, InventoryGroup } from '../inventory/index.ts'
import { dateOf } from '../template/index.ts'

export interface View {
  readonly inventory: Inventory
  readonly exporting: boolean
  /** hosts that are shown */
  readonly hosts: ReadonlySet<string>
  readonly groupVars: (name: string) => ReadonlyMap<string, Raw>
  readonly hostVars: (name: string) => ReadonlyMap<string, Raw>
  /** a value as it looks in text */
  readonly text: (value: Value) => string
  readonly warn: (text: string) => void
  /** what an expression makes of `it` */
  readonly dump: (it: Value, expression: string) => string
}

const JSON_FORM = 'it | to_nice_json(ensure_ascii=false)'
/** keys of several kinds have no order */
const UNSORTED_JSON = 'it | to_json(indent=4, ensure_ascii=false)'
const YAML_FORM = 'it | to_yaml(default_flow_style=false)'

type Dict = Map<Value, Value>

export function hostText(view: View, name: string, yaml: boolean): string {
  const [host, ...others] = view.inventory.match(name)
  if (host === undefined || others.length > 0) {
    throw new Problem('You must pass a single valid host to --host parameter', {
      kind: 'usage',
      hint: didYouMean(name, view.inventory.hosts()),
    })
  }
  return dumped(view, varsOf(view.hostVars(host)), yaml)
}

export function listText(view: View, top: string, yaml: boolean): string {
  const group = groupNamed(view, top)
  return dumped(view, yaml ? yamlTree(view, group, { hosts: new Set(), groups: new Set() }) : jsonTree(view, group), yaml)
}

export function graphText(view: View, top: string, withVars: boolean): string {
  return `${graph(view, groupNamed(view, top), withVars, 0).join('\n')}\n`
}

function dumped(view: View, value: Value, yaml: boolean): string {
  const text = yaml ? view.dump(value, YAML_FORM) : jsonText(view, value)
  return `${text.trimEnd()}\n`
}

function jsonText(view: View, value: Value): string {
  try {
    return view.dump(value, JSON_FORM)
  } catch (error) {
    if (!(error instanceof Problem) || !error.message.includes('not supported between')) throw error
    view.warn(`Could not sort JSON output due to issues while sorting keys: ${error.message}`)
    return view.dump(value, UNSORTED_JSON)
  }
}

function groupNamed({ inventory }: View, name: string): InventoryGroup {
  const group = inventory.group(name)
  if (group) return group
  throw new Problem(`Pattern must be valid group name when using --graph or --list: there is no '${name}'`, {
    kind: 'usage',
    hint: didYouMean(name, inventory.groups()),
  })
}

/** Groups flat, each with its hosts and children; the variables of hosts under `_meta`. */
function jsonTree(view: View, top: InventoryGroup): Dict {
  const { inventory } = view
  const groups: Dict = new Map()
  const add = (group: InventoryGroup): void => {
    if (groups.has(group.name)) return
    const { children } = group
    const entry: Dict = new Map()
    const hosts = group.hosts.filter((name) => view.hosts.has(name))
    if (group.name !== 'all' && hosts.length > 0) entry.set('hosts', hosts)
    if (children.length > 0) entry.set('children', [...children])
    if (view.exporting) addVars(entry, groupVars(view, group))
    groups.set(group.name, entry)
    for (const child of children) add(inventory.group(child)!)
    if (entry.size === 0) groups.delete(group.name)
  }
  add(top)
  const hostvars: Dict = new Map()
  for (const host of inventory.hostsOf(top.name)) {
    const vars = view.hosts.has(host) ? varsOf(view.hostVars(host)) : undefined
    if (vars && vars.size > 0) hostvars.set(host, vars)
  }
  return groups.set('_meta', new Map([['hostvars', hostvars]]))
}

/** Groups in groups; a host's variables stand where it is first named. */
function yamlTree(view: View, group: InventoryGroup, seen: { readonly hosts: Set<string>; readonly groups: Set<string> }): Dict {
  const children: Dict = new Map()
  for (const name of group.children) {
    const child: Dict = seen.groups.has(name) ? new Map([[name, new Map()]]) : yamlTree(view, view.inventory.group(name)!, seen)
    seen.groups.add(name)
    for (const [key, value] of child) children.set(key, value)
  }
  const hosts: Dict = new Map()
  for (const name of group.name === 'all' ? [] : group.hosts) {
    if (!view.hosts.has(name)) continue
    hosts.set(name, seen.hosts.has(name) ? new Map() : varsOf(view.hostVars(name)))
    seen.hosts.add(name)
  }
  const entry: Dict = new Map()
  if (children.size > 0) entry.set('children', children)
  if (hosts.size > 0) entry.set('hosts', hosts)
  if (view.exporting) addVars(entry, groupVars(view, group))
  return entry.size === 0 ? new Map() : new Map([[group.name, entry]])
}

function addVars(entry: Dict, vars: Dict): void {
  if (vars.size > 0) entry.set('vars', vars)
}

function groupVars(view: View, { name, priority }: InventoryGroup): Dict {
  const vars = varsOf(view.groupVars(name))
  return priority === 1 ? vars : vars.set('ansible_group_priority', priority)
}

function graph(view: View, group: InventoryGroup, withVars: boolean, depth: number): string[] {
  const lines = [branch(`@${group.name}:`, depth)]
  for (const child of group.children) lines.push(...graph(view, view.inventory.group(child)!, withVars, depth + 1))
  for (const host of group.name === 'all' ? [] : group.hosts) {
    if (!view.hosts.has(host)) continue
    lines.push(branch(host, depth + 1))
    if (withVars) lines.push(...varLines(view, varsOf(view.hostVars(host)), depth + 2))
  }
  return withVars ? [...lines, ...varLines(view, groupVars(view, group), depth + 1)] : lines
}

function varLines(view: View, vars: Dict, depth: number): string[] {
  const sorted = [...vars].sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))
  return sorted.map(([name, value]) => branch(`{${String(name)} = ${view.text(value)}}`, depth))
}

const branch = (text: string, depth: number): string => (depth === 0 ? text : `${'  |'.repeat(depth)}--${text}`)

/** Variables as data: templates as their texts, sealed ones as Ansible's JSON has them; what is one object stays one. */
function varsOf(vars: ReadonlyMap<string, Raw>): Dict {
  return new Map([...vars].map(([name, raw]) => [name, asData(raw)]))
}

const made = new WeakMap<object, Value>()

function asData(raw: Raw): Value {
  if (raw === null || typeof raw !== 'object') return raw
  const before = made.get(raw)
  if (before !== undefined) return before
  const value = makeData(raw)
  made.set(raw, value)
  return value
}

function makeData(raw: Raw & object): Value {
  if (raw instanceof Template) return raw.text
  if (raw instanceof Timestamp) return dateOf(raw)
  if (raw instanceof Vaulted) return new Map([['__ansible_vault', raw.ciphertext]])
  if (Array.isArray(raw)) return raw.map(asData)
  return raw instanceof Map ? new Map([...raw].map(([key, value]) => [asData(key), asData(value)])) : raw
}
