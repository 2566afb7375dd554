/** Objects that templates make with globals: namespace, joiner, cycler. */
import type { Value } from '../../base/index.ts'
import { NativeFunction, PyError, PyObject, repr } from '../python/index.ts'

/** `namespace(a=1)`: a box whose members `{% set ns.a = 2 %}` changes. */
export class Namespace extends PyObject {
  readonly typeName = 'Namespace'
  override readonly module = 'jinja2.utils'
  constructor(private readonly members: Map<Value, Value>) {
    super()
  }
  override attribute(name: string): Value | undefined {
    return this.members.get(name)
  }
  override item(key: Value): Value | undefined {
    return this.members.get(key)
  }
  set(name: string, value: Value): void {
    this.members.set(name, value)
  }
  override repr(): string {
    return `<Namespace ${repr(this.members)}>`
  }
}

/** `joiner(', ')`: empty at the first call, then the separator. */
export class Joiner extends PyObject {
  readonly typeName = 'Joiner'
  override readonly module = 'jinja2.utils'
  private used = false
  constructor(private readonly separator: Value) {
    super()
  }
  override call(): Value {
    if (this.used) return this.separator
    this.used = true
    return ''
  }
}

/** `cycler('odd', 'even')`: hands out its items in turn. */
export class Cycler extends PyObject {
  readonly typeName = 'Cycler'
  override readonly module = 'jinja2.utils'
  private position = 0
  constructor(private readonly items: readonly Value[]) {
    super()
    if (items.length === 0) throw new PyError('RuntimeError', 'at least one item has to be provided')
  }
  override attribute(name: string): Value | undefined {
    if (name === 'current') return this.items[this.position]
    if (name === 'next') return new NativeFunction('next', () => this.next())
    return name === 'reset' ? new NativeFunction('reset', () => this.reset()) : undefined
  }
  private next(): Value {
    const current = this.items[this.position]!
    this.position = (this.position + 1) % this.items.length
    return current
  }
  private reset(): Value {
    this.position = 0
    return null
  }
}
