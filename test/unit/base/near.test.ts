/** Names near to a mistyped one, and names that are in no table. */
import { expect, test } from 'vitest'
import { didYouMean, own } from '../../../src/base/index.ts'

test('a candidate given twice is named once', () => {
  expect(didYouMean('debgu', ['debug', 'debug'])).toBe("did you mean 'debug'?")
})

test.each([
  [
    'ansible.builtin.coppy',
    ['ansible.builtin.copy', 'ansible.builtin.apt', 'ansible.builtin.cron'],
    "did you mean 'ansible.builtin.copy'?",
  ],
  ['comunity.general.ini_file', ['community.general.ini_file', 'community.general.archive'], "did you mean 'community.general.ini_file'?"],
  ['ansible.builtin.x', ['ansible.builtin.template'], undefined],
])('of %s, what stands before its last dot is not counted', (word, candidates, hint) => {
  expect(didYouMean(word, candidates)).toBe(hint)
})

test('what every object has is in no table', () => {
  for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) expect(own({ linear: 1 }, name)).toBeUndefined()
  expect(own({ linear: 1 }, 'linear')).toBe(1)
})
