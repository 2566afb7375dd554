/** The lookup dependent: names with lists, dicts or expressions that see the names before them → every combination as a dict. */
import type { LazyDict, Value } from '../../base/index.ts'
import { eager, isMapping, iterable, lookupError, repr, sortValues, str, typeName } from '../python/index.ts'
import type { CallContext, LookupFunction } from '../registry.ts'

interface Part {
  readonly name: Value
  /** an expression, or the values themselves */
  readonly given: Value
}

export const dependent: LookupFunction = (context, terms) => {
  const parts = terms.map(partOf)
  parts.forEach(({ name }, i) => {
    if (parts.findIndex((other) => other.name === name) < i) throw lookupError(`The variable ${repr(name)} appears more than once`)
  })
  return parts.length === 0 ? [] : combinations(context, parts, new Map())
}

function partOf(term: Value, index: number): Part {
  if (!isMapping(term)) throw lookupError(`Parameter ${index} must be a dictionary, got <class '${typeName(term)}'>`)
  const entries = [...dictOf(term)]
  if (entries.length !== 1) throw lookupError(`Parameter ${index} must be a one-element dictionary, got ${entries.length} elements`)
  const [name, given] = entries[0]!
  if (typeof given !== 'string' && !isMapping(given) && iterable(given) === undefined)
    throw lookupError(
      `Parameter ${repr(name)} (index ${index}) must have a value of type string, dictionary or list, got type <class '${typeName(given)}'>`,
    )
  return { name, given }
}

const dictOf = (value: Map<Value, Value> | LazyDict): Map<Value, Value> => (value instanceof Map ? value : eager(value))

function combinations(context: CallContext, [part, ...rest]: readonly Part[], current: Map<Value, Value>): Value[] {
  if (!part) return [new Map(current)]
  return valuesOf(context, part, current).flatMap((value) => combinations(context, rest, new Map([...current, [part.name, value]])))
}

function valuesOf(context: CallContext, { name, given }: Part, current: Map<Value, Value>): readonly Value[] {
  const values = typeof given === 'string' ? evaluated(context, name, given, current) : given
  if (isMapping(values)) {
    const dict = dictOf(values)
    return sortValues([...dict.keys()]).map(
      (key) => new Map<Value, Value>([...named('key', key), ...named('value', dict.get(key) ?? null)]),
    )
  }
  const items = iterable(values)
  if (items === undefined)
    throw lookupError(
      `Did not obtain dictionary or list while evaluating ${repr(name)} with item == ${str(current)}, but <class '${typeName(values)}'>`,
    )
  return [...items]
}

const named = (name: string, value: Value): [Value, Value][] => [[name, value]]

function evaluated(context: CallContext, name: Value, expression: string, current: Map<Value, Value>): Value {
  try {
    return context.renderFile({ name: 'dependent', text: `{{${expression}}}` }, {}, new Map([['item', current]]))
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw lookupError(`Caught "${message}" while evaluating ${repr(name)} with item == ${str(current)}`, error)
  }
}
