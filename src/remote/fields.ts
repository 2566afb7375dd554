/** Reads a script's output as fields that each end with a NUL byte, so that no name or text can be mistaken for a border. */
import { textOf } from './output.ts'

export class Fields {
  private at = 0
  constructor(private readonly bytes: Uint8Array) {}

  /** The next field's bytes; the rest where no NUL follows. */
  bytesField(): Uint8Array {
    const end = this.bytes.indexOf(0, this.at)
    const field = this.bytes.subarray(this.at, end === -1 ? this.bytes.length : end)
    this.at = end === -1 ? this.bytes.length : end + 1
    return field
  }

  text(): string {
    return textOf(this.bytesField())
  }

  /** A number, or undefined where the field is empty. */
  number(): number | undefined {
    const text = this.text()
    return text === '' ? undefined : Number(text)
  }

  /** The next `count` bytes, whatever they are. */
  take(count: number): Uint8Array {
    const taken = this.bytes.subarray(this.at, this.at + count)
    this.at += taken.length
    return taken
  }

  /** All that is left. */
  rest(): Uint8Array {
    return this.take(this.bytes.length - this.at)
  }

  get done(): boolean {
    return this.at >= this.bytes.length
  }
}
