/** Hosts and groups as they stand now: what sources said and what a run added. */
import { existsSync } from 'node:fs'
import { mergeRaw, Problem, type Raw } from '../base/index.ts'
import type { InventoryGroup, InventoryHost } from './api.ts'
import type { Statement } from './statements.ts'

export const LOCAL_NAMES: readonly string[] = ['127.0.0.1', 'localhost', '::1']

interface Host {
  readonly name: string
  readonly vars: Map<string, Raw>
  readonly groups: Set<string>
  readonly implicit: boolean
  readonly source: string | undefined
}

/** The machine's own Python, which is the one that Ansible itself would run with. */
const interpreter = (): [string, string][] => (existsSync(PYTHON) ? [['ansible_python_interpreter', PYTHON]] : [])

const PYTHON = '/usr/bin/python3'

interface Group {
  readonly name: string
  readonly vars: Map<string, Raw>
  readonly hosts: Set<string>
  readonly children: Set<string>
  readonly parents: Set<string>
  priority: number
}

export class Store {
  version = 0
  readonly #hosts = new Map<string, Host>()
  readonly #groups = new Map<string, Group>()
  #implicit: Host | undefined
  #hostsOf = new Map<string, readonly string[]>()
  #groupsOf = new Map<string, readonly string[]>()
  #depths = new Map<string, number>()

  /** `merge`: dicts of the same name are one, as hash_behaviour=merge wants it */
  constructor(
    readonly warn: (message: string) => void,
    readonly merge = false,
  ) {
    this.addGroup('all')
    this.addGroup('ungrouped')
    this.addChild('all', 'ungrouped')
  }

