/** ansible.utils' filters on nested data: paths in it, keys of it, facts put together. */
import { LazyDict, type Value } from '../../base/index.ts'
import {
  dictGet,
  dictHas,
  dictSet,
  eager,
  filterError,
  isMapping,
  isUndefined,
  lengthOf,
  PySet,
  sortValues,
  str,
  toList,
  truth,
  typeName,
} from '../python/index.ts'
import { compileRegex } from '../regex/regex.ts'
import type { CallContext } from '../registry.ts'
import { type Bound, type FilterTable, filter } from './define.ts'

type Dict = Map<Value, Value>

export const UTILS_DATA: FilterTable = {
  consolidate: filter(
    'consolidate',
    [
      ['fail_missing_match_key', true],
      ['fail_missing_match_value', true],
      ['fail_duplicate', true],
    ],
    (value, options) => consolidate(toList(value), options),
  ),
  get_path: filter('get_path', ['path', ['wantlist', false]], (value, [path, wantlist], context) => {
    const found = atPath(value, str(path), context)
    return truth(wantlist) ? [found] : found
  }),
  index_of: filter(
    'index_of',
    ['test', ['value', null], ['key', null], ['fail_on_missing', false], ['wantlist', false]],
    (value, options, context) => indexOf(toList(value), options, context),
    { leading: 2 },
  ),
  keep_keys: filter('keep_keys', ['target', ['matching_parameter', 'equality']], (value, [target, how]) => {
    checkNested(value, 'keep_keys', 'keep operation')
    return keepKeys(value, toList(target).map(str), matcher(how))
  }),
  param_list_compare: filter('param_list_compare', ['target'], (value, [target]) => {
    const [base, wanted] = [toList(value), toList(target)]
    const isBang = (item: Value): boolean => str(item).startsWith('!')
    const named = wanted.filter((item) => item !== 'all' && !isBang(item))
    const all: Value[] = wanted.includes('all') ? [...base] : []
    for (const item of wanted.filter(isBang)) {
      const at = all.indexOf(str(item).slice(1))
      if (at !== -1) all.splice(at, 1)
    }
    for (const item of named) if (base.includes(item) && !all.includes(item)) all.push(item)
    return new Map<Value, Value>([
      ['actionable', sortValues(all)],
      ['unsupported', named.filter((item) => !base.includes(item))],
    ])
  }),
  remove_keys: filter('remove_keys', ['target', ['matching_parameter', 'equality']], (value, [target, how]) => {
    checkNested(value, 'remove_keys', 'attribute removal')
    return withoutEmpty(removeKeys(value, toList(target).map(str), matcher(how)))
  }),
  replace_keys: filter('replace_keys', ['target', ['matching_parameter', 'equality']], (value, [target, how]) => {
    checkNested(value, 'replace_keys', 'replace operation')
    return replaceKeys(value, toList(target).map(replacement), matcher(how))
  }),
  to_paths: filter(
    'to_paths',
    [
      ['prepend', null],
      ['wantlist', false],
    ],
    (value, [prepend, wantlist]) => {
      const out: Dict = new Map()
      const root: Value = prepend === null ? value : new Map([[prepend, value]])
      if (lengthOf(root) === 0) return truth(wantlist) ? [root] : root
      collectPaths(root, '', out)
      return truth(wantlist) ? [out] : out
    },
  ),
}

const dictOf = (value: Dict | LazyDict): Dict => (value instanceof LazyDict ? eager(value) : value)

function checkNested(value: Value, plugin: string, operation: string): void {
  if (isUndefined(value)) value.raise()
  if (!Array.isArray(value) && !isMapping(value))
    throw filterError(`Error when using plugin '${plugin}': Input is not valid for ${operation}`)
}

type Matcher = (key: string, target: string) => boolean

const MATCHERS: Readonly<Record<string, Matcher>> = {
  equality: (key, target) => key === target,
  starts_with: (key, target) => key.startsWith(target),
  ends_with: (key, target) => key.endsWith(target),
  regex: (key, target) => compileRegex(target).match(key) !== undefined,
}

