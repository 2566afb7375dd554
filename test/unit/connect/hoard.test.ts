/** Large output waits on disk: whole again when it is taken, and its place is free then. */
import { readdirSync, readlinkSync, statSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { Hoard } from '../../../src/connect/hoard.ts'
import { BLOCK, Spill } from '../../../src/connect/spill.ts'

const bytes = (size: number): Buffer => Buffer.from(Array.from({ length: size }, (_, i) => (i * 7 + (i >> 8)) & 255))

/** What this program has open that has no name any more. */
const nameless = (): string[] =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return /tsspray-.*\/output \(deleted\)$/.test(readlinkSync(`/proc/self/fd/${fd}`))
    } catch {
      return false
    }
  })

describe.each([1000, 65_536, 700_001, 3 * BLOCK])('in pieces of %i bytes', (piece) => {
  test.each([0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 17])('%i bytes', (size) => {
    const whole = bytes(size)
    const hoard = new Hoard(new Spill())
    for (let at = 0; at < size; at += piece) hoard.push(whole.subarray(at, Math.min(at + piece, size)))
    expect(hoard.size).toBe(size)
    expect(hoard.all().equals(whole)).toBe(true)
    hoard.settle()
    expect(hoard.all().equals(whole)).toBe(true)
    expect(hoard.take().equals(whole)).toBe(true)
    expect(hoard.take().length).toBe(0)
  })
})

test.runIf(process.platform === 'linux')('the file is nobody else’s, has no name, and gives its room back', () => {
  const spill = new Spill()
  const before = nameless()
  const [one, two] = [new Hoard(spill), new Hoard(spill)]
  const text = bytes(2 * BLOCK)
  one.push(text)
  const [fd] = nameless().filter((each) => !before.includes(each))
  const stat = (): { size: number; mode: number } => statSync(`/proc/self/fd/${fd}`)
  expect(stat().mode & 0o777).toBe(0o600)
  two.push(text)
  one.take()
  two.push(text)
  expect(stat().size).toBe(4 * BLOCK)
  expect(two.take().equals(Buffer.concat([text, text]))).toBe(true)
  expect(stat().size).toBe(0)
})

test('where nothing can be written, it is held', () => {
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = '/dev/null/nowhere'
  try {
    const hoard = new Hoard(new Spill())
    const text = bytes(3 * BLOCK)
    hoard.push(text)
    hoard.push(text)
    hoard.settle()
    expect(hoard.take().equals(Buffer.concat([text, text]))).toBe(true)
  } finally {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  }
})
