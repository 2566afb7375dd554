/** Where a path of this machine leads that starts with a home. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { expandHome } from '../../../src/engine/files.ts'

const homeOfRoot = /^root:(?:[^:]*:){4}([^:]*):/m.exec(readFileSync('/etc/passwd', 'utf8'))?.[1]

test.each([
  ['~/a', `${process.env['HOME']}/a`],
  ['~', `${process.env['HOME']}`],
  ['~root/a', `${homeOfRoot}/a`],
  ['~nobody-of-that-name/a', '~nobody-of-that-name/a'],
  ['a/~', 'a/~'],
])('%s', (path, leadsTo) => {
  expect(expandHome(path)).toBe(leadsTo)
})
