/** A dict of finished values, some of which are kept elsewhere: each is fetched whenever it is asked for, and the dict does not hold it. */

export class LateDict<K, V> extends Map<K, V> {
  readonly #late = new Map<K, () => V>()

  setLate(key: K, fetch: () => V): this {
    super.set(key, undefined as V)
    this.#late.set(key, fetch)
    return this
  }

  /** How a value that is kept elsewhere is fetched. */
  late(key: K): (() => V) | undefined {
    return this.#late.get(key)
  }

  /** The same dict once more; nothing is fetched. */
  copy(): LateDict<K, V> {
    const out = new LateDict<K, V>()
    for (const key of this.keys()) {
      const fetch = this.#late.get(key)
      if (fetch === undefined) out.set(key, super.get(key)!)
      else out.setLate(key, fetch)
    }
    return out
  }

  override get(key: K): V | undefined {
    const fetch = this.#late.get(key)
    return fetch === undefined ? super.get(key) : fetch()
  }

  override set(key: K, value: V): this {
    this.#late.delete(key)
    return super.set(key, value)
  }

  override delete(key: K): boolean {
    this.#late.delete(key)
    return super.delete(key)
  }

  override clear(): void {
    this.#late.clear()
    super.clear()
  }

  override forEach(tell: (value: V, key: K, dict: Map<K, V>) => void, self?: unknown): void {
    for (const [key, value] of this) tell.call(self, value, key, this)
  }

  override *entries(): MapIterator<[K, V]> {
    for (const key of this.keys()) yield [key, this.get(key)!]
  }

  override *values(): MapIterator<V> {
    for (const key of this.keys()) yield this.get(key)!
  }

  override [Symbol.iterator](): MapIterator<[K, V]> {
    return this.entries()
  }
}
