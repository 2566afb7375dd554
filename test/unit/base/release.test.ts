import { expect, test } from 'vitest'
import { isOlder } from '../../../src/base/index.ts'

test.each([
  ['2.13.13', '2.16', true],
  ['2.16', '2.16', false],
  ['2.16.0', '2.16', false],
  ['2.9.27', '2.10', true],
  ['2.18.8', '2.16', false],
  ['2.16.0rc1', '2.16.1', true],
])('%s comes before %s: %s', (left, right, expected) => {
  expect(isOlder(left, right)).toBe(expected)
})
