import { describe, expect, test } from 'vitest'
import { Catcher } from '../../../src/connect/shell/catcher.ts'

const mark = '<mark>'

/** Feeds the bytes in pieces of a size; tells what came out. */
function caught(text: string, size: number) {
  const catcher = new Catcher(mark)
  const bytes = Buffer.from(text, 'latin1')
  let rest = ''
  for (let at = 0; at < bytes.length; at += size) rest += catcher.push(bytes.subarray(at, at + size)).toString('latin1')
  return { output: catcher.take().toString('latin1'), tail: catcher.tail, rest }
}

const cases = [
  { name: 'a line', text: 'hi\n<mark>0;', output: 'hi\n', tail: '0', rest: '' },
  { name: 'no output', text: '<mark>3;', output: '', tail: '3', rest: '' },
  { name: 'no final newline', text: 'hi<mark>137;', output: 'hi', tail: '137', rest: '' },
  { name: 'beginnings of the mark', text: 'a<ma<mar<mark<mark>0;', output: 'a<ma<mar<mark', tail: '0', rest: '' },
  { name: 'binary', text: '\0\xff<\0<mark>0;', output: '\0\xff<\0', tail: '0', rest: '' },
  { name: 'more after the mark', text: 'a<mark>0;late', output: 'a', tail: '0', rest: 'late' },
  { name: 'no mark at all', text: 'a<mar', output: 'a', tail: undefined, rest: '' },
]

describe.each([1, 2, 3, 5, 7, 100])('in pieces of %i bytes', (size) => {
  test.each(cases)('$name', ({ text, output, tail, rest }) => {
    expect(caught(text, size)).toEqual({ output, tail, rest })
  })
})

test('output is told as it comes, and never the mark', () => {
  const told: string[] = []
  const catcher = new Catcher(mark, (piece) => told.push(piece.toString()))
  for (const chunk of ['one', ' two<', 'mark', '>0;']) catcher.push(Buffer.from(chunk))
  expect(told).toEqual(['one', ' two'])
})
