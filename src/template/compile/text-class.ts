/** Finds out in which of Python's classes the reference keeps a text, for type_debug: an expression → the class of its text. */
import type { Value } from '../../base/index.ts'
import { truth } from '../python/index.ts'
import type { Evaluate, Run, TextClass } from '../run/model.ts'
import { classByOrigin, classOfVariable } from '../run/text-origin.ts'
import type { Expression, ExpressionOf } from '../syntax/ast.ts'
import type { CompileScope } from './scope.ts'

/** What this file asks of the compiler of expressions. */
export interface ExpressionSource {
  expression(node: Expression, scope: CompileScope): Evaluate
}

/** The class of a text that an expression gave. */
export type ClassOf = (run: Run, text: string) => TextClass

/** Filters whose result is text for good (STRING_TYPE_FILTERS): it is not read as a list or dict. */
export const TEXT_FILTERS: ReadonlySet<string> = new Set('string to_json to_nice_json to_yaml to_nice_yaml ppretty json'.split(' '))

/** Filters that hand on one of the values they were given. */
export const HANDING_ON: ReadonlySet<string> = new Set('default d ternary first last min max random mandatory extract'.split(' '))

const MARKUP_FILTERS: ReadonlySet<string> = new Set('e escape forceescape safe tojson'.split(' '))

/** Filters and methods that call a method of the text itself, so that a class that overrides it gives its like. */
const OWN_METHODS: ReadonlySet<string> = new Set(
  (
    'upper lower capitalize trim center reverse title swapcase strip lstrip rstrip zfill ljust rjust expandtabs removeprefix removesuffix replace ' +
    'split rsplit splitlines partition rpartition format join translate'
  ).split(' '),
)

/** Classes whose methods give texts of the same class. */
const CONTAGIOUS: ReadonlySet<TextClass> = new Set<TextClass>(['AnsibleUnsafeText', 'NativeJinjaUnsafeText'])

export function textClass(source: ExpressionSource, node: Expression, scope: CompileScope): ClassOf {
  switch (node.kind) {
    case 'name':
    case 'attribute':
    case 'item':
      return ofPlace(source, node, scope)
    case 'filter':
      return ofFilter(source, node, scope)
    case 'call':
      return ofCall(source, node, scope)
    case 'condition':
      return ofCondition(source, node, scope)
    case 'and':
    case 'or':
      return firstThatGave(source, [node.left, node.right], scope)
    case 'binary':
      return caught(source, [node.left, node.right], scope)
    default:
      return () => 'str'
  }
}

/** A variable, or a member of one: the class depends on who wrote it. */
function ofPlace(source: ExpressionSource, node: Expression, scope: CompileScope): ClassOf {
  const place = placeOf(source, node, scope)
  if (place)
    return (run, text) =>
      classOfVariable(
        run,
        place.name,
        place.keys.map((key) => key(run)),
        text,
      )
  if (node.kind === 'attribute' || node.kind === 'item') {
    const ofObject = textClass(source, node.object, scope)
    return (run, text) => like(ofObject(run, text)) ?? classByOrigin(run, text)
  }
  return classByOrigin
}

interface PlaceParts {
  readonly name: string
  readonly keys: readonly Evaluate[]
}

/** `a.b['c']` as a name and keys; undefined where it starts with something else, or with a name that the template set itself. */
export function placeOf(source: ExpressionSource, node: Expression, scope: CompileScope): PlaceParts | undefined {
  if (node.kind === 'name') return scope.sets(node.name) ? undefined : { name: node.name, keys: [] }
  if (node.kind !== 'attribute' && node.kind !== 'item') return undefined
  const outer = placeOf(source, node.object, scope)
  if (!outer || (node.kind === 'item' && node.key.kind === 'slice')) return undefined
  const key: Evaluate = node.kind === 'attribute' ? () => node.name : source.expression(node.key, scope)
  return { name: outer.name, keys: [...outer.keys, key] }
}

function ofFilter(source: ExpressionSource, node: ExpressionOf<'filter'>, scope: CompileScope): ClassOf {
  const name = node.name.replace(/^ansible\.builtin\./, '')
  if (TEXT_FILTERS.has(name)) return () => 'NativeJinjaText'
  if (MARKUP_FILTERS.has(name)) return () => 'Markup'
  const { target } = node
  if (!target) return () => 'str'
  if (name === 'vault') return sealedClass(source, node, scope)
  if (HANDING_ON.has(name)) return firstThatGave(source, [target, ...node.args, ...node.kwargs.map(({ value }) => value)], scope)
  return OWN_METHODS.has(name) ? caught(source, [target], scope) : () => 'str'
}

/** `vault(wrap_object=true)` gives an object that stays sealed. */
function sealedClass(source: ExpressionSource, { kwargs, args }: ExpressionOf<'filter'>, scope: CompileScope): ClassOf {
  const given = kwargs.find(({ key }) => key === 'wrap_object')?.value ?? args[3]
  const wraps = given && source.expression(given, scope)
  return (run) => (wraps && truth(wraps(run)) ? 'AnsibleVaultEncryptedUnicode' : 'str')
}

function ofCall(source: ExpressionSource, node: ExpressionOf<'call'>, scope: CompileScope): ClassOf {
  const { callee } = node
  if (callee.kind === 'name' && ['lookup', 'query', 'q'].includes(callee.name)) {
    const trusted = node.kwargs.some(({ key }) => key === 'allow_unsafe')
    return (run, text) => {
      const kept = run.context.session.texts.has(text)
      if (trusted) return kept ? 'NativeJinjaText' : 'str'
      return kept ? 'NativeJinjaUnsafeText' : 'AnsibleUnsafeText'
    }
  }
  if (callee.kind !== 'attribute') return () => 'str'
  if (callee.name === 'get') return ofPlace(source, { ...node, kind: 'item', object: callee.object, key: node.args[0] ?? callee }, scope)
  return OWN_METHODS.has(callee.name) ? caught(source, [callee.object], scope) : () => 'str'
}

function ofCondition(source: ExpressionSource, node: ExpressionOf<'condition'>, scope: CompileScope): ClassOf {
  const test = source.expression(node.test, scope)
  const then = textClass(source, node.then, scope)
  const otherwise = node.otherwise ? textClass(source, node.otherwise, scope) : then
  return (run, text) => (truth(test(run)) ? then(run, text) : otherwise(run, text))
}

/** The class of the first part whose value is the text. */
function firstThatGave(source: ExpressionSource, nodes: readonly Expression[], scope: CompileScope): ClassOf {
  const parts = nodes.map((node) => ({ value: source.expression(node, scope), classOf: textClass(source, node, scope) }))
  return (run, text) => {
    const giver = parts.find(({ value }) => same(value(run), text))
    return giver ? giver.classOf(run, text) : classByOrigin(run, text)
  }
}

const same = (value: Value, text: string): boolean => value === text

/** A text made from others is of their class where that class is contagious. */
function caught(source: ExpressionSource, nodes: readonly Expression[], scope: CompileScope): ClassOf {
  const parts = nodes.map((node) => ({ value: source.expression(node, scope), classOf: textClass(source, node, scope) }))
  return (run) => {
    for (const { value, classOf } of parts) {
      const given = value(run)
      const found = typeof given === 'string' ? like(classOf(run, given)) : undefined
      if (found) return found
    }
    return 'str'
  }
}

const like = (found: TextClass): TextClass | undefined => (CONTAGIOUS.has(found) ? found : undefined)
