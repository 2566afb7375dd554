/** Ansible's filters on text, numbers, time and truth. */
import { Float, Tuple, type Value } from '../../base/index.ts'
import {
  divide,
  equals,
  filterError,
  fixed,
  isNumber,
  isPyError,
  isUndefined,
  multiply,
  normalInt,
  PyError,
  str,
  toNumber,
  truth,
  typeError,
  typeName,
} from '../python/index.ts'
import { compileRegex, escapeRegex, type RegexOptions, substitute } from '../regex/regex.ts'
import type { FilterFunction } from '../registry.ts'
import { comment } from './comment.ts'
import { parseMoment } from './dates.ts'
import { type FilterTable, filter, method, plain } from './define.ts'
import { formatMoment, momentOf } from './moment.ts'
import { roundHalfEven } from './rounding.ts'

export const ANSIBLE_MISC: FilterTable = {
  bool: plain('to_bool', (value) => {
    if (value === null || typeof value === 'boolean') return value
    const text = typeof value === 'string' ? value.toLowerCase() : value
    return ['yes', 'on', '1', 'true', 1].some((yes) => equals(text, yes))
  }),
  comment,
  human_readable: filter(
    'human_readable',
    [
      ['isbits', false],
      ['unit', null],
    ],
    (value, [bits, unit]) => humanReadable(value, truth(bits), unit),
  ),
  human_to_bytes: filter(
    'human_to_bytes',
    [
      ['default_unit', null],
      ['isbits', false],
    ],
    (value, [unit, bits]) => humanToBytes(value, unit, truth(bits)),
  ),
  log: filter('logarithm', [['base', new Float(Math.E)]], (value, [base]) => {
    const [x, b] = numbers('log', value, base)
    if (x <= 0) throw new PyError('ValueError', 'math domain error')
    if (b === 10) return new Float(Math.log10(x))
    return new Float(b === Math.E ? Math.log(x) : Math.log(x) / Math.log(b))
  }),
  mandatory: filter('mandatory', [['msg', null]], (value, [message]) => {
    if (!isUndefined(value)) return value
    if (message !== null) throw filterError(str(message))
    const name = value.details.undefinedName
    throw filterError(`Mandatory variable ${name === undefined || name === null ? '' : `'${str(name)}' `} not defined.`)
  }),
  pow: filter('power', ['y'], (value, [y]) => {
    const [x, e] = numbers('pow', value, y)
    const result = x ** e
    if (Number.isNaN(result) && !Number.isNaN(x) && !Number.isNaN(e)) throw new PyError('ValueError', 'math domain error')
    if (!Number.isFinite(result) && Number.isFinite(x) && Number.isFinite(e)) throw new PyError('OverflowError', 'math range error')
    return new Float(result)
  }),
  regex_escape: filter('regex_escape', [['re_type', 'python']], (value, [type]) => regexEscape(text(value), type)),
  regex_findall: filter(
    'regex_findall',
    ['regex', ['multiline', false], ['ignorecase', false]],
    (value, [pattern, multiline, ignorecase]) => {
      const regex = compileRegex(patternText(pattern), options(ignorecase, multiline))
      return [...regex.all(text(value))].map((found) =>
        regex.groups === 0
          ? found.text
          : regex.groups === 1
            ? (found.groups[0] ?? '')
            : new Tuple(found.groups.map((group) => group ?? '')),
      )
    },
  ),
  regex_replace: filter(
    'regex_replace',
    [
      ['pattern', ''],
      ['replacement', ''],
      ['ignorecase', false],
      ['multiline', false],
      ['count', 0],
      ['mandatory_count', 0],
    ],
    (value, [pattern, replacement, ignorecase, multiline, count, mandatory]) => {
      const subject = text(value)
      const regex = compileRegex(patternText(pattern), options(ignorecase, multiline))
      const done = substitute(regex, patternText(replacement), subject, typeof count === 'number' ? count : 0)
      if (truth(mandatory) && !equals(mandatory, done.count)) {
        throw filterError(`'${str(pattern)}' should match ${str(mandatory)} times, but matches ${str(count)} times in '${subject}'`)
      }
      return done.text
    },
    { leading: 0 },
  ),
  regex_search: regexSearch(),
  root: filter('inversepower', [['base', 2]], (value, [base]) => {
    const [x, b] = numbers('root', value, base)
    if (x < 0) throw typeError(`root() can only be used on numbers: math domain error`)
    return new Float(b === 2 ? Math.sqrt(x) : x ** (1 / b))
  }),
  split: filter(
    'split',
    [
      ['sep', null],
      ['maxsplit', -1],
    ],
    (value, [separator, most]) => {
      if (isUndefined(value)) value.raise()
      if (typeof value !== 'string') throw typeError(`descriptor 'split' for 'str' objects doesn't apply to a '${typeName(value)}' object`)
      return method(value, 'split', separator, most)
    },
  ),
  strftime: filter(
    'strftime',
    [
      ['second', null],
      ['utc', false],
    ],
    (value, [second, utc]) => formatMoment(str(value), momentOf(second === null ? Date.now() / 1000 : epoch(second), truth(utc))),
  ),
  ternary: filter('ternary', ['true_val', 'false_val', ['none_val', null]], (value, [yes, no, none]) =>
    value === null && none !== null ? none : truth(value) ? yes : no,
  ),
  to_datetime: filter('to_datetime', [['format', '%Y-%m-%d %H:%M:%S']], (value, [format]) => {
    if (isUndefined(value)) value.raise()
    if (typeof value !== 'string') throw typeError(`strptime() argument 1 must be str, not ${typeName(value)}`)
    return parseMoment(value, str(format))
  }),
  type_debug: plain('type_debug', (value) => typeName(value)),
}

