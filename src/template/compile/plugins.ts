/** What the compiler asks of the outside: which filters and tests there are, and the line of an offset. */
import type { FilterFunction, TestFunction } from '../registry.ts'

export interface Plugins {
  filter(name: string): FilterFunction | undefined
  test(name: string): TestFunction | undefined
  lineOf(offset: number): number
}
