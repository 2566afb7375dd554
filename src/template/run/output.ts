/** Collects what a template writes. A single value is kept as it is; as soon as there are two, all becomes text at once. */
import type { Value } from '../../base/index.ts'
import { plainOf, str } from '../python/index.ts'

export class Output {
  /** how many values were written */
  count = 0
  private only: Value = ''
  private text = ''

  push(given: Value): void {
    const value = plainOf(given)
    this.count++
    if (this.count === 1) {
      this.only = value
      return
    }
    if (this.count === 2) this.text = textOf(this.only)
    this.text += textOf(value)
  }

  /** the value, where only one was written */
  get single(): Value | undefined {
    return this.count === 1 ? this.only : undefined
  }

  /** everything as text */
  joined(): string {
    return this.count === 1 ? textOf(this.only) : this.text
  }
}

/** Ansible's to_text(): bytes are read as UTF-8. */
function textOf(value: Value): string {
  if (typeof value === 'string') return value
  return value instanceof Uint8Array ? new TextDecoder().decode(value) : str(value)
}
