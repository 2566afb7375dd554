/** A shared connection → Channels on it: commands with their streams, terminals, windows, signals and endings, as SSH's connection protocol has them (RFC 4254). */
import { Readable, Writable } from 'node:stream'
import type { Channel, Ending, OpenOptions } from '../channel.ts'
import type { ConnectionLost } from '../lost.ts'
import { terminalModes } from '../terminal.ts'
import type { Field, Fields } from '../wire.ts'
import type { Control } from './control.ts'

const OPEN = 90
const OPENED = 91
const REFUSED = 92
const WINDOW = 93
const DATA = 94
const MORE_DATA = 95
const END = 96
const CLOSE = 97
const REQUEST = 98
const DONE = 99
const FAILED = 100

/** How much the host may send before we have read it, and in one message. */
const OUR_WINDOW = 2 * 1024 * 1024
const OUR_LARGEST = 32 * 1024
const STDERR = 1

/** The host does not open one more channel, or does not start the command. */
export class ChannelRefused extends Error {
  /** set where the channel itself was refused */
  readonly reason: number | undefined

  constructor(message: string, reason?: number) {
    super(message)
    this.reason = reason
  }
}

export class Channels {
  private readonly control: Control
  private readonly forwardAgent: boolean
  private readonly open = new Map<number, OneChannel>()
  private next = 1

  constructor(control: Control, forwardAgent: boolean) {
    this.control = control
    this.forwardAgent = forwardAgent
    control.listen((type, fields) => this.open.get(fields.number())?.take(type, fields))
  }

  start(command: string, tty: OpenOptions['tty']): Promise<Channel> {
    const id = this.next++
    const channel = new OneChannel(this.control, id, tty, () => this.open.delete(id))
    this.open.set(id, channel)
    return channel.start(command, this.forwardAgent)
  }

  lose(error: ConnectionLost): void {
    for (const channel of [...this.open.values()]) channel.lose(error)
    this.open.clear()
  }
}

interface Wish {
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

class OneChannel implements Channel {
  readonly tty: boolean
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  readonly ended: Promise<Ending>
  readonly closed: Promise<Ending>

  private readonly control: Control
  private readonly id: number
  private readonly kind: OpenOptions['tty']
  private readonly forget: () => void
  /** the host's number for it */
  private far = 0
  private window = 0
  private largest = 0
  private room: (() => void) | undefined
  private readonly wishes: Wish[] = []
  private readonly held = new Map<Readable, number>()
  private endingKnown: (ending: Ending) => void = () => {}
  private exit: Ending | undefined
  private closing = false
  private gone = false

  constructor(control: Control, id: number, kind: OpenOptions['tty'], forget: () => void) {
    this.control = control
    this.id = id
    this.kind = kind
    this.tty = kind !== undefined
    this.forget = forget
    this.stdout = this.readable()
    this.stderr = this.readable()
    this.stdin = new Writable({
      write: (chunk: Buffer, _, done) => void this.write(chunk).then(() => done(), done),
      final: (done) => {
        if (!this.gone && !this.closing) this.send(END)
        done()
      },
    })
    this.stdin.on('error', () => {})
    this.ended = new Promise((resolve) => {
      this.endingKnown = resolve
    })
    const read = [this.stdout, this.stderr].map((stream) => new Promise<void>((resolve) => stream.once('close', resolve)))
    this.closed = Promise.all(read).then(() => this.ended)
  }

  async start(command: string, forwardAgent: boolean): Promise<Channel> {
    await this.wish(() => this.control.send(OPEN, 'session', this.id, OUR_WINDOW, OUR_LARGEST))
    try {
      if (this.kind !== undefined) await this.request('pty-req', 'xterm', 80, 24, 0, 0, terminalModes(this.kind))
      if (forwardAgent) this.send(REQUEST, 'auth-agent-req@openssh.com', false)
      await this.request('exec', command)
    } catch (error) {
      this.destroy()
      throw error
    }
    return this
  }

