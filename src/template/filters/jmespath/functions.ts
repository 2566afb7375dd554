/** JMESPath's functions. */
import { Float, type Value } from '../../../base/index.ts'
import { dumpJson } from '../../dump/json.ts'
import { add, contains, lessThan, normalInt, PyError, parseFloatText, repr, sortValues, textLength, toNumber } from '../../python/index.ts'

/** An expression handed over unevaluated. */
export interface Reference {
  readonly reference: (item: Value) => Value
}

type Argument = Value | Reference
type Type = 'number' | 'string' | 'boolean' | 'array' | 'object' | 'null' | 'expref' | 'array-string' | 'array-number'

interface JmesFunction {
  /** the types each argument may have; an empty list: any */
  readonly takes: readonly (readonly Type[])[]
  /** further arguments of the last kind are welcome */
  readonly more?: boolean
  readonly run: (...args: never[]) => Value
}

const isReference = (value: Argument): value is Reference => typeof value === 'object' && value !== null && 'reference' in value

function typeOf(value: Argument): Type {
  if (isReference(value)) return 'expref'
  if (value === null) return 'null'
  if (typeof value === 'string') return 'string'
  if (typeof value === 'boolean') return 'boolean'
  if (typeof value === 'number' || typeof value === 'bigint' || value instanceof Float) return 'number'
  return Array.isArray(value) ? 'array' : 'object'
}

function isOf(value: Argument, type: Type): boolean {
  if (type === 'array-string' || type === 'array-number') {
    const inner = type === 'array-string' ? 'string' : 'number'
    return Array.isArray(value) && value.every((item) => typeOf(item) === inner)
  }
  return typeOf(value) === type
}

type Num = number | bigint | Float
const NUMBER: readonly Type[] = ['number']
const STRING: readonly Type[] = ['string']
const SORTABLE: readonly Type[] = ['array-string', 'array-number']

export const FUNCTIONS: Readonly<Record<string, JmesFunction>> = {
  abs: { takes: [NUMBER], run: (x: Num) => (x instanceof Float ? new Float(Math.abs(x.value)) : x < 0 ? normalInt(-BigInt(x)) : x) },
  avg: {
    takes: [['array-number']],
    run: (items: Value[]) =>
      items.length === 0 ? null : new Float(items.reduce<number>((sum, x) => sum + toNumber(x as Num), 0) / items.length),
  },
  ceil: { takes: [NUMBER], run: (x: Num) => (x instanceof Float ? Math.ceil(x.value) : x) },
  contains: {
    takes: [['array', 'string'], []],
    run: (subject: Value, item: Value) =>
      typeof subject === 'string' ? typeof item === 'string' && subject.includes(item) : contains(subject, item),
  },
  ends_with: { takes: [STRING, STRING], run: (text: string, end: string) => text.endsWith(end) },
  floor: { takes: [NUMBER], run: (x: Num) => (x instanceof Float ? Math.floor(x.value) : x) },
  join: { takes: [STRING, ['array-string']], run: (glue: string, items: string[]) => items.join(glue) },
  keys: { takes: [['object']], run: (dict: Map<Value, Value>) => [...dict.keys()] },
  length: {
    takes: [['string', 'array', 'object']],
    run: (x: Value) => (typeof x === 'string' ? textLength(x) : Array.isArray(x) ? x.length : (x as Map<Value, Value>).size),
  },
  map: { takes: [['expref'], ['array']], run: (ref: Reference, items: Value[]) => items.map(ref.reference) },
  max: {
    takes: [SORTABLE],
    run: (items: Value[]) =>
      best(
        items,
        (x) => x,
        (a, b) => lessThan(b, a),
      ),
  },
  max_by: {
    takes: [['array'], ['expref']],
    run: (items: Value[], ref: Reference) => best(items, keyed('max_by', ref), (a, b) => lessThan(b, a)),
  },
  merge: { takes: [['object']], more: true, run: (...dicts: Map<Value, Value>[]) => new Map(dicts.flatMap((dict) => [...dict])) },
  min: { takes: [SORTABLE], run: (items: Value[]) => best(items, (x) => x, lessThan) },
  min_by: { takes: [['array'], ['expref']], run: (items: Value[], ref: Reference) => best(items, keyed('min_by', ref), lessThan) },
  not_null: { takes: [[]], more: true, run: (...items: Value[]) => items.find((item) => item !== null) ?? null },
  reverse: {
    takes: [['array', 'string']],
    run: (x: Value) => (typeof x === 'string' ? [...x].reverse().join('') : (x as Value[]).slice().reverse()),
  },
  sort: { takes: [SORTABLE], run: (items: Value[]) => sortValues(items) },
  sort_by: { takes: [['array'], ['expref']], run: (items: Value[], ref: Reference) => sortValues(items, { key: keyed('sort_by', ref) }) },
  starts_with: { takes: [STRING, STRING], run: (text: string, start: string) => text.startsWith(start) },
  sum: { takes: [['array-number']], run: (items: Value[]) => items.reduce<Value>((sum, x) => add(sum, x), 0) },
  to_array: { takes: [[]], run: (x: Value) => (Array.isArray(x) ? x : [x]) },
  to_number: { takes: [[]], run: toNumberOrNull },
  to_string: { takes: [[]], run: (x: Value) => (typeof x === 'string' ? x : dumpJson(x, { separators: [',', ':'] })) },
  type: { takes: [[]], run: (x: Value) => typeOf(x) },
  values: { takes: [['object']], run: (dict: Map<Value, Value>) => [...dict.values()] },
}

export function callFunction(name: string, args: readonly Argument[]): Value {
  const found = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined
  if (!found) throw new PyError('ValueError', `Unknown function: ${name}()`)
  const wanted = found.takes.length
  if (found.more ? args.length < wanted : args.length !== wanted) {
    throw new PyError('ValueError', `Expected ${wanted} argument${wanted === 1 ? '' : 's'} for function ${name}(), received ${args.length}`)
  }
  args.forEach((arg, i) => {
    const types = found.takes[Math.min(i, wanted - 1)]!
    if (types.length === 0 || types.some((type) => isOf(arg, type))) return
    throw new PyError(
      'ValueError',
      `In function ${name}(), invalid type for value: ${isReference(arg) ? '&expression' : typeof arg === 'string' ? arg : repr(arg)}, expected one of: ${repr([...types])}, received: "${typeOf(arg)}"`,
    )
  })
  return (found.run as unknown as (...given: Argument[]) => Value)(...args)
}

function best(items: readonly Value[], key: (item: Value) => Value, isBetter: (a: Value, b: Value) => boolean): Value {
  if (items.length === 0) return null
  return items.reduce<Value>((found, item) => (isBetter(key(item), key(found)) ? item : found), items[0] as Value)
}

/** The keys of a `…_by` function must be numbers or texts. */
function keyed(name: string, ref: Reference): (item: Value) => Value {
  return (item) => {
    const key = ref.reference(item)
    const type = typeOf(key)
    if (type === 'string' || type === 'number') return key
    throw new PyError(
      'ValueError',
      `In function ${name}(), invalid type for value: ${repr(key)}, expected one of: ['string', 'number'], received: "${type}"`,
    )
  }
}

function toNumberOrNull(value: Value): Value {
  if (typeOf(value) === 'number') return value
  if (typeof value !== 'string') return null
  if (/^\s*[-+]?\d+\s*$/.test(value)) return normalInt(BigInt(value.trim().replace(/^\+/, '')))
  const number = parseFloatText(value)
  return number === undefined ? null : new Float(number)
}
