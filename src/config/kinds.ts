/** Turns a row of a table into a setting's definition: one function per type, `maybe…` where there is no default. */
import type { Definition } from './api.ts'

type Type = Definition<unknown>['type']
type Rest = readonly [ini: readonly string[], env: readonly string[], summary: string, choices?: readonly string[]]
type Made<T> = (...row: readonly [value: T, ...rest: Rest]) => Definition<T>
type MaybeMade<T> = (...row: Rest) => Definition<T | undefined>

const make =
  <T>(type: Type): Made<T> =>
  (value, ...rest) =>
    define<T>(type, value, rest)

const maybe =
  <T>(type: Type): MaybeMade<T> =>
  (...rest) =>
    define<T | undefined>(type, undefined, rest)

function define<T>(type: Type, value: T, [ini, env, summary, choices]: Rest): Definition<T> {
  const pairs = ini.map((name): readonly [string, string] => {
    const dot = name.indexOf('.')
    return [name.slice(0, dot), name.slice(dot + 1)]
  })
  return { type, default: value, ini: pairs, env, summary, ...(choices ? { choices } : {}) }
}

export const bool = make<boolean>('bool')
export const int = make<number>('int')
export const float = make<number>('float')
export const str = make<string>('str')
export const list = make<readonly string[]>('list')
export const path = make<string>('path')
export const pathlist = make<readonly string[]>('pathlist')
export const pathspec = make<readonly string[]>('pathspec')
export const maybeBool = maybe<boolean>('bool')
export const maybeInt = maybe<number>('int')
export const maybeStr = maybe<string>('str')
export const maybePath = maybe<string>('path')