/** Any value as text. */
function text(value: Value): string {
  if (isUndefined(value)) value.raise()
  return str(value)
}

function patternText(value: Value): string {
  if (isUndefined(value)) value.raise()
  if (typeof value !== 'string')
    throw typeError(
      Array.isArray(value) || value instanceof Map
        ? `unhashable type: '${typeName(value)}'`
        : 'first argument must be string or compiled pattern',
    )
  return value
}

const options = (ignoreCase: Value, multiline: Value): RegexOptions => ({ ignoreCase: truth(ignoreCase), multiline: truth(multiline) })

/** The text found, or a list of the groups asked for; None where nothing matches. */
function regexSearch(): FilterFunction {
  return (_, value, args, kwargs) => {
    const subject = text(value)
    const [given, ...wanted] = kwargs.has('regex') ? [kwargs.get('regex')!, ...args] : args
    if (given === undefined) throw typeError("regex_search() missing 1 required positional argument: 'regex'")
    const groups = wanted.map(groupName)
    const regex = compileRegex(patternText(given), options(kwargs.get('ignorecase') ?? false, kwargs.get('multiline') ?? false))
    const found = regex.search(subject)
    if (!found) return null
    if (groups.length === 0) return found.text
    return groups.map((name) => {
      const number = typeof name === 'number' ? name : /^\d+$/.test(name) && !regex.names.has(name) ? undefined : regex.names.get(name)
      if (number === undefined || number > regex.groups) throw new PyError('IndexError', 'no such group')
      return number === 0 ? found.text : (found.groups[number - 1] ?? null)
    })
  }
}

/** `\1` or `\g<name>` */
function groupName(argument: Value): string | number {
  const written = text(argument)
  const name = /^\\g<(\S+)>/.exec(written)
  if (name) return name[1]!
  const number = /^\\(\d+)/.exec(written)
  if (number) return Number(number[1])
  if (written.startsWith('\\')) throw new PyError('AttributeError', "'NoneType' object has no attribute 'group'")
  throw filterError('Unknown argument')
}

