/** An endpoint → a Link to it, over its jump hosts, with as many tries as make sense; endpoints behind one jump host share the way to it. */
import type { Endpoint } from '../api.ts'
import { ConnectionLost } from '../lost.ts'
import { enter, TooBusy } from './enter.ts'
import type { SshLink } from './link.ts'
import { plan, type Settings, type Surroundings } from './settings.ts'
import { wayTo } from './socket.ts'

/** A busy sshd is asked again, whatever `retries` says: it has not yet looked at us. */
const BUSY_TRIES = 8
const BUSY_WAIT = 120
const LONGEST_WAIT = 30_000

export class Dialer {
  private readonly around: Surroundings
  private readonly tell: (message: string) => void
  private readonly jumps = new Map<string, Promise<SshLink>>()

  constructor(around: Surroundings, tell: (message: string) => void) {
    this.around = around
    this.tell = tell
  }

  async dial(endpoint: Endpoint): Promise<SshLink> {
    const chain = plan(endpoint, this.around)
    if (chain.length === 0) throw new ConnectionLost(`${endpoint.name}: there is no address to connect to`)
    let over: SshLink | undefined
    for (const [index, settings] of chain.entries()) {
      const before = over
      const connect = (): Promise<SshLink> => this.patiently(settings, before, endpoint.retries)
      over = index === chain.length - 1 ? await connect() : await this.shared(chain.slice(0, index + 1), connect)
    }
    return over!
  }

  async close(): Promise<void> {
    const jumps = await Promise.allSettled(this.jumps.values())
    this.jumps.clear()
    for (const jump of jumps) if (jump.status === 'fulfilled') jump.value.close()
  }

  /** One connection to a jump host for all who come the same way. */
  private async shared(way: readonly Settings[], connect: () => Promise<SshLink>): Promise<SshLink> {
    const key = JSON.stringify(way.map((settings) => ({ ...settings, name: '' })))
    const known = await this.jumps.get(key)?.catch(() => undefined)
    if (known !== undefined && known.lost === undefined) return known
    const other = this.jumps.get(key)
    const fresh = other === undefined || (await other.catch(() => undefined))?.lost !== undefined ? connect() : other
    this.jumps.set(key, fresh)
    fresh.catch(() => {
      if (this.jumps.get(key) === fresh) this.jumps.delete(key)
    })
    return fresh
  }

  private async patiently(settings: Settings, over: SshLink | undefined, retries: number): Promise<SshLink> {
    let busy = 0
    let failed = 0
    for (;;) {
      try {
        return await enter(settings, await this.reach(settings, over), this.tell)
      } catch (error) {
        const wait =
          error instanceof TooBusy && ++busy < BUSY_TRIES
            ? BUSY_WAIT * 2 ** (busy - 1)
            : error instanceof Unreached && ++failed <= retries
              ? 500 * 2 ** (failed - 1)
              : undefined
        if (wait === undefined || over?.lost !== undefined) throw error instanceof Unreached ? error.cause : error
        await new Promise((resolve) => setTimeout(resolve, Math.min(wait, LONGEST_WAIT) * (0.5 + Math.random())))
      }
    }
  }

  private async reach(settings: Settings, over: SshLink | undefined): ReturnType<typeof wayTo> {
    try {
      return await wayTo(settings, over)
    } catch (error) {
      throw new Unreached(error)
    }
  }
}

/** Not even the port has been reached: worth as many tries as the user asked for. */
class Unreached extends Error {
  constructor(cause: unknown) {
    super('not reached', { cause })
  }
}
