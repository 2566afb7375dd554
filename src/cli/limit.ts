/** `--limit` → refused where it is empty or leaves nobody, so that no run means more hosts, or fewer, than its author thought. */
import { didYouMean, Problem } from '../base/index.ts'
import type { Inventory } from '../inventory/index.ts'

/** An empty limit would mean every host: it is refused instead. */
export function refuseEmptyLimit(limit: string | undefined): void {
  if (limit === undefined || namesIn(limit).length > 0) return
  throw new Problem('an empty --limit is refused', { kind: 'usage', hint: "leave it out to run on every host, or say 'all'" })
}

export function refuseNoHosts(inventory: Inventory, limit: string | undefined): void {
  if (limit === undefined || inventory.match('all', { limit }).length > 0) return
  const known = [...inventory.groups(), ...inventory.hosts()]
  const near = namesIn(limit).map((name) => (known.includes(name) ? undefined : didYouMean(name, known)))
  throw new Problem('Specified inventory, host pattern and/or --limit leaves us with no hosts to target.', {
    kind: 'inventory',
    hint: near.find((hint) => hint !== undefined),
  })
}

const namesIn = (limit: string): string[] =>
  limit
    .split(/[,:]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
