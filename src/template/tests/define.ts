/** Makes tests out of plain claims: names their parameters and binds the arguments of a call to them. */
import type { Value } from '../../base/index.ts'
import { bind, type Parameter, signature } from '../arguments.ts'
import type { CallContext, TestFunction } from '../registry.ts'

export type Bound = readonly [Value, Value, Value, Value, Value, Value]

export type TestTable = Readonly<Record<string, TestFunction>>

export function test(
  name: string,
  parameters: readonly Parameter[],
  holds: (value: Value, args: Bound, context: CallContext) => Value,
  more: { leading?: number } = {},
): TestFunction {
  const bound = signature(name, parameters, more)
  return (context, value, args, kwargs) => holds(value, bind(bound, args, kwargs) as unknown as Bound, context)
}

export const claim = (name: string, holds: (value: Value, context: CallContext) => Value): TestFunction =>
  test(name, [], (value, _, context) => holds(value, context))

export function named(prefix: string, table: TestTable): TestTable {
  return Object.fromEntries(Object.entries(table).flatMap(([name, run]) => [[name, run] as const, [`${prefix}.${name}`, run] as const]))
}
