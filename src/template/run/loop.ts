/** The `loop` of a `for`: counts, looks back and ahead, cycles, and runs a recursive loop again. */
import { Tuple, type Value } from '../../base/index.ts'
import { equals, NativeFunction, PyError, PyObject, typeError, Undefined } from '../python/index.ts'

export type Recurse = (items: Value, depth: number) => Value

/** Levels of a loop that calls itself. */
const MOST_DEEP = 450

export class LoopContext extends PyObject {
  readonly typeName = 'LoopContext'
  override readonly module = 'jinja2.runtime'
  private index0 = -1
  private current: Value | undefined
  private previous: Value | undefined
  private ahead: Value[] = []
  private total: number | undefined
  private lastChanged: Value[] | undefined

  constructor(
    private readonly iterator: Iterator<Value>,
    /** how many items there are, where that is known without walking */
    knownLength: number | undefined,
    private readonly depth0: number,
    private readonly recurse: Recurse | undefined,
  ) {
    super()
    this.total = knownLength
  }

  /** Was there an item? */
  get hasBegun(): boolean {
    return this.index0 >= 0
  }

  /** Steps to the next item; undefined at the end. */
  step(): Value | undefined {
    const item = this.ahead.length > 0 ? this.ahead.shift() : this.pull()
    if (item === undefined) return undefined
    this.index0++
    this.previous = this.current
    this.current = item
    return item
  }

  private pull(): Value | undefined {
    const next = this.iterator.next()
    return next.done ? undefined : next.value
  }

  private peek(): Value | undefined {
    if (this.ahead.length === 0) {
      const next = this.pull()
      if (next !== undefined) this.ahead.push(next)
    }
    return this.ahead[0]
  }

  private count(): number {
    if (this.total === undefined) {
      for (let next = this.pull(); next !== undefined; next = this.pull()) this.ahead.push(next)
      this.total = this.index0 + 1 + this.ahead.length
    }
    return this.total
  }

  override attribute(name: string): Value | undefined {
    return ATTRIBUTES.get(name)?.(this)
  }
  override iterate(): Iterable<Value> {
    return []
  }
  override length(): number {
    return this.count()
  }
  override truth(): boolean {
    return true
  }
  override call(args: Value[]): Value {
    if (!this.recurse) throw new PyError('TypeError', "The loop must have the 'recursive' marker to be called recursively.")
    if (args.length !== 1) throw typeError(loopArguments(args.length))
    // Python's own stack ends about there; JavaScript's would end where the engine happens to be
    if (this.depth0 >= MOST_DEEP) throw new RangeError('Maximum call stack size exceeded')
    return this.recurse(args[0]!, this.depth0 + 1)
  }
  override repr(): string {
    return `<LoopContext ${this.index0 + 1}/${this.count()}>`
  }

  static readonly members: ReadonlyMap<string, (loop: LoopContext) => Value> = new Map<string, (loop: LoopContext) => Value>([
    ['index', (loop) => loop.index0 + 1],
    ['index0', (loop) => loop.index0],
    ['first', (loop) => loop.index0 === 0],
    ['last', (loop) => loop.peek() === undefined],
    ['length', (loop) => loop.count()],
    ['revindex', (loop) => loop.count() - loop.index0],
    ['revindex0', (loop) => loop.count() - loop.index0 - 1],
    ['depth', (loop) => loop.depth0 + 1],
    ['depth0', (loop) => loop.depth0],
    ['previtem', (loop) => orUndefined(loop.previous, 'there is no previous item')],
    ['nextitem', (loop) => orUndefined(loop.peek(), 'there is no next item')],
    ['cycle', (loop) => new NativeFunction('cycle', (args) => loop.cycle(args))],
    ['changed', (loop) => new NativeFunction('changed', (args) => loop.changed(args))],
  ])

  private cycle(args: readonly Value[]): Value {
    if (args.length === 0) throw typeError('no items for cycling given')
    return args[this.index0 % args.length]!
  }

  private changed(args: Value[]): boolean {
    const { lastChanged } = this
    if (lastChanged && equals(new Tuple(lastChanged), new Tuple(args))) return false
    this.lastChanged = args
    return true
  }
}

const loopArguments = (given: number): string =>
  given === 0
    ? "LoopContext.__call__() missing 1 required positional argument: 'iterable'"
    : `LoopContext.__call__() takes 2 positional arguments but ${given + 1} were given`

const orUndefined = (item: Value | undefined, message: string): Value => (item === undefined ? new Undefined(message) : item)

const ATTRIBUTES = LoopContext.members
