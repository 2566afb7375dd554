/** Jinja2's filters on sequences and dicts. */
import type { Tuple, Value } from '../../base/index.ts'
import {
  asIndex,
  checkCount,
  isMapping,
  isUndefined,
  iterable,
  iterate,
  length,
  lessThan,
  ordered,
  PyError,
  slice,
  sortValues,
  str,
  toList,
  truth,
  typeError,
  typeName,
} from '../python/index.ts'
import type { CallContext, FilterFunction } from '../registry.ts'
import { attributeGetter, type Getter, ignoreCase, multiAttributeGetter } from './attributes.ts'
import { type FilterTable, filter, method, plain } from './define.ts'
import { groupBy } from './groupby.ts'

export const JINJA_SEQUENCES: FilterTable = {
  attr: filter('do_attr', ['name'], (value, [name], context) => attribute(value, str(name), context), { leading: 2 }),
  batch: filter('do_batch', ['linecount', ['fill_with', null]], (value, [count, fill]) => batch(toList(value), integer(count), fill)),
  count: plain('len', (value) => length(value)),
  d: defaulting(),
  default: defaulting(),
  dictsort: filter(
    'do_dictsort',
    [
      ['case_sensitive', false],
      ['by', 'key'],
      ['reverse', false],
    ],
    (value, [sensitive, by, reverse]) => dictSort(value, truth(sensitive), by, truth(reverse)),
  ),
  first: plain('do_first', (value, context) => {
    for (const item of iterate(value)) return item
    return context.undefined('No first item, sequence was empty.')
  }),
  groupby: groupBy,
  items: plain('do_items', (value) => {
    if (isUndefined(value)) return []
    if (!isMapping(value)) throw typeError('Can only get item pairs from a mapping.')
    return pairs(value)
  }),
  join: filter(
    'do_join',
    [
      ['d', ''],
      ['attribute', null],
    ],
    (value, [separator, name], context) => {
      const get: Getter = name === null ? (item) => item : attributeGetter(context, name)
      return Array.from(iterate(value), (item) => str(get(item))).join(str(separator))
    },
    { leading: 2 },
  ),
  last: plain('do_last', (value, context) => {
    if (!iterable(value)) throw typeError(`'${typeName(value)}' object is not reversible`)
    const items = toList(value)
    return items.length === 0 ? context.undefined('No last item, sequence was empty.') : (items[items.length - 1] as Value)
  }),
  length: plain('len', (value) => length(value)),
  list: plain('do_list', (value) => toList(value)),
  map: mapping(),
  max: extreme('do_max', (candidate, best) => ordered('>', candidate, best)),
  min: extreme('do_min', (candidate, best) => lessThan(candidate, best)),
  reject: selecting(false, false),
  rejectattr: selecting(false, true),
  reverse: plain('do_reverse', reverse),
  select: selecting(true, false),
  selectattr: selecting(true, true),
  slice: filter('do_slice', ['slices', ['fill_with', null]], (value, [slices, fill]) => sliced(toList(value), integer(slices), fill)),
  sort: filter(
    'do_sort',
    [
      ['reverse', false],
      ['case_sensitive', false],
      ['attribute', null],
    ],
    (value, [reversed, sensitive, name], context) => {
      const get = multiAttributeGetter(context, name)
      const key: Getter = truth(sensitive) ? get : (item) => (get(item) as Value[]).map(ignoreCase)
      return sortValues(toList(value), { key, reverse: truth(reversed) })
    },
    { leading: 2 },
  ),
}

function integer(value: Value): number {
  const index = asIndex(value)
  if (index === undefined) throw typeError(`'${typeName(value)}' object cannot be interpreted as an integer`)
  return index
}

/** `value | attr('name')`: attributes only, never a dict's keys. */
function attribute(value: Value, name: string, context: CallContext): Value {
  if (isMapping(value) && value.has(name)) return context.undefined(`'dict object' has no attribute '${name}'`)
  return context.getAttribute(value, name)
}

function batch(items: Value[], count: number, fill: Value): Value[] {
  // a count that is never reached leaves all in one batch, and that is full at once when it holds none
  if (count <= 0 && items.length > 0) return count === 0 ? [[], items] : [items]
  if (fill !== null) checkCount(count)
  const out: Value[] = []
  for (let i = 0; i < items.length; i += count) out.push(items.slice(i, i + count))
  const last = out.at(-1) as Value[] | undefined
  if (fill !== null && last) while (last.length < count) last.push(fill)
  return out
}

