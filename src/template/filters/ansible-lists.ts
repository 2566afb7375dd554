/** Ansible's own filters on lists and dicts. */
import { isOlder, LazyDict, Tuple, type Value } from '../../base/index.ts'
import {
  add,
  asIndex,
  checkCount,
  contains,
  dictGet,
  dictHas,
  dictSet,
  eager,
  equals,
  filterError,
  hashKey,
  isMapping,
  isPyError,
  isUndefined,
  iterable,
  iterate,
  PyError,
  PyRange,
  PySet,
  repr,
  str,
  subscript,
  toList,
  truth,
  typeError,
  typeName,
} from '../python/index.ts'
import type { CallContext, FilterFunction } from '../registry.ts'
import { attributeGetter, ignoreCase } from './attributes.ts'
import { combine } from './combine.ts'
import { classOf, type FilterTable, filter } from './define.ts'
import { flatten } from './flatten.ts'
import { below, SYSTEM_RANDOM, seededRandom, shuffled } from './mersenne.ts'

export const ANSIBLE_LISTS: FilterTable = {
  combine,
  combinations: filter('combinations', ['r'], (value, [r]) => {
    const items = toList(value)
    const size = count(r)
    checkRows(arrangements(items.length, size) / arrangements(size, size), size)
    return choose(items, size).map((c) => new Tuple(c))
  }),
  dict2items: filter(
    'dict_to_list_of_dict_key_value_elements',
    [
      ['key_name', 'key'],
      ['value_name', 'value'],
    ],
    dictToItems,
  ),
  difference: filter(
    'difference',
    ['b'],
    (a, [b], context) =>
      overSets(
        a,
        b,
        (x, y) => x.difference(y),
        () => unlike(a, b, context),
        context,
      ),
    { leading: 2 },
  ),
  extract: filter(
    'extract',
    ['container', ['morekeys', null]],
    (item, [container, more], context) => {
      const keys = more === null ? [item] : Array.isArray(more) ? [item, ...more] : [item, more]
      return keys.reduce<Value>((value, key) => context.getItem(value, key), container)
    },
    { leading: 2 },
  ),
  flatten: filter(
    'flatten',
    [
      ['levels', null],
      ['skip_nulls', true],
    ],
    (value, [levels, skip]) => flatten(iterate(value), levels === null ? undefined : Number(asIndex(levels) ?? str(levels)), truth(skip)),
  ),
  intersect: filter(
    'intersect',
    ['b'],
    (a, [b], context) =>
      overSets(
        a,
        b,
        (x, y) => x.intersection(y),
        () => alike(a, b, context),
        context,
      ),
    { leading: 2 },
  ),
  items2dict: filter(
    'list_of_dict_key_value_elements_to_dict',
    [
      ['key_name', 'key'],
      ['value_name', 'value'],
    ],
    itemsToDict,
  ),
  permutations: filter('permutations', [['r', null]], (value, [r]) => {
    const items = toList(value)
    const size = r === null ? items.length : count(r)
    checkRows(arrangements(items.length, size), size)
    return arrange(items, size).map((p) => new Tuple(p))
  }),
  product: productOf(),
  random: filter(
    'rand',
    [
      ['start', null],
      ['step', null],
      ['seed', null],
    ],
    random,
    { leading: 2 },
  ),
  rekey_on_member: filter('rekey_on_member', ['key', ['duplicates', 'error']], (value, [key, duplicates]) => rekey(value, key, duplicates)),
  shuffle: filter('randomize_list', [['seed', null]], (value, [seed]) =>
    iterable(value) === undefined ? value : shuffled(truth(seed) ? seededRandom(seed) : SYSTEM_RANDOM, toList(value)),
  ),
  subelements: filter('subelements', ['subelements', ['skip_missing', false]], (value, [path, skip]) =>
    subelements(value, path, truth(skip)),
  ),
  symmetric_difference: filter(
    'symmetric_difference',
    ['b'],
    (a, [b], context) =>
      overSets(
        a,
        b,
        (x, y) => x.difference(y).union(y.difference(x).iterate()),
        () => {
          const both = alike(a, b, context)
          return (unite(a, b, context) as Value[]).filter((item) => !contains(both, item))
        },
        context,
      ),
    { leading: 2 },
  ),
  union: filter(
    'union',
    ['b'],
    (a, [b], context) =>
      overSets(
        a,
        b,
        (x, y) => x.union(y.iterate()),
        () => unite(a, b, context),
        context,
      ),
    { leading: 2 },
  ),
  unique: filter(
    'unique',
    [
      ['case_sensitive', null],
      ['attribute', null],
    ],
    (value, [sensitive, attribute], context) => unique(toList(value), context, sensitive, attribute),
    { leading: 2 },
  ),
  zip: zipping('zip', (lists) => Math.min(...lists.map((l) => l.length))),
  zip_longest: zipping('zip_longest', (lists) => Math.max(...lists.map((l) => l.length))),
}

function count(value: Value): number {
  const index = asIndex(value)
  if (index === undefined) throw typeError(`'${typeName(value)}' object cannot be interpreted as an integer`)
  if (index < 0) throw new PyError('ValueError', 'r must be non-negative')
  return index
}

