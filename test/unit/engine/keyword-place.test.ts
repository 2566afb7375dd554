/** Where a keyword's value stands in the text of a play or task. */
import { expect, test } from 'vitest'
import { placeOfKeyword } from '../../../src/engine/keyword-place.ts'

const at = (text: string, keyword: string, word?: string): string => {
  const { start, end } = placeOfKeyword({ source: { name: 'x', text }, start: 0, end: text.length }, keyword, word)
  return text.slice(start, end)
}

test.each([
  ['hosts: a\nserial: many  # no\ntasks: []', 'serial', undefined, 'many'],
  ['command: x\nnotify:\n  - one\n  - two words', 'notify', 'two words', 'two words'],
  ['{command: x, notify: one}', 'notify', 'one', 'one'],
  ['command: renotify: x', 'notify', undefined, 'command: renotify: x'],
  ['hosts: a', 'serial', undefined, 'hosts: a'],
])('in %j', (text, keyword, word, found) => {
  expect(at(text, keyword, word)).toBe(found)
})
