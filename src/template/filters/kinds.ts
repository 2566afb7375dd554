/** community.general's names for the types of values: reveal_ansible_type and the test ansible_type. */
import { type LazyDict, Tuple, type Value } from '../../base/index.ts'
import { filterError, isMapping, repr, str, toList, typeName } from '../python/index.ts'
import { classOf } from './define.ts'

/** Such as `dict[str, int|str]`; `alias` renames types. */
export function ansibleType(value: Value, alias: Value): string {
  if (alias !== null && !isMapping(alias)) throw filterError(`The argument alias must be a dictionary. ${repr(alias)} is ${classOf(alias)}`)
  const name = (item: Value): string => aliased(typeName(item), alias)
  const among = (items: readonly Value[]): string => [...new Set(items.map(name))].sort().join('|')
  const own = name(value)
  if (own === 'list' && !isEmpty(value)) return `list[${among(toList(value))}]`
  if (own !== 'dict' || !isMapping(value) || isEmpty(value)) return own
  const keys = [...value.keys()]
  return `dict[${among(keys)}, ${among(keys.map((key) => value.get(key as string) ?? null))}]`
}

function aliased(name: string, alias: Value): string {
  const found = alias === null ? undefined : (alias as Map<Value, Value> | LazyDict).get(name)
  return found === undefined ? name : str(found)
}

const isEmpty = (value: Value): boolean =>
  Array.isArray(value)
    ? value.length === 0
    : value instanceof Tuple
      ? value.items.length === 0
      : isMapping(value) && [...value.keys()].length === 0
