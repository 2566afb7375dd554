/** set_fact: gives a host variables. */
import { type Json, record, type Value } from '../base/index.ts'
import { bool, fallback, raw, required } from '../params/index.ts'
import { defineModule, ModuleFailure } from './api.ts'
import { checkVariableName } from './files/names.ts'
import { inResult } from './files/values.ts'

export default defineModule({
  name: 'ansible.builtin.set_fact',
  takesAsync: false,
  summary: 'Gives a host variables.',
  controllerOnly: true,
  openArgs: true,
  told: { key_value: required(raw({ description: 'names of variables and what they are to be' })) },
  params: { cacheable: fallback(bool(), false) },
  async *run(args, host) {
    const facts: Record<string, Json> = record()
    for (const [name, value] of host.task.rawArgs) {
      if (name === 'cacheable') continue
      checkVariableName(name)
      facts[name] = inResult(booleanWord(value))
    }
    if (Object.keys(facts).length === 0)
      throw new ModuleFailure('No key/value pairs provided, at least one is required for this action to succeed')
    return { changed: false, ansible_facts: facts, ...(args.cacheable ? { _ansible_facts_cacheable: true } : {}) }
  },
})

const WORDS: Readonly<Record<string, boolean>> = { true: true, yes: true, false: false, no: false }

/** The words yes, no, true and false become booleans. */
function booleanWord(value: Value): Value {
  return typeof value === 'string' ? (WORDS[value.toLowerCase()] ?? value) : value
}
