/** A host's sshd → a port of this machine that leads there, slower, for a while not at all, or never. */
import { connect, createServer, type Server, type Socket } from 'node:net'

export interface Manner {
  /** in ms, each way */
  readonly delay?: number
  readonly bytesPerSecond?: number
  /** takes connections and lets nothing through */
  readonly mute?: boolean
}

export class Relay {
  private readonly server: Server
  private readonly sockets = new Set<Socket>()
  private stalled = false
  private waiting: (() => void)[] = []

  static async to(host: string, manner: Manner = {}): Promise<Relay> {
    const relay = new Relay(host, manner)
    await new Promise<void>((resolve) => relay.server.listen(0, '127.0.0.1', resolve))
    return relay
  }

  private constructor(host: string, manner: Manner) {
    this.server = createServer((near) => {
      this.keep(near)
      if (manner.mute) return
      const far = this.keep(connect(22, host))
      this.carry(near, far, manner)
      this.carry(far, near, manner)
    })
  }

  get port(): number {
    return (this.server.address() as { port: number }).port
  }

  /** From now on nothing gets through, and nobody is told. */
  stall(): void {
    this.stalled = true
  }

  heal(): void {
    this.stalled = false
    for (const go of this.waiting.splice(0)) go()
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy()
    this.server.close()
  }

  private keep(socket: Socket): Socket {
    this.sockets.add(socket)
    socket.on('error', () => {})
    return socket
  }

  private async carry(from: Socket, to: Socket, { delay = 0, bytesPerSecond }: Manner): Promise<void> {
    let last = Promise.resolve()
    from.on('data', (chunk: Buffer) => {
      const due = Date.now() + delay
      from.pause()
      last = last.then(async () => {
        if (bytesPerSecond !== undefined) await pause((chunk.length / bytesPerSecond) * 1000)
        from.resume()
        await pause(due - Date.now())
        await this.open()
        to.write(chunk)
      })
    })
    // an end gets through as little as anything else
    from.on('close', () => last.then(() => this.open()).then(() => to.destroy()))
  }

  private open(): Promise<void> {
    return this.stalled ? new Promise((resolve) => this.waiting.push(resolve)) : Promise.resolve()
  }
}

const pause = (milliseconds: number): Promise<void> =>
  milliseconds <= 0 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, milliseconds))
