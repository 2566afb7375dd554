/** Remembers rendered variables together with every name they were made from, so that a change drops just what depends on it. */
import type { Value } from '../base/index.ts'

export interface Remembered {
  readonly value: Value
  readonly fromHost: boolean
  /** why it cannot be rendered; there is no value then */
  readonly problem?: unknown
  /** texts in it that are never read as lists or dicts (Rendered.texts) */
  readonly texts?: ReadonlySet<string> | undefined
  /** every name that was read on the way, its own among them */
  readonly names: ReadonlySet<string>
}

export class Memo {
  readonly #entries = new Map<string, Remembered>()

  get(name: string): Remembered | undefined {
    return this.#entries.get(name)
  }

  set(name: string, entry: Remembered): void {
    this.#entries.set(name, entry)
  }

  /** Forgets everything made from one of these names. */
  forget(changed: readonly string[]): void {
    for (const [name, entry] of this.#entries) if (changed.some((c) => entry.names.has(c))) this.#entries.delete(name)
  }

  clear(): void {
    this.#entries.clear()
  }
}
