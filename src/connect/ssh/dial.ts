/** An endpoint → a Link to it, over its jump hosts, with as many tries as make sense; endpoints behind one jump host share the way to it. */
import type { Endpoint } from '../api.ts'
import { ConnectionLost } from '../lost.ts'
import { enter, TooBusy } from './enter.ts'
import type { SshLink } from './link.ts'
import { plan, type Settings, type Surroundings } from './settings.ts'
import { wayTo } from './socket.ts'

/** A busy sshd is asked again, whatever `retries` says: it has not yet looked at us. */
const BUSY_TRIES = 7
const BUSY_TRIES_BY_COMMAND = 1
/** In ms; each wait is twice the one before, give or take a half, so that many do not come back together. */
const BUSY_WAIT = 120
const UNREACHED_WAIT = 500
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
    const left = { busy: settings.proxyCommand === undefined ? BUSY_TRIES : BUSY_TRIES_BY_COMMAND, unreached: retries }
    for (let failed = 0; ; failed++) {
      try {
        return await enter(settings, await this.reach(settings, over), this.tell)
      } catch (error) {
        const first =
          error instanceof TooBusy && left.busy-- > 0
            ? BUSY_WAIT
            : error instanceof Unreached && left.unreached-- > 0
              ? UNREACHED_WAIT
              : undefined
        if (first === undefined || over?.lost !== undefined) throw error instanceof Unreached ? error.cause : error
        const wait = Math.min(first * 2 ** failed, LONGEST_WAIT)
        await new Promise((resolve) => setTimeout(resolve, wait * (0.5 + Math.random())))
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
