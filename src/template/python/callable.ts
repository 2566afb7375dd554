/** Functions as values: globals, and methods bound to their object. */
import type { Value } from '../../base/index.ts'
import { type Kwargs, PyObject } from './object.ts'

export type Callable = (args: Value[], kwargs: Kwargs) => Value

/** A value's class, of which templates see the name alone. */
export class PyClass extends PyObject {
  readonly typeName = 'type'
  constructor(private readonly name: string) {
    super()
  }
  override attribute(name: string): Value | undefined {
    return name === '__name__' || name === '__qualname__' ? this.name : undefined
  }
  override repr(): string {
    return `<class '${this.name}'>`
  }
  override equals(other: Value): boolean {
    return other instanceof PyClass && other.name === this.name
  }
}

/** A function of ours that templates can call. */
export class NativeFunction extends PyObject {
  readonly typeName: string
  constructor(
    readonly name: string,
    private readonly body: Callable,
    /** how it prints, such as `<class 'dict'>` */
    private readonly printed = `<function ${name}>`,
    typeName = 'function',
  ) {
    super()
    this.typeName = typeName
  }
  override call(args: Value[], kwargs: Kwargs): Value {
    return this.body(args, kwargs)
  }
  override repr(): string {
    return this.printed
  }
}
