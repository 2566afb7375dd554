/** combine: dicts → one dict, the later ones stronger. */
import { LazyDict, type Value } from '../../base/index.ts'
import { dumpJson } from '../dump/json.ts'
import {
  contains,
  dictGet,
  dictHas,
  dictSet,
  eager,
  equals,
  filterError,
  isMapping,
  isUndefined,
  repr,
  str,
  truth,
  typeName,
} from '../python/index.ts'
import type { FilterFunction } from '../registry.ts'
import { flatten } from './flatten.ts'

type Dict = Map<Value, Value>
type ListMerge = (low: Value[], high: Value[]) => Value[]

const LIST_MERGES: Readonly<Record<string, ListMerge>> = {
  replace: (_, high) => high,
  keep: (low) => low,
  append: (low, high) => [...low, ...high],
  prepend: (low, high) => [...high, ...low],
  append_rp: (low, high) => [...without(low, high), ...high],
  prepend_rp: (low, high) => [...high, ...without(low, high)],
}

const without = (items: Value[], others: Value[]): Value[] => items.filter((item) => !contains(others, item))

export const combine: FilterFunction = (_, value, args, kwargs) => {
  const recursive = truth(kwargs.get('recursive') ?? false)
  const listMerge = kwargs.has('list_merge') ? (kwargs.get('list_merge') as Value) : 'replace'
  for (const name of kwargs.keys()) {
    if (name !== 'recursive' && name !== 'list_merge')
      throw filterError("'recursive' and 'list_merge' are the only valid keyword arguments")
  }
  const dicts = flatten([value, ...args], 1, true)
  dicts.forEach(checkDefined)
  if (dicts.length === 0) return new Map()
  let result = dicts.at(-1) as Value
  for (const low of dicts.slice(0, -1).reverse()) result = mergeDicts(low, result, recursive, listMerge)
  return result
}

function checkDefined(value: Value): void {
  if (isUndefined(value)) value.raise()
  if (value instanceof Map) for (const item of value.values()) checkDefined(item)
  else if (Array.isArray(value)) value.forEach(checkDefined)
}

/** `high` over `low`; neither is changed. */
export function mergeDicts(low: Value, high: Value, recursive: boolean, listMerge: Value): Value {
  const merge = typeof listMerge === 'string' && Object.hasOwn(LIST_MERGES, listMerge) ? LIST_MERGES[listMerge] : undefined
  if (!merge) {
    throw filterError(
      "merge_hash: 'list_merge' argument can only be equal to 'replace', 'keep', 'append', 'prepend', 'append_rp' or 'prepend_rp'",
    )
  }
  if (!isMapping(low) || !isMapping(high)) throw filterError(notDicts(low, high))
  return merged(asDict(low), asDict(high), recursive, listMerge, merge)
}

const asDict = (value: Dict | LazyDict): Dict => (value instanceof LazyDict ? eager(value) : value)

function merged(low: Dict, high: Dict, recursive: boolean, name: Value, merge: ListMerge): Dict {
  if (low.size === 0 || equals(low, high)) return new Map(high)
  if (high.size === 0) return low
  const out: Dict = new Map(low)
  for (const [key, value] of high)
    dictSet(out, key, dictHas(out, key) ? mergedItem(dictGet(out, key)!, value, recursive, name, merge) : value)
  return out
}

function mergedItem(low: Value, high: Value, recursive: boolean, name: Value, merge: ListMerge): Value {
  if (isMapping(low) && isMapping(high)) return recursive ? mergeDicts(low, high, recursive, name) : high
  return Array.isArray(low) && Array.isArray(high) ? merge(low, high) : high
}

function notDicts(a: Value, b: Value): string {
  return `failed to combine variables, expected dicts but got a '${typeName(a)}' and a '${typeName(b)}': \n${shown(a)}\n${shown(b)}`
}

function shown(value: Value): string {
  try {
    return dumpJson(value)
  } catch {
    return typeof value === 'string' ? str(value) : repr(value)
  }
}
