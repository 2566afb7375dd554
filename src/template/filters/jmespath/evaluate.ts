/** Evaluates JMESPath expressions on values. */
import { LazyDict, type Value } from '../../../base/index.ts'
import { eager, equals, isNumber, lessThan, slice } from '../../python/index.ts'
import { callFunction, type Reference } from './functions.ts'
import type { Expression } from './node.ts'

export function evaluate(node: Expression, value: Value): Value {
  switch (node.kind) {
    case 'current':
    case 'identity':
      return value
    case 'literal':
      return node.value
    case 'field':
      return value instanceof Map || value instanceof LazyDict ? (value.get(node.name) ?? null) : null
    case 'index':
      return Array.isArray(value) ? ((value.at(node.index) as Value | undefined) ?? null) : null
    case 'slice':
      return Array.isArray(value) ? slice(value, node.start, node.stop, node.step) : null
    case 'chain':
    case 'pipe':
      return evaluate(node.right, evaluate(node.left, value))
    case 'or': {
      const left = evaluate(node.left, value)
      return isTrue(left) ? left : evaluate(node.right, value)
    }
    case 'and': {
      const left = evaluate(node.left, value)
      return isTrue(left) ? evaluate(node.right, value) : left
    }
    case 'not':
      return !isTrue(evaluate(node.body, value))
    case 'compare':
      return compare(node.operator, evaluate(node.left, value), evaluate(node.right, value))
    case 'project':
      return projected(evaluate(node.left, value), node.right)
    case 'projectValues': {
      const base = evaluate(node.left, value)
      return base instanceof Map || base instanceof LazyDict
        ? projected([...(base instanceof LazyDict ? eager(base) : base).values()], node.right)
        : null
    }
    case 'filter': {
      const base = evaluate(node.left, value)
      return Array.isArray(base)
        ? projected(
            base.filter((item) => isTrue(evaluate(node.condition, item))),
            node.right,
          )
        : null
    }
    case 'flatten': {
      const base = evaluate(node.body, value)
      return Array.isArray(base) ? base.flatMap((item) => (Array.isArray(item) ? item : [item])) : null
    }
    case 'list':
      return value === null ? null : node.items.map((item) => evaluate(item, value))
    case 'dict':
      return value === null ? null : new Map<Value, Value>(node.entries.map(([key, item]) => [key, evaluate(item, value)]))
    case 'call':
      return callFunction(
        node.name,
        node.args.map((arg) => argument(arg, value)),
      )
    case 'reference':
      return null
  }
}

/** A value, or what `&expression` stands for. */
function argument(node: Expression, value: Value): Value | Reference {
  return node.kind === 'reference' ? { reference: (item) => evaluate(node.body, item) } : evaluate(node, value)
}

function projected(base: Value, right: Expression): Value {
  if (!Array.isArray(base)) return null
  return base.map((item) => evaluate(right, item)).filter((item) => item !== null)
}

/** Everything but false, null and what is empty. */
export function isTrue(value: Value): boolean {
  if (value === null || value === false || value === '') return false
  if (Array.isArray(value)) return value.length > 0
  return value instanceof Map ? value.size > 0 : true
}

function compare(operator: string, left: Value, right: Value): Value {
  if (operator === '==') return same(left, right)
  if (operator === '!=') return !same(left, right)
  if (!isComparable(left) || !isComparable(right)) return null
  if (operator === '<') return lessThan(left, right)
  if (operator === '>') return lessThan(right, left)
  return operator === '<=' ? !lessThan(right, left) : !lessThan(left, right)
}

const isComparable = (value: Value): boolean => typeof value === 'string' || (isNumber(value) && typeof value !== 'boolean')
const same = (a: Value, b: Value): boolean => (typeof a === 'boolean') === (typeof b === 'boolean') && equals(a, b)
