/** Lines come back as they were added, whole ones only; steps come back once each; values come back with their types. */
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { Float, OMIT, Template, Tuple, type Value } from '../../../src/base/index.ts'
import { NotKept, restored, stored } from '../../../src/engine/stored.ts'
import { LineFile, recordsOf } from '../../../src/journal/lines.ts'
import { StepLog } from '../../../src/journal/steps.ts'

const folder = mkdtempSync(join(tmpdir(), 'lines-'))
const path = join(folder, 'x.jsonl')
afterEach(() => rmSync(path, { force: true }))

it('a torn last line is passed over, and what comes later stands on a line of its own', () => {
  const file = new LineFile(path)
  file.add('{"a":1}')
  file.flush()
  file.close()
  appendFileSync(path, '{"b":')
  expect([...recordsOf(path)]).toEqual([{ a: 1 }])
  const again = new LineFile(path)
  again.add('{"c":3}')
  again.close()
  expect(readFileSync(path, 'utf8')).toBe('{"a":1}\n{"c":3}\n')
})

it('lines are in the file when the event loop has turned', async () => {
  const file = new LineFile(path)
  file.add('1')
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
  expect(readFileSync(path, 'utf8')).toBe('1\n')
  file.close()
})

/** A log whose lines another one learns from. */
function logs(): { log: StepLog; again: () => StepLog } {
  const lines: string[] = []
  const to = { add: (line: string) => void lines.push(line), flush: () => undefined }
  return {
    log: new StepLog(to),
    again: () =>
      new StepLog(
        to,
        lines.map((line) => JSON.parse(line)),
      ),
  }
}

it('steps are given back in their order, once each', () => {
  const { log, again } = logs()
  for (const n of [1, 2]) log.done('h', 's', { n })
  log.done('other', 's', { n: 3 })
  const known = again()
  expect([known.found, known.hosts]).toEqual([3, 2])
  expect([known.take('h', 's'), known.take('h', 's'), known.take('h', 's')].map((taken) => taken?.record)).toEqual([
    { n: 1 },
    { n: 2 },
    undefined,
  ])
  expect(known.isReplaying).toBe(true)
  known.take('other', 's')
  expect(known.isReplaying).toBe(false)
})

it('what no longer holds is gone for later attempts, too', () => {
  const { log, again } = logs()
  for (const s of ['a', 'b', 'c']) log.done('h', s, { s })
  const second = again()
  second.take('h', 'a')
  second.drop('h', second.take('h', 'b')!)
  second.done('h', 'b', { s: 'b again' })
  const third = again()
  expect(['a', 'b', 'c'].map((s) => third.take('h', s)?.record['s'])).toEqual(['a', 'b again', undefined])
})

it('a step that was cut off has its items and the changes that had begun; one that was done has its items', () => {
  const { log, again } = logs()
  log.change('h', 's', 0)
  log.item('h', 's', 0, { i: 0 })
  log.done('h', 's', { n: 1 })
  log.item('h', 's', 0, { i: 1 })
  log.change('h', 's', 1)
  const known = again()
  expect([...known.take('h', 's')!.items]).toEqual([[0, { i: 0 }]])
  const begun = known.begun('h', 's')
  expect([[...begun.items], [...begun.changes]]).toEqual([[[0, { i: 1 }]], [1]])
})

const VALUES: readonly Value[] = [
  ...[null, true, 7, 10n ** 30n, new Float(1), new Float(Number.NaN), 'text', '{{ 7 }}', OMIT],
  [1, [new Tuple([1, 'a'])]],
  new Map<Value, Value>([
    ['b', 1],
    ['a', new Map<Value, Value>([[1, 2]])],
    ['2', 'number last'],
    ['1', ''],
  ]),
  new Map<Value, Value>([['$f', '1']]),
  new Map<Value, Value>([['__proto__', 1]]),
  new Uint8Array([0, 255]),
]

it.each(VALUES.map((value) => [value]))('%s comes back', (value) => {
  expect(restored(JSON.parse(JSON.stringify(stored(value, () => false))))).toEqual(value)
})

it('secrets and what only the program knows are not kept', () => {
  expect(() => stored(['a', 'secret'], (text) => text === 'secret')).toThrow(NotKept)
  expect(() => stored(new Map<Value, Value>([['secret', 1]]), (text) => text === 'secret')).toThrow(NotKept)
  expect(() => stored(new Template('{{ x }}'), () => false)).toThrow(NotKept)
})
