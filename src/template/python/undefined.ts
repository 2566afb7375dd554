/** The undefined value: strict, as Ansible has it, or lenient, as an inline `if` without `else` leaves it. */
import type { Value } from '../../base/index.ts'
import { undefinedError } from './errors.ts'
import { PyObject } from './object.ts'

/**
 * A value that is not there. Attributes and items of a strict one are itself, so that `default` catches `a.b.c`;
 * any other use throws `raise()`.
 */
export class Undefined extends PyObject {
  readonly typeName: string
  constructor(
    /** what the error says, such as `'a' is undefined` */
    readonly message: string,
    readonly details: {
      /** jinja2's plain Undefined: empty text, false, nothing to iterate */
      readonly lenient?: boolean
      /** the name that was looked for */
      readonly undefinedName?: Value | undefined
      /** hint= of undef() and mandatory: fails even where undefined values are kept as text */
      readonly hint?: string | undefined
      /** candidates for “did you mean”, asked for only when the error is raised */
      readonly near?: (() => string | undefined) | undefined
      /** how the template wrote what it looked for, such as `a.b.c` */
      readonly path?: (() => string | undefined) | undefined
    } = {},
  ) {
    super()
    this.typeName = details.lenient ? 'Undefined' : 'AnsibleUndefined'
  }

  get lenient(): boolean {
    return this.details.lenient === true
  }
  raise(): never {
    const { near } = this.details
    const path = this.details.path?.()
    throw undefinedError(this.message, near, path === undefined ? [] : [`looked for as ${path}`])
  }
  override truth(): boolean {
    return this.lenient ? false : this.raise()
  }
  override repr(): string {
    return this.lenient
      ? 'Undefined'
      : `AnsibleUndefined(hint=${this.details.hint ? `'${this.details.hint}'` : 'None'}, obj=missing, name=${typeof this.details.undefinedName === 'string' ? `'${this.details.undefinedName}'` : 'None'})`
  }
  override str(): string {
    return this.lenient ? '' : this.raise()
  }
  override attribute(): Value {
    return this.lenient ? this.raise() : this
  }
  override item(): Value {
    return this.lenient ? this.raise() : this
  }
  override iterate(): Iterable<Value> {
    return this.lenient ? [] : this.raise()
  }
  override length(): number {
    return this.lenient ? 0 : this.raise()
  }
  override call(): Value {
    return this.raise()
  }
  override contains(): boolean {
    return this.lenient ? false : this.raise()
  }
  override equals(other: Value): boolean {
    if (!this.lenient) this.raise()
    return other instanceof Undefined
  }
  override hash(): string {
    return this.lenient ? 'undefined' : this.raise()
  }
}

export const isUndefined = (value: Value): value is Undefined => value instanceof Undefined
