/** Turns expressions into closures. */
import { didYouMean, Tuple, type Value } from '../../base/index.ts'
import { findMethod } from '../methods/index.ts'
import {
  add,
  contains,
  dictSet,
  divide,
  equals,
  floorDivide,
  iterate,
  type Kwargs,
  modulo,
  multiply,
  NO_KWARGS,
  negate,
  ordered,
  PyError,
  PyObject,
  plainOf,
  plus,
  power,
  repr,
  str,
  subtract,
  truth,
  typeError,
  typeName,
  Undefined,
} from '../python/index.ts'
import type { FilterFunction } from '../registry.ts'
import { attributeOrUndefined, itemOrUndefined, sliceOrUndefined } from '../run/access.ts'
import type { Frame } from '../run/frame.ts'
import { RUN_GLOBALS } from '../run/globals.ts'
import { withMarkup } from '../run/markup.ts'
import type { Evaluate, Run } from '../run/model.ts'
import { unknownPlugin } from '../run/runtime.ts'
import { selfReference, superReference } from '../run/templates.ts'
import type { BinaryOperator, CallArguments, CompareOperator, Expression, ExpressionOf } from '../syntax/ast.ts'
import { TemplateSyntaxError } from '../syntax/problem.ts'
import type { Plugins } from './plugins.ts'
import type { CompileScope, Slot } from './scope.ts'
import { OPENS_SEALED, SHOWS_SEALED, sealedAgain, stillSealed, writtenIn } from './sealed.ts'
import { HANDING_ON, TEXT_FILTERS, textClass } from './text-class.ts'

/** Methods that change their object: a template with one of them gets copies of the variables. */
const MUTATORS: ReadonlySet<string> = new Set(
  'append extend insert pop remove clear update setdefault popitem sort reverse add discard __setitem__ __delitem__'.split(' '),
)

const SEALED_TESTS: ReadonlySet<string> = new Set('vault_encrypted string'.split(' ').flatMap((n) => [n, `ansible.builtin.${n}`]))
const TYPE_DEBUG: ReadonlySet<string> = new Set(['type_debug', 'ansible.builtin.type_debug'])

/** Does the expression make a text of its own, which is read as a literal even where an equal text from to_json is not? */
export function makesNewText(node: Expression): boolean {
  if (node.kind === 'filter') return !TEXT_FILTERS.has(node.name) && !HANDING_ON.has(node.name)
  return node.kind === 'concat' || node.kind === 'binary' || node.kind === 'constant'
}

export class ExpressionCompiler {
  /** did a method that changes its object occur? */
  mutates = false
  constructor(protected readonly plugins: Plugins) {}

  expression(node: Expression, scope: CompileScope): Evaluate {
    const compile = EXPRESSIONS[node.kind] as (this: ExpressionCompiler, node: Expression, scope: CompileScope) => Evaluate
    return compile.call(this, node, scope)
  }

  all(nodes: readonly Expression[], scope: CompileScope): Evaluate[] {
    return nodes.map((node) => this.expression(node, scope))
  }

  name(node: ExpressionOf<'name'>, scope: CompileScope): Evaluate {
    const { name } = node
    const slots = scope.find(name)
    const special = SPECIAL_NAMES.get(name)
    const hidden = scope.sets(name) && scope.hides(name)
    const fromContext: Evaluate = (run) => {
      const value = hidden ? run.context.vars.get(name) : run.context.find(name)
      return value === undefined ? (special?.(run) ?? undefinedName(run, name)) : value
    }
    if (slots.length === 0) return fromContext
    const [first] = slots
    if (slots.length === 1 && first!.hops === 0) {
      const { index } = first!
      return (run) => {
        const value = run.frame!.slots[index]
        return value === undefined ? fromContext(run) : value
      }
    }
    return (run) => {
      const value = localValue(run.frame, slots)
      return value === undefined ? fromContext(run) : value
    }
  }

  constant(node: ExpressionOf<'constant'>): Evaluate {
    const { value } = node
    return () => value
  }

  list(node: ExpressionOf<'list'>, scope: CompileScope): Evaluate {
    const items = this.all(node.items, scope)
    return (run) => items.map((item) => item(run))
  }

  tuple(node: ExpressionOf<'tuple'>, scope: CompileScope): Evaluate {
    const items = this.all(node.items, scope)
    return (run) => new Tuple(items.map((item) => item(run)))
  }

