/** Lookups that make lists of their terms: items, nested, together, sequence and their kin. */
import { LazyDict, Tuple, type Value } from '../../base/index.ts'
import { below, SYSTEM_RANDOM } from '../filters/mersenne.ts'
import { eager, isMapping, PyRange, str } from '../python/index.ts'
import { asFlag, flattenOnce, type LookupTable, listOf, pluginError } from './define.ts'
import { sequence } from './sequence.ts'

export const LIST_LOOKUPS: LookupTable = {
  cartesian: (_, terms) => {
    if (terms.length === 0) throw pluginError('with_cartesian requires at least one element in each list')
    return product(terms.map(listOf)).map(flattenOnce)
  },
  dict: (_, terms) => terms.flatMap(dictItems),
  flattened: (_, terms) => flattenAll(terms),
  indexed_items: (_, terms) => flattenOnce(terms).map((item, i) => new Tuple([i, item])),
  items: (_, terms) => flattenOnce(terms),
  list: (_, terms) => terms,
  nested: (_, terms) => {
    if (terms.length === 0) throw pluginError('with_nested requires at least one element in the nested list')
    const [first, ...rest] = terms.map(listOf)
    return rest
      .reduce<Value[]>((rows, list) => rows.flatMap((row) => list.map((item) => flattenOnce([row, item]))), first!)
      .map((row) => flattenOnce(Array.isArray(row) ? row : [row]))
  },
  random_choice: (_, terms) => (terms.length === 0 ? [] : [terms[below(SYSTEM_RANDOM, terms.length)]!]),
  sequence,
  subelements: (_, terms) => subelements(terms),
  together: (_, terms) => {
    if (terms.length === 0) throw pluginError('with_together requires at least one element in each list')
    const lists = terms.map(listOf)
    const longest = Math.max(...lists.map((list) => list.length))
    return Array.from({ length: longest }, (_, i) => flattenOnce(lists.map((list) => (i < list.length ? (list[i] as Value) : null))))
  },
}

function product(lists: readonly Value[][]): Value[][] {
  return lists.reduce<Value[][]>((rows, list) => rows.flatMap((row) => list.map((item) => [...row, item])), [[]])
}

function dictItems(term: Value): Value[] {
  if (!isMapping(term)) throw pluginError('with_dict expects a dict')
  const dict = term instanceof LazyDict ? eager(term) : term
  return [...dict].map(
    ([key, value]) =>
      new Map<Value, Value>([
        ['key', key],
        ['value', value],
      ]),
  )
}

function flattenAll(terms: readonly Value[]): Value[] {
  return terms.flatMap((term) => {
    if (term === null || term === 'None' || term === 'null') return []
    return Array.isArray(term)
      ? flattenAll(term)
      : term instanceof Tuple
        ? flattenAll(term.items)
        : term instanceof PyRange
          ? listOf(term)
          : [term]
  })
}

const FLAGS = ['skip_missing']
const expects = (message: string): Error => pluginError(`subelements lookup expects a list of two or three items, ${message}`)

function subelements(terms: readonly Value[]): Value[] {
  if (terms.length < 2 || terms.length > 3) throw expects('')
  const [whole, path, flags] = terms
  const given = isMapping(whole!) ? whole : listOf(whole!)
  if (!(Array.isArray(given) || isMapping(given!)) || typeof path !== 'string')
    throw expects('first a dict or a list, second a string pointing to the subkey')
  if (flags !== undefined && !isMapping(flags)) throw expects(`the optional third item must be a dict with flags ${str(FLAGS)}`)
  if (isMapping(given) && wasSkipped(given)) return []
  const elements = Array.isArray(given) ? given : [...(given instanceof LazyDict ? eager(given) : given).values()]
  const skipMissing = flags !== undefined && asFlag(flags.get('skip_missing') ?? false)
  return elements.flatMap((element) => {
    if (!isMapping(element)) throw pluginError(`subelements lookup expects a dictionary, got '${str(element)}'`)
    if (wasSkipped(element)) return []
    const { rest, items } = taken(element instanceof LazyDict ? eager(element) : element, path.split('.'), skipMissing)
    return items.map((item) => new Tuple([rest, item]))
  })
}

const wasSkipped = (element: Map<Value, Value> | LazyDict): boolean => (element.get('skipped') ?? false) !== false

/** The list at the end of the path, and the element without it. */
function taken(element: Map<Value, Value>, path: readonly string[], skipMissing: boolean): { rest: Map<Value, Value>; items: Value[] } {
  const [key, ...deeper] = path as [string, ...string[]]
  const found = element.get(key)
  if (found === undefined) {
    if (skipMissing) return { rest: element, items: [] }
    throw pluginError(`could not find '${key}' key in iterated item '${str(element)}'`)
  }
  const rest = new Map(element)
  if (deeper.length === 0) {
    if (!Array.isArray(found)) throw pluginError(`the key ${key} should point to a list, got '${str(found)}'`)
    rest.delete(key)
    return { rest, items: found }
  }
  if (!(found instanceof Map)) {
    if (skipMissing) return { rest: element, items: [] }
    throw pluginError(`the key ${key} should point to a dictionary, got '${str(found)}'`)
  }
  const inner = taken(found, deeper, skipMissing)
  rest.set(key, inner.rest)
  return { rest, items: inner.items }
}
