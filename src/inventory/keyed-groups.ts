/** Turns entries of `keyed_groups` and what their keys came to into names of groups. */
import { Problem, type Span, type Value } from '../base/index.ts'

export interface Keyed {
  readonly key: string
  readonly prefix: string
  /** between a dict's key and its value */
  readonly separator: string
  /** before a name */
  readonly leading: string
  readonly parent: string | undefined
  /** stands for an empty value */
  readonly fallback: string | undefined
  readonly trailing: boolean
}

export function keyedGroups(value: Value | undefined, leading: boolean, span: Span): Keyed[] {
  if (!Array.isArray(value)) return []
  return value.map((one) => {
    if (one instanceof Map && one.size > 0) return readKeyed(one, leading, span)
    throw new Problem('an entry of keyed_groups must be a dict', { kind: 'inventory', span })
  })
}

function readKeyed(dict: ReadonlyMap<Value, Value>, leading: boolean, span: Span): Keyed {
  const text = (name: string): string | undefined => (isNothing(dict.get(name)) ? undefined : String(dict.get(name)))
  const key = text('key')
  if (key === undefined) throw new Problem('an entry of keyed_groups needs a key', { kind: 'inventory', span })
  if (text('default_value') !== undefined && text('trailing_separator') !== undefined) {
    throw new Problem('an entry of keyed_groups has either default_value or trailing_separator, not both', { kind: 'inventory', span })
  }
  const prefix = text('prefix') ?? ''
  const separator = text('separator') ?? '_'
  return {
    key,
    prefix,
    separator,
    leading: prefix === '' && !leading ? '' : separator,
    parent: text('parent_group'),
    fallback: text('default_value'),
    trailing: dict.get('trailing_separator') !== false,
  }
}

const isNothing = (value: Value | undefined): boolean => value === undefined || value === null

/** One name for a text, one for each of a list, `key_value` for each of a dict. */
export function groupNamesOf(value: Value, rule: Keyed, host: string, strict: boolean): string[] {
  const { prefix, leading, separator, fallback, trailing } = rule
  const named = (name: string): string => prefix + leading + name
  if (Array.isArray(value)) return value.map((item) => named(item === '' && fallback !== undefined ? fallback : String(item)))
  if (value instanceof Map) {
    return [...value].map(([key, item]) => {
      if (item !== '') return named(`${String(key)}${separator}${String(item)}`)
      if (fallback !== undefined) return named(`${String(key)}${separator}${fallback}`)
      return named(trailing ? `${String(key)}${separator}` : String(key))
    })
  }
  if (typeof value === 'string' && value !== '') return [named(value)]
  if (value === '' && fallback !== undefined) return [named(fallback)]
  if (value !== null && value !== '' && value !== false && value !== 0) {
    throw new Problem(`a group's name must come from a text, a list or a dict: ${rule.key} is none for host ${host}`, { kind: 'inventory' })
  }
  if (strict) throw new Problem(`${rule.key} is empty for host ${host}, so that it makes no group`, { kind: 'inventory' })
  return []
}
