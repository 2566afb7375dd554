/** Answers a module's question for one fact: from the facts that were gathered, else from one small look, once a host. */
import { fromJson, type JsonObject, type Value } from '../base/index.ts'
import { type Host, smallFacts } from '../modules/index.ts'
import { textOf } from '../remote/index.ts'
import type { Run } from './state.ts'

const looked = new WeakMap<Run, Map<string, Promise<ReadonlyMap<string, Value>>>>()

export async function smallFact(run: Run, host: string, name: string, look: Host['look']): Promise<Value | undefined> {
  const known = run.variables.facts.of(host).get(`ansible_${name}`)
  if (known !== undefined) return known
  const all = looked.get(run) ?? new Map<string, Promise<ReadonlyMap<string, Value>>>()
  looked.set(run, all)
  let answer = all.get(host)
  if (!answer) {
    answer = look(smallFacts.script).then((output) => bare(smallFacts.parse(textOf(output.stdout)) as JsonObject))
    all.set(host, answer)
    answer.catch(() => all.delete(host))
  }
  return (await answer).get(name)
}

/** The facts by their bare names. */
function bare(json: JsonObject): ReadonlyMap<string, Value> {
  return new Map(Object.entries(json).map(([k, v]) => [k.replace(/^ansible_/, ''), fromJson(v)]))
}