  dict(node: ExpressionOf<'dict'>, scope: CompileScope): Evaluate {
    const items = node.items.map(([key, value]) => [this.expression(key, scope), this.expression(value, scope)] as const)
    return (run) => {
      const dict = new Map<Value, Value>()
      for (const [key, value] of items) dictSet(dict, hashable(key(run)), value(run))
      return dict
    }
  }

  binary(node: ExpressionOf<'binary'>, scope: CompileScope): Evaluate {
    const left = this.expression(node.left, scope)
    const right = this.expression(node.right, scope)
    const operate = BINARY[node.operator]
    return (run) => operate(left(run), right(run))
  }

  concat(node: ExpressionOf<'concat'>, scope: CompileScope): Evaluate {
    const items = this.all(node.items, scope)
    return (run) =>
      items
        .map((item) => item(run))
        .map((value) => str(value))
        .join('')
  }

  compare(node: ExpressionOf<'compare'>, scope: CompileScope): Evaluate {
    const first = this.expression(node.first, scope)
    const rest = node.rest.map(({ operator, operand }) => ({ compare: COMPARE[operator], operand: this.expression(operand, scope) }))
    if (rest.length === 1) {
      const [{ compare, operand }] = rest as [(typeof rest)[0]]
      return (run) => compare(first(run), operand(run))
    }
    return (run) => {
      let left = first(run)
      for (const { compare, operand } of rest) {
        const right = operand(run)
        if (!compare(left, right)) return false
        left = right
      }
      return true
    }
  }

  and(node: ExpressionOf<'and'>, scope: CompileScope): Evaluate {
    const left = this.expression(node.left, scope)
    const right = this.expression(node.right, scope)
    return (run) => {
      const value = left(run)
      return truth(value) ? right(run) : value
    }
  }

  or(node: ExpressionOf<'or'>, scope: CompileScope): Evaluate {
    const left = this.expression(node.left, scope)
    const right = this.expression(node.right, scope)
    return (run) => {
      const value = left(run)
      return truth(value) ? value : right(run)
    }
  }

  not(node: ExpressionOf<'not'>, scope: CompileScope): Evaluate {
    const operand = this.expression(node.operand, scope)
    return (run) => !truth(operand(run))
  }

  sign(node: ExpressionOf<'sign'>, scope: CompileScope): Evaluate {
    const operand = this.expression(node.operand, scope)
    return node.operator === '-' ? (run) => negate(operand(run)) : (run) => plus(operand(run))
  }

  condition(node: ExpressionOf<'condition'>, scope: CompileScope): Evaluate {
    const test = this.expression(node.test, scope)
    const then = this.expression(node.then, scope)
    const otherwise = node.otherwise ? this.expression(node.otherwise, scope) : noElse(this.plugins.lineOf(node.start))
    return (run) => (truth(test(run)) ? then(run) : otherwise(run))
  }

  attribute(node: ExpressionOf<'attribute'>, scope: CompileScope): Evaluate {
    const object = this.expression(node.object, scope)
    const { name } = node
    if (MUTATORS.has(name)) this.mutates = true
    const path = () => pathOf(node)
    return (run) => attributeOrUndefined(object(run), name, path)
  }

  item(node: ExpressionOf<'item'>, scope: CompileScope): Evaluate {
    const object = this.expression(node.object, scope)
    if (node.key.kind === 'slice') {
      const [from, to, by] = [node.key.from, node.key.to, node.key.by].map((edge) => (edge ? this.expression(edge, scope) : NONE)) as [
        Evaluate,
        Evaluate,
        Evaluate,
      ]
      return (run) => sliceOrUndefined(object(run), from(run), to(run), by(run))
    }
    const key = this.expression(node.key, scope)
    const path = () => pathOf(node)
    return (run) => itemOrUndefined(object(run), key(run), path)
  }

  /** A slice that is part of a tuple of keys: nothing takes it, so that it finds nothing. */
  slice(node: ExpressionOf<'slice'>, scope: CompileScope): Evaluate {
    const edges = [node.from, node.to, node.by].map((edge) => (edge ? this.expression(edge, scope) : NONE))
    return (run) => new Tuple(edges.map((edge) => edge(run)))
  }

