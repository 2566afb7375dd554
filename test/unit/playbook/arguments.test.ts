/** Argument strings are taken apart as ansible-core 2.18 does; arguments.json holds what it makes of each. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseArguments, splitArguments, Unbalanced } from '../../../src/playbook/arguments.ts'

interface Case {
  readonly text: string
  readonly unbalanced?: true
  readonly words?: readonly string[]
  readonly named?: Readonly<Record<string, string>>
  readonly free?: Readonly<Record<string, string>>
}
const cases = JSON.parse(readFileSync(join(import.meta.dirname, 'arguments.json'), 'utf8')) as Case[]

test.each(cases)('$text', ({ text, unbalanced, words, named, free }) => {
  if (unbalanced) {
    expect(() => splitArguments(text)).toThrow(Unbalanced)
    return
  }
  expect(splitArguments(text)).toEqual(words)
  expect(Object.fromEntries(parseArguments(text))).toEqual(named)
  expect(Object.fromEntries(parseArguments(text, true))).toEqual(free)
})
