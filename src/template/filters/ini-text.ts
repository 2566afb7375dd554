/** community.general's from_ini and to_ini: INI text ↔ dicts of sections, as Python's configparser reads and writes it. */
import type { Value } from '../../base/index.ts'
import { readSections, type Section } from '../lookups/ini.ts'
import { equals, filterError, isMapping, PyError, repr, str, toList, typeName } from '../python/index.ts'
import { classOf, type FilterTable, filter } from './define.ts'

const DEFAULTS = 'DEFAULT'

export const INI_TEXT: FilterTable = {
  from_ini: filter('from_ini', [['delimiters', null]], (value, [delimiters]) => fromIni(value, delimiters)),
  to_ini: filter('to_ini', [['no_extra_spaces', false]], (value, [tight]) => toIni(value, tight)),
}

function fromIni(value: Value, delimiters: Value): Value {
  if (typeof value !== 'string') throw filterError(`from_ini requires a str, got ${classOf(value)}`)
  if (delimiters !== null && (typeof delimiters === 'string' || !isListLike(delimiters)))
    throw filterError(`from_ini's delimiters parameter must be a sequence, got ${classOf(delimiters)}`)
  const given = delimiters === null ? undefined : toList(delimiters).map(str)
  const sections = parsed(value, given)
  const defaults = sections.get(DEFAULTS) ?? new Map()
  sections.delete(DEFAULTS)
  const out = new Map<Value, Value>([...sections].map(([name, own]) => [name, new Map([...defaults, ...own])]))
  if (defaults.size > 0) out.set(DEFAULTS, new Map(defaults))
  return out
}

const isListLike = (value: Value): boolean => Array.isArray(value) || typeName(value) === 'tuple'

function parsed(text: string, delimiters: readonly string[] | undefined): Map<string, Section> {
  try {
    return readSections(text, { caseSensitive: true, allowNoValue: false, interpolate: false, file: '<???>', delimiters })
  } catch (error) {
    if (!(error instanceof PyError)) throw error
    throw unreadable('from_ini failed to parse given string: ', error.message.replace(/^Duplicate option in .*?: /, ''))
  }
}

function toIni(value: Value, tight: Value): Value {
  if (!isMapping(value)) throw filterError(`to_ini requires a dict, got ${classOf(value)}`)
  if (typeof tight !== 'boolean') throw filterError(`no_extra_spaces must be a boolean, got ${classOf(tight)}`)
  const sections = new Map<string, Map<string, Value>>()
  for (const key of value.keys()) sections.set(str(key), optionsOf(str(key), value.get(key as string) ?? null))
  if (equals(value, new Map())) throw filterError('to_ini received an empty dict. An empty dict cannot be converted.')
  const sign = tight ? '=' : ' = '
  const write = ([name, options]: readonly [string, Map<string, Value>]): string => {
    const lines = [...options].map(([option, one]) => `${option}${sign}${str(one).replaceAll('\n', '\n\t')}\n`)
    return `[${name}]\n${lines.join('')}\n`
  }
  const defaults = sections.get(DEFAULTS)
  const others = [...sections].filter(([name]) => name !== DEFAULTS)
  return [...(defaults && defaults.size > 0 ? [[DEFAULTS, defaults] as const] : []), ...others].map(write).join('').replace(/\n$/, '')
}

/** The reference says what went wrong twice. */
const unreadable = (told: string, why: string): Error => filterError(`${told}${why}. ${why}`)

function optionsOf(title: string, section: Value): Map<string, Value> {
  if (!isMapping(section)) throw unreadable('to_ini failed to parse given dict:', `'${typeName(section)}' object has no attribute 'items'`)
  const out = new Map<string, Value>()
  for (const key of section.keys()) {
    const name = str(key)
    const value = section.get(key as string) ?? null
    const fail = (why: string): Error => unreadable('to_ini failed to parse given dict:', why)
    if (out.has(name)) throw fail(`While reading from '<dict>': option ${repr(name)} in section ${repr(title)} already exists`)
    if (value === null) throw fail('option values must be strings')
    out.set(name, value)
  }
  return out
}