function sliced(items: Value[], slices: number, fill: Value): Value[] {
  if (slices === 0) throw new PyError('ZeroDivisionError', 'integer division or modulo by zero')
  checkCount(slices)
  const each = Math.floor(items.length / slices)
  const extra = items.length % slices
  const out: Value[] = []
  let at = 0
  for (let i = 0; i < slices; i++) {
    const part = items.slice(at, at + each + (i < extra ? 1 : 0))
    at += part.length
    if (fill !== null && i >= extra) part.push(fill)
    out.push(part)
  }
  return out
}

function defaulting(): FilterFunction {
  return filter(
    'do_default',
    [
      ['default_value', ''],
      ['boolean', false],
    ],
    (value, [fallback, boolean]) => (isUndefined(value) || (truth(boolean) && !truth(value)) ? fallback : value),
  )
}

function pairs(value: Value): Value[] {
  return toList(method(value, 'items'))
}

function dictSort(value: Value, sensitive: boolean, by: Value, reversed: boolean): Value {
  if (by !== 'key' && by !== 'value') throw new PyError('TemplateRuntimeError', 'You can only sort by either "key" or "value"')
  if (isUndefined(value)) value.raise()
  if (!isMapping(value)) throw new PyError('AttributeError', `'${typeName(value)}' object has no attribute 'items'`)
  const at = by === 'key' ? 0 : 1
  const key: Getter = (pair) => {
    const part = (pair as Tuple).items[at]!
    return sensitive ? part : ignoreCase(part)
  }
  return sortValues(pairs(value), { key, reverse: reversed })
}

function mapping(): FilterFunction {
  return (context, value, args, kwargs) => {
    const run = mapper(context, args, kwargs)
    return truth(value) ? Array.from(iterate(value), run) : []
  }
}

/** map('filter', …), map(attribute='name', default=…) */
function mapper(context: CallContext, args: Value[], kwargs: ReadonlyMap<string, Value>): Getter {
  if (args.length === 0 && kwargs.has('attribute')) {
    const rest = [...kwargs.keys()].filter((name) => name !== 'attribute' && name !== 'default')
    if (rest.length > 0) throw new PyError('TemplateRuntimeError', `Unexpected keyword argument '${rest[0]}'`)
    return attributeGetter(context, kwargs.get('attribute')!, kwargs.get('default') ?? null)
  }
  if (args.length === 0) throw new PyError('TemplateRuntimeError', 'map requires a filter argument')
  const [name, ...rest] = args
  return (item) => context.callFilter(str(name!), item, rest, kwargs)
}

function selecting(wanted: boolean, byAttribute: boolean): FilterFunction {
  return (context, value, args, kwargs) => {
    if (byAttribute && args.length === 0) throw new PyError('TemplateRuntimeError', 'Missing parameter for attribute name')
    const get: Getter = byAttribute ? attributeGetter(context, args[0]!) : (item) => item
    const [test, ...rest] = byAttribute ? args.slice(1) : args
    const holds = (item: Value): boolean => (test === undefined ? truth(item) : context.callTest(str(test), item, rest, kwargs))
    return truth(value) ? Array.from(iterate(value)).filter((item) => holds(get(item)) === wanted) : []
  }
}

function extreme(name: string, isBetter: (candidate: Value, best: Value) => boolean): FilterFunction {
  return filter(
    name,
    [
      ['case_sensitive', false],
      ['attribute', null],
    ],
    (value, [sensitive, attributeName], context) => {
      const items = toList(value)
      if (items.length === 0) return context.undefined('No aggregated item, sequence was empty.')
      const get = attributeGetter(context, attributeName)
      const keyOf: Getter = (item) => (truth(sensitive) ? get(item) : ignoreCase(get(item)))
      let best: Value = items[0]!
      let bestKey = keyOf(best)
      for (const item of items.slice(1)) {
        const key = keyOf(item)
        if (!isBetter(key, bestKey)) continue
        best = item
        bestKey = key
      }
      return best
    },
    { leading: 2 },
  )
}

function reverse(value: Value): Value {
  if (typeof value === 'string') return slice(value, null, null, -1)
  if (isUndefined(value)) value.raise()
  if (iterable(value) === undefined) throw new PyError('TemplateRuntimeError', 'argument must be iterable')
  return toList(value).reverse()
}
