/**
 * The language of parameters: one declaration is the truth for checking, coercing, documentation and roles' argument_specs.
 * The words (str, int, bool, path, list, dict, choice, required …) live in words.ts, checking in check.ts.
 */
import type { Value } from '../base/index.ts'

export type ParamType = 'str' | 'int' | 'float' | 'bool' | 'path' | 'raw' | 'list' | 'dict' | 'bytes' | 'bits' | 'json' | 'jsonarg' | 'sid'

/** One parameter; T is what a module gets to see. */
export interface Param<T = unknown> {
  readonly type: ParamType
  /** never read: it carries T */
  readonly shape?: T
  readonly required?: boolean
  readonly default?: Value
  readonly choices?: readonly Value[]
  readonly aliases?: readonly string[]
  readonly elements?: ParamType
  /** the parameters of a dict or of a list's dicts */
  readonly options?: Params
  readonly noLog?: boolean
  readonly description?: string
  readonly mutuallyExclusive?: readonly (readonly string[])[]
  readonly requiredTogether?: readonly (readonly string[])[]
  readonly requiredOneOf?: readonly (readonly string[])[]
  readonly requiredIf?: readonly (readonly [string, Value, readonly string[], boolean?])[]
  readonly requiredBy?: Readonly<Record<string, readonly string[]>>
  readonly deprecated?: string
}

export type Params = Readonly<Record<string, Param>>

/** Rules across parameters, as AnsibleModule has them. */
export interface Rules {
  readonly mutuallyExclusive?: readonly (readonly string[])[]
  readonly requiredTogether?: readonly (readonly string[])[]
  readonly requiredOneOf?: readonly (readonly string[])[]
  /** [name, value, names, any-of?] */
  readonly requiredIf?: readonly (readonly [string, Value, readonly string[], boolean?])[]
  readonly requiredBy?: Readonly<Record<string, readonly string[]>>
}

/** The typed arguments of a declaration: absent ones without default are undefined; ints numbers, dicts Maps, lists arrays. */
export type Args<P extends Params> = { readonly [K in keyof P]: P[K] extends Param<infer T> ? T : never }
