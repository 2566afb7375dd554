/** Templates that would make more than fits into memory fail, and nothing else does. */
import { expect, test } from 'vitest'
import { stage } from './harness.ts'

const CASES = ['[1] * 10**10', '"a" * 10**10', 'range(10**11) | list', '"%1000000000d" % 5', '"x".center(10**11)']

test.each(CASES)('%s', (text) => {
  expect(() => stage().render(`{{ ${text} }}`)).toThrow('the template makes something too large')
})

test.each(['sha1', 'constructor'])('hash by %s', (name) => {
  const hash = () => stage().render(`{{ 'a' | hash('${name}') }}`)
  if (name === 'sha1') expect(hash()).toBe('86f7e437faa5a7fce15d1ddcb9eaeaea377667b8')
  else expect(hash).not.toThrow('function')
})
