/** The names that every template sees: range, dict, namespace, lookup and their kin. */
import { OMIT, type Value } from '../../base/index.ts'
import { bind, signature } from '../arguments.ts'
import { PyDateTime } from '../filters/datetime.ts'
import { makeDict } from '../methods/index.ts'
import { asIndex, type Kwargs, NativeFunction, PyRange, str, truth, typeError, typeName, Undefined } from '../python/index.ts'
import { lookup, query } from './lookups.ts'
import type { Run } from './model.ts'
import { Cycler, Joiner, Namespace } from './namespace.ts'

/** Globals that are the same for every template. */
export const GLOBALS: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['range', new NativeFunction('range', makeRange, "<class 'range'>", 'type')],
  ['dict', new NativeFunction('dict', makeDict, "<class 'dict'>", 'type')],
  [
    'namespace',
    new NativeFunction('Namespace', (args, kwargs) => new Namespace(makeDict(args, kwargs)), "<class 'jinja2.utils.Namespace'>", 'type'),
  ],
  ['joiner', new NativeFunction('Joiner', makeJoiner, "<class 'jinja2.utils.Joiner'>", 'type')],
  ['cycler', new NativeFunction('Cycler', (args) => new Cycler(args), "<class 'jinja2.utils.Cycler'>", 'type')],
  ['undef', new NativeFunction('_make_undefined', makeUndefined)],
  ['omit', OMIT],
])

/** Globals that act for the template that calls them. */
export const RUN_GLOBALS: ReadonlyMap<string, (run: Run) => Value> = new Map<string, (run: Run) => Value>([
  ['lookup', (run) => new NativeFunction('_lookup', (args, kwargs) => lookup(run, args, kwargs))],
  ['query', (run) => new NativeFunction('_query_lookup', (args, kwargs) => query(run, args, kwargs))],
  ['q', (run) => new NativeFunction('_query_lookup', (args, kwargs) => query(run, args, kwargs))],
  ['now', (run) => new NativeFunction('_now_datetime', (args, kwargs) => now(run, args, kwargs))],
])

function makeRange(args: Value[], kwargs: Kwargs): Value {
  if (kwargs.size > 0) throw typeError('range() takes no keyword arguments')
  if (args.length === 0) throw typeError('range expected at least 1 argument, got 0')
  if (args.length > 3) throw typeError(`range expected at most 3 arguments, got ${args.length}`)
  const [first, second, step] = args.map(bound)
  return args.length === 1 ? new PyRange(0, first!, 1) : new PyRange(first!, second!, step ?? 1)
}

function bound(value: Value): number {
  const index = asIndex(value)
  if (index !== undefined) return index
  throw typeError(`'${typeName(value)}' object cannot be interpreted as an integer`)
}

const JOINER = signature('__init__', [['sep', ', ']])

function makeJoiner(args: Value[], kwargs: Kwargs): Value {
  return new Joiner(bind(JOINER, args, kwargs)[0]!)
}

const UNDEF = signature('_make_undefined', [['hint', null]])

function makeUndefined(args: Value[], kwargs: Kwargs): Value {
  const [hint] = bind(UNDEF, args, kwargs) as [Value]
  const message = hint === null || hint === '' || hint instanceof Undefined ? 'Mandatory variable has not been overridden' : str(hint)
  return new Undefined(message, { hint: message })
}

const NOW = signature('_now_datetime', [
  ['utc', false],
  ['fmt', null],
])

function now(run: Run, args: Value[], kwargs: Kwargs): Value {
  const [utc, format] = bind(NOW, args, kwargs) as [Value, Value]
  const date = run.scope.run?.now() ?? new Date()
  const shift = truth(utc) ? 0 : -date.getTimezoneOffset() * 60_000
  const local = date.getTime() + shift
  const moment = new PyDateTime(Math.floor(local / 1000) * 1000, (local % 1000) * 1000)
  if (!truth(format)) return moment
  return run.call(run.getAttribute(moment, 'strftime'), [format])
}
