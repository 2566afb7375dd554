/** Renders the plan of bench/templates with the project's own engine and prints what came out of it and how long it took: own.ts PLAN ROUNDS */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { asWritten, fromJson, type Json, OMIT, type Raw, type Value } from '../../src/base/index.ts'
import { readSource, readVars } from '../../src/documents/index.ts'
import { createTemplar, type RunContext } from '../../src/template/index.ts'
import { LayeredScope, mapLayer } from '../../src/vars/index.ts'
import { Memo } from '../../src/vars/memo.ts'

interface Plan {
  readonly variables: readonly string[]
  readonly templates: readonly string[]
  readonly facts: string
  readonly fixed: Readonly<Record<string, Json>>
}

const [planFile, rounds] = process.argv.slice(2)
const plan = JSON.parse(readFileSync(planFile!, 'utf8')) as Plan
const variables = new Map<string, Raw>()
for (const path of plan.variables) for (const [name, value] of readVars(path, {})) variables.set(name, value)
const names = [...variables.keys()]
const facts = JSON.parse(readFileSync(plan.facts, 'utf8')) as Readonly<Record<string, Json>>
for (const [name, value] of [...Object.entries(facts), ...Object.entries(plan.fixed)]) variables.set(name, fromJson(value) as Raw)
variables.set('omit', OMIT)
const sources = plan.templates.map((path) => readSource(path, {}))
const run: RunContext = { playbookDir: '/nowhere', env: process.env, now: () => new Date() }

const attempt = <T>(work: () => T): T | undefined => {
  try {
    return work()
  } catch {
    return undefined
  }
}

const times: [number, number][] = []
const values = new Map<string, Value | undefined>()
let rendered: (string | undefined)[] = []
const templar = createTemplar({ native: false, extensions: [] })
const questions = names.map((name) => [name, asWritten(`{{ ${name} }}`)] as const)
for (let round = 0; round < Number(rounds); round++) {
  const parts = { layers: [mapLayer(variables)], own: new Set<string>(), shared: new Memo(), templar, run, merge: false }
  const scope = new LayeredScope(parts)
  const began = performance.now()
  for (const [name, question] of questions)
    values.set(
      name,
      attempt(() => templar.render(question, scope)),
    )
  const between = performance.now()
  rendered = sources.map((source) => attempt(() => templar.renderFile(source, scope)))
  times.push([(between - began) / 1000, (performance.now() - between) / 1000])
}
const sums = rendered.map((text) => (text === undefined ? null : createHash('sha1').update(text).digest('hex')))
console.log(JSON.stringify({ names: names.length, good: names.filter((name) => values.get(name) !== undefined), sums, times }))
