/** This machine as a Link: the same channels as over SSH, made of child processes. */
import { spawn } from 'node:child_process'
import { userInfo } from 'node:os'
import type { Channel, Ending, Link } from './channel.ts'
import { ConnectionLost } from './lost.ts'
import { openable } from './shell/openable.ts'

export function localLink(): Link {
  const open = new Set<Channel>()
  return {
    user: userInfo().username,
    lost: undefined,
    open: async (command) => {
      const channel = await start(command)
      open.add(channel)
      channel.closed.then(() => open.delete(channel))
      return channel
    },
    close: () => {
      for (const channel of open) channel.destroy()
    },
  }
}

/** Node gives its children sockets. */
const STREAMS = `${openable(2)}exec /bin/sh -c "$1"`

/** A process group of its own, so that it can be ended as one and a Ctrl-C on our terminal does not reach it first. */
function start(command: string): Promise<Channel> {
  const child = spawn('/bin/sh', ['-c', STREAMS, 'sh', command], { stdio: 'pipe', detached: true })
  const ended = new Promise<Ending>((resolve) => {
    child.once('exit', (code, signal) => resolve(code === null ? { how: 'signal', signal: signal ?? '' } : { how: 'exit', code }))
    child.once('error', (error) => resolve({ how: 'lost', error: new ConnectionLost(`a shell cannot be started here: ${error.message}`) }))
  })
  const closed = new Promise<Ending>((resolve) => {
    child.once('close', () => ended.then(resolve))
    child.once('error', () => ended.then(resolve))
  })
  const channel: Channel = {
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    tty: false,
    ended,
    closed,
    signal: (name) => {
      try {
        process.kill(-child.pid!, `SIG${name}`)
      } catch {
        // it has ended already
      }
    },
    destroy: () => {
      child.stdin.end()
      child.stdout.destroy()
      child.stderr.destroy()
    },
  }
  return new Promise((resolve, reject) => {
    child.once('spawn', () => resolve(channel))
    child.once('error', (error) => reject(new ConnectionLost(`a shell cannot be started here: ${error.message}`)))
  })
}
