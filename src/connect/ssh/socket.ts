/** A machine's settings → a byte stream to its sshd: TCP, a channel of a jump host, or a command. */
import { type ChildProcess, spawn } from 'node:child_process'
import { connect, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { ConnectionLost } from '../lost.ts'
import type { SshLink } from './link.ts'
import type { Settings } from './settings.ts'

export interface Way {
  readonly stream: Duplex
  /** what a ProxyCommand has said on stderr */
  readonly said: () => string[]
  /** a ProxyCommand has ended and said all; at once for the others */
  readonly settled: Promise<void>
}

export async function wayTo(settings: Settings, over: SshLink | undefined): Promise<Way> {
  if (settings.proxyCommand !== undefined) return byCommand(settings.proxyCommand)
  return {
    stream: over === undefined ? await byTcp(settings) : await throughJump(settings, over),
    said: () => [],
    settled: Promise.resolve(),
  }
}

function byTcp(settings: Settings): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const { host, port, name, connectSeconds, family, bindAddress } = settings
    const socket = connect({ host, port, noDelay: true, family, localAddress: bindAddress })
    const fail = (error: ConnectionLost): void => {
      clearTimeout(timer)
      socket.destroy()
      reject(error)
    }
    const timer = setTimeout(
      () => fail(new ConnectionLost(`${name}: no answer from ${host}:${port} within ${connectSeconds} s`)),
      connectSeconds * 1000,
    )
    socket.once('error', (error: NodeJS.ErrnoException) => fail(unreachable(settings, error)))
    socket.once('connect', () => {
      clearTimeout(timer)
      socket.removeAllListeners('error')
      socket.on('error', () => {})
      resolve(socket)
    })
  })
}

/** Plain words for what the system says about a connect. */
const words: Readonly<Record<string, (at: string, host: string) => string>> = {
  ECONNREFUSED: (at) => `${at} refuses the connection; is sshd running there?`,
  EHOSTUNREACH: (at) => `there is no route to ${at}`,
  ENETUNREACH: (at) => `the network of ${at} cannot be reached`,
  ETIMEDOUT: (at) => `no answer from ${at}`,
  ENOTFOUND: (_, host) => `the name “${host}” is not known`,
  EAI_AGAIN: (_, host) => `the name “${host}” cannot be looked up at the moment`,
  ECONNRESET: (at) => `${at} closed the connection`,
}

function unreachable(settings: Settings, error: NodeJS.ErrnoException): ConnectionLost {
  const cause = (error as { errors?: NodeJS.ErrnoException[] }).errors?.[0] ?? error
  const say = words[cause.code ?? '']?.(`${settings.host}:${settings.port}`, settings.host)
  return new ConnectionLost(`${settings.name}: ${say ?? `${settings.host}:${settings.port} cannot be reached: ${cause.message}`}`, {
    cause: error,
  })
}

function throughJump(settings: Settings, over: SshLink): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const { host, port, name, connectSeconds } = settings
    const fail = (error: ConnectionLost): void => {
      clearTimeout(timer)
      forget()
      reject(error)
    }
    const timer = setTimeout(
      () => fail(new ConnectionLost(`${name}: the jump host gets no answer from ${host}:${port} within ${connectSeconds} s`)),
      connectSeconds * 1000,
    )
    const forget = over.onLost(() => fail(new ConnectionLost(over.lost!.message, { cause: over.lost })))
    try {
      over.client.forwardOut('127.0.0.1', 0, host, port, (error, stream) => {
        if (error)
          return fail(
            new ConnectionLost(`${name}: the jump host ${over.name} cannot reach ${host}:${port}: ${error.message}`, { cause: error }),
          )
        clearTimeout(timer)
        forget()
        resolve(stream)
      })
    } catch (error) {
      fail(new ConnectionLost(`${over.name}: the connection was lost`, { cause: error }))
    }
  })
}

/** How long a ProxyCommand that closed its output without a word may go on, in ms. */
const LAST_WORDS = 2000

/** As ssh does: a shell runs the command, which speaks to the host on its stdin and stdout. */
async function byCommand(command: string): Promise<Way> {
  const child: ChildProcess = spawn('/bin/sh', ['-c', `exec ${command}`], { stdio: 'pipe' })
  let said = ''
  child.stderr!.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-2000)
  })
  child.on('error', () => {})
  const settled = new Promise<void>((resolve) => child.on('close', () => resolve()))
  const stream = Duplex.from({ readable: child.stdout!, writable: child.stdin! })
  stream.on('error', () => {})
  const output = child.stdout as Socket
  stream.on('close', () => {
    if (output.bytesRead > 0) return void child.kill()
    // It never spoke to us as a host, so it may be about to say why: `>&2` alone closes our end before a word is out.
    const end = setTimeout(() => child.kill(), LAST_WORDS)
    child.once('close', () => clearTimeout(end))
  })
  const lines = (): string[] => said.split(/\r?\n/).filter((line) => line.trim() !== '')
  return { stream, said: () => lines().map((line) => `ProxyCommand said: ${line}`), settled }
}
