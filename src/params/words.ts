/** The words in which parameters are declared. */
import type { Dict, Value } from '../base/index.ts'
import type { Param, Params, ParamType } from './api.ts'

type Extra = Omit<Param, 'type' | 'shape' | 'default' | 'choices' | 'required' | 'elements' | 'options'>

const word =
  <T>(type: ParamType) =>
  (extra: Extra = {}): Param<T | undefined> => ({ type, ...extra })

export const str = word<string>('str')
export const int = word<number>('int')
export const float = word<number>('float')
export const bool = word<boolean>('bool')
/** text with `~` and `$VAR` expanded on the target */
export const path = word<string>('path')
export const raw = word<Value>('raw')
export const dict = word<Dict>('dict')
/** a size such as 10M, in bytes */
export const bytes = word<number>('bytes')
export const json = word<string>('json')

/** A list; a single value becomes a list of one, text is split at commas. */
export function list<T = string>(elements: ParamType = 'str', extra: Extra = {}): Param<T[] | undefined> {
  return { type: 'list', elements, ...extra }
}

/** A list of dicts with parameters of their own. */
export function listOf(options: Params, extra: Extra = {}): Param<Dict[] | undefined> {
  return { type: 'list', elements: 'dict', options, ...extra }
}

export function dictOf(options: Params, extra: Extra = {}): Param<Dict | undefined> {
  return { type: 'dict', options, ...extra }
}

/** One of a few words; with a fallback it is never undefined. */
export function choice<const C extends readonly string[]>(choices: C, extra?: Extra): Param<C[number] | undefined>
export function choice<const C extends readonly string[]>(choices: C, fallback: C[number], extra?: Extra): Param<C[number]>
export function choice(choices: readonly string[], fallback?: string | Extra, extra: Extra = {}): Param<string | undefined> {
  return typeof fallback === 'string' ? { type: 'str', choices, default: fallback, ...extra } : { type: 'str', choices, ...fallback }
}

export function required<T>(param: Param<T | undefined>): Param<T> {
  return { ...param, required: true } as Param<T>
}

/** Gives a parameter a default, so that it is never undefined. */
export function fallback<T>(param: Param<T | undefined>, value: Value): Param<T> {
  return { ...param, default: value } as Param<T>
}