const matcher = (how: Value): Matcher => MATCHERS[str(how)] ?? MATCHERS['equality']!

function keepKeys(value: Value, targets: readonly string[], matches: Matcher): Value {
  if (Array.isArray(value)) return value.map((item) => keepKeys(item, targets, matches))
  if (!isMapping(value)) return value
  const kept: Dict = new Map()
  for (const [key, item] of dictOf(value)) {
    for (const target of targets) {
      if (!Array.isArray(item) && !isMapping(item)) {
        if (matches(str(key), target)) kept.set(key, item)
        continue
      }
      let inner = keepKeys(item, targets, matches)
      if (Array.isArray(inner)) {
        inner = inner.filter((one) => !isEmpty(one))
        if (inner.every((one) => typeof one === 'string')) continue
      }
      if (!isEmpty(inner)) kept.set(key, inner)
    }
  }
  return kept
}

const isEmpty = (value: Value): boolean => (Array.isArray(value) && value.length === 0) || (value instanceof Map && value.size === 0)

function removeKeys(value: Value, targets: readonly string[], matches: Matcher): Value {
  if (Array.isArray(value)) return value.map((item) => removeKeys(item, targets, matches))
  if (!isMapping(value)) return value
  const rest = [...dictOf(value)].filter(([key]) => !targets.some((target) => matches(str(key), target)))
  return new Map(rest.map(([key, item]) => [key, removeKeys(item, targets, matches)]))
}

/** Lists lose their empty members. */
function withoutEmpty(value: Value): Value {
  if (value instanceof Map) return new Map([...value].map(([key, item]) => [key, withoutEmpty(item)]))
  return Array.isArray(value) ? value.filter((item) => truth(item)).map(withoutEmpty) : value
}

interface Replacement {
  readonly before: string
  readonly after: Value
}

function replacement(value: Value): Replacement {
  if (!isMapping(value)) throw filterError(`Error when using plugin 'replace_keys': ${str(value)} is no dictionary`)
  return { before: str(value.get('before') ?? null), after: value.get('after') ?? null }
}

function replaceKeys(value: Value, targets: readonly Replacement[], matches: Matcher): Value {
  if (Array.isArray(value)) return value.map((item) => replaceKeys(item, targets, matches))
  if (!isMapping(value)) return value
  const out: Dict = new Map(dictOf(value))
  for (const { before, after } of targets) {
    for (const key of [...out.keys()]) {
      if (!matches(str(key), before)) continue
      const item = out.get(key)!
      out.delete(key)
      out.set(after, item)
    }
  }
  for (const [key, item] of out) out.set(key, replaceKeys(item, targets, matches))
  return out
}

function collectPaths(value: Value, name: string, out: Dict): void {
  if (isMapping(value) && lengthOf(value)! > 0) {
    for (const [key, item] of dictOf(value)) {
      const text = str(key)
      collectPaths(item, name === '' ? text : /^[a-zA-Z_][a-zA-Z0-9_]*$/.test(text) ? `${name}.${text}` : `${name}['${text}']`, out)
    }
  } else if (Array.isArray(value) && value.length > 0) {
    for (const [i, item] of value.entries()) collectPaths(item, `${name}[${i}]`, out)
  } else out.set(name, value)
}

const STEP = /\.?([A-Za-z_]\w*|\d+)|\[\s*(-?\d+)\s*\]|\[\s*'([^']*)'\s*\]|\[\s*"([^"]*)"\s*\]/y

/** Follows `a.b[0]['c']`. */
function atPath(value: Value, path: string, context: CallContext): Value {
  let found = value
  STEP.lastIndex = 0
  while (STEP.lastIndex < path.length) {
    const step = STEP.exec(path)
    if (!step) throw filterError(`get_path: cannot read the path '${path}'`)
    const [, name, index, single, double] = step
    found =
      name === undefined
        ? context.getItem(found, index === undefined ? (single ?? double!) : Number(index))
        : /^\d+$/.test(name)
          ? context.getItem(found, Number(name))
          : context.getAttribute(found, name)
  }
  if (isUndefined(found)) found.raise()
  return found
}

