import { describe, expect, it } from 'vitest'
import { differences, here } from './compare.ts'
import { readRecorded } from './engine.ts'
import { generatedTemplates } from './generated.ts'
import { gaveUp, SKIPPED } from './skip.ts'

const recorded = readRecorded(here('./recorded.jsonl')).filter((one) => !gaveUp(one) && !SKIPPED.some(({ matches }) => matches.test(one.t)))

const KINDS: Readonly<Record<string, string>> = {
  text: 'texts of playbooks',
  native: 'texts with native types',
  file: 'template files',
  when: 'conditions',
}

describe.each(Object.keys(KINDS))('the corpus as ansible-core renders it: %s', (kind) => {
  const cases = recorded.filter(({ m }) => m === kind)

  it(`${KINDS[kind]} give the same values`, () => {
    expect(differences(cases.filter(({ r }) => r !== undefined))).toEqual([])
  })

  it(`${KINDS[kind]} fail with the same words`, () => {
    expect(differences(cases.filter(({ e }) => e !== undefined))).toEqual([])
  })
})

describe('what tries the lexer and the parser', () => {
  const cases = readRecorded(here('./lexing.jsonl')).filter((one) => !gaveUp(one) && !SKIPPED.some(({ matches }) => matches.test(one.t)))

  it.each(Object.keys(KINDS))('%s', (kind) => {
    expect(differences(cases.filter(({ m }) => m === kind))).toEqual([])
  })
})

describe('generated expressions as ansible-core renders them', () => {
  const cases = readRecorded(here('./generated.jsonl'))

  it('are those that the generator gives', () => {
    expect(cases.map(({ t }) => t)).toEqual([...new Set(generatedTemplates(1, 3000))])
  })

  it('give the same values and fail with the same words', () => {
    expect(differences(cases.filter((one) => !gaveUp(one) && !SKIPPED.some(({ matches }) => matches.test(one.t))))).toEqual([])
  })
})
