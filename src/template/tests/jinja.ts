/** Jinja2's own tests. */
import { Float, OMIT, type Value } from '../../base/index.ts'
import {
  contains,
  equals,
  identical,
  isMapping,
  isNumber,
  isUndefined,
  iterable,
  lengthOf,
  Markup,
  modulo,
  NativeFunction,
  type Ordering,
  ordered,
  PyObject,
  str,
} from '../python/index.ts'
import type { TestFunction } from '../registry.ts'
import { claim, type TestTable, test } from './define.ts'

const comparison = (operator: Ordering): TestFunction =>
  test(NAMES[operator], ['other'], (value, [other]) => ordered(operator, value, other))
const NAMES: Readonly<Record<Ordering, string>> = { '<': 'lt', '<=': 'le', '>': 'gt', '>=': 'ge' }

const equal = test('eq', ['other'], (value, [other]) => equals(value, other))
const unequal = test('ne', ['other'], (value, [other]) => !equals(value, other))

export const JINJA_TESTS: TestTable = {
  '!=': unequal,
  '<': comparison('<'),
  '<=': comparison('<='),
  '==': equal,
  '>': comparison('>'),
  '>=': comparison('>='),
  boolean: claim('test_boolean', (value) => typeof value === 'boolean'),
  callable: claim(
    'callable',
    (value) => isUndefined(value) || value instanceof NativeFunction || (value instanceof PyObject && value.call !== undefined),
  ),
  defined: claim('test_defined', (value) => !isUndefined(value)),
  divisibleby: test('test_divisibleby', ['num'], (value, [by]) => equals(modulo(value, by), 0)),
  eq: equal,
  equalto: equal,
  escaped: claim('test_escaped', (value) => value instanceof Markup),
  even: claim('test_even', (value) => equals(modulo(value, 2), 0)),
  false: claim('test_false', (value) => value === false),
  filter: test('test_filter', [], (value, _, context) => context.hasFilter(str(value)), { leading: 2 }),
  float: claim('test_float', (value) => value instanceof Float),
  ge: comparison('>='),
  greaterthan: comparison('>'),
  gt: comparison('>'),
  in: test('test_in', ['seq'], (value, [container]) => contains(container, value)),
  integer: claim('test_integer', (value) => typeof value === 'number' || typeof value === 'bigint'),
  iterable: claim('test_iterable', isIterable),
  le: comparison('<='),
  lessthan: comparison('<'),
  lower: claim('test_lower', (value) => isCased(str(value), 'lower')),
  lt: comparison('<'),
  mapping: claim('test_mapping', (value) => isMapping(value)),
  ne: unequal,
  none: claim('test_none', (value) => value === null),
  number: claim('test_number', (value) => isNumber(value)),
  odd: claim('test_odd', (value) => equals(modulo(value, 2), 1)),
  sameas: test('test_sameas', ['other'], (value, [other]) => identical(value, other)),
  sequence: claim('test_sequence', isSequence),
  string: claim('test_string', (value) => typeof value === 'string' || value === OMIT),
  test: test('test_test', [], (value, _, context) => context.hasTest(str(value)), { leading: 2 }),
  true: claim('test_true', (value) => value === true),
  undefined: claim('test_undefined', (value) => isUndefined(value)),
  upper: claim('test_upper', (value) => isCased(str(value), 'upper')),
}

function isIterable(value: Value): boolean {
  if (isUndefined(value)) return value.lenient || value.raise()
  return iterable(value) !== undefined
}

/** Has it a length and subscripts? */
function isSequence(value: Value): boolean {
  if (isUndefined(value)) return value.lenient
  if (value instanceof PyObject) return value.typeName === 'range' || (value.length !== undefined && value.item !== undefined)
  return lengthOf(value) !== undefined
}

function isCased(text: string, wanted: 'lower' | 'upper'): boolean {
  const lower = text.toLowerCase()
  const upper = text.toUpperCase()
  return lower !== upper && text === (wanted === 'lower' ? lower : upper)
}
