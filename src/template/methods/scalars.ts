/** The methods and attributes of int, float, bytes and set. */
import { Float, Tuple, type Value } from '../../base/index.ts'
import { bind, signature } from '../arguments.ts'
import { iterate, normalInt, PyError, PySet, str, toNumber } from '../python/index.ts'
import { decode } from './encoding.ts'
import { action, integerArgument, type Method, type Methods, positional } from './method.ts'

type Int = number | bigint | boolean

const magnitude = (self: Int): bigint => (BigInt(self) < 0n ? -BigInt(self) : BigInt(self))

export const INT_METHODS: Methods<Int> = new Map<string, Method<Int>>([
  ['bit_length', positional('int.bit_length', 0, 0, (self) => (magnitude(self) === 0n ? 0 : magnitude(self).toString(2).length))],
  ['bit_count', positional('int.bit_count', 0, 0, (self) => magnitude(self).toString(2).replaceAll('0', '').length)],
  ['conjugate', positional('int.conjugate', 0, 0, (self) => normalInt(BigInt(self)))],
  ['as_integer_ratio', positional('int.as_integer_ratio', 0, 0, (self) => new Tuple([normalInt(BigInt(self)), 1]))],
  ['to_bytes', toBytes],
])

const TO_BYTES = signature(
  'to_bytes',
  [
    ['length', 1],
    ['byteorder', 'big'],
  ],
  { leading: 0 },
)

function toBytes(self: Int, args: Value[], kwargs: ReadonlyMap<string, Value>): Value {
  const [length, order] = bind(TO_BYTES, args, kwargs)
  const size = integerArgument(length, 1)
  const hex = magnitude(self).toString(16)
  if (hex.length > size * 2) throw new PyError('OverflowError', 'int too big to convert')
  const bytes = Uint8Array.from(Buffer.from(hex.padStart(size * 2, '0'), 'hex'))
  return order === 'little' ? bytes.reverse() : bytes
}

/** Attributes of numbers that are no methods. */
export const NUMBER_ATTRIBUTES: ReadonlyMap<string, (self: Int | Float) => Value> = new Map<string, (self: Int | Float) => Value>([
  ['real', (self) => (self instanceof Float ? self : normalInt(BigInt(self)))],
  ['imag', (self) => (self instanceof Float ? new Float(0) : 0)],
  ['numerator', (self) => (self instanceof Float ? null : normalInt(BigInt(self)))],
  ['denominator', () => 1],
])

export const FLOAT_METHODS: Methods<Float> = new Map<string, Method<Float>>([
  ['is_integer', positional('float.is_integer', 0, 0, (self) => Number.isInteger(self.value))],
  ['conjugate', positional('float.conjugate', 0, 0, (self) => self)],
  ['as_integer_ratio', positional('float.as_integer_ratio', 0, 0, (self) => integerRatio(self.value))],
  ['hex', positional('float.hex', 0, 0, (self) => hexadecimal(self.value))],
])

function integerRatio(value: number): Tuple {
  if (!Number.isFinite(value)) throw new PyError('OverflowError', 'cannot convert Infinity to integer ratio')
  let top = value
  let bottom = 1n
  while (!Number.isInteger(top)) {
    top *= 2
    bottom *= 2n
  }
  return new Tuple([normalInt(BigInt(top)), normalInt(bottom)])
}

function hexadecimal(value: number): string {
  if (!Number.isFinite(value)) return str(new Float(value))
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, value)
  const bits = view.getBigUint64(0)
  const exponent = Number((bits >> 52n) & 0x7ffn)
  const fraction = (bits & 0xfffffffffffffn).toString(16).padStart(13, '0')
  const power = exponent === 0 ? (toNumber(bits & 0xfffffffffffffn) === 0 ? 0 : -1022) : exponent - 1023
  return `${bits >> 63n ? '-' : ''}0x${exponent === 0 ? '0' : '1'}.${value === 0 ? '0' : fraction}p${power < 0 ? '' : '+'}${power}`
}

const DECODE = signature(
  'decode',
  [
    ['encoding', 'utf-8'],
    ['errors', 'strict'],
  ],
  { leading: 0 },
)

export const BYTES_METHODS: Methods<Uint8Array> = new Map<string, Method<Uint8Array>>([
  [
    'decode',
    (self, args, kwargs) => {
      const [encoding, errors] = bind(DECODE, args, kwargs)
      return decode(self, str(encoding!), str(errors!))
    },
  ],
  ['hex', positional('hex', 0, 0, (self) => Buffer.from(self).toString('hex'))],
  ['startswith', positional('startswith', 1, 1, (self, [part]) => part instanceof Uint8Array && Buffer.from(self).indexOf(part) === 0)],
  [
    'endswith',
    positional('endswith', 1, 1, (self, [part]) => part instanceof Uint8Array && Buffer.compare(self.slice(-part.length), part) === 0),
  ],
  ['__len__', positional('__len__', 0, 0, (self) => self.length)],
])

function asSet(value: Value): PySet {
  return value instanceof PySet ? value : new PySet(iterate(value))
}

export const SET_METHODS: Methods<PySet> = new Map<string, Method<PySet>>([
  [
    'add',
    action('set.add', 1, 1, (self, [item]) => {
      self.add(item!)
    }),
  ],
  [
    'discard',
    action('set.discard', 1, 1, (self, [item]) => {
      self.delete(item!)
    }),
  ],
  ['remove', positional('set.remove', 1, 1, (self, [item]) => removed(self, item!))],
  [
    'clear',
    action('set.clear', 0, 0, (self) => {
      self.clear()
    }),
  ],
  ['copy', positional('set.copy', 0, 0, (self) => new PySet(self.iterate()))],
  [
    'update',
    action('set.update', 0, Number.POSITIVE_INFINITY, (self, args) => {
      for (const items of args) addAll(self, items)
    }),
  ],
  ['union', (self, args) => args.reduce<PySet>((set, items) => set.union(iterate(items)), self)],
  ['intersection', (self, args) => args.reduce<PySet>((set, items) => set.intersection(asSet(items)), self)],
  ['difference', (self, args) => args.reduce<PySet>((set, items) => set.difference(asSet(items)), self)],
  ['symmetric_difference', positional('set.symmetric_difference', 1, 1, (self, [items]) => symmetric(self, asSet(items!)))],
  ['issubset', positional('set.issubset', 1, 1, (self, [items]) => self.isSubsetOf(asSet(items!)))],
  ['issuperset', positional('set.issuperset', 1, 1, (self, [items]) => asSet(items!).isSubsetOf(self))],
  ['isdisjoint', positional('set.isdisjoint', 1, 1, (self, [items]) => self.intersection(asSet(items!)).length() === 0)],
  ['pop', positional('set.pop', 0, 0, popped)],
  ['__len__', positional('__len__', 0, 0, (self) => self.length())],
])

function addAll(self: PySet, items: Value): void {
  for (const item of iterate(items)) self.add(item)
}

function removed(self: PySet, item: Value): null {
  if (!self.delete(item)) throw new PyError('KeyError', str(item))
  return null
}

const symmetric = (a: PySet, b: PySet): PySet => a.difference(b).union(b.difference(a).iterate())

function popped(self: PySet): Value {
  const [first] = self.iterate()
  if (first === undefined) throw new PyError('KeyError', "'pop from an empty set'")
  self.delete(first)
  return first
}
