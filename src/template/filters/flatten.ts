/** Lists in lists → one list, to a depth. */
import { Tuple, type Value } from '../../base/index.ts'
import { equals, PyRange, toList } from '../python/index.ts'

export function flatten(items: Iterable<Value>, levels: number | undefined, skipNulls: boolean): Value[] {
  const out: Value[] = []
  for (const item of items) {
    if (skipNulls && isNull(item)) continue
    if (!isSequence(item)) out.push(item)
    else if (levels === undefined) out.push(...flatten(toList(item), undefined, skipNulls))
    else if (levels >= 1) out.push(...flatten(toList(item), Math.trunc(levels) - 1, skipNulls))
    else out.push(item)
  }
  return out
}

const NULLS: readonly Value[] = [null, 'None', 'null']
const isNull = (item: Value): boolean => NULLS.some((known) => known === item || equals(item, known))
const isSequence = (value: Value): boolean => Array.isArray(value) || value instanceof Tuple || value instanceof PyRange
