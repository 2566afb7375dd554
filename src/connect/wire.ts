/** The bytes of SSH's own messages ↔ numbers, texts and byte strings. */

/** A number of 32 bits, a text or byte string with its length before it, a boolean, or a single byte. */
export type Field = number | string | Uint8Array | boolean | { readonly byte: number }

export function pack(...fields: readonly Field[]): Buffer {
  return Buffer.concat(fields.flatMap(bytesOf))
}

function bytesOf(field: Field): Uint8Array[] {
  if (typeof field === 'number') return [uint32(field)]
  if (typeof field === 'boolean') return [Uint8Array.of(field ? 1 : 0)]
  if (typeof field === 'object' && 'byte' in field) return [Uint8Array.of(field.byte)]
  const bytes = typeof field === 'string' ? Buffer.from(field) : field
  return [uint32(bytes.length), bytes]
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** Reads the fields of a message in order; what is not there reads as nothing. */
export class Fields {
  private readonly bytes: Buffer
  private at = 0

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  byte(): number {
    return this.bytes[this.at++] ?? 0
  }

  number(): number {
    const value = this.at + 4 <= this.bytes.length ? this.bytes.readUInt32BE(this.at) : 0
    this.at += 4
    return value
  }

  string(): Buffer {
    const length = this.number()
    const value = this.bytes.subarray(this.at, this.at + length)
    this.at += length
    return value
  }

  text(): string {
    return this.string().toString()
  }

  /** what has not been read yet */
  rest(): Buffer {
    return this.bytes.subarray(this.at)
  }
}

/** A stream's chunks → the messages in it, each with its length before it. */
export class Splitter {
  private chunks: Buffer[] = []
  private size = 0

  push(chunk: Buffer): Buffer[] {
    this.chunks.push(chunk)
    this.size += chunk.length
    const messages: Buffer[] = []
    for (;;) {
      if (this.size < 4) return messages
      const whole = this.joined(4)
      const length = whole.readUInt32BE(0)
      if (this.size < 4 + length) return messages
      const all = this.joined(4 + length)
      messages.push(all.subarray(4, 4 + length))
      this.chunks = [all.subarray(4 + length)]
      this.size -= 4 + length
    }
  }

  /** The chunks, the first of which has this many bytes at least. */
  private joined(length: number): Buffer {
    if (this.chunks[0]!.length < length) this.chunks = [Buffer.concat(this.chunks)]
    return this.chunks[0]!
  }
}
