/** Puts a set's members in the order in which CPython would walk them, as far as it is fixed: integers hash to themselves, text is random there. */
import type { Value } from '../../base/index.ts'

const PROBES = 9 // neighbours looked at before jumping
const PERTURB = 5n

/** The members in CPython's order where all are small integers, else as they were added. */
export function setOrder(members: Value[]): Value[] {
  if (members.length < 2 || !members.every(isHashedAsItself)) return members
  let mask = 7
  let table: (Value | undefined)[] = new Array(mask + 1)
  let used = 0
  for (const member of members) {
    insert(table, mask, member)
    used++
    if (used * 5 < mask * 3) continue
    mask = sizeFor(used > 50000 ? used * 2 : used * 4) - 1
    const old = table
    table = new Array(mask + 1)
    for (const entry of old) if (entry !== undefined) insert(table, mask, entry)
  }
  return table.filter((entry) => entry !== undefined)
}

const isHashedAsItself = (value: Value): boolean => (typeof value === 'number' && value > -1) || typeof value === 'boolean'

function sizeFor(minimum: number): number {
  let size = 8
  while (size <= minimum) size *= 2
  return size
}

function insert(table: (Value | undefined)[], mask: number, member: Value): void {
  const hash = BigInt(Number(member))
  let perturb = hash
  let slot = Number(hash & BigInt(mask))
  for (;;) {
    const last = slot + PROBES <= mask ? slot + PROBES : slot
    for (let i = slot; i <= last; i++) {
      if (table[i] === undefined) {
        table[i] = member
        return
      }
    }
    perturb >>= PERTURB
    slot = Number((BigInt(slot) * 5n + 1n + perturb) & BigInt(mask))
  }
}
