/** Macros and callers: code of a template that can be called, with Jinja2's rules for its arguments. */
import { Tuple, type Value } from '../../base/index.ts'
import { type Kwargs, PyObject, typeError, Undefined } from '../python/index.ts'

export interface MacroShape {
  /** undefined for the body of a call block */
  readonly name: string | undefined
  readonly parameters: readonly string[]
  readonly usesCaller: boolean
  readonly usesKwargs: boolean
  readonly usesVarargs: boolean
}

/** What a call of a macro was given, parameter by parameter; a missing one is undefined. */
export interface MacroArguments {
  readonly values: (Value | undefined)[]
  readonly caller: Value | undefined
  readonly kwargs: Map<Value, Value> | undefined
  readonly varargs: Tuple | undefined
}

export class Macro extends PyObject {
  readonly typeName = 'Macro'
  override readonly module = 'jinja2.runtime'
  constructor(
    readonly shape: MacroShape,
    private readonly invoke: (given: MacroArguments) => Value,
  ) {
    super()
  }

  override call(args: Value[], kwargs: Kwargs): Value {
    return this.invoke(bindMacro(this.shape, args, kwargs))
  }
  override attribute(name: string): Value | undefined {
    return ATTRIBUTES.get(name)?.(this.shape)
  }
  override truth(): boolean {
    return true
  }
  override repr(): string {
    return `<Macro ${this.shape.name === undefined ? 'anonymous' : `'${this.shape.name}'`}>`
  }
}

const ATTRIBUTES: ReadonlyMap<string, (shape: MacroShape) => Value> = new Map<string, (shape: MacroShape) => Value>([
  ['name', (shape) => shape.name ?? null],
  ['arguments', (shape) => new Tuple(shape.parameters)],
  ['catch_kwargs', (shape) => shape.usesKwargs],
  ['catch_varargs', (shape) => shape.usesVarargs],
  ['caller', (shape) => shape.usesCaller],
])

function bindMacro(shape: MacroShape, args: readonly Value[], given: Kwargs): MacroArguments {
  const { parameters } = shape
  const kwargs = new Map<Value, Value>(given)
  const values: (Value | undefined)[] = args.slice(0, parameters.length)
  for (const name of parameters.slice(values.length)) {
    values.push(kwargs.get(name))
    kwargs.delete(name)
  }
  let caller: Value | undefined
  if (shape.usesCaller && !parameters.includes('caller')) {
    caller = kwargs.get('caller') ?? new Undefined('No caller defined')
    kwargs.delete('caller')
  }
  if (!shape.usesKwargs && kwargs.size > 0) throw typeError(unexpectedKeyword(shape, kwargs))
  if (!shape.usesVarargs && args.length > parameters.length) {
    throw typeError(`macro ${called(shape)} takes not more than ${parameters.length} argument(s)`)
  }
  return {
    values,
    caller,
    kwargs: shape.usesKwargs ? kwargs : undefined,
    varargs: shape.usesVarargs ? new Tuple(args.slice(parameters.length)) : undefined,
  }
}

const called = (shape: MacroShape): string => (shape.name === undefined ? 'None' : `'${shape.name}'`)

function unexpectedKeyword(shape: MacroShape, kwargs: ReadonlyMap<Value, Value>): string {
  if (kwargs.has('caller')) {
    return `macro ${called(shape)} was invoked with two values for the special caller argument. This is most likely a bug.`
  }
  return `macro ${called(shape)} takes no keyword argument '${String([...kwargs.keys()][0])}'`
}
