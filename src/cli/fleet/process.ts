/** A command asked for over SSH → a real shell process in a host's folder, its streams and its end joined to the channel. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import type { ServerChannel } from 'ssh2'

export interface Room {
  /** the folder that is HOME and the working folder */
  readonly folder: string
  readonly user: string
  readonly environment: Readonly<Record<string, string>>
}

/** util-linux's `script` gives a process a terminal. */
const terminalTool = '/usr/bin/script'

/** Whether a process can be given a terminal here. */
export const hasTerminals = (): boolean => process.platform === 'linux' && existsSync(terminalTool)

/** Runs the command with sh; without one, an interactive shell's stand-in that reads commands. */
export function runProcess(channel: ServerChannel, command: string | undefined, room: Room, tty: boolean): ChildProcess {
  const words = command === undefined ? [] : ['-c', command]
  const env = {
    ...room.environment,
    HOME: room.folder,
    PWD: room.folder,
    USER: room.user,
    LOGNAME: room.user,
    SHELL: '/bin/sh',
    TMPDIR: `${room.folder}/tmp`,
  }
  const options = { cwd: room.folder, env, stdio: 'pipe', detached: true } as const
  const child = tty ? spawn(terminalTool, ['-qfec', command ?? 'sh', '/dev/null'], options) : spawn('/bin/sh', words, options)
  join(channel, child)
  return child
}

function join(channel: ServerChannel, child: ChildProcess): void {
  channel.pipe(child.stdin!)
  child.stdin!.on('error', () => {})
  const inTurn = taking(channel)
  child.stdout!.on('data', (chunk: Buffer) => inTurn.write(child.stdout!, channel, chunk))
  child.stderr!.on('data', (chunk: Buffer) => inTurn.write(child.stderr!, channel.stderr, chunk))
  channel.on('error', () => {})
  child.on('error', () => channel.close())
  child.on('exit', (code, signal) => {
    if (code === null) channel.exit((signal ?? 'SIGKILL').slice(3))
    else channel.exit(code)
  })
  // something in the background may hold the streams open: the channel stays until it lets go, as with sshd
  child.on('close', () => inTurn.last(() => channel.end()))
  channel.on('close', () => {
    child.stdin!.destroy()
    child.stdout!.destroy()
    child.stderr!.destroy()
  })
}

/**
 * Writes of both streams, one at a time: they share the channel's window, and a channel that waits for room remembers only one waiting write, even
 * after it is done.
 */
function taking(channel: ServerChannel) {
  let turn: Promise<void> = Promise.resolve()
  const write = (from: Readable, to: Writable, chunk: Buffer): void => {
    from.pause()
    turn = turn
      .then(() => new Promise<void>((done) => to.write(chunk, () => done())))
      .then(() => {
        Object.assign(channel, { _chunk: undefined, _chunkcb: undefined, _chunkErr: undefined, _chunkcbErr: undefined })
        from.resume()
      })
  }
  const last = (act: () => void): void => void turn.then(act)
  return { write, last }
}

/** Ends a process and all that it started. */
export function endProcess(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    process.kill(-child.pid!, signal)
  } catch {
    // it has ended already
  }
}
