/** Ansible's tests on text, numbers, collections and versions. */
import { Float, type Value } from '../../base/index.ts'
import { splitUrlParts } from '../filters/encode.ts'
import { contains, isNumber, isUndefined, iterate, PySet, SealedText, str, truth, typeError, typeName } from '../python/index.ts'
import { compileRegex, type PyRegex } from '../regex/regex.ts'
import type { TestFunction } from '../registry.ts'
import { claim, type TestTable, test } from './define.ts'
import { version } from './versions.ts'

const subset = test('issubset', ['b'], (a, [b]) => new PySet(iterate(a)).isSubsetOf(new PySet(iterate(b))))
const superset = test('issuperset', ['b'], (a, [b]) => new PySet(iterate(b)).isSubsetOf(new PySet(iterate(a))))
const notANumber = claim('isnotanumber', (value) => value instanceof Float && Number.isNaN(value.value))

export const ANSIBLE_TESTS: TestTable = {
  all: claim('all', (value) => Array.from(iterate(value)).every(truth)),
  any: claim('any', (value) => Array.from(iterate(value)).some(truth)),
  contains: test('contains', ['value'], (container, [item]) => contains(container, item)),
  falsy: test('falsy', [['convert_bool', false]], (value, [convert]) => !truth(truth(convert) ? converted(value) : value)),
  isnan: notANumber,
  issubset: subset,
  issuperset: superset,
  match: byRegex('match', (regex, text) => regex.match(text) !== undefined),
  nan: notANumber,
  regex: byType(),
  search: byRegex('search', (regex, text) => regex.search(text) !== undefined),
  subset,
  superset,
  truthy: test('truthy', [['convert_bool', false]], (value, [convert]) => truth(truth(convert) ? converted(value) : value)),
  uri: uri('is_uri', (parts) => parts.scheme !== undefined),
  url: uri('is_url', (parts) => parts.netloc !== ''),
  urn: claim('is_urn', (value) => typeof value === 'string' && /^urn:/i.test(value) && splitUrlParts(value).scheme === 'urn'),
  vault_encrypted: claim('vault_encrypted', (value) => value instanceof SealedText),
  version,
  version_compare: version,
}

function subject(value: Value): string {
  if (isUndefined(value)) value.raise()
  return str(value)
}

function pattern(value: Value): string {
  if (typeof value === 'string') return value
  throw typeError(
    Array.isArray(value) || value instanceof Map
      ? `unhashable type: '${typeName(value)}'`
      : 'first argument must be string or compiled pattern',
  )
}

function byRegex(name: string, holds: (regex: PyRegex, text: string) => boolean): TestFunction {
  return test(
    name,
    [
      ['pattern', ''],
      ['ignorecase', false],
      ['multiline', false],
    ],
    (value, [given, ignoreCase, multiline]) => {
      const text = subject(value)
      return holds(compileRegex(pattern(given), { ignoreCase: truth(ignoreCase), multiline: truth(multiline) }), text)
    },
  )
}

const MATCHES: Readonly<Record<string, (regex: PyRegex, text: string) => boolean>> = {
  search: (regex, text) => regex.search(text) !== undefined,
  match: (regex, text) => regex.match(text) !== undefined,
  fullmatch: (regex, text) => regex.fullmatch(text) !== undefined,
}

function byType(): TestFunction {
  return test(
    'regex',
    [
      ['pattern', ''],
      ['ignorecase', false],
      ['multiline', false],
      ['match_type', 'search'],
    ],
    (value, [given, ignoreCase, multiline, type]) => {
      const text = subject(value)
      const regex = compileRegex(pattern(given), { ignoreCase: truth(ignoreCase), multiline: truth(multiline) })
      return (MATCHES[str(type)] ?? MATCHES['search']!)(regex, text)
    },
  )
}

const YES = new Set(['y', 'yes', 'on', '1', 'true', 't'])
const NO = new Set(['n', 'no', 'off', '0', 'false', 'f'])

/** Text and numbers that stand for a boolean, as that; everything else as it is. */
function converted(value: Value): Value {
  const text =
    typeof value === 'string'
      ? value.toLowerCase().trim()
      : isNumber(value) && !(value instanceof Float && !Number.isInteger(value.value))
        ? String(Number(value instanceof Float ? value.value : value))
        : undefined
  if (text === undefined) return value
  return YES.has(text) ? true : NO.has(text) ? false : value
}

function uri(name: string, holds: (parts: ReturnType<typeof splitUrlParts>) => boolean): TestFunction {
  return test(name, [['schemes', null]], (value, [schemes]) => {
    if (typeof value !== 'string') return false
    try {
      const parts = splitUrlParts(value)
      return holds(parts) && (!truth(schemes) || contains(schemes, parts.scheme))
    } catch {
      return false // not even the shape of one
    }
  })
}
