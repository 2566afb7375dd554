/** An endpoint → a Link to it, over its jump hosts, with as many tries as make sense; endpoints behind one jump host share the way to it. */
import type { Endpoint } from '../api.ts'
import type { Link } from '../channel.ts'
import { ConnectionLost } from '../lost.ts'
import type { ProgramLink } from '../openssh/link.ts'
import { enter, NothingInCommon, TooBusy } from './enter.ts'
import { AUTHORITY, UnknownKey, wantsCertificate } from './host-key.ts'
import type { SshLink } from './link.ts'
import { plan, type Settings, type Surroundings } from './settings.ts'
import { Shared } from './shared.ts'
import { wayTo } from './socket.ts'

/** A busy sshd is asked again, whatever `retries` says: it has not yet looked at us. */
const BUSY_TRIES = 7
const BUSY_TRIES_BY_COMMAND = 1
/** In ms. */
const BUSY_WAIT = 120
const UNREACHED_WAIT = 500
const ATTEMPT_WAIT = 1000
const LONGEST_WAIT = 30_000

export interface Tell {
  /** what happens besides: a host key that was added */
  readonly besides: (message: string) => void
  /** that a host is reached in another way than usual, and why */
  readonly way: (message: string) => void
}

export class Dialer {
  private readonly around: Surroundings
  private readonly tell: Tell
  private readonly programs = new Set<ProgramLink>()
  private readonly jumps = new Shared<SshLink>()
  private readonly programJumps = new Shared<ProgramLink>()

  constructor(around: Surroundings, tell: Tell) {
    this.around = around
    this.tell = tell
  }

  async dial(endpoint: Endpoint): Promise<Link> {
    const chain = plan(endpoint, this.around)
    if (chain.length === 0) throw new ConnectionLost(`${endpoint.name}: there is no address to connect to`)
    const why = endpoint.client === 'library' ? undefined : whyProgram(chain)
    if (why !== undefined) return this.byProgram(endpoint, chain, why)
    try {
      return await this.byLibrary(endpoint, chain)
    } catch (error) {
      const reason =
        error instanceof UnknownKey
          ? AUTHORITY
          : error instanceof NothingInCommon
            ? 'our own client has no cipher in common with it'
            : undefined
      if (reason === undefined || endpoint.client === 'library') throw error
      return this.byProgram(endpoint, chain, reason)
    }
  }

  /** The system's ssh speaks for us. */
  private async byProgram(endpoint: Endpoint, chain: readonly Settings[], why: string): Promise<Link> {
    const { program, host } = chain.at(-1)!
    if (endpoint.client === undefined) this.tell.way(`<${host}> REACHED BY THE PROGRAM ${program}: ${why}`)
    const { programLink, ProgramTooBusy } = await import('../openssh/link.ts')
    return along(chain, this.programJumps, async (settings, over) => {
      // it does not say how far it came: where a password may have been refused, it is not tried again
      const connect = (): Promise<ProgramLink> =>
        programLink(settings, over).catch((cause: unknown) => {
          const error = endpoint.client === undefined ? withReason(cause, why) : cause
          throw settings.password !== undefined || cause instanceof ProgramTooBusy ? error : new Unreached(error)
        })
      const link = await this.repeatedly(connect, endpoint.retries, { ...settings, attempts: 1 }, over, ProgramTooBusy)
      this.programs.add(link)
      link.gone.then(() => this.programs.delete(link))
      return link
    })
  }

  private byLibrary(endpoint: Endpoint, chain: readonly Settings[]): Promise<SshLink> {
    return along(chain, this.jumps, (settings, over) => this.patiently(settings, over, endpoint.retries))
  }

  async close(): Promise<void> {
    await Promise.all([this.jumps.close(), this.programJumps.close()])
    await Promise.all([...this.programs].map((link) => link.gone))
  }

  private patiently(settings: Settings, over: SshLink | undefined, retries: number): Promise<SshLink> {
    const connect = async (): Promise<SshLink> => enter(settings, await this.reach(settings, over), this.tell.besides)
    return this.repeatedly(connect, retries, settings, over, TooBusy)
  }

  private async repeatedly<T>(
    connect: () => Promise<T>,
    retries: number,
    settings: Settings,
    over: Link | undefined,
    Busy: typeof ConnectionLost,
  ): Promise<T> {
    const left = {
      busy: settings.proxyCommand === undefined ? BUSY_TRIES : BUSY_TRIES_BY_COMMAND,
      attempts: settings.attempts - 1,
      unreached: retries,
    }
    for (let failed = 0; ; failed++) {
      try {
        return await connect()
      } catch (error) {
        const wait =
          error instanceof Busy && left.busy-- > 0
            ? longer(BUSY_WAIT, failed)
            : error instanceof Unreached && left.attempts-- > 0
              ? ATTEMPT_WAIT
              : error instanceof Unreached && left.unreached-- > 0
                ? longer(UNREACHED_WAIT, failed)
                : undefined
        if (wait === undefined || over?.lost !== undefined) throw error instanceof Unreached ? error.cause : error
        await new Promise((resolve) => setTimeout(resolve, wait))
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

/** Who has not asked for the program is told why it was taken. */
function withReason(error: unknown, why: string): unknown {
  if (!(error instanceof ConnectionLost)) return error
  const { hint, cause } = error
  const Kind = error.constructor as typeof ConnectionLost
  return new Kind(error.message, { notes: [...error.notes, `the system’s ssh was taken: ${why}`], hint, cause })
}

/** From machine to machine; all but the last are shared. */
async function along<L extends Link>(
  chain: readonly Settings[],
  shared: Shared<L>,
  connect: (settings: Settings, over: L | undefined) => Promise<L>,
): Promise<L> {
  let over: L | undefined
  for (const [index, settings] of chain.entries()) {
    const before = over
    const start = (): Promise<L> => connect(settings, before)
    over = index === chain.length - 1 ? await start() : await shared.get(chain.slice(0, index + 1), start)
  }
  return over!
}

const whyProgram = (chain: readonly Settings[]): string | undefined =>
  chain.map((settings) => settings.needsProgram ?? wantsCertificate(settings)).find((reason) => reason !== undefined)

/** Each wait is twice the one before, give or take a half, so that many do not come back together. */
const longer = (first: number, failed: number): number => Math.min(first * 2 ** failed, LONGEST_WAIT) * (0.5 + Math.random())

/** Not even the port has been reached: worth as many tries as the user asked for. */
class Unreached extends Error {
  constructor(cause: unknown) {
    super('not reached', { cause })
  }
}
