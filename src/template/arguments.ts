/** Binds a call's arguments to named parameters as Python does, with Python's complaints. */
import type { Value } from '../base/index.ts'
import { typeError } from './python/errors.ts'
import type { Kwargs } from './python/object.ts'

/** A parameter: a name alone is required; a pair has a default. */
export type Parameter = string | readonly [name: string, fallback: Value]

export interface Signature {
  /** as Python's messages call the function, such as `do_indent` */
  readonly name: string
  readonly parameters: readonly Parameter[]
  /** how many arguments stand before these in Python's count (the filtered value, an environment) */
  readonly leading: number
  /** takes any further positional arguments: they follow the bound ones */
  readonly rest: boolean
}

/** `signature('do_indent', [['width', 4], ['first', false]])` */
export function signature(name: string, parameters: readonly Parameter[], more: { leading?: number; rest?: boolean } = {}): Signature {
  return { name, parameters, leading: more.leading ?? 1, rest: more.rest ?? false }
}

/** The arguments in the parameters' order, defaults filled in. */
export function bind(to: Signature, args: readonly Value[], kwargs: Kwargs): Value[] {
  const { parameters } = to
  if (args.length > parameters.length && !to.rest) throw typeError(tooMany(to, args.length))
  const bound: (Value | undefined)[] = args.slice()
  for (const [name, value] of kwargs) {
    const index = parameters.findIndex((p) => nameOf(p) === name)
    if (index === -1) throw typeError(`${to.name}() got an unexpected keyword argument '${name}'`)
    if (bound[index] !== undefined) throw typeError(`${to.name}() got multiple values for argument '${name}'`)
    bound[index] = value
  }
  const missing: string[] = []
  for (let i = 0; i < parameters.length; i++) {
    if (bound[i] !== undefined) continue
    const parameter = parameters[i]!
    if (typeof parameter === 'string') missing.push(parameter)
    else bound[i] = parameter[1]
  }
  if (missing.length > 0) throw typeError(missingArguments(to.name, missing))
  return bound as Value[]
}

const nameOf = (parameter: Parameter): string => (typeof parameter === 'string' ? parameter : parameter[0])

function tooMany(to: Signature, given: number): string {
  const most = to.parameters.length + to.leading
  const least = to.parameters.filter((p) => typeof p === 'string').length + to.leading
  const takes = least === most ? String(most) : `from ${least} to ${most}`
  const total = given + to.leading
  return `${to.name}() takes ${takes} positional argument${most === 1 && least === 1 ? '' : 's'} but ${total} ${total === 1 ? 'was' : 'were'} given`
}

function missingArguments(name: string, missing: readonly string[]): string {
  const quoted = missing.map((m) => `'${m}'`)
  const last = quoted.at(-1)!
  const list =
    quoted.length === 1 ? last : quoted.length === 2 ? `${quoted[0]} and ${last}` : `${quoted.slice(0, -1).join(', ')}, and ${last}`
  return `${name}() missing ${missing.length} required positional argument${missing.length === 1 ? '' : 's'}: ${list}`
}
