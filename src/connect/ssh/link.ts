/** A connected ssh2 Client → a Link, with every way it can end told as what it is. */
import type { Client, ClientChannel, ExecOptions, TerminalModes } from 'ssh2'
import type { Channel, Ending, Link, OpenOptions } from '../channel.ts'
import { ConnectionLost } from '../lost.ts'

/** A channel that closed without an exit status is given this long to turn out to be a lost connection. */
const VERDICT = 400

/** In ms: how soon, how seldom at most, and for how long a channel is asked for when the host has no session to spare. */
const FIRST_WAIT = 30
const LONGEST_WAIT = 500
const PATIENCE = 60_000
/** A host that refuses the very first channel will refuse the next as well. */
const PATIENCE_AT_FIRST = 500

/** A terminal that changes no byte: for shells whose frames must arrive as they were sent. */
const raw: TerminalModes = {
  ECHO: 0, ECHOE: 0, ECHOK: 0, ECHONL: 0, ECHOCTL: 0, ICANON: 0, ISIG: 0, IEXTEN: 0, ICRNL: 0, INLCR: 0, IGNCR: 0, IXON: 0, IXOFF: 0,
  ISTRIP: 0, PARMRK: 0, OPOST: 0, ONLCR: 0,
} // biome-ignore format: a table

/** As a person's, but what we type does not come back as output. */
const noEcho: TerminalModes = { ECHO: 0 }

export interface SshLink extends Link {
  readonly client: Client
  readonly name: string
  /** called once when the link is lost; gives back a way to stop listening */
  onLost(tell: () => void): () => void
}

export function sshLink(client: Client, name: string, user: string, seconds: number): SshLink {
  let lost: ConnectionLost | undefined
  let why: Error | undefined
  const listeners = new Set<() => void>()
  let proven = false
  const lose = (): void => {
    if (lost !== undefined) return
    lost = new ConnectionLost(`${name}: the connection was lost${why === undefined ? '' : `: ${wordsFor(why, seconds)}`}`, { cause: why })
    for (const tell of listeners) tell()
    listeners.clear()
    client.destroy()
  }
  client.on('error', (error: Error) => {
    why ??= error
    lose()
  })
  client.on('close', lose)

  const link: SshLink = {
    client,
    name,
    user,
    get lost() {
      return lost
    },
    onLost: (tell) => {
      if (lost === undefined) listeners.add(tell)
      else tell()
      return () => listeners.delete(tell)
    },
    open: async (command, options = {}) => {
      const channel = await patiently(link, command, options, () => proven)
      proven = true
      return channel
    },
    close: () => {
      why ??= new Error('it was closed from here')
      client.end()
      setTimeout(() => client.destroy(), 500).unref()
    },
  }
  return link
}

const wordsFor = (error: Error, seconds: number): string =>
  error.message === 'Keepalive timeout' ? `the host has not answered for ${seconds} s` : error.message

/** sshd frees sessions a moment late, and has only so many; a refused terminal is done without. */
async function patiently(link: SshLink, command: string, options: OpenOptions, proven: () => boolean): Promise<Channel> {
  const from = performance.now()
  let tty = options.tty
  for (let wait = FIRST_WAIT; ; wait = Math.min(wait * 2, LONGEST_WAIT)) {
    try {
      return await exec(link, command, tty)
    } catch (error) {
      if (link.lost !== undefined) throw link.lost
      const refused = (error as { reason?: unknown }).reason !== undefined
      if (!refused && tty === 'cooked') {
        tty = undefined
        continue
      }
      const patience = options.impatient ? 0 : proven() ? PATIENCE : PATIENCE_AT_FIRST
      if (!refused || performance.now() - from >= patience) throw refusal(link, error as Error)
      options.makeRoom?.()
      await new Promise((resolve) => setTimeout(resolve, wait))
    }
  }
}

const refusal = (link: SshLink, error: Error): ConnectionLost =>
  new ConnectionLost(`${link.name}: the host refuses to start a command: ${error.message}`, { cause: error })

/** The channel is listened to from its first moment: a short command's end may have come together with its beginning. */
function exec(link: SshLink, command: string, tty: OpenOptions['tty']): Promise<Channel> {
  const options: ExecOptions = tty === undefined ? {} : { pty: { modes: tty === 'raw' ? raw : noEcho } }
  return new Promise((resolve, reject) => {
    const forget = link.onLost(() => reject(link.lost))
    try {
      link.client.exec(command, options, (error, stream) => {
        forget()
        if (error) reject(error)
        else resolve(channelOf(stream, link, tty !== undefined))
      })
    } catch (error) {
      forget()
      reject(link.lost ?? new ConnectionLost(`${link.name}: the connection was lost`, { cause: error }))
    }
  })
}

/** The library sends no signal once our side has said its end, though SSH allows it; so this speaks to the protocol below. */
function sendSignal(stream: ClientChannel, name: string): void {
  const inside = stream as unknown as {
    readonly outgoing: { readonly id: number; readonly state: string }
    readonly _client: { readonly _protocol: { signal(channel: number, name: string): void } }
  }
  if (inside.outgoing.state === 'open' || inside.outgoing.state === 'eof') inside._client._protocol.signal(inside.outgoing.id, name)
}

function channelOf(stream: ClientChannel, link: SshLink, tty: boolean): Channel {
  let exit: Ending | undefined
  let forget = (): void => {}
  const lost = new Promise<Ending>((resolve) => {
    forget = link.onLost(() => resolve({ how: 'lost', error: link.lost! }))
  })
  const exited = new Promise<Ending>((resolve) => {
    stream.on('exit', (code: number | null, signal?: string) => {
      exit = code === null ? { how: 'signal', signal: signal ?? '' } : { how: 'exit', code }
      resolve(exit)
    })
  })
  const finished = new Promise<Ending>((resolve) => {
    stream.on('close', () => {
      if (exit !== undefined) resolve(exit)
      else setTimeout(() => resolve({ how: 'unknown' }), VERDICT)
      setTimeout(forget, VERDICT)
    })
  })
  stream.on('error', () => {})
  return {
    stdin: stream,
    stdout: stream,
    stderr: stream.stderr,
    tty,
    ended: Promise.race([exited, lost, finished]),
    closed: Promise.race([lost, finished]),
    signal: (name) => {
      if (link.lost === undefined) sendSignal(stream, name)
    },
    destroy: () => stream.destroy(),
  }
}
