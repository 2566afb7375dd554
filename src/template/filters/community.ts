/** community.general's filters. */
import { crc32 } from 'node:zlib'
import { Float, own, Tuple, type Value } from '../../base/index.ts'
import { parseCsv } from '../lookups/csv.ts'
import {
  add,
  asIndex,
  dictGet,
  dictHas,
  dictSet,
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
  sortValues,
  str,
  subscript,
  toList,
  truth,
  typeError,
} from '../python/index.ts'
import type { FilterFunction } from '../registry.ts'
import { compareLoose } from '../tests/version-orders.ts'
import { toBytes } from './bytes.ts'
import { mergeDicts } from './combine.ts'
import { classOf, type FilterTable, filter, plain } from './define.ts'
import { jsonQuery } from './jmespath/index.ts'
import { ansibleType } from './kinds.ts'
import { below, SYSTEM_RANDOM, seededRandom } from './mersenne.ts'
import { roundHalfEven } from './rounding.ts'

type Dict = Map<Value, Value>

const isSequence = (value: Value): boolean => Array.isArray(value) || value instanceof Tuple || value instanceof PyRange

export const COMMUNITY_GENERAL: FilterTable = {
  accumulate: plain('list_accumulate', (value) => {
    if (!isSequence(value) && typeof value !== 'string')
      throw filterError(`Invalid value type (${classOf(value)}) for accumulate (${repr(value)})`)
    const sums: Value[] = []
    for (const item of toList(value)) sums.push(sums.length === 0 ? item : add(sums.at(-1)!, item))
    return sums
  }),
  counter: plain('counter', counter),
  crc32: plain('crc32s', (value) => {
    if (typeof value !== 'string') throw filterError(`Invalid value type (${classOf(value)}) for crc32 (${repr(value)})`)
    return checksum(toBytes(value)).toString(16)
  }),
  dict: plain('dict_filter', (value) => dictOf(value)),
  dict_kv: filter('dict_kv', ['key'], (value, [key]) => {
    hashKey(key)
    return new Map([[key, value]])
  }),
  from_csv: filter(
    'from_csv',
    [
      ['dialect', 'excel'],
      ['fieldnames', null],
      ['delimiter', null],
      ['skipinitialspace', null],
      ['strict', null],
    ],
    (value, [dialect, names, delimiter, skipBlank]) => fromCsv(str(value), str(dialect), names, delimiter, truth(skipBlank)),
  ),
  groupby_as_dict: filter('groupby_as_dict', ['attribute'], groupByAsDict),
  json_query: jsonQuery,
  lists_difference: listsFilter((lists) => lists.reduce((left, list) => left.filter((item) => !includes(list, item)))),
  lists_intersect: listsFilter((lists) => lists.reduce((left, list) => left.filter((item) => includes(list, item)))),
  lists_mergeby: listsMergeBy(),
  lists_symmetric_difference: listsFilter((lists) =>
    lists.reduce((left, list) => [...left.filter((item) => !includes(list, item)), ...list.filter((item) => !includes(left, item))]),
  ),
  lists_union: listsFilter((lists) => lists.flat()),
  reveal_ansible_type: filter('reveal_ansible_type', [['alias', null]], (value, [alias]) => ansibleType(value, alias)),
  random_mac: filter('random_mac', [['seed', null]], (value, [seed]) => randomMac(value, seed)),
  to_days: timeFilter('d'),
  to_hours: timeFilter('h'),
  to_milliseconds: timeFilter('ms'),
  to_minutes: timeFilter('m'),
  to_months: timeFilter('mo'),
  to_seconds: timeFilter('s'),
  to_time_unit: timeFilter(undefined),
  to_weeks: timeFilter('w'),
  to_years: timeFilter('y'),
  unicode_normalize: filter('unicode_normalize', [['form', 'NFC']], (value, [form]) => {
    if (typeof value !== 'string') throw typeError(`${classOf(value)} is not a valid input type`)
    if (typeof form !== 'string' || !['NFC', 'NFD', 'NFKC', 'NFKD'].includes(form)) throw filterError(`${str(form)} is not a valid form`)
    return value.normalize(form)
  }),
  version_sort: filter('version_sort', [['reverse', false]], (value, [reverse]) => {
    const sign = truth(reverse) ? -1 : 1
    return toList(value).sort((a, b) => sign * compareLoose(str(a), str(b)))
  }),
}

/** CRC-32, by zlib where Node has it. */
function checksum(bytes: Uint8Array): number {
  if (typeof crc32 === 'function') return crc32(bytes)
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let i = 0; i < 8; i++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return (crc ^ 0xffffffff) >>> 0
}

