/** Turns the entries of a mapping as written into the ones that count: `<<` is merged in, and the last of equal keys wins. */
import { Float, Problem, type Scalar } from '../base/index.ts'
import type { Entry, Node, ScalarNode } from './node.ts'

export type Written = Entry

export interface Merged {
  readonly entries: readonly Entry[]
  /** names of keys that occurred twice, as texts */
  readonly duplicates: readonly string[]
  readonly problems: readonly Problem[]
}

/** Merged-in entries come first and are weaker; an earlier merge source beats a later one. */
export function mergeEntries(written: readonly Written[]): Merged {
  const problems: Problem[] = []
  const own: Entry[] = []
  const merged: Entry[] = []
  for (const entry of written) {
    if (isMergeKey(entry.key)) merged.push(...mergeSource(entry.value, problems))
    else own.push(entry)
  }
  const kept = new Map<string, Entry>()
  const duplicates: string[] = []
  for (const entry of [...merged, ...own]) {
    const id = identity(entry.key.value)
    if (kept.has(id)) duplicates.push(String(entry.key.value))
    kept.set(id, entry)
  }
  return { entries: duplicates.length > 0 || merged.length > 0 ? [...kept.values()] : own, duplicates, problems }
}

const isMergeKey = (key: ScalarNode): boolean => key.value === '<<' && key.style === 'plain' && key.tag === undefined

function mergeSource(node: Node, problems: Problem[]): Entry[] {
  if (node.kind === 'mapping') return [...node.entries]
  if (node.kind === 'sequence' && node.items.every((item) => item.kind === 'mapping')) {
    return node.items.toReversed().flatMap((item) => (item.kind === 'mapping' ? item.entries : []))
  }
  problems.push(new Problem('only a dict or a list of dicts can be merged with <<', { kind: 'syntax', span: node.span }))
  return []
}

/** Keys that Python holds for equal (1, 1.0 and true) are one key. */
function identity(value: Scalar): string {
  if (typeof value === 'string') return `s${value}`
  if (value === null) return 'null'
  return `n${value instanceof Float ? value.value : Number(value)}`
}
