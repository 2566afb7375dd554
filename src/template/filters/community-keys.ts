/** community.general's filters on the keys of dicts in a list, and community.crypto's on PEM bundles. */
import { LazyDict, type Value } from '../../base/index.ts'
import { dictSet, eager, filterError, isMapping, isUndefined, str, toList } from '../python/index.ts'
import { compileRegex } from '../regex/regex.ts'
import { classOf, type FilterTable, filter, plain } from './define.ts'

type Dict = Map<Value, Value>
type Matcher = (key: string, targets: readonly string[]) => boolean

const MATCHERS: Readonly<Record<string, Matcher>> = {
  equal: (key, targets) => targets.includes(key),
  starts_with: (key, targets) => targets.some((target) => key.startsWith(target)),
  ends_with: (key, targets) => targets.some((target) => key.endsWith(target)),
  regex: (key, targets) => targets.some((target) => compileRegex(target).match(key) !== undefined),
}

export const COMMUNITY_KEYS: FilterTable = {
  keep_keys: filter(
    'keep_keys',
    [
      ['target', null],
      ['matching_parameter', 'equal'],
    ],
    (value, [target, how]) => {
      const [matches, targets] = [matcher(how), targetsOf(target)]
      return dictsOf(value).map((dict) => new Map([...dict].filter(([key]) => matches(str(key), targets))))
    },
  ),
  remove_keys: filter(
    'remove_keys',
    [
      ['target', null],
      ['matching_parameter', 'equal'],
    ],
    (value, [target, how]) => {
      const [matches, targets] = [matcher(how), targetsOf(target)]
      return dictsOf(value).map((dict) => new Map([...dict].filter(([key]) => !matches(str(key), targets))))
    },
  ),
  replace_keys: filter(
    'replace_keys',
    [
      ['target', null],
      ['matching_parameter', 'equal'],
    ],
    (value, [target, how]) => {
      const matches = matcher(how)
      const renamings = dictsOf(target)
      return dictsOf(value).map((dict) => renamed(dict, renamings, matches))
    },
  ),
}

export const COMMUNITY_CRYPTO: FilterTable = {
  split_pem: plain('split_pem', (value) => {
    if (isUndefined(value)) value.raise()
    if (typeof value !== 'string') throw filterError(`The community.crypto.split_pem input must be a text type, not ${classOf(value)}`)
    return value.match(/-----BEGIN [^\n]*-----\n[\s\S]*?-----END [^\n]*-----\n?/g) ?? []
  }),
}

function matcher(how: Value): Matcher {
  const found = Object.hasOwn(MATCHERS, str(how)) ? MATCHERS[str(how)] : undefined
  if (!found)
    throw filterError(`Invalid matching_parameter=${str(how)}. matching_parameter must be one of equal, starts_with, ends_with, regex`)
  return found
}

const targetsOf = (target: Value): string[] => (typeof target === 'string' ? [target] : toList(target).map(str))

function dictsOf(value: Value): Dict[] {
  if (isUndefined(value)) value.raise()
  return toList(value).map((item) => {
    if (!isMapping(item)) throw filterError(`The data elements must be dictionaries. ${str(item)} is ${classOf(item)}`)
    return item instanceof LazyDict ? eager(item) : item
  })
}

function renamed(dict: Dict, renamings: readonly Dict[], matches: Matcher): Dict {
  const out: Dict = new Map()
  for (const [key, item] of dict) {
    const renaming = renamings.find((one) => matches(str(key), [str(one.get('before') ?? null)]))
    dictSet(out, renaming ? (renaming.get('after') ?? null) : key, item)
  }
  return out
}