function counter(value: Value): Value {
  if (isUndefined(value)) value.raise()
  if (!isSequence(value) && typeof value !== 'string') {
    throw filterError(`Argument for community.general.counter must be a sequence (string or list). ${str(value)} is ${classOf(value)}`)
  }
  const out: Dict = new Map()
  try {
    for (const item of iterate(value)) {
      hashKey(item)
      dictSet(out, item, ((dictGet(out, item) ?? 0) as number) + 1)
    }
  } catch (error) {
    if (isPyError(error, 'TypeError'))
      throw filterError(`community.general.counter needs a sequence with hashable elements (int, float or str) - ${error.message}`)
    throw error
  }
  return out
}

function dictOf(value: Value): Value {
  if (isMapping(value)) return new Map(toList(value).map((key) => [key, subscript(value, key)!]))
  const out: Dict = new Map()
  let at = 0
  for (const item of iterate(value)) {
    const items = iterable(item)
    if (items === undefined) throw typeError(`cannot convert dictionary update sequence element #${at} to a sequence`)
    const pair = [...items]
    if (pair.length !== 2)
      throw new PyError('ValueError', `dictionary update sequence element #${at} has length ${pair.length}; 2 is required`)
    hashKey(pair[0] as Value)
    dictSet(out, pair[0] as Value, pair[1] as Value)
    at++
  }
  return out
}

const DELIMITERS: Readonly<Record<string, string>> = { excel: ',', 'excel-tab': '\t', unix: ',' }

function fromCsv(text: string, dialect: string, names: Value, delimiter: Value, skipBlank: boolean): Value {
  if (!Object.hasOwn(DELIMITERS, dialect)) throw filterError(`Dialect '${dialect}' is not supported by your version of python.`)
  const rows = parseCsv(text, delimiter === null ? DELIMITERS[dialect]! : str(delimiter))
    .map((row) => (skipBlank ? row.map((field) => field.trimStart()) : row))
    .filter((row) => row.length > 0)
  const header = names === null || !truth(names) ? (rows.shift() ?? []) : toList(names)
  return rows.map((row) => {
    const out: Dict = new Map()
    for (const [i, name] of header.entries()) out.set(name, row[i] ?? null)
    if (row.length > header.length) out.set(null, row.slice(header.length))
    return out
  })
}

function groupByAsDict(value: Value, [attribute]: readonly Value[]): Value {
  if (!isSequence(value)) throw filterError('Input is not a sequence')
  const out: Dict = new Map()
  for (const [i, element] of toList(value).entries()) {
    if (!isMapping(element)) throw filterError(`Sequence element #${i} is not a mapping`)
    const key = subscript(element, attribute as Value)
    if (key === undefined) throw filterError(`Attribute not contained in element #${i} of sequence`)
    if (dictHas(out, key)) throw filterError(`Multiple sequence entries have attribute value ${repr(key)}`)
    dictSet(out, key, element)
  }
  return out
}

const includes = (list: readonly Value[], item: Value): boolean => new PySet(list).has(item)

/** Filters on several lists, with `flatten` for a list of lists; each item comes once. */
function listsFilter(work: (lists: Value[][]) => Value[]): FilterFunction {
  return (_, value, args, kwargs) => {
    const flatten = truth(kwargs.get('flatten') ?? false)
    const given = [value, ...args].flatMap((list) => {
      if (!isSequence(list)) throw filterError(`All arguments must be lists. ${str(list)} is ${classOf(list)}`)
      const items = toList(list)
      return flatten && items.length > 0 && items.every(isSequence) ? items.map(toList) : [items]
    })
    const seen = new PySet()
    return work(given).filter((item) => {
      if (seen.has(item)) return false
      seen.add(item)
      return true
    })
  }
}

function listsMergeBy(): FilterFunction {
  return (_, value, args, kwargs) => {
    const terms = [value, ...args]
    for (const name of kwargs.keys())
      if (name !== 'recursive' && name !== 'list_merge')
        throw filterError("'recursive' and 'list_merge' are the only valid keyword arguments.")
    if (terms.length < 2) throw filterError('At least one list and index are needed.')
    const lists = terms.slice(0, -1).flatMap((term) => {
      if (!isSequence(term) && typeof term !== 'string') {
        throw filterError(
          `All arguments before the argument index for community.general.lists_mergeby must be lists. ${str(term)} is ${classOf(term)}`,
        )
      }
      const items = toList(term)
      return items.length === 0 ? [] : items.every(isSequence) ? items.map(toList) : [items]
    })
    if (lists.length === 0) return []
    if (lists.length === 1) return lists[0] as Value[]
    const index = terms.at(-1) as Value
    if (typeof index !== 'string')
      throw filterError(
        `First argument after the lists for community.general.lists_mergeby must be string. ${str(index)} is ${classOf(index)}`,
      )
    const recursive = truth(kwargs.get('recursive') ?? false)
    const merge = kwargs.has('list_merge') ? (kwargs.get('list_merge') as Value) : 'replace'
    return lists.reduceRight((high, low) => mergeBy(low, high, index, recursive, merge))
  }
}