  call(node: ExpressionOf<'call'>, scope: CompileScope): Evaluate {
    const given = this.callArguments(node, scope)
    if (node.callee.kind === 'attribute') return this.methodCall(node.callee, given, scope)
    const callee = this.expression(node.callee, scope)
    return (run) => run.call(callee(run), given.args(run), given.kwargs(run))
  }

  /** Methods are called without making a bound method first. */
  private methodCall(node: ExpressionOf<'attribute'>, given: GivenArguments, scope: CompileScope): Evaluate {
    const path = () => pathOf(node)
    const object = this.expression(node.object, scope)
    const { name } = node
    if (MUTATORS.has(name)) this.mutates = true
    return (run) => {
      const self = object(run)
      const method = self instanceof PyObject && self.attribute(name) !== undefined ? undefined : findMethod(self, name)
      if (method) return method(given.args(run), given.kwargs(run))
      return run.call(attributeOrUndefined(self, name, path), given.args(run), given.kwargs(run))
    }
  }

  filter(node: ExpressionOf<'filter'>, scope: CompileScope): Evaluate {
    if (!node.target) throw new TemplateSyntaxError('filter without a value', node.start)
    return this.filterOf(node, this.expression(node.target, scope), scope)
  }

  /** A filter on a value that need not be written in the filter's node: the text of a filter block stands for a missing target. */
  filterOf(node: ExpressionOf<'filter'>, target: Evaluate, scope: CompileScope): Evaluate {
    const { name } = node
    const found = this.plugins.filter(name)
    if (!found) throw new TemplateSyntaxError(unknownPlugin(name), node.start)
    const filter = withMarkup(name, found)
    if (TYPE_DEBUG.has(name) && node.target) return this.typeDebug(filter, node.target, target, scope)
    const given = this.callArguments(node, scope)
    if (!TEXT_FILTERS.has(name)) {
      const subject = OPENS_SEALED.has(name) && node.target ? stillSealed(writtenIn(this, node.target, scope), target) : target
      return (run) => {
        const value = subject(run)
        const { patience } = run.environment
        if (patience.isLongFor(value)) return patience.guard(() => filter(run, value, given.args(run), given.kwargs(run)))
        return filter(run, value, given.args(run), given.kwargs(run))
      }
    }
    const shown = SHOWS_SEALED.has(name) && node.target ? this.sealing(node.target, target, scope) : target
    return (run) => {
      const text = filter(run, shown(run), given.args(run), given.kwargs(run))
      if (typeof text === 'string') run.context.session.texts.add(text)
      return text
    }
  }

  /** What is sealed in the variable itself is sealed in its value, too. */
  private sealing(node: Expression, value: Evaluate, scope: CompileScope): Evaluate {
    const written = writtenIn(this, node, scope)
    return written ? (run) => sealedAgain(value(run), written(run)) : value
  }

  /** The reference has several classes for texts, and type_debug tells them apart. */
  private typeDebug(filter: FilterFunction, node: Expression, target: Evaluate, scope: CompileScope): Evaluate {
    const classOf = textClass(this, node, scope)
    return (run) => {
      const value = target(run)
      return typeof value === 'string' ? classOf(run, value) : filter(run, value, [], NO_KWARGS)
    }
  }

  test(node: ExpressionOf<'test'>, scope: CompileScope): Evaluate {
    const { name } = node
    const test = this.plugins.test(name)
    if (!test) throw new TemplateSyntaxError(unknownPlugin(name), node.start)
    const target = this.expression(node.target, scope)
    const given = this.callArguments(node, scope)
    if (SEALED_TESTS.has(name)) {
      const sealed = this.sealing(node.target, target, scope)
      return (run) => test(run, plainOf(sealed(run)), given.args(run), given.kwargs(run))
    }
    if (name === 'escaped') return (run) => test(run, target(run), given.args(run), given.kwargs(run))
    return (run) => test(run, plainOf(target(run)), given.args(run).map(plainOf), given.kwargs(run))
  }

  callArguments(node: CallArguments, scope: CompileScope): GivenArguments {
    return { args: this.positional(node, scope), kwargs: this.keywords(node, scope) }
  }

  private positional(node: CallArguments, scope: CompileScope): (run: Run) => Value[] {
    const args = this.all(node.args, scope)
    const star = node.star && this.expression(node.star, scope)
    if (star) return (run) => [...args.map((arg) => arg(run)), ...iterate(star(run))]
    if (args.length === 0) return () => []
    if (args.length === 1) return (run) => [args[0]!(run)]
    return (run) => args.map((arg) => arg(run))
  }

