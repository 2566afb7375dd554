/** A byte stream to an sshd and the settings → a Link that is logged in, or a ConnectionLost that says how far it came. */
import ssh2, { type CompressionAlgorithm } from 'ssh2'
import { ConnectionLost } from '../lost.ts'
import { authentication } from './auth.ts'
import { takesCertificates } from './certificate-auth.ts'
import { hostKeyCheck } from './host-key.ts'
import { type SshLink, sshLink } from './link.ts'
import type { Settings } from './settings.ts'
import type { Way } from './socket.ts'

/** The host closed the connection before it had said who it is, as sshd does when too many come at once (MaxStartups). */
export class TooBusy extends ConnectionLost {}

/** The host offers no cipher, key exchange or kind of key that the library knows. */
export class NothingInCommon extends ConnectionLost {}

/** A greeting has to come in the time that a connection may take; logging in may wait for slow name look-ups and PAM: sshd itself gives two minutes. */
const PATIENCE = 30

const COMPRESSED: CompressionAlgorithm[] = ['zlib@openssh.com', 'zlib', 'none']

/** How long a ProxyCommand that has let go may take to say why, in ms. */
const LAST_WORDS = 3000

export function enter(settings: Settings, way: Way, tell: (message: string) => void): Promise<SshLink> {
  const check = hostKeyCheck(settings, tell)
  const auth = authentication(settings)
  const client = new ssh2.Client()
  const at = `${settings.host}:${settings.port}`
  let spoke = false
  let shaken = false

  return new Promise((resolve, reject) => {
    const fail = (error: ConnectionLost): void => {
      clearTimeout(timer)
      client
        .removeAllListeners('ready')
        .removeAllListeners('error')
        .removeAllListeners('close')
        .on('error', () => {})
      way.stream.destroy()
      reject(error)
    }
    const giveUp = (seconds: number): void => {
      const what = shaken
        ? `the login as ${settings.user} did not finish`
        : spoke
          ? 'the key exchange did not finish'
          : 'no greeting came from sshd'
      fail(new ConnectionLost(`${settings.name}: ${at} was reached, but ${what} within ${seconds} s`, { notes: way.said() }))
    }
    const patience = Math.max(PATIENCE, settings.connectSeconds)
    const greeted = (): void => {
      if (spoke) timer = setTimeout(() => giveUp(patience), (patience - settings.connectSeconds) * 1000)
      else giveUp(settings.connectSeconds)
    }
    // what has come is read first: we may have been busy ourselves
    const soon = (): void => {
      timer = setTimeout(greeted, 50)
    }
    let timer = setTimeout(soon, settings.connectSeconds * 1000)

    client.once('handshake', () => {
      shaken = true
    })
    const failSoon = (error: Error): void => {
      client
        .removeAllListeners('error')
        .removeAllListeners('close')
        .on('error', () => {})
      way.stream.destroy()
      Promise.race([way.settled, new Promise((done) => setTimeout(done, LAST_WORDS))]).then(() => fail(failure(error)))
    }
    client.on('error', failSoon)
    client.on('close', () => failSoon(new Error('the host closed the connection')))
    client.once('ready', () => {
      clearTimeout(timer)
      client.removeAllListeners('error').removeAllListeners('close')
      resolve(sshLink(client, settings.name, settings.user, settings.keepaliveSeconds * settings.keepaliveCount))
    })
    client.connect({
      sock: way.stream,
      username: settings.user,
      authHandler: auth.handler,
      hostVerifier: check.verify,
      algorithms: { serverHostKey: [...check.algorithms] as never, ...(settings.compression ? { compress: COMPRESSED } : {}) },
      readyTimeout: 0,
      keepaliveInterval: settings.keepaliveSeconds * 1000,
      keepaliveCountMax: settings.keepaliveCount,
      ...(settings.agent === undefined ? {} : { agent: settings.agent, agentForward: settings.forwardAgent }),
    })
    takesCertificates(client)
    way.stream.once('data', () => {
      spoke = true
    })

    const failure = (error: Error & { level?: string }): ConnectionLost => {
      const refusal = check.refusal()
      if (refusal !== undefined) return refusal
      if (error.level === 'client-authentication') {
        return new ConnectionLost(`${settings.name}: ${at} does not let us in as ${settings.user}`, {
          notes: [...auth.notes(), ...way.said()],
        })
      }
      const details = { notes: way.said(), cause: error }
      if (shaken)
        return new ConnectionLost(`${settings.name}: ${at} closed the connection during the login: ${error.message}`, {
          ...details,
          notes: [...auth.notes(), ...way.said()],
        })
      if (/^Handshake failed/.test(error.message))
        return new NothingInCommon(`${settings.name}: ${at} and we have no way of talking in common: ${error.message}`, details)
      return new TooBusy(`${settings.name}: ${at} closed the connection before saying who it is`, details)
    }
  })
}
