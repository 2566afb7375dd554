/** Tests on the results of tasks. */
import { LazyDict, type Value } from '../../base/index.ts'
import { equals, filterError, isMapping, PyError, truth, typeName } from '../python/index.ts'
import type { TestFunction } from '../registry.ts'
import { claim, type TestTable } from './define.ts'

type Result = Map<Value, Value> | LazyDict

/** A test on a result; anything else is refused under the test's first name. */
function onResult(name: string, holds: (result: Result) => Value): TestFunction {
  return claim(name, (value) => {
    if (value instanceof Map || value instanceof LazyDict) return holds(value)
    throw filterError(`The '${name}' test expects a dictionary`)
  })
}

const says = (result: Result, key: string): boolean => truth(result.get(key) ?? false)

/** The result's own word, whatever it is. */
const word = (result: Result, key: string): Value => result.get(key) ?? false

const failed = onResult('failed', (result) => word(result, 'failed'))
const succeeded = onResult('failed', (result) => !says(result, 'failed'))
const changed = onResult('changed', isChanged)
const skipped = onResult('skipped', (result) => word(result, 'skipped'))

export const RESULT_TESTS: TestTable = {
  change: changed,
  changed,
  failed,
  failure: failed,
  finished: onResult('finished', (result) => !result.has('finished') || equals(result.get('finished') ?? null, 1)),
  reachable: onResult('unreachable', (result) => !says(result, 'unreachable')),
  skip: skipped,
  skipped,
  started: onResult('started', (result) => !result.has('started') || equals(result.get('started') ?? null, 1)),
  succeeded,
  success: succeeded,
  successful: succeeded,
  timedout: onResult('timedout', (result) => {
    const timedOut = result.get('timedout') ?? false
    if (!truth(timedOut)) return timedOut
    if (!isMapping(timedOut)) throw new PyError('AttributeError', `'${typeName(timedOut)}' object has no attribute 'get'`)
    return timedOut.get('period') ?? false
  }),
  unreachable: onResult('unreachable', (result) => word(result, 'unreachable')),
}

/** Of its own word, or where any of its items changed. */
function isChanged(result: Result): Value {
  if (result.has('changed')) return word(result, 'changed')
  const items = result.get('results')
  if (!Array.isArray(items)) return false
  if (items.length === 0) throw new PyError('IndexError', 'list index out of range')
  if (!(items[0] instanceof Map)) return false
  return items.some((item) => item instanceof Map && says(item, 'changed'))
}
