/** Finds parameters that a declaration does not know, at load time and at run time. */
import { didYouMean, Problem, type Span } from '../base/index.ts'
import type { Params } from './api.ts'

/** The declared name of each name that may be written: itself, its aliases, and `a-b` for a_b where declared so. */
export function canonicalNames(params: Params): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const [name, param] of Object.entries(params)) {
    names.set(name, name)
    for (const alias of param.aliases ?? []) names.set(alias, name)
  }
  return names
}

/** One problem for each unknown name, with a near name where there is one; `placeOf` tells where a name was written. */
export function checkNames(
  params: Params,
  given: Iterable<string>,
  module: string,
  placeOf: (name: string) => Span | undefined = () => undefined,
): Problem[] {
  const known = canonicalNames(params)
  return [...given]
    .filter((name) => !known.has(name))
    .map(
      (name) =>
        new Problem(unsupported(params, [name], module), { kind: 'parameter', span: placeOf(name), hint: didYouMean(name, known.keys()) }),
    )
}

/** The sentence about parameters that a module does not have, or a specification of no module. */
export function unsupported(params: Params, names: readonly string[], module: string): string {
  const whose = module === '' ? '' : `Unsupported parameters for (${module}) module: `
  return `${whose}${[...names].sort().join(', ')}. ${supported(params)}`
}

/** The list of what there is instead. */
export function supported(params: Params): string {
  const aliases = Object.values(params).flatMap((p) => p.aliases ?? [])
  const tail = aliases.length > 0 ? ` (${[...aliases].sort().join(', ')})` : ''
  return `Supported parameters include: ${Object.keys(params).sort().join(', ')}${tail}.`
}
