/** Compares what the reference made of templates with what this engine makes of them. */
import { fileURLToPath } from 'node:url'
import { createTemplar } from '../../../src/template/index.ts'
import { corpusVariables, type Recorded, renderCase, scopeOf } from './engine.ts'
import { normalError, normalResult } from './normalise.ts'

const extensions = ['jinja2.ext.do', 'jinja2.ext.loopcontrols']

export const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

export const variables = corpusVariables(here('./corpus.py'))

export interface Difference {
  readonly template: string
  readonly options: Recorded['o']
  readonly theirs: string
  readonly ours: string
}

/** All cases must be of one kind. */
export function differences(cases: readonly Recorded[]): Difference[] {
  const templar = createTemplar({ native: cases[0]?.m === 'native', extensions })
  const scope = scopeOf(variables, () => templar)
  const found: Difference[] = []
  for (const one of cases) {
    const theirs = one.r !== undefined ? normalResult(one, one.r) : normalError(one.e!)
    const result = renderCase(one, templar, scope)
    const ours = result.r !== undefined ? normalResult(one, result.r) : `error: ${result.e}`
    if (ours !== theirs) found.push({ template: one.t, options: one.o, theirs, ours })
  }
  return found
}
