/** A connected ssh2 Client → a Link, with every way it can end told as what it is. */
import type { Client, ClientChannel, ExecOptions, TerminalModes } from 'ssh2'
import type { Channel, Ending, Link, OpenOptions } from '../channel.ts'
import { ConnectionLost } from '../lost.ts'
import { COOKED, RAW } from '../terminal.ts'
import { patiently } from './patience.ts'

/** A channel that closed without an exit status is given this long to turn out to be a lost connection. */
const VERDICT = 400

const modesOff = (names: readonly (keyof TerminalModes)[]): TerminalModes => Object.fromEntries(names.map((name) => [name, 0]))
const modes: Readonly<Record<'raw' | 'cooked', TerminalModes>> = { raw: modesOff(RAW), cooked: modesOff(COOKED) }

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
      const start = (tty: OpenOptions['tty']): Promise<Channel> => exec(link, command, tty)
      const channel = await patiently({ name, lost: () => link.lost, start, proven: () => proven }, options)
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

/** The channel is listened to from its first moment: a short command's end may have come together with its beginning. */
function exec(link: SshLink, command: string, tty: OpenOptions['tty']): Promise<Channel> {
  const options: ExecOptions = tty === undefined ? {} : { pty: { modes: modes[tty] } }
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
  tame(stream)
  return {
    stdin: stream,
    stdout: stream,
    stderr: stream.stderr,
    tty,
    ended: Promise.race([exited, lost, finished]),
    closed: Promise.race([lost, finished]),
    signal: (name) => {
      if (link.lost === undefined) quietly(() => sendSignal(stream, name))
    },
    destroy: () => quietly(() => stream.destroy()),
  }
}

/** Where bytes are compressed, the library throws at whoever writes after the connection was lost; that it was lost is told by the channel's end. */
function tame(stream: ClientChannel): void {
  const inside = stream as unknown as Record<'eof' | 'close' | '_write', (...words: unknown[]) => void>
  for (const method of ['eof', 'close', '_write'] as const) {
    const original = inside[method]
    inside[method] = (...words) => quietly(() => original.apply(stream, words))
  }
}

function quietly(act: () => void): void {
  try {
    act()
  } catch {
    // as above
  }
}
