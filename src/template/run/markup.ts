/** Filters and Markup: most take it for the text that it is, some hand it on, some give Markup for Markup. */

import { Tuple, type Value } from '../../base/index.ts'
import { escapedText, type Kwargs, Markup, percentFormat, plainOf } from '../python/index.ts'
import type { FilterFunction } from '../registry.ts'

/** Filters that are given Markup as it is. */
const KNOWING: ReadonlySet<string> = new Set(
  (
    'e escape forceescape safe default d first last min max random ternary mandatory extract list pprint type_debug unique sort groupby map select ' +
    'reject selectattr rejectattr batch slice attr dictsort items combine human_readable to_yaml to_nice_yaml join xmlattr'
  ).split(' '),
)

/** Filters that call a method of the text itself, so that Markup comes out where it went in. */
const KEEPING: ReadonlySet<string> = new Set('upper lower capitalize trim center indent truncate reverse'.split(' '))

/** The filter as it deals with Markup. */
export function withMarkup(name: string, filter: FilterFunction): FilterFunction {
  const short = name.replace(/^ansible\.(builtin|legacy)\./, '')
  if (KNOWING.has(short)) return filter
  if (short === 'format') return formatting(filter)
  const keeps = KEEPING.has(short)
  return (context, value, args, kwargs) => {
    const isMarkup = value instanceof Markup
    const found = filter(context, isMarkup ? value.text : value, args.some(isOne) ? args.map(plainOf) : args, plainKwargs(kwargs))
    return keeps && isMarkup && typeof found === 'string' ? new Markup(found) : found
  }
}

const isOne = (value: Value): boolean => value instanceof Markup

function plainKwargs(kwargs: Kwargs): Kwargs {
  for (const value of kwargs.values()) if (isOne(value)) return new Map([...kwargs].map(([name, one]) => [name, plainOf(one)]))
  return kwargs
}

/** `format % values`: within Markup the values are escaped. */
const formatting =
  (filter: FilterFunction): FilterFunction =>
  (context, value, args, kwargs) => {
    if (!(value instanceof Markup)) return filter(context, value, args, kwargs)
    return new Markup(percentFormat(value.text, kwargs.size > 0 ? new Map(kwargs) : new Tuple(args), escapedText))
  }
