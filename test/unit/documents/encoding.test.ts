/** Files that are not UTF-8 are refused with the line, and a byte order mark is no text. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readVars } from '../../../src/documents/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'encoding-'))
afterAll(() => rmSync(folder, { recursive: true }))

const written = (bytes: string): string => {
  const path = join(folder, 'vars.yml')
  writeFileSync(path, Buffer.from(bytes, 'latin1'))
  return path
}

test('Latin-1', () => {
  expect(() => readVars(written('a: 1\nb: caf\xe9\n'))).toThrow(/vars\.yml is not UTF-8: line 2 /)
})

test('a byte order mark', () => {
  expect(readVars(written('\xef\xbb\xbfa: caf\xc3\xa9\n'))).toEqual(new Map([['a', 'café']]))
})
