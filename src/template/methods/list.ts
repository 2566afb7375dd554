/** The methods of list and tuple. */
import type { Tuple, Value } from '../../base/index.ts'
import { bind, signature } from '../arguments.ts'
import {
  add,
  contains,
  equals,
  iterate,
  type Kwargs,
  multiply,
  PyError,
  PyObject,
  position,
  repr,
  sortValues,
  truth,
  typeError,
  typeName,
  valueError,
} from '../python/index.ts'
import { action, integerArgument, type Method, type Methods, positional, range } from './method.ts'

type ListMethod = Method<Value[]>

export const LIST_METHODS: Methods<Value[]> = new Map<string, ListMethod>([
  [
    'append',
    action('list.append', 1, 1, (self, [item]) => {
      self.push(item!)
    }),
  ],
  [
    'extend',
    action('list.extend', 1, 1, (self, [items]) => {
      self.push(...Array.from(iterate(items!)))
    }),
  ],
  [
    'insert',
    action('insert', 2, 2, (self, [at, item]) => {
      self.splice(integerArgument(at, 0), 0, item!)
    }),
  ],
  ['pop', positional('pop', 0, 1, (self, [at]) => pop(self, at))],
  ['remove', positional('list.remove', 1, 1, (self, [item]) => remove(self, item!))],
  [
    'clear',
    action('list.clear', 0, 0, (self) => {
      self.length = 0
    }),
  ],
  ['copy', positional('list.copy', 0, 0, (self) => self.slice())],
  [
    'reverse',
    action('list.reverse', 0, 0, (self) => {
      self.reverse()
    }),
  ],
  ['sort', sort],
  ['index', positional('index', 1, 3, (self, [item, ...bounds]) => indexIn(self, item!, bounds, 'list'))],
  ['count', positional('list.count', 1, 1, (self, [item]) => countIn(self, item!))],
  ['__len__', positional('__len__', 0, 0, (self) => self.length)],
  ['__contains__', positional('__contains__', 1, 1, (self, [item]) => contains(self, item!))],
  ['__getitem__', positional('__getitem__', 1, 1, (self, [at]) => itemAt(self, at!))],
  [
    '__setitem__',
    action('__setitem__', 2, 2, (self, [at, item]) => {
      self[bounded(self, at!, 'list assignment index out of range')] = item!
    }),
  ],
  [
    '__delitem__',
    action('__delitem__', 1, 1, (self, [at]) => {
      self.splice(bounded(self, at!, 'list assignment index out of range'), 1)
    }),
  ],
  ['__add__', positional('__add__', 1, 1, (self, [other]) => add(self, other!))],
  ['__mul__', positional('__mul__', 1, 1, (self, [times]) => multiply(self, times!))],
  ['__eq__', positional('__eq__', 1, 1, (self, [other]) => equals(self, other!))],
])

export const TUPLE_METHODS: Methods<Tuple> = new Map<string, Method<Tuple>>([
  ['index', positional('index', 1, 3, (self, [item, ...bounds]) => indexIn(self.items, item!, bounds, 'tuple'))],
  ['count', positional('tuple.count', 1, 1, (self, [item]) => countIn(self.items, item!))],
  ['__len__', positional('__len__', 0, 0, (self) => self.items.length)],
  ['__contains__', positional('__contains__', 1, 1, (self, [item]) => contains(self, item!))],
])

function bounded(self: Value[], at: Value, complaint: string): number {
  const index = position(at, self.length)
  if (index !== undefined) return index
  integerArgument(at, 0)
  throw new PyError('IndexError', complaint)
}

function itemAt(self: Value[], at: Value): Value {
  return self[bounded(self, at, 'list index out of range')]!
}

function pop(self: Value[], at: Value | undefined): Value {
  if (self.length === 0) throw new PyError('IndexError', 'pop from empty list')
  return self.splice(bounded(self, at ?? -1, 'pop index out of range'), 1)[0]!
}

function remove(self: Value[], item: Value): null {
  const at = self.findIndex((candidate) => candidate === item || equals(candidate, item))
  if (at === -1) throw valueError('list.remove(x): x not in list')
  self.splice(at, 1)
  return null
}

const SORT = signature(
  'sort',
  [
    ['key', null],
    ['reverse', false],
  ],
  { leading: 0 },
)

function sort(self: Value[], args: Value[], kwargs: Kwargs): Value {
  if (args.length > 0) throw typeError('sort() takes no positional arguments')
  for (const name of kwargs.keys())
    if (name !== 'key' && name !== 'reverse') throw typeError(`'${name}' is an invalid keyword argument for sort()`)
  const [key, reverse] = bind(SORT, args, kwargs) as [Value, Value]
  const by = key instanceof PyObject && key.call ? (item: Value) => key.call!([item], new Map()) : undefined
  if (key !== null && !by) throw typeError(`'${typeName(key)}' object is not callable`)
  const sorted = sortValues(self, by ? { key: by, reverse: truth(reverse) } : { reverse: truth(reverse) })
  self.splice(0, self.length, ...sorted)
  return null
}

function indexIn(items: readonly Value[], wanted: Value, bounds: readonly Value[], type: string): number {
  const { start, end } = range(bounds, items.length)
  for (let i = start; i < end; i++) if (items[i] === wanted || equals(items[i]!, wanted)) return i
  throw valueError(type === 'list' ? `${repr(wanted)} is not in list` : 'tuple.index(x): x not in tuple')
}

function countIn(items: readonly Value[], wanted: Value): number {
  return items.reduce((sum: number, item) => sum + Number(item === wanted || equals(item, wanted)), 0)
}
