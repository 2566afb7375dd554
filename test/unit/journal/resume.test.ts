/** A run that is killed at any moment and gone on with ends as one that nobody disturbed. */
import { beforeAll, describe, expect, it } from 'vitest'
import { COMMAND, type Moment, recapOf, Site } from './attempts.ts'

const undisturbed = { recap: [] as string[], left: {} as Record<string, string>, counts: new Map<string, number>(), milliseconds: 0 }

beforeAll(async () => {
  const site = new Site()
  const began = performance.now()
  const { code, text } = await site.run([...COMMAND, '-v'])
  undisturbed.milliseconds = performance.now() - began
  expect(code, text).toBe(0)
  Object.assign(undisturbed, { recap: recapOf(text), left: site.left(), counts: site.counts() })
  site.remove()
  expect(undisturbed.recap).toHaveLength(5)
})

/** Every command has run; those that were being run when the program died have run once more, at most one on each host. */
function expectCounts(counts: ReadonlyMap<string, number>, deaths: number): void {
  expect([...counts.keys()].sort()).toEqual([...undisturbed.counts.keys()].sort())
  const more = [...counts].flatMap(([line, count]) => (count > undisturbed.counts.get(line)! ? [line.split('/')[0]!] : []))
  for (const host of new Set(more)) expect(more.filter((each) => each === host).length, more.join()).toBeLessThanOrEqual(deaths)
}

async function expectSame(moments: readonly Moment[]): Promise<void> {
  const site = new Site()
  try {
    let last = await site.run(COMMAND, moments[0])
    if (moments[0]?.lines !== undefined) expect(last.code, 'it was not killed').not.toBe(0)
    for (const moment of moments.slice(1)) last = await site.run(site.file('run.json') === undefined ? COMMAND : ['--resume'], moment)
    if (last.code !== 0) last = await site.run(site.file('run.json') === undefined ? COMMAND : ['--resume'])
    expect(last.code, last.text).toBe(0)
    if (moments[0]?.lines !== undefined)
      expect(last.text).toMatch(/^resuming run \d{8}-\d{6}-[0-9a-f]{4}: \d+ steps? on \d hosts? done before$/m)
    expect(recapOf(last.text), last.text).toEqual(undisturbed.recap)
    expect(site.left()).toEqual(undisturbed.left)
    expectCounts(site.counts(), moments.length)
    expect(site.file('steps.jsonl')).toBeUndefined()
    for (const [name, text] of site.texts('state')) expect(text, name).not.toContain('staple')
  } finally {
    site.remove()
  }
}

describe('killed with so many lines in its journal', () => {
  for (const lines of [4, 16, 28, 40, 52, 64, 76, 88, 100, 112, 130, 150]) it(`${lines}`, () => expectSame([{ lines }]))
})

describe('killed at random', () => {
  for (let i = 0; i < 6; i++)
    it(`moment ${i}`, () => expectSame([{ milliseconds: 300 + Math.random() * (undisturbed.milliseconds - 300) }]))
})

it('killed again and again', { timeout: 120_000 }, () =>
  expectSame([{ lines: 20 }, { lines: 15 }, { lines: 25 }, { lines: 1 }, { lines: 30 }]),
)

it('ended by Ctrl-C', () => expectSame([{ lines: 40, signal: 'SIGINT' }]))
