import { expect, test } from 'vitest'
import { colourCode, LogOutput } from '../../../src/report/index.ts'

test.each([
  ['red', '0;31'],
  ['bright purple', '1;35'],
  ['color208', '38;5;208'],
  ['rgb050', '38;5;46'],
  ['gray12', '38;5;244'],
  ['no colour', undefined],
])('the code of %s', (name, code) => {
  expect(colourCode(name)).toBe(code)
})

test('a log line has its time, process, user and level', () => {
  let text = ''
  const write = (more: string): void => {
    text += more
  }
  const log = new LogOutput({ write, now: () => new Date(2015, 5, 11, 22, 50, 53, 42), process: 7, user: 'me' })
  log.out('\nPLAY [x] ***\n')
  log.out('\n')
  log.err('[WARNING]: careful\n')
  log.err('ERROR! no\n')
  const at = '2015-06-11 22:50:53,042 p=7 u=me n=ansible'
  expect(text).toBe(`${at} INFO| PLAY [x] ***\n${at} WARNING| [WARNING]: careful\n\n${at} ERROR| ERROR! no\n`)
})
