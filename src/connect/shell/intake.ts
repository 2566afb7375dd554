/** A channel's two streams → one receiver at a time; nothing is lost while receivers change. */
import type { Channel } from '../channel.ts'
import type { Meter } from '../meter.ts'

export type StreamName = 'stdout' | 'stderr'
export type Receiver = (chunk: Buffer, stream: StreamName) => void

export class Intake {
  private readonly waiting: [Buffer, StreamName][] = []
  private receiver: Receiver | undefined
  private readonly meter: Meter

  constructor(channel: Channel, meter: Meter) {
    this.meter = meter
    channel.stdout.on('data', (chunk: Buffer) => this.give(chunk, 'stdout'))
    channel.stderr.on('data', (chunk: Buffer) => this.give(chunk, 'stderr'))
  }

  /** All that comes from now on, and all that has waited, goes to this receiver; to nobody means it waits. */
  direct(receiver: Receiver | undefined): void {
    this.receiver = receiver
    while (this.receiver !== undefined && this.waiting.length > 0) this.receiver(...this.waiting.shift()!)
  }

  /** Puts bytes back for the next receiver. */
  unread(chunk: Buffer, stream: StreamName): void {
    if (chunk.length > 0) this.waiting.unshift([chunk, stream])
  }

  private give(chunk: Buffer, stream: StreamName): void {
    this.meter.received += chunk.length
    if (this.receiver === undefined) this.waiting.push([chunk, stream])
    else this.receiver(chunk, stream)
  }
}