  hosts(): readonly string[] {
    return [...this.#hosts.keys()]
  }

  groups(): readonly string[] {
    return [...this.#groups.keys()]
  }

  /** A host of the inventory, or the implicit one for a name of this machine. */
  host(name: string): InventoryHost | undefined {
    const host = this.#hosts.get(name) ?? (LOCAL_NAMES.includes(name) ? this.localhost(name) : undefined)
    return host && { name: host.name, vars: host.vars, groups: [...host.groups], implicit: host.implicit }
  }

  has(name: string): boolean {
    return this.#hosts.has(name)
  }

  group(name: string): InventoryGroup | undefined {
    const group = this.#groups.get(name)
    if (!group) return undefined
    const { vars, priority } = group
    return { name, vars, priority, children: [...group.children], hosts: [...group.hosts], depth: this.#depth(name) }
  }

  sourceOf(name: string): string | undefined {
    return this.#hosts.get(name)?.source
  }

  /** The host that stands for this machine: one of the inventory if any has such a name, else one made up. */
  localhost(name: string): Host {
    const known = [...this.#hosts.values()].find((host) => LOCAL_NAMES.includes(host.name)) ?? this.#implicit
    this.#implicit ??= known ?? {
      name,
      vars: new Map([['ansible_connection', 'local'], ...interpreter()]),
      groups: new Set(),
      implicit: true,
      source: undefined,
    }
    return known ?? this.#implicit
  }

  apply(statements: readonly Statement[], source: string | undefined): void {
    for (const statement of statements) this.#applyOne(statement, source)
    this.#changed()
  }

  #applyOne(statement: Statement, source: string | undefined): void {
    if (statement.do === 'group') this.addGroup(statement.name)
    else if (statement.do === 'child') this.addChild(statement.group, statement.child)
    else if (statement.do === 'groupVar') this.setGroupVar(statement.group, statement.key, statement.value)
    else if (statement.do === 'hostVar') this.#setVar(this.#hosts.get(statement.host)?.vars, statement.key, statement.value)
    else {
      const isNew = this.addHost(statement.name, source)
      if (isNew && statement.port !== undefined) this.#hosts.get(statement.name)?.vars.set('ansible_port', statement.port)
      if (statement.group !== undefined) this.addToGroup(statement.name, statement.group)
    }
  }

  addGroup(name: string): boolean {
    if (this.#groups.has(name)) return false
    this.#groups.set(name, { name, vars: new Map(), hosts: new Set(), children: new Set(), parents: new Set(), priority: 1 })
    this.#changed()
    return true
  }

  addHost(name: string, source: string | undefined): boolean {
    if (this.#hosts.has(name)) return false
    this.#hosts.set(name, { name, vars: new Map(), groups: new Set(), implicit: false, source })
    this.#changed()
    return true
  }

  /** True when a variable is new or another than before. */
  setHostVars(name: string, vars: Iterable<readonly [string, Raw]>, isSame: (a: Raw, b: Raw) => boolean): boolean {
    const host = this.#hosts.get(name)
    let changed = false
    for (const [key, value] of host ? vars : []) {
      const before = host?.vars.get(key)
      if (before !== undefined && isSame(before, value)) continue
      this.#setVar(host?.vars, key, value)
      changed = true
    }
    if (changed) this.#changed()
    return changed
  }

  addToGroup(name: string, groupName: string): boolean {
    const host = this.#hosts.get(name) ?? (LOCAL_NAMES.includes(name) ? this.localhost(name) : undefined)
    const group = this.#groups.get(groupName)
    if (!host || !group || group.hosts.has(host.name)) return false
    group.hosts.add(host.name)
    host.groups.add(groupName)
    this.#changed()
    return true
  }

  setGroupVar(name: string, key: string, value: Raw): void {
    const group = this.#groups.get(name)
    if (key === 'ansible_group_priority') {
      if (group && Number.isInteger(Number(value))) group.priority = Number(value)
    } else this.#setVar(group?.vars, key, value)
  }

  #setVar(vars: Map<string, Raw> | undefined, key: string, value: Raw): void {
    const before = this.merge ? vars?.get(key) : undefined
    vars?.set(key, before === undefined ? value : mergeRaw(before, value))
  }

  /** Puts a group under another; a loop is an error. */
  addChild(name: string, childName: string): boolean {
    const group = this.#groups.get(name)
    const child = this.#groups.get(childName)
    if (!group || !child) return child ? false : this.addToGroup(childName, name)
    if (name === childName) throw new Problem(`group '${name}' cannot be its own child`, { kind: 'inventory' })
    if (this.#ancestors(name).has(childName)) {
      throw new Problem(`Adding group '${childName}' as child to '${name}' creates a recursive dependency loop.`, { kind: 'inventory' })
    }
    if (group.children.has(childName)) return false
    group.children.add(childName)
    child.parents.add(name)
    this.#changed()
    return true
  }

  /** Groups without parents go under `all`; hosts in no other group are ungrouped, and only those. */
  reconcile(): void {
    for (const group of this.#groups.values()) if (group.name !== 'all' && group.parents.size === 0) this.addChild('all', group.name)
    const ungrouped = this.#groups.get('ungrouped')!
    for (const host of this.#hosts.values()) {
      const isGrouped = [...host.groups].some((name) => name !== 'all' && name !== 'ungrouped')
      if (!isGrouped) this.addToGroup(host.name, 'ungrouped')
      else if (ungrouped.hosts.delete(host.name)) {
        host.groups.delete('ungrouped')
        this.#changed()
      }
    }
    for (const name of this.#groups.keys()) if (this.#hosts.has(name)) this.warn(`Found both group and host with same name: ${name}`)
  }

  /** Hosts of a group and of all groups under it, level by level. */
  hostsOf(name: string): readonly string[] {
    const known = this.#hostsOf.get(name)
    if (known) return known
    const hosts = new Set<string>()
    for (const group of this.#descendants(name)) {
      for (const host of this.#groups.get(group)!.hosts) if (name !== 'all' || this.#hosts.has(host)) hosts.add(host)
    }
    const found = [...hosts]
    this.#hostsOf.set(name, found)
    return found
  }

  #descendants(name: string): Set<string> {
    const found = new Set<string>(this.#groups.has(name) ? [name] : [])
    for (const group of found) for (const child of this.#groups.get(group)!.children) found.add(child)
    return found
  }

  #ancestors(name: string): Set<string> {
    const found = new Set<string>(this.#groups.get(name)?.parents)
    for (const group of found) for (const parent of this.#groups.get(group)!.parents) found.add(parent)
    return found
  }

  /** Every group of a host, weakest first. */
  groupsOf(name: string): readonly string[] {
    const known = this.#groupsOf.get(name)
    if (known) return known
    const host = this.#hosts.get(name) ?? (this.#implicit?.name === name ? this.#implicit : undefined)
    const names = new Set<string>(['all'])
    for (const group of host?.groups ?? []) {
      names.add(group)
      for (const above of this.#ancestors(group)) names.add(above)
    }
    const sorted = [...names].sort(
      (a, b) => this.#depth(a) - this.#depth(b) || this.#groups.get(a)!.priority - this.#groups.get(b)!.priority || (a < b ? -1 : 1),
    )
    this.#groupsOf.set(name, sorted)
    return sorted
  }

  /** The longest way down from `all`. */
  #depth(name: string): number {
    const known = this.#depths.get(name)
    if (known !== undefined) return known
    const parents = [...(this.#groups.get(name)?.parents ?? [])]
    const depth = parents.length === 0 ? 0 : 1 + Math.max(...parents.map((parent) => this.#depth(parent)))
    this.#depths.set(name, depth)
    return depth
  }

  #changed(): void {
    this.version++
    this.#hostsOf = new Map()
    this.#groupsOf = new Map()
    this.#depths = new Map()
  }
}
