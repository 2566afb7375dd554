/** A folder → an SSH server on a loopback port whose commands run in that folder. */
import type { ChildProcess } from 'node:child_process'
import { connect, type Socket } from 'node:net'
import ssh2, { type AuthContext, type Connection, type ParsedKey, type Session } from 'ssh2'
import { endProcess, hasTerminals, type Room, runProcess } from './process.ts'

export interface HostOptions extends Room {
  readonly hostKey: string
  /** who may enter with a key: a line of authorized_keys */
  readonly authorized: readonly string[]
  /** what password and keyboard-interactive ask for; without one neither is offered */
  readonly password: string | undefined
}

export interface RunningHost {
  readonly port: number
  /** drops every connection, as a host does that goes down */
  drop(): void
  stop(): Promise<void>
}

export function startHost(options: HostOptions): Promise<RunningHost> {
  const sockets = new Set<Socket>()
  const children = new Set<ChildProcess>()
  const server = new ssh2.Server({ hostKeys: [options.hostKey] }, (client) => serve(client, options, children))
  // ssh2 keeps its net.Server to itself; the sockets are needed to set them up and to drop them
  const inner = (server as unknown as { _srv: import('node:net').Server })._srv
  inner.on('connection', (socket) => {
    socket.setNoDelay(true)
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  const drop = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  return new Promise((resolve, reject) => {
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const stop = (): Promise<void> => {
        drop()
        for (const child of children) endProcess(child, 'SIGTERM')
        return new Promise((done) => server.close(() => done()))
      }
      resolve({ port: (inner.address() as { port: number }).port, drop, stop })
    })
  })
}

function serve(client: Connection, options: HostOptions, children: Set<ChildProcess>): void {
  const keys = options.authorized.map((line) => ssh2.utils.parseKey(line)).filter((key): key is ParsedKey => !(key instanceof Error))
  client.on('error', () => {})
  client.on('authentication', (context) => (admits(context, options, keys) ? context.accept() : undefined))
  client.on('ready', () => {
    client.on('session', (accept) => serveSession(accept(), options, children))
    client.on('tcpip', (accept, reject, info) => {
      const socket = connect({ host: info.destIP, port: info.destPort, noDelay: true })
      socket.once('error', () => reject())
      socket.once('connect', () => {
        const channel = accept()
        channel.pipe(socket).pipe(channel)
        socket.on('error', () => channel.close())
        channel.on('error', () => socket.destroy())
        channel.on('close', () => socket.destroy())
      })
    })
  })
}

/** Tells a login that is in order; the others are answered here. */
function admits(context: AuthContext, options: HostOptions, keys: readonly ParsedKey[]): boolean {
  const offered = options.password === undefined ? (['publickey'] as const) : (['publickey', 'password', 'keyboard-interactive'] as const)
  const refuse = (): boolean => {
    context.reject([...offered])
    return false
  }
  if (context.username !== options.user) return refuse()
  if (context.method === 'publickey') {
    const key = keys.find(
      (known) => known.type === context.key.algo.replace(/^rsa-sha2-.*/, 'ssh-rsa') && known.getPublicSSH().equals(context.key.data),
    )
    if (key === undefined) return refuse()
    if (context.signature && context.blob && !key.verify(context.blob, context.signature, context.hashAlgo)) return refuse()
    return true
  }
  if (options.password === undefined) return refuse()
  if (context.method === 'password') return context.password === options.password || refuse()
  if (context.method !== 'keyboard-interactive') return refuse()
  context.prompt({ prompt: 'Password: ', echo: false }, (answers) => {
    if (answers?.[0] === options.password) context.accept()
    else refuse()
  })
  return false
}

function serveSession(session: Session, room: HostOptions, children: Set<ChildProcess>): void {
  let tty = false
  let child: ChildProcess | undefined
  const start = (channel: Parameters<typeof runProcess>[0], command?: string): void => {
    child = runProcess(channel, command, room, tty)
    const running = child
    children.add(running)
    running.on('exit', () => children.delete(running))
  }
  session.on('pty', (accept, reject) => {
    tty = hasTerminals()
    if (tty) accept?.()
    else reject?.()
  })
  session.on('signal', (accept, _reject, info) => {
    accept?.()
    if (child) endProcess(child, `SIG${info.name}` as NodeJS.Signals)
  })
  session.on('shell', (accept) => start(accept()))
  session.on('exec', (accept, _reject, info) => start(accept(), info.command))
}
