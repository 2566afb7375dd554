/** The lookup merge_variables: a pattern → the values of all variables whose names fit, put together in the order of their names. */
import type { LazyDict, Value } from '../../base/index.ts'
import { contains, eager, equals, isMapping, str, toList, typeName } from '../python/index.ts'
import { compileRegex } from '../regex/regex.ts'
import type { CallContext, LookupFunction } from '../registry.ts'
import { deepCopy } from '../run/copy.ts'
import { Options, pluginError } from './define.ts'

type Merge = (left: Value, right: Value, path: readonly string[]) => Value

export const mergeVariables: LookupFunction = (context, terms, kwargs) => {
  const options = new Options(kwargs)
  const groups = options.list('groups').map(str)
  const initial = options.value('initial_value')
  return terms.map((term) => {
    if (typeof term !== 'string') throw pluginError(`Non-string type '<class '${typeName(term)}'>' passed, only 'str' types are allowed!`)
    const pattern = fits(term, options.text('pattern_type', 'regex'))
    const scopes = groups.length === 0 ? [ofScope(context)] : ofHosts(context, groups)
    return scopes.reduce((result, variables) => merged(variables, pattern, result, options), initial)
  })
}

interface Names {
  readonly names: readonly string[]
  get(name: string): Value
}

const ofScope = ({ scope }: CallContext): Names => ({ names: [...scope.names()], get: (name) => scope.get(name) ?? null })

function ofHosts({ scope }: CallContext, groups: readonly string[]): Names[] {
  const all = scope.get('hostvars')
  if (all === undefined || !isMapping(all)) return []
  return [...all.keys()].flatMap((host) => {
    const vars = all.get(host as string)
    if (vars === undefined || !isMapping(vars)) return []
    const own = vars as Map<Value, Value> | LazyDict
    const member = groups.includes('all') || groups.some((group) => contains(own.get('group_names') ?? [], group))
    return member ? [{ names: [...own.keys()].map(str), get: (name: string) => own.get(name) ?? null }] : []
  })
}

function fits(pattern: string, type: string): (name: string) => boolean {
  if (type === 'prefix') return (name) => name.startsWith(pattern)
  if (type === 'suffix') return (name) => name.endsWith(pattern)
  const regex = compileRegex(pattern)
  return (name) => regex.search(name) !== undefined
}

function merged({ names, get }: Names, fit: (name: string) => boolean, initial: Value, options: Options): Value {
  const merge = mergerOf(options)
  const shallow = options.text('dict_merge', 'deep') === 'shallow'
  let result = initial
  let kind = initial === null ? undefined : kindOf(initial)
  for (const name of names.filter(fit).sort()) {
    const value = deepCopy(dictOf(get(name)))
    const own = kindOf(value)
    if (kind !== undefined && kind !== own) throw pluginError('Unable to merge, not all variables are of the same type')
    kind = own
    if (result === null) result = value
    else if (shallow && result instanceof Map && value instanceof Map) result = mergedDict(result, value, [name], merge, options)
    else result = merge(result, value, [name])
  }
  return result
}

const dictOf = (value: Value): Value => (isMapping(value) && !(value instanceof Map) ? eager(value) : value)

function kindOf(value: Value): 'list' | 'dict' {
  if (Array.isArray(value)) return 'list'
  if (value instanceof Map) return 'dict'
  throw pluginError(`Not supported type detected, variable must be a list or a dict: '${str(value)}'`)
}

const BASE: Readonly<Record<string, (left: Value, right: Value) => Value>> = { keep: (left) => left, replace: (_, right) => right }

function mergerOf(options: Options): Merge {
  const dicts = options.text('dict_merge', 'deep')
  const lists = options.text('list_merge', 'append')
  const conflict = named(options.text('type_conflict_merge', 'replace'))
  const otherwise = named(options.text('default_merge', 'replace'))
  const changes = toList(options.value('list_transformations', [])).map(transformation)
  const merge: Merge = (left, right, path) => {
    const made = one(left, right, path)
    return Array.isArray(made) ? changes.reduce<Value[]>((list, change) => change(list), made) : made
  }
  const one: Merge = (left, right, path) => {
    if (Array.isArray(left) && Array.isArray(right)) return mergedList(left, right, path, lists, merge, options)
    if (left instanceof Map && right instanceof Map) {
      if (dicts === 'deep') return mergedDict(left, right, path, merge, options)
      return dicts === 'shallow' ? otherwise(left, right) : named(dicts)(left, right)
    }
    return typeName(left) === typeName(right) ? otherwise(left, right) : conflict(left, right)
  }
  return merge
}

function named(name: string): (left: Value, right: Value) => Value {
  const found = Object.hasOwn(BASE, name) ? BASE[name] : undefined
  if (!found) throw pluginError(`Unknown merge strategy '${name}'`)
  return found
}

function mergedDict(left: Map<Value, Value>, right: Map<Value, Value>, path: readonly string[], merge: Merge, options: Options): Value {
  const out = new Map(left)
  for (const [key, value] of right) {
    const before = out.get(key)
    if (before === undefined) out.set(key, value)
    else out.set(key, overridden(before, value, [...path, str(key)], merge, options))
  }
  return out
}

function mergedList(left: Value[], right: Value[], path: readonly string[], how: string, merge: Merge, options: Options): Value {
  if (how === 'append') return [...left, ...right]
  if (how === 'prepend') return [...right, ...left]
  if (how !== 'merge') return named(how)(left, right)
  const items = right.map((value, i) => (i < left.length ? overridden(left[i]!, value, [...path, String(i)], merge, options) : value))
  return [...items, ...left.slice(right.length)]
}

/** What is lost by a merge is an error, unless the options say otherwise. */
function overridden(before: Value, value: Value, path: readonly string[], merge: Merge, options: Options): Value {
  const after = merge(before, value, path)
  const isPlain = !(after instanceof Map) && !Array.isArray(after)
  if ((typeName(before) !== typeName(after) || (isPlain && !equals(before, after))) && options.text('override', 'error') === 'error')
    throw pluginError(
      `The key '${path.at(-1)}' with value '${str(before)}' will be overwritten with value '${str(after)}' from '${path.join('.')}'`,
    )
  return after
}

function transformation(given: Value): (list: readonly Value[]) => Value[] {
  const name = isMapping(given) ? str(given.get('name') ?? null) : str(given)
  if (name === 'flatten') return flat
  if (name !== 'dedup') throw pluginError(`Unknown transformation '${name}'`)
  const options = isMapping(given) ? given.get('options') : undefined
  const last = options !== undefined && isMapping(options) && options.get('keep') === 'last'
  return (list) => (last ? distinct([...list].reverse()).reverse() : distinct(list))
}

const flat = (list: readonly Value[]): Value[] => list.flatMap((item) => (Array.isArray(item) ? flat(item) : [item]))
const distinct = (list: readonly Value[]): Value[] => list.filter((item, i) => list.findIndex((other) => equals(other, item)) === i)
