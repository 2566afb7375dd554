/** Turns a YAML inventory into statements: groups with `hosts`, `vars` and `children`. */
import { Problem } from '../base/index.ts'
import { type DocumentOptions, mappingToVars, type Node, nodeToRaw } from '../documents/index.ts'
import type { GroupNames } from './ini.ts'
import { expandHost } from './ranges.ts'
import type { Reading, Statement } from './statements.ts'

export function readYaml(root: Node | undefined, groupName: GroupNames, options: DocumentOptions): Reading {
  if (!root || (root.kind === 'scalar' && root.value === null)) throw new Problem('Parsed empty YAML file', { kind: 'inventory' })
  if (root.kind !== 'mapping') {
    throw new Problem(`YAML inventory has invalid structure, it should be a dictionary, not ${NAMES[root.kind]}`, {
      kind: 'inventory',
      span: root.span,
    })
  }
  const plugin = root.entries.find((entry) => entry.key.value === 'plugin')
  if (plugin) throw new Problem('Plugin configuration YAML file, not YAML inventory', { kind: 'inventory', span: plugin.key.span })
  const reader = new YamlReader(groupName, options)
  for (const { key, value } of root.entries) reader.group(String(key.value), value)
  return { statements: reader.statements, warnings: reader.warnings }
}

const NAMES = { scalar: 'a single value', sequence: 'a list', mapping: 'a dict' } as const

class YamlReader {
  readonly statements: Statement[] = []
  readonly warnings: string[] = []

  constructor(
    readonly groupName: GroupNames,
    readonly options: DocumentOptions,
  ) {}

  group(written: string, node: Node): string {
    if (!isNothing(node) && node.kind !== 'mapping') {
      this.warnings.push(`Skipping '${written}' as this is not a valid group definition`)
      return written
    }
    const name = this.groupName(written)
    this.statements.push({ do: 'group', name })
    if (node.kind === 'mapping') for (const entry of node.entries) this.#section(name, String(entry.key.value), entry.value)
    return name
  }

  #section(group: string, name: string, node: Node): void {
    if (isNothing(node)) return
    const section = SECTIONS[name]
    const entries =
      section && node.kind === 'scalar' && typeof node.value === 'string' ? ([[node.value, undefined]] as const) : entriesOf(node)
    if (!section) {
      this.warnings.push(
        entries
          ? `Skipping unexpected key (${name}) in group (${group}), only "vars", "children" and "hosts" are valid`
          : `Skipping key (${name}) in group (${group}) as it is not a mapping, it is ${NAMES[node.kind]}`,
      )
    } else if (!entries) {
      throw new Problem(`Invalid "${name}" entry for "${group}" group, requires a dictionary, found ${NAMES[node.kind]} instead.`, {
        kind: 'inventory',
        span: node.span,
      })
    } else {
      if (name === 'hosts' && node.kind === 'mapping') for (const { key } of node.entries) refuseNumber(key)
      for (const [key, value] of entries) section(this, group, key, value)
    }
  }

  variable(group: string, key: string, node: Node | undefined): void {
    this.statements.push({ do: 'groupVar', group, key, value: node ? nodeToRaw(node, this.options) : null })
  }

  child(group: string, key: string, node: Node | undefined): void {
    const child = this.group(key, node ?? NOTHING)
    this.statements.push({ do: 'child', group, child })
  }

  host(group: string, key: string, node: Node | undefined): void {
    const { hosts, port } = expandHost(key)
    if (node && !isNothing(node) && node.kind !== 'mapping') {
      throw new Problem(`the variables of host ${key} must be a dict`, { kind: 'inventory', span: node.span })
    }
    const vars = node?.kind === 'mapping' ? mappingToVars(node, this.options) : []
    for (const host of hosts) {
      this.statements.push({ do: 'host', name: host, group, port })
      for (const [name, value] of vars) this.statements.push({ do: 'hostVar', host, key: name, value })
    }
  }
}

/** A name written as a number would be another one once it was read: 010 is 8. */
function refuseNumber({ value, span }: Node & { readonly kind: 'scalar' }): void {
  if (typeof value === 'string') return
  throw new Problem(`Host pattern ${String(value)} must be a string. Enclose integers/floats in quotation marks.`, {
    kind: 'inventory',
    span,
  })
}

const SECTIONS: { readonly [name: string]: (reader: YamlReader, group: string, key: string, node: Node | undefined) => void } = {
  vars: (reader, group, key, node) => reader.variable(group, key, node),
  children: (reader, group, key, node) => reader.child(group, key, node),
  hosts: (reader, group, key, node) => reader.host(group, key, node),
}

const NOTHING: Node = { kind: 'scalar', value: null, style: 'plain', span: { source: { name: '', text: '' }, start: 0, end: 0 } }

const isNothing = (node: Node): boolean => node.kind === 'scalar' && node.value === null

const entriesOf = (node: Node): readonly (readonly [string, Node])[] | undefined =>
  node.kind === 'mapping' ? node.entries.map(({ key, value }) => [String(key.value), value]) : undefined
