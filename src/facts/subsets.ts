/** A gather_subset as written → the collectors it means. */
import { Problem } from '../base/index.ts'
import type { Collector } from './collector.ts'
import { collectors } from './collectors/index.ts'

/** Subsets that are known but have nothing to tell without their own programs. */
const foreign = ['facter', 'ohai']

const names = new Set([...collectors.flatMap(({ name, ids }) => [name, ...ids]), ...foreign])
const minimal = collectors.filter((one) => one.minimal).map((one) => one.name)

/** The collectors of a gather_subset with those they need, in the table's order. */
export function chooseCollectors(subset: readonly string[]): readonly Collector[] {
  const wanted = subsetNames(subset)
  const chosen = new Set(collectors.filter(({ name, ids }) => wanted.has(name) || ids.some((id) => wanted.has(id))))
  for (const one of chosen) for (const name of one.requires) chosen.add(collectors.find((other) => other.name === name)!)
  return collectors.filter((one) => chosen.has(one))
}

/** The names that a spec leaves: the minimal ones come first, then what is added, then what is taken away unless it was asked for by name. */
function subsetNames(subset: readonly string[]): ReadonlySet<string> {
  const added = new Set<string>()
  const removed = new Set<string>()
  const asked = new Set<string>()
  for (const word of ['min', ...(subset.length > 0 ? subset : ['all'])]) {
    const off = word.startsWith('!')
    const name = off ? word.slice(1) : word
    if (name === 'all') for (const one of names) off ? minimal.includes(one) || removed.add(one) : added.add(one)
    else if (name === 'min') for (const one of minimal) (off ? removed : added).add(one)
    else if (off) for (const one of [name, ...idsOf(name)]) removed.add(one)
    else if (!names.has(name)) throw badSubset(name)
    else asked.add(name)
  }
  for (const name of asked) added.add(name)
  return new Set([...added].filter((name) => !removed.has(name) || asked.has(name)))
}

const idsOf = (name: string): readonly string[] => collectors.find((one) => one.name === name)?.ids ?? []

const badSubset = (name: string): Problem =>
  new Problem(`Bad subset '${name}' given to Ansible. gather_subset options allowed: all, ${[...names].sort().join(', ')}`, {
    kind: 'parameter',
  })