/** How many ways there are to put `size` of so many items in a row. */
function arrangements(items: number, size: number): number {
  let ways = 1
  for (let i = 0; i < size && ways > 0; i++) ways *= items - i
  return ways
}

/** Refuses rows that would not fit into memory. */
function checkRows(rows: number, size: number): void {
  checkCount(rows * (size + 4))
}

function choose(items: readonly Value[], size: number, from = 0): Value[][] {
  if (size === 0) return [[]]
  const out: Value[][] = []
  for (let i = from; i <= items.length - size; i++) for (const rest of choose(items, size - 1, i + 1)) out.push([items[i]!, ...rest])
  return out
}

function arrange(items: readonly Value[], size: number): Value[][] {
  if (size === 0) return [[]]
  return items.flatMap((item, i) => arrange([...items.slice(0, i), ...items.slice(i + 1)], size - 1).map((rest) => [item, ...rest]))
}

function productOf(): FilterFunction {
  return (_, value, args, kwargs) => {
    for (const name of kwargs.keys()) if (name !== 'repeat') throw typeError(`'${name}' is an invalid keyword argument for product()`)
    const lists = [value, ...args].map(toList)
    const repeat = kwargs.has('repeat') ? count(kwargs.get('repeat')!) : 1
    checkRows(lists.reduce((all, list) => all * list.length, 1) ** repeat, lists.length * repeat)
    let rows: Value[][] = [[]]
    for (let i = 0; i < repeat; i++) for (const list of lists) rows = rows.flatMap((row) => list.map((item) => [...row, item]))
    return rows.map((row) => new Tuple(row))
  }
}

function zipping(name: 'zip' | 'zip_longest', size: (lists: readonly Value[][]) => number): FilterFunction {
  return (_, value, args, kwargs) => {
    const fill = kwargs.get('fillvalue') ?? null
    for (const key of kwargs.keys()) {
      if (name === 'zip' ? key !== 'strict' : key !== 'fillvalue') throw typeError(`${name}() got an unexpected keyword argument '${key}'`)
    }
    const lists = [value, ...args].map((list, i) => {
      if (isUndefined(list)) list.raise()
      if (iterable(list) === undefined)
        throw typeError(
          name === 'zip' ? `'${typeName(list)}' object is not iterable` : `zip_longest argument #${i + 1} must support iteration`,
        )
      return toList(list)
    })
    return Array.from({ length: size(lists) }, (_, i) => new Tuple(lists.map((list) => (i < list.length ? (list[i] as Value) : fill))))
  }
}

function dictToItems(value: Value, [keyName, valueName]: readonly Value[]): Value {
  if (isUndefined(value)) value.raise()
  if (!isMapping(value)) throw typeError(`dict2items requires a dictionary, got ${classOf(value)} instead.`)
  const dict = value instanceof LazyDict ? eager(value) : value
  return [...dict].map(([key, item]) => {
    const entry = new Map<Value, Value>()
    dictSet(entry, keyName!, key)
    dictSet(entry, valueName!, item)
    return entry
  })
}

const isSequence = (value: Value): boolean => Array.isArray(value) || value instanceof Tuple || value instanceof PyRange

function itemsToDict(value: Value, [keyName, valueName]: readonly Value[]): Value {
  if (isUndefined(value)) value.raise()
  if (!isSequence(value)) throw typeError(`items2dict requires a list, got ${classOf(value)} instead.`)
  const out = new Map<Value, Value>()
  for (const item of iterate(value)) {
    if (!isMapping(item)) throw typeError(`items2dict requires a list of dictionaries, got ${str(value)} instead.`)
    const key = subscript(item, keyName as Value)
    const entry = subscript(item, valueName as Value)
    if (key === undefined || entry === undefined) {
      throw typeError(
        `items2dict requires each dictionary in the list to contain the keys '${str(keyName!)}' and '${str(valueName!)}', got ${str(value)} instead.`,
      )
    }
    hashKey(key)
    dictSet(out, key, entry)
  }
  return out
}

/**
 * A set operation, or what stands in for it when something cannot be hashed. Before 2.16 a list was never taken as a set, so that text beside it was
 * searched as text: `['ab'] | intersect('abc')` was `['ab']`.
 */
function overSets(
  a: Value,
  b: Value,
  operate: (a: PySet, b: PySet) => PySet,
  otherwise: () => Value,
  { compatVersion }: CallContext,
): Value {
  if (compatVersion !== undefined && isOlder(compatVersion, '2.16') && !(isHashable(a) && isHashable(b))) return otherwise()
  try {
    return operate(new PySet(iterate(a)), new PySet(iterate(b))).iterate()
  } catch (error) {
    if (isPyError(error, 'TypeError')) return otherwise()
    throw error
  }
}

const isHashable = (value: Value): boolean => !Array.isArray(value) && !isMapping(value) && !(value instanceof PySet)

