/** A YAML or JSON document as a tree whose every part knows its place. */
import type { Scalar, Span } from '../base/index.ts'

export type Node = ScalarNode | SequenceNode | MappingNode

export interface ScalarNode {
  readonly kind: 'scalar'
  /** the YAML 1.1 value, as Ansible reads it (`no` is false, 010 is 8, 1:30 is 90); dates are their text: they become values where nodes become raw values */
  readonly value: Scalar
  readonly span: Span
  /** `!vault`, `!unsafe` or another tag as written */
  readonly tag?: string | undefined
  /** plain (unquoted), quoted or block */
  readonly style: 'plain' | 'single' | 'double' | 'literal' | 'folded'
}

export interface SequenceNode {
  readonly kind: 'sequence'
  readonly items: readonly Node[]
  readonly span: Span
  readonly tag?: string | undefined
}

export interface MappingNode {
  readonly kind: 'mapping'
  readonly entries: readonly Entry[]
  readonly span: Span
  readonly tag?: string | undefined
  /** the entries by their keys, once somebody has asked for one */
  index?: ReadonlyMap<unknown, Entry>
}

export interface Entry {
  readonly key: ScalarNode
  readonly value: Node
}

/** The entry of a key written as text. */
export function entry(node: MappingNode, key: string): Entry | undefined {
  node.index ??= indexed(node.entries)
  return node.index.get(key)
}

/** Entries by their keys; the last of equal ones counts. */
export function indexed(entries: readonly Entry[]): ReadonlyMap<unknown, Entry> {
  const index = new Map<unknown, Entry>()
  for (let i = 0; i < entries.length; i++) index.set(entries[i]!.key.value, entries[i]!)
  return index
}
