/** The methods of dict. */
import { LazyDict, Tuple, type Value } from '../../base/index.ts'
import {
  contains,
  DictView,
  dictDelete,
  dictGet,
  dictHas,
  dictSet,
  eager,
  equals,
  iterable,
  iterate,
  type Kwargs,
  NO_KWARGS,
  PyError,
  repr,
  toList,
  typeError,
  valueError,
} from '../python/index.ts'
import { action, type Method, type Methods, positional } from './method.ts'

type DictMethod = Method<Map<Value, Value>>

export const DICT_METHODS: Methods<Map<Value, Value>> = new Map<string, DictMethod>([
  ['get', positional('get', 1, 2, (self, [key, fallback]) => given(dictGet(self, key!), fallback))],
  ['keys', positional('dict.keys', 0, 0, (self) => new DictView('keys', self))],
  ['values', positional('dict.values', 0, 0, (self) => new DictView('values', self))],
  ['items', positional('dict.items', 0, 0, (self) => new DictView('items', self))],
  ['update', update],
  ['pop', positional('pop', 1, 2, (self, [key, fallback]) => pop(self, key!, fallback))],
  ['popitem', positional('dict.popitem', 0, 0, popitem)],
  ['setdefault', positional('setdefault', 1, 2, (self, [key, fallback]) => setdefault(self, key!, fallback ?? null))],
  [
    'clear',
    action('dict.clear', 0, 0, (self) => {
      self.clear()
    }),
  ],
  ['copy', positional('dict.copy', 0, 0, (self) => new Map(self))],
  ['fromkeys', positional('fromkeys', 1, 2, (_, [keys, value]) => fromkeys(keys!, value ?? null))],
  ['__len__', positional('__len__', 0, 0, (self) => self.size)],
  ['__contains__', positional('__contains__', 1, 1, (self, [key]) => contains(self, key!))],
  ['__getitem__', positional('__getitem__', 1, 1, (self, [key]) => present(self, key!))],
  [
    '__setitem__',
    action('__setitem__', 2, 2, (self, [key, value]) => {
      dictSet(self, key!, value!)
    }),
  ],
  [
    '__delitem__',
    action('__delitem__', 1, 1, (self, [key]) => {
      present(self, key!)
      dictDelete(self, key!)
    }),
  ],
  ['__eq__', positional('__eq__', 1, 1, (self, [other]) => equals(self, other!))],
])

/** The methods of hostvars and other lazy dicts: those that only look. */
export const LAZY_DICT_METHODS: Methods<LazyDict> = new Map<string, Method<LazyDict>>([
  ['get', positional('get', 1, 2, (self, [key, fallback]) => given(typeof key === 'string' ? self.get(key) : undefined, fallback))],
  ['keys', positional('keys', 0, 0, (self) => new DictView('keys', self))],
  ['values', positional('values', 0, 0, (self) => new DictView('values', self))],
  ['items', positional('items', 0, 0, (self) => new DictView('items', self))],
  ['copy', positional('copy', 0, 0, (self) => eager(self))],
  ['__len__', positional('__len__', 0, 0, (self) => Array.from(self.keys()).length)],
  ['__contains__', positional('__contains__', 1, 1, (self, [key]) => contains(self, key!))],
])

const given = (value: Value | undefined, fallback: Value | undefined): Value => (value === undefined ? (fallback ?? null) : value)

function present(self: Map<Value, Value>, key: Value): Value {
  const value = dictGet(self, key)
  if (value === undefined) throw new PyError('KeyError', repr(key))
  return value
}

function update(self: Map<Value, Value>, args: Value[], kwargs: Kwargs): null {
  if (args.length > 1) throw typeError(`update expected at most 1 argument, got ${args.length}`)
  for (const [key, value] of pairsOf(args[0], kwargs)) dictSet(self, key, value)
  return null
}

/** `dict(pairs, **more)` */
export function makeDict(args: Value[], kwargs: Kwargs = NO_KWARGS): Map<Value, Value> {
  if (args.length > 1) throw typeError(`dict expected at most 1 argument, got ${args.length}`)
  const dict = new Map<Value, Value>()
  for (const [key, value] of pairsOf(args[0], kwargs)) dictSet(dict, key, value)
  return dict
}

function* pairsOf(from: Value | undefined, kwargs: Kwargs): Iterable<readonly [Value, Value]> {
  if (from instanceof Map) yield* from
  else if (from instanceof LazyDict) yield* eager(from)
  else if (from !== undefined) yield* listedPairs(from)
  yield* kwargs
}

function* listedPairs(from: Value): Iterable<readonly [Value, Value]> {
  let n = 0
  for (const item of iterate(from)) {
    const parts = iterable(item)
    if (!parts) throw typeError(`cannot convert dictionary update sequence element #${n} to a sequence`)
    const pair = Array.from(parts)
    if (pair.length !== 2) throw valueError(`dictionary update sequence element #${n} has length ${pair.length}; 2 is required`)
    yield [pair[0]!, pair[1]!]
    n++
  }
}

function pop(self: Map<Value, Value>, key: Value, fallback: Value | undefined): Value {
  const own = dictGet(self, key)
  const value = own === undefined ? fallback : own
  if (value === undefined) throw new PyError('KeyError', repr(key))
  dictDelete(self, key)
  return value
}

function popitem(self: Map<Value, Value>): Value {
  const last = [...self].at(-1)
  if (!last) throw new PyError('KeyError', "'popitem(): dictionary is empty'")
  self.delete(last[0])
  return new Tuple(last)
}

function setdefault(self: Map<Value, Value>, key: Value, fallback: Value): Value {
  if (!dictHas(self, key)) dictSet(self, key, fallback)
  return dictGet(self, key) ?? null
}

function fromkeys(keys: Value, value: Value): Value {
  const dict = new Map<Value, Value>()
  for (const key of toList(keys)) dictSet(dict, key, value)
  return dict
}