function indexOf(items: readonly Value[], [test, value, key, failOnMissing, wantlist]: Bound, context: CallContext): Value {
  const fail = (message: string): Error => filterError(`Error when using plugin 'index_of': ${message}`)
  if (key !== null && !items.every(isMapping)) {
    const types = items.map(typeName)
    throw fail(
      `When a key name is provided, all list entries are required to be dictionaries, got ${types.slice(0, -1).join(', ')} and ${types.at(-1)}`,
    )
  }
  const found: number[] = []
  items.forEach((item, i) => {
    if (key !== null && isMapping(item) && !item.has(str(key))) {
      if (truth(failOnMissing)) throw fail(`'${str(key)}' was not found in '${str(item)}' at [${i}]. fail_on_missing=True`)
      return
    }
    const entry = key === null ? item : ((item as Dict).get(key) ?? null)
    if (holds(entry, str(test), value, context, fail)) found.push(i)
  })
  return found.length === 1 && !truth(wantlist) ? found[0]! : found
}

function holds(entry: Value, written: string, value: Value, context: CallContext, fail: (message: string) => Error): boolean {
  const inverted = /^(?:!|not )(.*)$/.exec(written)
  const name = inverted ? (inverted[1] === '=' ? '==' : inverted[1]!) : written
  if (!context.hasTest(name)) throw fail(`Error was: the test '${name}' was not found.`)
  const right = name === 'in' && !Array.isArray(value) ? [value] : value
  return context.callTest(name, entry, right === null ? [] : [right]) !== (inverted !== null)
}

interface DataSource {
  readonly key: Value
  readonly name: Value
  readonly data: readonly Dict[]
}

function sourceOf(value: Value): DataSource {
  if (!isMapping(value)) throw filterError(`Error when using plugin 'consolidate': ${str(value)} is no dictionary`)
  return {
    key: value.get('match_key') ?? null,
    name: value.get('name') ?? null,
    data: toList(value.get('data') ?? []).map((item) => dictOf(item as Dict)),
  }
}

/** Facts of several sources, by the value of each source's key. */
function consolidate(values: readonly Value[], [failKey, failValue, failDuplicate]: Bound): Value {
  const sources = values.map(sourceOf)
  const faults: string[] = []
  const duplicates: string[] = []
  const sets = sources.map((source, i) => {
    const keys = source.data.flatMap((entry, j) => {
      if (dictHas(entry, source.key)) return [dictGet(entry, source.key)!]
      if (truth(failKey)) faults.push(`missing match key '${str(source.key)}' in data source ${i + 1} in list entry ${j + 1}`)
      return []
    })
    const set = new PySet(keys)
    if (set.length() !== keys.length && truth(failDuplicate)) duplicates.push(`duplicate values in data source ${i + 1}`)
    return set
  })
  report([
    ['fail_missing_match_key', faults],
    ['fail_duplicate', duplicates],
  ])
  const all = sortValues(new PySet(sets.flatMap((set) => [...set.iterate()])).iterate())
  if (truth(failValue)) {
    const missing = sets.flatMap((set, i) => {
      const lacking = all.filter((key) => !set.has(key))
      return lacking.length === 0 ? [] : [`missing match value ${lacking.map(str).join(', ')} in data source ${i + 1}`]
    })
    report([['fail_missing_match_value', missing]])
  }
  return gathered(sources, all)
}

function report(faults: readonly (readonly [string, readonly string[]])[]): void {
  const told = faults.filter(([, messages]) => messages.length > 0)
  if (told.length === 0) return
  throw filterError(
    told.map(([option, messages]) => `Error when using plugin 'consolidate': '${option}' reported ${messages.join(', ')}`).join('; '),
  )
}

function gathered(sources: readonly DataSource[], keys: readonly Value[]): Dict {
  const out: Dict = new Map()
  for (const key of keys) {
    const facts: Dict = new Map()
    for (const source of sources) {
      const entry = source.data.findLast((one) => dictHas(one, source.key) && str(dictGet(one, source.key)!) === str(key))
      facts.set(source.name, entry ?? new Map())
    }
    dictSet(out, key, facts)
  }
  return out
}
