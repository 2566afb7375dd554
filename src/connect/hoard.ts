/** Bytes that come piece by piece → all of them as one piece; but for the last block they wait on disk. */
import { BLOCK, type Spill } from './spill.ts'

export class Hoard {
  size = 0
  private readonly spill: Spill
  private pieces: Uint8Array[] = []
  private held = 0
  /** full ones, but for the last if it was settled */
  private readonly blocks: number[] = []
  /** the disk has refused: all is held */
  private refused = false

  constructor(spill: Spill) {
    this.spill = spill
  }

  push(piece: Uint8Array): void {
    if (piece.length === 0) return
    this.pieces.push(piece)
    this.size += piece.length
    this.held += piece.length
    if (this.held >= BLOCK && !this.refused) this.writeBlocks()
  }

  /** Everything; the hoard is empty then. */
  take(): Buffer {
    const all = this.all()
    this.clear()
    return all
  }

  /** Everything, which is kept. */
  all(): Buffer {
    if (this.blocks.length === 0 && this.pieces.length === 1) return bufferOf(this.pieces[0]!)
    if (this.blocks.length === 0) return Buffer.concat(this.pieces, this.size)
    const whole = Buffer.allocUnsafeSlow(this.size)
    let at = 0
    for (const block of this.blocks) {
      const length = Math.min(BLOCK, this.size - at)
      this.spill.read(block, whole, at, length)
      at += length
    }
    for (const piece of this.pieces) {
      whole.set(piece, at)
      at += piece.length
    }
    return whole
  }

  /** Everything as a text of one or two bytes a character, without a second copy of the bytes. */
  text(encoding: 'latin1' | 'utf16le'): string {
    const parts: string[] = []
    const piece = Buffer.allocUnsafe(Math.min(BLOCK, this.size))
    for (let at = 0; at < this.blocks.length; at++) {
      const length = Math.min(BLOCK, this.size - at * BLOCK)
      this.spill.read(this.blocks[at]!, piece, 0, length)
      parts.push(piece.toString(encoding, 0, length))
    }
    if (this.pieces.length > 0) parts.push(Buffer.concat(this.pieces).toString(encoding))
    return parts.join('')
  }

  /** Puts the last bytes on disk, too; no more come. */
  settle(): void {
    if (this.refused || this.held === 0) return
    const block = this.spill.write(Buffer.concat(this.pieces, this.held))
    if (block === undefined) return
    this.pieces = []
    this.keep(block)
  }

  /** Lets go of all. */
  clear(): void {
    if (this.blocks.length > 0) this.spill.release(this.blocks)
    this.blocks.length = 0
    forgotten.unregister(this)
    this.pieces = []
    this.size = 0
    this.held = 0
  }

  private writeBlocks(): void {
    const whole = this.pieces.length === 1 ? this.pieces[0]! : Buffer.concat(this.pieces, this.held)
    let at = 0
    for (; whole.length - at >= BLOCK; at += BLOCK) {
      const block = this.spill.write(whole.subarray(at, at + BLOCK))
      this.refused = block === undefined
      if (block === undefined) break
      this.keep(block)
    }
    this.pieces = at < whole.length ? [Uint8Array.prototype.slice.call(whole, at)] : []
    this.held = whole.length - at
  }

  private keep(block: number): void {
    if (this.blocks.length === 0) forgotten.register(this, { spill: this.spill, blocks: this.blocks }, this)
    this.blocks.push(block)
  }
}

/** Blocks of hoards that nobody took. */
const forgotten = new FinalizationRegistry<{ spill: Spill; blocks: number[] }>(({ spill, blocks }) => spill.release(blocks))

const bufferOf = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
