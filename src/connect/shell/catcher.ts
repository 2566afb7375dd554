/** A stream of bytes and a mark → what came before the mark, what came with it, and the rest; wherever the chunks are cut. */
import { Hoard } from '../hoard.ts'
import { Spill } from '../spill.ts'

const nothing: Buffer = Buffer.alloc(0)

export class Catcher {
  /** what stands between the mark and its closing `;`, once all of it has come */
  tail: string | undefined
  private readonly mark: Buffer
  private held: Buffer = nothing
  private readonly tell: (piece: Buffer) => void
  private readonly hoard: Hoard

  constructor(mark: string, tell: (piece: Buffer) => void = () => {}, spill = new Spill()) {
    this.mark = Buffer.from(mark, 'latin1')
    this.tell = tell
    this.hoard = new Hoard(spill)
  }

  get done(): boolean {
    return this.tail !== undefined
  }

  /** Takes a chunk in; gives back what came after the mark, which is not this catcher's. */
  push(chunk: Buffer): Buffer {
    if (this.done) return chunk
    const bytes = this.held.length === 0 ? chunk : Buffer.concat([this.held, chunk])
    const at = bytes.indexOf(this.mark)
    if (at < 0) {
      this.holdBack(bytes)
      return nothing
    }
    const end = bytes.indexOf(0x3b, at + this.mark.length)
    if (end < 0) {
      this.keep(bytes.subarray(0, at))
      this.held = bytes.subarray(at)
      return nothing
    }
    this.keep(bytes.subarray(0, at))
    this.tail = bytes.toString('latin1', at + this.mark.length, end)
    this.held = nothing
    return bytes.subarray(end + 1)
  }

  /** Everything before the mark, as one piece; what the catcher held is let go. */
  take(): Buffer {
    return this.hoard.take()
  }

  /** All there is so far, mark or not. */
  all(): Buffer {
    return Buffer.concat([this.hoard.all(), this.held])
  }

  /** All but the last few bytes is output for certain; they may be the mark's beginning. */
  private holdBack(bytes: Buffer): void {
    const from = possibleStart(bytes, this.mark)
    this.keep(bytes.subarray(0, from))
    this.held = bytes.subarray(from)
  }

  private keep(piece: Buffer): void {
    if (piece.length === 0) return
    this.hoard.push(piece)
    this.tell(piece)
  }
}

/** Where, near the end, a mark may have begun; the length if nowhere. */
function possibleStart(bytes: Buffer, mark: Buffer): number {
  let from = bytes.indexOf(mark[0]!, Math.max(0, bytes.length - mark.length + 1))
  while (from >= 0 && bytes.compare(mark, 0, bytes.length - from, from) !== 0) from = bytes.indexOf(mark[0]!, from + 1)
  return from < 0 ? bytes.length : from
}
