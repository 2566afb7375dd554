/** Python's regular expressions: what Python does with a table of patterns, and what we do. */
import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { compileRegex, escapeRegex, splitBy, substitute } from '../../../src/template/regex/regex.ts'

interface Row {
  pattern: string
  text: string
  replacement: string
  flags: string
  expected: Record<string, unknown>
}

const rows: Row[] = JSON.parse(readFileSync(new URL('../../differential/filters/regex.json', import.meta.url), 'utf8'))

describe('regular expressions as in Python', () => {
  test.each(rows.map((row) => [JSON.stringify([row.pattern, row.text, row.replacement, row.flags]), row] as const))('%s', (_, row) => {
    expect(run(row)).toEqual(row.expected)
  })
  test('escape', () => expect(escapeRegex('a.b*c [x]\n/é-~&#%!"\'<>=@`:;,')).toBe('a\\.b\\*c\\ \\[x\\]\\\n/é\\-\\~\\&\\#%!"\'<>=@`:;,'))
})

describe('patterns made at random', () => {
  const made: Row[] = readFileSync(new URL('../../differential/filters/regex-generated.jsonl', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  test(`${made.length} of them`, () => {
    const different = made.map((row) => ({ ...row, ours: inFull(row) })).filter(({ expected, ours }) => !isDeepStrictEqual(ours, expected))
    expect(different).toEqual([])
  })
})

/** What is found, with every group, by each way of asking. */
function inFull({ pattern, text, replacement, flags }: Row): Record<string, unknown> {
  try {
    const options = { ignoreCase: flags.includes('i'), multiline: flags.includes('m'), dotAll: flags.includes('s') }
    const regex = compileRegex(pattern, options)
    return {
      sub: orMistake(() => substitute(regex, replacement, text).text),
      all: [...regex.all(text)].map((found) => [found.text, found.groups.map((group) => group ?? null)]),
      match: regex.match(text)?.text ?? null,
      fullmatch: regex.fullmatch(text) !== undefined,
      split: splitBy(regex, text).map((part) => part ?? null),
    }
  } catch (error) {
    return { error: (error as Error).message }
  }
}

function orMistake(work: () => string): string {
  try {
    return work()
  } catch (error) {
    return `!${(error as Error).message}`
  }
}

function run(row: Row): Record<string, unknown> {
  try {
    const options = { ignoreCase: row.flags.includes('i'), multiline: row.flags.includes('m'), dotAll: row.flags.includes('s') }
    const regex = compileRegex(row.pattern, options)
    const all = [...regex.all(row.text)]
    const findall = all.map((found) =>
      regex.groups === 0 ? found.text : regex.groups === 1 ? (found.groups[0] ?? '') : found.groups.map((g) => g ?? ''),
    )
    return {
      sub: substitute(regex, row.replacement, row.text).text,
      findall,
      match: regex.match(row.text) !== undefined,
      fullmatch: regex.fullmatch(row.text) !== undefined,
      split: splitBy(regex, row.text).map((part) => part ?? null),
    }
  } catch (error) {
    return { error: (error as Error).message }
  }
}
