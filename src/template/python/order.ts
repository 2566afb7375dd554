/** Puts values in order, as Python's `<` and sorted() do. */
import { Float, Tuple, type Value } from '../../base/index.ts'
import { isSimple } from './characters.ts'
import { equals } from './equality.ts'
import { typeError } from './errors.ts'
import { Markup, plainOf } from './markup.ts'
import { PyObject } from './object.ts'
import { isNumber, operandName } from './types.ts'

export type Ordering = '<' | '<=' | '>' | '>='

/** Objects that have an order of their own (sets) implement this. */
export interface Ordered {
  order(operator: Ordering, other: Value): boolean | undefined
}

/** `a < b` and its kin; raises Python's TypeError for values without an order. */
export function ordered(operator: Ordering, a: Value, b: Value): boolean {
  const result = tryOrder(operator, a, b)
  if (result === undefined) throw typeError(`'${operator}' not supported between instances of '${operandName(a)}' and '${operandName(b)}'`)
  return result
}

export const lessThan = (a: Value, b: Value): boolean => ordered('<', a, b)

function tryOrder(operator: Ordering, a: Value, b: Value): boolean | undefined {
  if (a instanceof Markup || b instanceof Markup) return orderMarkup(operator, a, b)
  if (typeof a === 'string') {
    if (typeof b === 'string') return verdict(operator, a, b, compareText)
  } else if (isNumber(a)) {
    if (isNumber(b)) return compareNumbers(operator, a, b)
  } else if (Array.isArray(a)) {
    if (Array.isArray(b)) return compareItems(operator, a, b)
  } else if (a instanceof Tuple) {
    if (b instanceof Tuple) return compareItems(operator, a.items, b.items)
  } else if (a instanceof Uint8Array && b instanceof Uint8Array) {
    return compareItems(operator, [...a], [...b])
  }
  for (const kind of ['AnsibleUndefined', 'Undefined']) {
    for (const side of [a, b]) if (side instanceof PyObject && side.typeName === kind) raiseUndefined(side)
  }
  return hasOrder(a) ? a.order(operator, b) : undefined
}

/** As the texts they are; beside anything else a Markup has no order. */
function orderMarkup(operator: Ordering, a: Value, b: Value): boolean | undefined {
  const [left, right] = [plainOf(a), plainOf(b)]
  return typeof left === 'string' && typeof right === 'string' ? verdict(operator, left, right, compareText) : undefined
}

const hasOrder = (value: Value): value is PyObject & Ordered => value instanceof PyObject && 'order' in value

/** Undefined values raise their own error in a comparison, lenient ones too. */
function raiseUndefined(value: PyObject): void {
  if ('raise' in value && typeof value.raise === 'function') value.raise()
}

function verdict<T>(operator: Ordering, a: T, b: T, compare: (a: T, b: T) => number): boolean {
  const difference = compare(a, b)
  if (operator === '<') return difference < 0
  if (operator === '>') return difference > 0
  return operator === '<=' ? difference <= 0 : difference >= 0
}

/** By code points, which UTF-16 units get wrong beyond the basic plane. */
function compareText(a: string, b: string): number {
  if (a === b) return 0
  if (isSimple(a) && isSimple(b)) return a < b ? -1 : 1
  const left = Array.from(a)
  const right = Array.from(b)
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const difference = left[i]!.codePointAt(0)! - right[i]!.codePointAt(0)!
    if (difference !== 0) return difference
  }
  return left.length - right.length
}

type AnyNumber = number | bigint | boolean | Float

function compareNumbers(operator: Ordering, a: AnyNumber, b: AnyNumber): boolean {
  const left = a instanceof Float ? a.value : a
  const right = b instanceof Float ? b.value : b
  if (operator === '<') return left < right
  if (operator === '>') return left > right
  return operator === '<=' ? left <= right : left >= right
}

function compareItems(operator: Ordering, a: readonly Value[], b: readonly Value[]): boolean {
  for (let i = 0; i < a.length && i < b.length; i++) {
    if (a[i] !== b[i] && !equals(a[i]!, b[i]!)) return ordered(operator, a[i]!, b[i]!)
  }
  return verdict(operator, a.length, b.length, (x, y) => x - y)
}

/** `sorted(items, key=…, reverse=…)`: stable in both directions. */
export function sortValues(items: readonly Value[], options: { key?: (item: Value) => Value; reverse?: boolean } = {}): Value[] {
  const { key, reverse } = options
  const keyed = items.map((item) => ({ item, key: key ? key(item) : item }))
  const sign = reverse ? -1 : 1
  keyed.sort((a, b) => (lessThan(a.key, b.key) ? -sign : lessThan(b.key, a.key) ? sign : 0))
  return keyed.map((entry) => entry.item)
}
