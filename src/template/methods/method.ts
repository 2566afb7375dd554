/** What a method is, and how its arguments are counted and checked. */
import type { Value } from '../../base/index.ts'
import { asIndex, type Kwargs, typeError, typeName } from '../python/index.ts'

/** A method of values of one type: `self.name(*args, **kwargs)`. */
export type Method<Self> = (self: Self, args: Value[], kwargs: Kwargs) => Value
export type Methods<Self> = ReadonlyMap<string, Method<Self>>

/** A method that takes `least` to `most` positional arguments and no keywords. */
export function positional<Self>(name: string, least: number, most: number, body: (self: Self, args: Value[]) => Value): Method<Self> {
  return (self, args, kwargs) => {
    if (kwargs.size > 0) throw typeError(`${name}() takes no keyword arguments`)
    if (args.length < least || args.length > most) throw typeError(miscounted(name, least, most, args.length))
    return body(self, args)
  }
}

/** A method that acts on its object and gives None. */
export function action<Self>(name: string, least: number, most: number, body: (self: Self, args: Value[]) => void): Method<Self> {
  return positional(name, least, most, (self, args) => {
    body(self, args)
    return null
  })
}

function miscounted(name: string, least: number, most: number, given: number): string {
  if (most === 0) return `${name}() takes no arguments (${given} given)`
  if (least === most && most > 1) return `${name} expected ${most} arguments, got ${given}`
  if (least === 1 && most === 1) return `${name}() takes exactly one argument (${given} given)`
  const [bound, count] = given < least ? ['at least', least] : ['at most', most]
  return `${name} expected ${bound} ${count} argument${count === 1 ? '' : 's'}, got ${given}`
}

/** An argument that must be an int. */
export function integerArgument(value: Value | undefined, fallback: number): number {
  if (value === undefined || value === null) return fallback
  const index = asIndex(value)
  if (index === undefined) throw typeError(`'${typeName(value)}' object cannot be interpreted as an integer`)
  return index
}

/** An optional start and end, as find() and index() take them: within 0 and `length`. */
export function range(args: readonly (Value | undefined)[], length: number): { start: number; end: number } {
  const clamp = (value: number): number => (value < 0 ? Math.max(0, value + length) : value)
  return { start: clamp(integerArgument(args[0], 0)), end: Math.min(length, clamp(integerArgument(args[1], length))) }
}
