/** Ways to jump hosts → one link for all who come the same way, made anew when it was lost. */
import type { ConnectionLost } from '../lost.ts'
import type { Settings } from './settings.ts'

export class Shared<L extends { readonly lost: ConnectionLost | undefined; close(): void }> {
  private readonly links = new Map<string, Promise<L>>()

  async get(way: readonly Settings[], connect: () => Promise<L>): Promise<L> {
    const key = JSON.stringify(way.map((settings) => ({ ...settings, name: '' })))
    const known = await this.links.get(key)?.catch(() => undefined)
    if (known !== undefined && known.lost === undefined) return known
    const other = this.links.get(key)
    const fresh = other === undefined || (await other.catch(() => undefined))?.lost !== undefined ? connect() : other
    this.links.set(key, fresh)
    fresh.catch(() => {
      if (this.links.get(key) === fresh) this.links.delete(key)
    })
    return fresh
  }

  async close(): Promise<void> {
    const links = await Promise.allSettled(this.links.values())
    this.links.clear()
    for (const link of links) if (link.status === 'fulfilled') link.value.close()
  }
}