  take(type: number, fields: Fields): void {
    if (type === DATA) this.received(this.stdout, fields.string())
    else if (type === MORE_DATA) {
      if (fields.number() === STDERR) this.received(this.stderr, fields.string())
    } else if (type === WINDOW) {
      this.window += fields.number()
      this.room?.()
    } else if (type === REQUEST) this.requested(fields)
    else if (type === END) this.noMore()
    else if (type === CLOSE) this.finish()
    else if (type === OPENED) this.opened(fields)
    else if (type === REFUSED) {
      const reason = fields.number()
      this.abandon(new ChannelRefused(fields.text() || 'no more sessions', reason))
    } else if (type === DONE) this.wishes.shift()?.resolve()
    else if (type === FAILED) this.wishes.shift()?.reject(new ChannelRefused('it does not do that'))
  }

  signal(name: 'TERM' | 'KILL'): void {
    if (!this.gone && !this.closing) this.send(REQUEST, 'signal', false, name)
  }

  destroy(): void {
    if (!this.gone && !this.closing) this.send(CLOSE)
    this.closing = true
    this.noMore()
    this.stdout.destroy()
    this.stderr.destroy()
    this.stdin.destroy()
    this.room?.()
  }

  lose(error: ConnectionLost): void {
    this.exit ??= { how: 'lost', error }
    this.abandon(error)
  }

  private opened(fields: Fields): void {
    this.far = fields.number()
    this.window = fields.number()
    this.largest = Math.max(1, fields.number())
    this.wishes.shift()?.resolve()
  }

  private wish(send: () => void): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.gone) return reject(new ChannelRefused('it is closed'))
      this.wishes.push({ resolve, reject })
      send()
    })
  }

  private request(name: string, ...fields: readonly Field[]): Promise<void> {
    return this.wish(() => this.send(REQUEST, name, true, ...fields))
  }

  private send(type: number, ...fields: readonly Field[]): boolean {
    return this.control.send(type, this.far, ...fields)
  }

  private requested(fields: Fields): void {
    const name = fields.text()
    const wantsReply = fields.byte() !== 0
    if (name === 'exit-status') this.exit ??= { how: 'exit', code: fields.number() }
    else if (name === 'exit-signal') this.exit ??= { how: 'signal', signal: `SIG${fields.text().replace(/^SIG/, '')}` }
    else if (wantsReply) this.send(FAILED)
    if (this.exit !== undefined) this.endingKnown(this.exit)
  }

  private readable(): Readable {
    const stream: Readable = new Readable({
      read: () => {
        const bytes = this.held.get(stream) ?? 0
        this.held.set(stream, 0)
        this.mayHaveMore(bytes)
      },
    })
    stream.on('error', () => {})
    return stream
  }

  private received(stream: Readable, bytes: Buffer): void {
    if (stream.destroyed || stream.readableEnded || stream.push(bytes)) this.mayHaveMore(bytes.length)
    else this.held.set(stream, (this.held.get(stream) ?? 0) + bytes.length)
  }

  private mayHaveMore(bytes: number): void {
    if (bytes > 0 && !this.gone && !this.closing) this.send(WINDOW, bytes)
  }

  private noMore(): void {
    for (const stream of [this.stdout, this.stderr]) if (!stream.destroyed && !stream.readableEnded) stream.push(null)
  }

  /** The host has closed it: all its output has come by now. */
  private finish(): void {
    if (!this.closing) this.send(CLOSE)
    this.abandon(new ChannelRefused('it was closed'))
  }

  private abandon(error: Error): void {
    this.gone = true
    this.forget()
    this.endingKnown(this.exit ?? { how: 'unknown' })
    for (const { reject } of this.wishes.splice(0)) reject(error)
    this.noMore()
    this.stdin.destroy()
    this.room?.()
  }

  /** In pieces that the host takes, and as fast as it takes them. */
  private async write(chunk: Buffer): Promise<void> {
    for (let at = 0; at < chunk.length; ) {
      if (this.gone || this.closing) throw new Error('the channel is closed')
      const size = Math.min(chunk.length - at, this.window, this.largest, OUR_LARGEST)
      if (size > 0) {
        this.window -= size
        const fast = this.send(DATA, chunk.subarray(at, at + size))
        at += size
        if (!fast) await this.control.drained()
      } else await this.moreRoom()
    }
  }

  private moreRoom(): Promise<void> {
    return new Promise((resolve) => {
      this.room = resolve
    })
  }
}
