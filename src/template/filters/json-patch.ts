/** community.general's json_patch and json_patch_recipe: a value and operations of RFC 6902 → the changed value. */
import type { LazyDict, Value } from '../../base/index.ts'
import { equals, filterError, isMapping, isUndefined, repr, str, truth } from '../python/index.ts'
import type { CallContext, FilterFunction } from '../registry.ts'
import { deepCopy } from '../run/copy.ts'
import type { FilterTable } from './define.ts'

type Dict = Map<Value, Value>

interface Operation {
  readonly op: string
  readonly path: string
  readonly from: string | undefined
  readonly value: Value
}

const jsonPatch: FilterFunction = (context, value, [op = '', path = '', given = null], kwargs) => {
  const unknown = [...kwargs.keys()].filter((name) => !['op', 'path', 'value', 'from', 'fail_test'].includes(name)).sort()
  if (unknown.length > 0) throw filterError(`json_patch: unexpected keywords arguments: ${unknown.join(', ')}`)
  const operation = new Map<Value, Value>([
    ['op', kwargs.get('op') ?? op],
    ['path', kwargs.get('path') ?? path],
    ['value', kwargs.get('value') ?? given],
  ])
  const from = kwargs.get('from')
  if (from !== undefined) operation.set('from', from)
  return patched('json_patch', context, value, [operation], kwargs.get('fail_test') ?? false)
}

const jsonPatchRecipe: FilterFunction = (context, value, [operations = null, failTest = false], kwargs) => {
  const list = kwargs.get('operations') ?? operations
  if (!Array.isArray(list)) throw filterError("json_patch_recipe: 'operations' needs to be a list")
  return patched('json_patch_recipe', context, value, list, kwargs.get('fail_test') ?? failTest)
}

export const JSON_PATCH: FilterTable = { json_patch: jsonPatch, json_patch_recipe: jsonPatchRecipe }

function patched(name: string, context: CallContext, value: Value, operations: readonly Value[], failTest: Value): Value {
  if (typeof failTest !== 'boolean') throw filterError("json_patch: 'fail_test' argument is not a bool")
  let document = deepCopy(documentOf(name, context, value))
  for (const operation of operations.map((one) => operationOf(name, one))) {
    const after = OPERATIONS[operation.op]!(document, operation, (why) => filterError(`${name}: patch failed: ${why}`))
    if (after === undefined) {
      if (truth(failTest))
        throw filterError(`${name}: test operation failed: ${repr(operation.value)} is not what stands at ${operation.path}`)
      return null
    }
    document = after
  }
  return document
}

function documentOf(name: string, context: CallContext, value: Value): Value {
  if (isUndefined(value)) value.raise()
  if (typeof value === 'string') return context.callFilter('from_json', value)
  if (!Array.isArray(value) && !isMapping(value)) throw filterError(`${name}: input is not dictionary, list or string`)
  return value
}

function operationOf(name: string, given: Value): Operation {
  const dict = isMapping(given) ? (given as Dict | LazyDict) : new Map<Value, Value>()
  const [op, path, from] = ['op', 'path', 'from'].map((key) => dict.get(key))
  if (typeof op !== 'string') throw filterError(`${name}: 'op' argument is not a string`)
  if (!Object.hasOwn(OPERATIONS, op)) throw filterError(`${name}: unsupported 'op' argument: ${op}`)
  if (typeof path !== 'string') throw filterError(`${name}: 'path' argument is not a string`)
  if (op === 'copy' || op === 'move') {
    if (from === undefined) throw filterError(`${name}: 'from' argument missing for '${op}' operation`)
    if (typeof from !== 'string') throw filterError(`${name}: 'from' argument is not a string`)
  }
  return { op, path, from: typeof from === 'string' ? from : undefined, value: dict.get('value') ?? null }
}

type Fail = (why: string) => Error

/** What each operation makes of a document; undefined where a test does not hold. */
const OPERATIONS: Readonly<Record<string, (document: Value, operation: Operation, fail: Fail) => Value | undefined>> = {
  add: (document, { path, value }, fail) => put(document, path, deepCopy(value), true, fail),
  copy: (document, { path, from }, fail) => put(document, path, deepCopy(at(document, from!, fail)), true, fail),
  move: (document, { path, from }, fail) => {
    const { found, rest } = taken(document, from!, fail)
    return put(rest, path, found, true, fail)
  },
  remove: (document, { path }, fail) => taken(document, path, fail).rest,
  replace: (document, { path, value }, fail) => put(document, path, deepCopy(value), false, fail),
  test: (document, { path, value }, fail) => (equals(at(document, path, fail), value) ? document : undefined),
}

function stepsOf(path: string, fail: Fail): string[] {
  if (path === '') return []
  if (!path.startsWith('/')) throw fail('Location must start with /')
  return path
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function member(of: Value, step: string, fail: Fail): Value {
  const found = Array.isArray(of)
    ? /^(0|[1-9]\d*)$/.test(step)
      ? of[Number(step)]
      : undefined
    : of instanceof Map
      ? of.get(step)
      : undefined
  if (found === undefined) throw fail(`member ${repr(step)} not found in ${str(of)}`)
  return found
}

const at = (document: Value, path: string, fail: Fail): Value =>
  stepsOf(path, fail).reduce((value, step) => member(value, step, fail), document)

function put(document: Value, path: string, value: Value, insert: boolean, fail: Fail): Value {
  const steps = stepsOf(path, fail)
  const last = steps.pop()
  if (last === undefined) return value
  const parent = steps.reduce((inner, step) => member(inner, step, fail), document)
  if (!insert) member(parent, last, fail)
  if (parent instanceof Map) parent.set(last, value)
  else if (Array.isArray(parent)) {
    const index = last === '-' ? parent.length : Number(last)
    if (!Number.isInteger(index) || index < 0 || index > parent.length) throw fail("can't insert outside of list")
    parent.splice(index, insert ? 0 : 1, value)
  } else throw fail(`unable to fully resolve json pointer ${path}`)
  return document
}

function taken(document: Value, path: string, fail: Fail): { found: Value; rest: Value } {
  const steps = stepsOf(path, fail)
  const last = steps.pop()
  if (last === undefined) return { found: document, rest: null }
  const parent = steps.reduce((inner, step) => member(inner, step, fail), document)
  const found = member(parent, last, fail)
  if (parent instanceof Map) parent.delete(last)
  else if (Array.isArray(parent)) parent.splice(Number(last), 1)
  return { found, rest: document }
}
