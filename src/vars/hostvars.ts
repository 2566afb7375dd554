/** `hostvars`: the variables of every host, each rendered with nothing but that host's own. */
import { LazyDict, Problem, type Raw, Template, Timestamp, type Value, Vaulted } from '../base/index.ts'
import { dateOf } from '../template/index.ts'
import type { LayeredScope } from './layered.ts'

/** Names that would lead around in circles. */
const NOT_SEEN: ReadonlySet<string> = new Set(['hostvars', 'vars'])

/** One host as seen by the others. What does not render comes back as it was written. */
export class HostVars extends LazyDict {
  override readonly typeName = 'HostVarsVars'
  readonly #scope: LayeredScope

  constructor(scope: LayeredScope) {
    super()
    this.#scope = scope
  }

  override get(key: string): Value | undefined {
    if (NOT_SEEN.has(key)) return undefined
    try {
      return this.#scope.get(key)
    } catch (error) {
      if (!(error instanceof Problem) || error.kind !== 'undefined') throw error
      const raw = this.#scope.raw(key)
      return raw === undefined ? undefined : asText(raw)
    }
  }

  override has(key: string): boolean {
    return !NOT_SEEN.has(key) && this.#scope.has(key)
  }

  override keys(): Iterable<string> {
    return [...this.#scope.names()].filter((name) => !NOT_SEEN.has(name))
  }

  override written(key: string): Raw | undefined {
    return this.#scope.written(key)
  }

  override fromHost(key: string): boolean {
    return this.#scope.fromHost(key)
  }
}

/** All hosts: name → HostVars. */
export class AllHostVars extends LazyDict {
  override readonly typeName = 'HostVars'
  readonly #known: () => readonly string[]
  readonly #of: (host: string) => HostVars | undefined

  constructor(known: () => readonly string[], of: (host: string) => HostVars | undefined) {
    super()
    this.#known = known
    this.#of = of
  }

  override get(key: string): Value | undefined {
    return this.#of(key)
  }

  override has(key: string): boolean {
    return this.#of(key) !== undefined
  }

  override keys(): Iterable<string> {
    return this.#known()
  }

  override missing(host: string): string {
    return `"hostvars['${host}']" is undefined`
  }
}

/** A value with its templates as they were written. */
export function asText(raw: Raw): Value {
  if (raw instanceof Template) return raw.text
  if (raw instanceof Vaulted) return raw.ciphertext
  if (raw instanceof Timestamp) return dateOf(raw)
  if (Array.isArray(raw)) return raw.map(asText)
  if (raw instanceof Map) return new Map([...raw].map(([k, v]) => [asText(k), asText(v)]))
  return raw
}
