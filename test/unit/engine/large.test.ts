/** Long texts of results are on disk, and everybody who reads them sees them as they were. */
import { describe, expect, test } from 'vitest'
import { isFinished, LateDict, toExactJson, type Value } from '../../../src/base/index.ts'
import { Spill } from '../../../src/connect/index.ts'
import { copied, LONG, withoutLongTexts } from '../../../src/engine/large.ts'
import { registered } from '../../../src/engine/result.ts'
import { Secrets } from '../../../src/events/index.ts'

const resultOf = (stdout: string): Map<string, Value> =>
  new Map<string, Value>([
    ['rc', 0],
    ['stdout', stdout],
    ['stderr', 'short'],
  ])

const line = 'sixteen letters.'
const texts = [
  { name: 'plain', text: `${line}\n`.repeat(LONG / 16) },
  { name: 'Latin', text: `é${line}`.repeat(LONG / 16) },
  { name: 'any script', text: `${'漢字😀'.repeat(LONG / 4)}\n${line}` },
  { name: 'half a character', text: `\ud83d${line.repeat(LONG / 16)}` },
]

describe.each(texts)('$name', ({ text }) => {
  const result = withoutLongTexts(resultOf(text), new Spill())

  test('is read as it was, again and again', () => {
    expect(result).toBeInstanceOf(LateDict)
    for (const dict of [result, copied(result), registered(result)]) {
      expect(dict.get('stdout') === text).toBe(true)
      expect([...dict.keys()]).toEqual(['rc', 'stdout', 'stdout_lines', 'stderr'])
      expect((dict.get('stdout_lines') as string[]).at(-1)?.endsWith(line)).toBe(true)
    }
    expect(isFinished(result)).toBe(true)
  })

  test('is in events once they are read, and masked', () => {
    const json = toExactJson(result) as Record<string, unknown>
    const late = (it: object, name: string) => Object.getOwnPropertyDescriptor(it, name)?.get !== undefined
    expect(late(json, 'stdout') && late(json, 'stdout_lines') && !late(json, 'rc')).toBe(true)
    expect(json['stdout'] === text).toBe(true)
    const secrets = new Secrets()
    secrets.add(line)
    const event = { kind: 'result', result: json } as never
    const shown = (secrets.maskEvent(event) as unknown as { result: Record<string, string> }).result
    expect(late(shown, 'stdout')).toBe(true)
    expect(shown['stdout']).not.toContain(line)
    expect(shown['stdout']).toContain('********')
    expect(shown['stderr']).toBe('short')
  })
})

test('what is short stays where it is', () => {
  const result = resultOf('x'.repeat(LONG - 1))
  expect(withoutLongTexts(result, new Spill())).toBe(result)
})

test('what is set anew is held', () => {
  const dict = new LateDict<string, number>().setLate('a', () => 1).set('b', 2)
  expect([...dict]).toEqual([
    ['a', 1],
    ['b', 2],
  ])
  dict.set('a', 3).delete('b')
  expect([...dict.values(), dict.size, dict.late('a')]).toEqual([3, 1, undefined])
})