const unite = (a: Value, b: Value, context: CallContext): Value => unique(toList(add(a, b)), context, true, null)
const alike = (a: Value, b: Value, context: CallContext): Value =>
  unique(
    toList(a).filter((item) => contains(b, item)),
    context,
    true,
    null,
  )
const unlike = (a: Value, b: Value, context: CallContext): Value =>
  unique(
    toList(a).filter((item) => !contains(b, item)),
    context,
    true,
    null,
  )

function unique(items: readonly Value[], context: CallContext, sensitive: Value, attribute: Value): Value[] {
  const get = attributeGetter(context, attribute)
  try {
    const seen = new PySet()
    return items.filter((item) => {
      const key = sensitive !== null && truth(sensitive) ? get(item) : ignoreCase(get(item))
      if (seen.has(key)) return false
      seen.add(key)
      return true
    })
  } catch (error) {
    if (!isPyError(error)) throw error
    if (sensitive === false || (attribute !== null && truth(attribute))) {
      throw filterError(
        "Jinja2's unique filter failed and we cannot fall back to Ansible's version as it does not support the parameters supplied",
        error,
      )
    }
    const out: Value[] = []
    for (const item of items) if (!out.some((known) => known === item || equals(known, item))) out.push(item)
    return out
  }
}

function random(end: Value, [start, step, seed]: readonly Value[]): Value {
  const source = seed === null || seed === undefined ? SYSTEM_RANDOM : seededRandom(seed)
  const limit = asIndex(end)
  if (limit !== undefined) return randomInRange(source, truth(start!) ? whole(start!) : 0, limit, truth(step!) ? whole(step!) : 1)
  if (isUndefined(end)) end.raise()
  if (iterable(end) === undefined) throw filterError('random can only be used on sequences and integers')
  if (truth(start!) || truth(step!)) throw filterError('start and step can only be used with integer values')
  const items = toList(end)
  if (items.length === 0) throw new PyError('IndexError', 'Cannot choose from an empty sequence')
  return items[below(source, items.length)]!
}

function whole(value: Value): number {
  const index = asIndex(value)
  if (index === undefined) throw typeError(`'${typeName(value)}' object cannot be interpreted as an integer`)
  return index
}

function randomInRange(source: Parameters<typeof below>[0], start: number, stop: number, step: number): number {
  const width = stop - start
  const steps = step === 1 ? width : step > 0 ? Math.floor((width + step - 1) / step) : Math.floor((width + step + 1) / step)
  if (steps <= 0)
    throw new PyError(
      'ValueError',
      step === 1 ? `empty range for randrange() (${start}, ${stop}, ${width})` : 'empty range for randrange()',
    )
  return start + step * below(source, steps)
}

function rekey(data: Value, key: Value, duplicates: Value): Value {
  if (duplicates !== 'error' && duplicates !== 'overwrite') {
    throw filterError(`duplicates parameter to rekey_on_member has unknown value: ${str(duplicates)}`)
  }
  truth(data)
  truth(key)
  const items = isMapping(data)
    ? data instanceof LazyDict
      ? [...eager(data).values()]
      : [...data.values()]
    : typeof data === 'string' || data instanceof Uint8Array
      ? undefined
      : iterable(data)
  if (items === undefined) throw typeError('Type is not a valid list, set, or dict')
  const out = new Map<Value, Value>()
  for (const item of items) {
    if (!isMapping(item)) throw typeError('List item is not a valid dict')
    const name = subscript(item, key)
    if (name === undefined) throw filterError(`Key ${str(key)} was not found`)
    hashKey(name)
    if (dictHas(out, name) && truth(dictGet(out, name)!) && duplicates === 'error')
      throw filterError(`Key ${str(name)} is not unique, cannot correctly turn into dict`)
    dictSet(out, name, item)
  }
  return out
}

function subelements(value: Value, path: Value, skipMissing: boolean): Value {
  const elements = isMapping(value)
    ? [...(value instanceof LazyDict ? eager(value) : value).values()]
    : Array.isArray(value)
      ? value
      : undefined
  if (!elements) {
    if (isUndefined(value)) value.raise()
    throw filterError('obj must be a list of dicts or a nested dict')
  }
  const names = Array.isArray(path) ? path : typeof path === 'string' ? path.split('.') : undefined
  if (!names) throw typeError('subelements must be a list or a string')
  const out: Value[] = []
  for (const element of elements) for (const item of listAt(element, names, skipMissing)) out.push(new Tuple([element, item]))
  return out
}

function listAt(element: Value, names: readonly Value[], skipMissing: boolean): readonly Value[] {
  let found: Value = element
  for (const name of names) {
    if (!isMapping(found)) {
      if (isUndefined(found)) found.raise()
      throw typeError(`the key ${str(name)} should point to a dictionary, got '${str(found)}'`)
    }
    const next = subscript(found, name)
    if (next === undefined) {
      if (skipMissing) return []
      throw filterError(`could not find ${repr(name)} key in iterated item ${repr(found)}`)
    }
    found = next
  }
  if (!Array.isArray(found)) throw typeError(`the key ${repr(names.at(-1) ?? null)} should point to a list, got ${repr(found)}`)
  return found
}