  private keywords(node: CallArguments, scope: CompileScope): (run: Run) => Kwargs {
    const named = node.kwargs.map(({ key, value }) => [key, this.expression(value, scope)] as const)
    const starStar = node.starStar && this.expression(node.starStar, scope)
    if (named.length === 0 && !starStar) return () => NO_KWARGS
    return (run) => {
      const kwargs = new Map<string, Value>()
      for (const [key, value] of named) kwargs.set(key, value(run))
      if (starStar) spread(starStar(run), kwargs)
      return kwargs
    }
  }
}

interface GivenArguments {
  readonly args: (run: Run) => Value[]
  readonly kwargs: (run: Run) => Kwargs
}

const SPECIAL_NAMES: ReadonlyMap<string, (run: Run) => Value | undefined> = new Map([
  ['self', selfReference],
  ['super', superReference],
  ...RUN_GLOBALS,
])

/** How a chain of names and constant keys is written, for messages; undefined for other expressions. */
function pathOf(node: Expression): string | undefined {
  if (node.kind === 'name') return node.name
  if (node.kind !== 'attribute' && node.kind !== 'item') return undefined
  const object = pathOf(node.object)
  if (object === undefined) return undefined
  if (node.kind === 'attribute') return `${object}.${node.name}`
  return node.key.kind === 'constant' ? `${object}[${repr(node.key.value)}]` : undefined
}

const NONE: Evaluate = () => null

/** Reads a name's first filled place. */
export function localValue(frame: Frame | undefined, slots: readonly Slot[]): Value | undefined {
  let at = frame
  let hops = 0
  for (const slot of slots) {
    while (hops < slot.hops) {
      at = at?.parent
      hops++
    }
    const value = at?.slots[slot.index]
    if (value !== undefined) return value
  }
  return undefined
}

function undefinedName(run: Run, name: string): Undefined {
  return new Undefined(`'${name}' is undefined`, { undefinedName: name, near: () => didYouMean(name, run.scope.names()) })
}

function noElse(line: number): Evaluate {
  const message = `the inline if-expression on line ${line} evaluated to false and no else section was defined.`
  return () => new Undefined(message, { lenient: true })
}

function hashable(given: Value): Value {
  const key = plainOf(given)
  if (Array.isArray(key) || key instanceof Map) throw typeError(`unhashable type: '${typeName(key)}'`)
  return key
}

function spread(from: Value, into: Map<string, Value>): void {
  if (from instanceof Undefined) from.raise()
  if (!(from instanceof Map)) throw typeError(`argument after ** must be a mapping, not ${typeName(from)}`)
  for (const [key, value] of from) {
    if (typeof key !== 'string') throw typeError('keywords must be strings')
    if (into.has(key)) throw new PyError('TypeError', `got multiple values for keyword argument '${key}'`)
    into.set(key, value)
  }
}

const BINARY: Readonly<Record<BinaryOperator, (a: Value, b: Value) => Value>> = {
  '+': add,
  '-': subtract,
  '*': multiply,
  '/': divide,
  '//': floorDivide,
  '%': modulo,
  '**': power,
}

const COMPARE: Readonly<Record<CompareOperator, (a: Value, b: Value) => boolean>> = {
  '==': equals,
  '!=': (a, b) => !equals(a, b),
  '<': (a, b) => ordered('<', a, b),
  '<=': (a, b) => ordered('<=', a, b),
  '>': (a, b) => ordered('>', a, b),
  '>=': (a, b) => ordered('>=', a, b),
  in: (a, b) => contains(b, a),
  'not in': (a, b) => !contains(b, a),
}

const { prototype } = ExpressionCompiler
const EXPRESSIONS = {
  constant: prototype.constant,
  name: prototype.name,
  list: prototype.list,
  tuple: prototype.tuple,
  dict: prototype.dict,
  binary: prototype.binary,
  concat: prototype.concat,
  compare: prototype.compare,
  and: prototype.and,
  or: prototype.or,
  not: prototype.not,
  sign: prototype.sign,
  condition: prototype.condition,
  attribute: prototype.attribute,
  item: prototype.item,
  slice: prototype.slice,
  call: prototype.call,
  filter: prototype.filter,
  test: prototype.test,
} as const
