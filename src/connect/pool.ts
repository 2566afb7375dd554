/** Endpoints → Sessions, one for each distinct endpoint, connected. */
import { homedir, hostname, userInfo } from 'node:os'
import type { Endpoint, Pool, Session } from './api.ts'
import { localLink } from './local.ts'
import { HostSession } from './session.ts'
import { Spill } from './spill.ts'
import type { Dialer } from './ssh/dial.ts'

export interface PoolOptions {
  /** told what happens besides: a host key that was added */
  readonly tell?: ((message: string) => void) | undefined
  /** told of a host that is reached in another way than usual, and why */
  readonly tellWay?: ((message: string) => void) | undefined
  /** told how hosts are reached */
  readonly tellDetail?: ((message: string) => void) | undefined
  /** where large output waits; one of its own if not given */
  readonly spill?: Spill | undefined
  /** where ~ is; the user's home folder if not given */
  readonly home?: string | undefined
}

export function createPool(options: PoolOptions = {}): Pool {
  const sessions = new Map<string, HostSession>()
  const { username, uid } = userInfo()
  const around = { home: options.home ?? homedir(), localUser: username, localHost: hostname(), uid, env: process.env }
  const spill = options.spill ?? new Spill()
  const tell = { besides: options.tell ?? (() => {}), way: options.tellWay ?? (() => {}) }
  let dialing: Promise<Dialer> | undefined
  const dialer = () => (dialing ??= import('./ssh/dial.ts').then(({ Dialer }) => new Dialer(around, tell)))
  const connect = async (endpoint: Endpoint) => (endpoint.kind === 'local' ? localLink() : (await dialer()).dial(endpoint))

  return {
    session: async (endpoint): Promise<Session> => {
      const key = JSON.stringify(endpoint)
      const session = sessions.get(key) ?? new HostSession(endpoint, connect, options.tellDetail, spill)
      sessions.set(key, session)
      await session.ready()
      return session
    },
    closeAll: async () => {
      await Promise.all([...sessions.values()].map((session) => session.close()))
      sessions.clear()
      await (await dialing)?.close()
    },
  }
}
