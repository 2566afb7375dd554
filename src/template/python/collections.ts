/** Python's collections that JavaScript has no twin of: set, range, and the views of a dict. */
import { LazyDict, Tuple, type Value } from '../../base/index.ts'
import { dictGet, dictHas, equals, type HashKey, hashKey } from './equality.ts'
import { PyError, valueError } from './errors.ts'
import { contains } from './iteration.ts'
import { PyObject } from './object.ts'
import type { Ordered, Ordering } from './order.ts'
import { setOrder } from './set-order.ts'
import { repr } from './text.ts'

/** A set. Integers come out in CPython's order, everything else as it went in. */
export class PySet extends PyObject implements Ordered {
  readonly typeName = 'set'
  private readonly members = new Map<HashKey, Value>()

  constructor(items: Iterable<Value> = []) {
    super()
    for (const item of items) this.add(item)
  }
  add(item: Value): void {
    const key = hashKey(item)
    if (!this.members.has(key)) this.members.set(key, item)
  }
  has(item: Value): boolean {
    return this.members.has(hashKey(item))
  }
  delete(item: Value): boolean {
    return this.members.delete(hashKey(item))
  }
  clear(): void {
    this.members.clear()
  }
  override iterate(): Value[] {
    return setOrder([...this.members.values()])
  }
  override plain(): Value {
    return this.iterate()
  }
  override length(): number {
    return this.members.size
  }
  override contains(needle: Value): boolean {
    return this.has(needle)
  }
  override repr(): string {
    return this.members.size === 0 ? 'set()' : `{${this.iterate().map(repr).join(', ')}}`
  }
  override equals(other: Value): boolean {
    return other instanceof PySet && other.members.size === this.members.size && this.isSubsetOf(other)
  }
  override hash(): string {
    throw new PyError('TypeError', "unhashable type: 'set'")
  }
  isSubsetOf(other: PySet): boolean {
    for (const key of this.members.keys()) if (!other.members.has(key)) return false
    return true
  }
  union(other: Iterable<Value>): PySet {
    return new PySet([...this.members.values(), ...other])
  }
  intersection(other: PySet): PySet {
    return new PySet([...this.members.values()].filter((item) => other.has(item)))
  }
  difference(other: PySet): PySet {
    return new PySet([...this.members.values()].filter((item) => !other.has(item)))
  }
  order(operator: Ordering, other: Value): boolean | undefined {
    if (!(other instanceof PySet)) return undefined
    const [small, large] = operator.startsWith('<') ? [this, other] : [other, this]
    return small.isSubsetOf(large) && (operator.length === 2 || small.members.size < large.members.size)
  }
}

/** `range(start, stop, step)` */
export class PyRange extends PyObject {
  readonly typeName = 'range'
  private readonly count: number
  constructor(
    readonly start: number,
    readonly stop: number,
    readonly step: number,
  ) {
    super()
    if (step === 0) throw valueError('range() arg 3 must not be zero')
    this.count = Math.max(0, Math.ceil((stop - start) / step))
  }
  at(index: number): number {
    return this.start + index * this.step
  }
  override *iterate(): Iterable<Value> {
    for (let i = 0; i < this.count; i++) yield this.at(i)
  }
  override length(): number {
    return this.count
  }
  override contains(needle: Value): boolean {
    if (typeof needle !== 'number') return [...this.iterate()].some((item) => equals(item, needle))
    const index = (needle - this.start) / this.step
    return Number.isInteger(index) && index >= 0 && index < this.count
  }
  override repr(): string {
    return this.step === 1 ? `range(${this.start}, ${this.stop})` : `range(${this.start}, ${this.stop}, ${this.step})`
  }
  override equals(other: Value): boolean {
    return other instanceof PyRange && repr([...this.iterate()]) === repr([...other.iterate()])
  }
}

export type ViewKind = 'keys' | 'values' | 'items'

/** `dict.keys()`, `dict.values()`, `dict.items()`: they follow the dict's changes. */
export class DictView extends PyObject {
  readonly typeName: string
  constructor(
    readonly kind: ViewKind,
    readonly dict: Map<Value, Value> | LazyDict,
  ) {
    super()
    this.typeName = `dict_${kind}`
  }
  override *iterate(): Iterable<Value> {
    for (const key of this.dict.keys()) {
      if (this.kind === 'keys') yield key
      else yield this.kind === 'values' ? this.at(key) : new Tuple([key, this.at(key)])
    }
  }
  private at(key: Value): Value {
    return (this.dict instanceof LazyDict ? this.dict.get(String(key)) : this.dict.get(key)) ?? null
  }
  override length(): number {
    return this.dict instanceof Map ? this.dict.size : [...this.dict.keys()].length
  }
  override contains(needle: Value): boolean {
    if (this.kind === 'keys') return this.dict instanceof Map ? dictHas(this.dict, needle) : this.dict.has(String(needle))
    if (this.kind === 'items' && needle instanceof Tuple && needle.items.length === 2 && this.dict instanceof Map) {
      const value = dictGet(this.dict, needle.items[0]!)
      return value !== undefined && equals(value, needle.items[1]!)
    }
    return contains([...this.iterate()], needle)
  }
  override repr(): string {
    return `${this.typeName}(${repr([...this.iterate()])})`
  }
  override equals(other: Value): boolean {
    if (this.kind === 'values') return this === other
    if (!(other instanceof DictView || other instanceof PySet) || (other instanceof DictView && other.kind === 'values')) return false
    return this.length() === other.length() && [...this.iterate()].every((item) => other.contains(item))
  }
}
