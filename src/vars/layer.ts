/** A layer of variables: names with values as they were written or told, at one strength. */
import type { Raw, RawVars } from '../base/index.ts'

export interface Layer {
  get(name: string): Raw | undefined
  names(): Iterable<string>
  /** its values were told by a host, so they are data and so is all that is made from them */
  readonly fromHost: boolean | ((name: string) => boolean)
  /** with hash_behaviour=merge, too, its values stand in the place of weaker ones */
  readonly whole?: boolean | undefined
  /** its names are not among those that `vars` lists */
  readonly unlisted?: boolean | undefined
  /** a value as a person wrote it in a file, where that is not what get() gives; undefined where no file has it */
  written?(name: string): Raw | undefined
  /** what Rendered.texts said when the value was made */
  texts?(name: string): ReadonlySet<string> | undefined
}

/** A map as a layer. */
export function mapLayer(vars: RawVars, fromHost: Layer['fromHost'] = false): Layer {
  return { get: (name) => vars.get(name), names: () => vars.keys(), fromHost }
}

/** Values made when they are asked for, once each. */
export function lazyLayer(makers: ReadonlyMap<string, () => Raw | undefined>): Layer {
  const made = new Map<string, Raw | undefined>()
  return {
    get(name) {
      if (made.has(name)) return made.get(name)
      const value = makers.get(name)?.()
      made.set(name, value)
      return value
    },
    names: () => makers.keys(),
    fromHost: false,
  }
}
