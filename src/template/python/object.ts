/** What every value that only the template room knows has in common: Python's protocols as methods. */
import { OpaqueValue, type Value } from '../../base/index.ts'

/** The keyword arguments of a call. */
export type Kwargs = ReadonlyMap<string, Value>
export const NO_KWARGS: Kwargs = new Map()

/** An object of Python: what it cannot do stays undefined, and the operations raise Python's TypeError. */
export abstract class PyObject extends OpaqueValue {
  /** as type(x).__name__ says */
  abstract readonly typeName: string
  /** the name of the type in messages about operators, where that has its module before it */
  readonly qualified?: string
  /** where the type comes from, as Jinja2's messages say; absent for Python's own */
  readonly module?: string
  truth(): boolean {
    return this.length ? this.length() !== 0 : true
  }
  repr(): string {
    return `<${this.typeName} object>`
  }
  str(): string {
    return this.repr()
  }
  override toString(): string {
    return this.str()
  }
  /** undefined where there is no such attribute */
  attribute(_name: string): Value | undefined {
    return undefined
  }
  /** `x[key]`: undefined where there is no such item; absent where the object takes no subscripts */
  item?(key: Value): Value | undefined
  iterate?(): Iterable<Value>
  length?(): number
  call?(args: Value[], kwargs: Kwargs): Value
  contains?(needle: Value): boolean
  /** how JSON has it, where it can be there: as this text */
  json?(): string
  /** how YAML calls it, where its text can be there */
  readonly yamlTag?: string
  /** `format(x, spec)` */
  format?(spec: string): string
  /** `x + other`; undefined where the two have no sum */
  plus?(other: Value): Value | undefined
  /** `x - other`; undefined where the two have no difference */
  subtract?(other: Value): Value | undefined
  equals(other: Value): boolean {
    return this === other
  }
  /** a key equal for equal values; absent: identity counts */
  hash?(): string
}
