import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { createTemplar } from '../../../src/template/index.ts'
import { corpusVariables, type Recorded, readRecorded, renderCase, scopeOf } from './engine.ts'
import { normalError, normalResult } from './normalise.ts'
import { gaveUp, SKIPPED } from './skip.ts'

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url))
const extensions = ['jinja2.ext.do', 'jinja2.ext.loopcontrols']
const variables = corpusVariables(here('./corpus.py'))
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

function differences(cases: readonly Recorded[]): object[] {
  const templar = createTemplar({ native: cases[0]?.m === 'native', extensions })
  const scope = scopeOf(variables, () => templar)
  const found: object[] = []
  for (const one of cases) {
    const theirs = one.r !== undefined ? normalResult(one, one.r) : normalError(one.e!)
    const result = renderCase(one, templar, scope)
    const ours = result.r !== undefined ? normalResult(one, result.r) : `error: ${result.e}`
    if (ours !== theirs) found.push({ template: one.t, options: one.o, theirs, ours })
  }
  return found
}
