/** Unquoted dates and timestamps of YAML, in both readers: what they are, and what stays text. */
import { expect, it } from 'vitest'
import { Timestamp } from '../../../src/base/index.ts'
import { parseFully } from '../../../src/documents/full.ts'
import { nodeToRaw, parseYaml } from '../../../src/documents/index.ts'

const readers = [parseYaml, parseFully]
const read = (text: string) => readers.map((reader) => nodeToRaw(reader({ name: 'x.yml', text })!))
const parts = (value: unknown) =>
  value instanceof Map && value.get('a') instanceof Timestamp ? (value.get('a') as Timestamp).parts : undefined

it.each([
  ['2020-01-01', '2020-01-01T00:00:00.000Z', 0, undefined, true],
  ['2001-12-14t21:59:43.10-05:00', '2001-12-14T21:59:43.000Z', 100_000, -300, false],
  ['2001-12-14 21:59:43.1234567', '2001-12-14T21:59:43.000Z', 123_456, undefined, false],
  ['2001-12-15 2:59:43', '2001-12-15T02:59:43.000Z', 0, undefined, false],
  ['2001-12-14 21:59:43 +5', '2001-12-14T21:59:43.000Z', 0, 300, false],
  ['2001-12-14 21:59:43 -05:30', '2001-12-14T21:59:43.000Z', 0, -330, false],
  ['2001-12-14T21:59:43Z', '2001-12-14T21:59:43.000Z', 0, 0, false],
  ['2001-1-4 1:02:03', '2001-01-04T01:02:03.000Z', 0, undefined, false],
  ['0001-02-03', '0001-02-03T00:00:00.000Z', 0, undefined, true],
  ['!!timestamp "2001-12-14"', '2001-12-14T00:00:00.000Z', 0, undefined, true],
])('%s', (text, moment, microsecond, offset, isDate) => {
  for (const value of read(`a: ${text}\n`)) expect(parts(value)).toEqual({ isDate, milliseconds: Date.parse(moment), microsecond, offset })
})

it.each([
  '2001-1-4',
  '2001-12',
  '"2001-12-14"',
  "'2001-12-14'",
  '!!str 2001-12-14',
  '!unsafe 2001-12-14',
  '2001-12-14x',
  '2001-12-14 21:59',
  '20011-12-14',
])('%s is text', (text) => {
  for (const value of read(`a: ${text}\n`)) expect(typeof (value as Map<string, unknown>).get('a')).toBe('string')
})

it.each([
  ['2020-13-01', 'month must be in 1..12'],
  ['2021-02-29', 'day is out of range for month'],
  ['2021-02-28 24:00:00', 'hour must be in 0..23'],
  ['0000-01-01', 'year 0 is out of range'],
])('%s is a mistake', (text, message) => {
  expect(() => read(`a: ${text}\n`)).toThrow(message)
})

it('keys and members are dates, too', () => {
  for (const value of read('{2020-01-01: [2020-01-02]}\n')) {
    const [[key, list]] = [...(value as Map<unknown, unknown[]>)] as [[unknown, unknown[]]]
    expect([key, list[0]].map(String)).toEqual(['2020-01-01', '2020-01-02'])
    expect(key).toBeInstanceOf(Timestamp)
  }
})