function regexEscape(value: string, type: Value): string {
  if (type === 'python') return escapeRegex(value)
  if (type === 'posix_basic') return value.replace(/[\].[^$*\\]/g, '\\$&')
  throw filterError(type === 'posix_extended' ? 'Regex type (posix_extended) not yet implemented' : `Invalid regex type (${str(type)})`)
}

function numbers(name: string, ...values: Value[]): [number, number] {
  return values.map((value) => {
    if (isUndefined(value)) value.raise()
    if (!isNumber(value)) throw typeError(`${name}() can only be used on numbers: must be real number, not ${typeName(value)}`)
    return toNumber(value)
  }) as [number, number]
}

function epoch(value: Value): number {
  if (isNumber(value)) return toNumber(value)
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN
  if (Number.isNaN(number)) throw filterError(`Invalid value for epoch value (${str(value)})`)
  return number
}

const SIZES: readonly (readonly [string, bigint, string])[] = [
  ['Y', 1n << 80n, 'yotta'],
  ['Z', 1n << 70n, 'zeta'],
  ['E', 1n << 60n, 'exa'],
  ['P', 1n << 50n, 'peta'],
  ['T', 1n << 40n, 'tera'],
  ['G', 1n << 30n, 'giga'],
  ['M', 1n << 20n, 'mega'],
  ['K', 1n << 10n, 'kilo'],
  ['B', 1n, ''],
]

function humanReadable(value: Value, bits: boolean, unit: Value): string {
  if (isUndefined(value)) value.raise()
  if (!isNumber(value))
    throw typeError(
      `human_readable() failed on bad input: ${unit === null ? `'>=' not supported between instances of '${typeName(value)}' and 'int'` : `unsupported operand type(s) for /: '${typeName(value)}' and 'int'`}`,
    )
  const wanted = unit === null ? undefined : str(unit).toUpperCase()
  const size =
    SIZES.find(([letter, limit]) => (wanted === undefined ? toNumber(value) >= Number(limit) : wanted === letter)) ?? SIZES.at(-1)!
  const amount = divide(value, normalInt(size[1])) as Float
  const base = bits ? 'bits' : 'Bytes'
  return `${fixed(amount.value, 2)} ${size[1] === 1n ? base : size[0] + base[0]}`
}

function humanToBytes(value: Value, defaultUnit: Value, bits: boolean): Value {
  try {
    return sizeInBytes(str(value), defaultUnit === null ? undefined : str(defaultUnit), bits)
  } catch (error) {
    if (isPyError(error, 'ValueError')) throw filterError(`human_to_bytes() can't interpret following string: ${str(value)}`, error)
    throw error
  }
}

function sizeInBytes(written: string, defaultUnit: string | undefined, bits: boolean): Value {
  const found = /^(\d*\.?\d+)(?:\s*([A-Za-z]+))?\s*$/.exec(written)
  if (!found) throw new PyError('ValueError', 'no number')
  const unit = found[2] ?? defaultUnit
  const amount = Number(found[1])
  if (unit === undefined) return wholeNumber(amount)
  const size = SIZES.find(([letter]) => letter === unit[0]!.toUpperCase())
  if (!size) throw new PyError('ValueError', 'no such unit')
  if (unit.length > 1) checkUnit(unit, size, bits)
  return wholeNumber((multiply(new Float(amount), normalInt(size[1])) as Float).value)
}

const wholeNumber = (value: number): Value => {
  const rounded = roundHalfEven(value, 0)
  return Number.isSafeInteger(rounded) ? rounded : normalInt(BigInt(rounded))
}

function checkUnit(unit: string, [letter, , prefix]: readonly [string, bigint, string], bits: boolean): void {
  const short = letter === 'B' ? (bits ? 'b' : 'B') : letter + (bits ? 'b' : 'B')
  if (unit.toLowerCase() !== `${prefix}${bits ? 'bit' : 'byte'}` && unit !== short) throw new PyError('ValueError', 'no such unit')
}