function mergeBy(low: readonly Value[], high: readonly Value[], index: string, recursive: boolean, listMerge: Value): Value[] {
  const merged: Dict = new Map()
  for (const element of [...low, ...high]) {
    if (!isMapping(element))
      throw filterError(`Elements of list arguments for lists_mergeby must be dictionaries. ${str(element)} is ${classOf(element)}`)
    const key = element.get(index)
    if (key === undefined) continue
    const before = (dictGet(merged, key) ?? new Map()) as Dict
    dictSet(merged, key, new Map([...before, ...(mergeDicts(before, element, recursive, listMerge) as Dict)]))
  }
  return sortValues([...merged.values()], { key: (element) => (element as Dict).get(index)! })
}

function randomMac(value: Value, seed: Value): string {
  if (typeof value !== 'string') throw filterError(`Invalid value type (${classOf(value)}) for random_mac (${str(value)})`)
  const prefix = value.toLowerCase()
  const items = prefix.split(':')
  if (items.length > 5) throw filterError(`Invalid value (${prefix}) for random_mac: 5 colon(:) separated items max`)
  const faults = items.flatMap((item) => (item === '' ? ['empty item'] : /^[a-f0-9]{2}/.test(item) ? [] : [`${item} not hexa byte`]))
  if (faults.length > 0) throw filterError(`Invalid value (${prefix}) for random_mac: ${faults.join(',')}`)
  const source = seed === null ? SYSTEM_RANDOM : seededRandom(seed)
  const number = 68719476736 + below(source, 1099511627775 + 1 - 68719476736)
  const rest = number.toString(16).slice(0, 2 * (6 - items.length))
  return prefix + rest.replace(/../g, ':$&')
}

const FACTORS: Readonly<Record<string, readonly number[]>> = {
  ms: [],
  s: [1000],
  m: [1000, 60],
  h: [1000, 60, 60],
  d: [1000, 60, 60, 24],
  w: [1000, 60, 60, 24, 7],
  mo: [1000, 60, 60, 24, 30],
  y: [1000, 60, 60, 24, 365],
}
const SHORT_UNITS: Readonly<Record<string, string>> = {
  millisecond: 'ms',
  msec: 'ms',
  msecond: 'ms',
  sec: 's',
  second: 's',
  hour: 'h',
  min: 'm',
  minute: 'm',
  day: 'd',
  week: 'w',
  month: 'mo',
  year: 'y',
}

/** `'1h 30min' | to_minutes` */
function timeFilter(fixed: string | undefined): FilterFunction {
  return (_, value, args, kwargs) => {
    if (value === '0') return 0
    const wanted = str(fixed ?? args[0] ?? kwargs.get('unit') ?? 'ms')
    const unit = own(SHORT_UNITS, wanted.replace(/s+$/, '')) ?? wanted
    if (!Object.hasOwn(FACTORS, unit)) {
      throw filterError(
        `to_time_unit() can not convert to the following unit: ${unit}. Available units (singular or plural): ${Object.keys(SHORT_UNITS).join(', ')}. Available short units: ${Object.keys(FACTORS).join(', ')}`,
      )
    }
    const days = { y: asIndex(kwargs.get('year') ?? 365) ?? 365, mo: asIndex(kwargs.get('month') ?? 30) ?? 30 }
    const unknown = [...kwargs.keys()].filter((name) => !['unit', 'year', 'month'].includes(name))
    if (unknown.length > 0) throw filterError(`to_time_unit() got unknown keyword arguments: ${unknown.join(', ')}`)
    const size = (name: string): number =>
      name === 'y' || name === 'mo' ? 86_400_000 * days[name] : FACTORS[name]!.reduce((a, b) => a * b, 1)
    let total = 0
    for (const part of str(value)
      .split(/\s+/)
      .filter((p) => p !== '')) {
      const found = /^(-?\d+)(\w+)/.exec(part)
      const name = found ? (own(SHORT_UNITS, found[2]!.replace(/s+$/, '')) ?? found[2]!) : ''
      if (!found || !Object.hasOwn(FACTORS, name)) throw filterError(`to_time_unit() can not interpret following string: ${str(value)}`)
      total += Number(found[1]) * size(name)
    }
    return new Float(roundHalfEven(total / size(unit), 12))
  }
}
