/** Collects what a template writes, value by value, until it is joined. */
import type { Value } from '../../base/index.ts'

export class Output {
  readonly parts: Value[] = []
  push(value: Value): void {
    this.parts.push(value)
  }
}
