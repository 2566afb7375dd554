/** set_stats: gives the run numbers of its own. */
import { isDict, type Json, record, type Value } from '../base/index.ts'
import { asText, boolWord, raw } from '../params/index.ts'
import { defineModule, ModuleFailure } from './api.ts'
import { checkVariableName } from './files/names.ts'
import { inResult } from './files/values.ts'

export default defineModule({
  name: 'ansible.builtin.set_stats',
  takesAsync: false,
  optionsOfAction: true,
  summary: 'Gives the run numbers of its own.',
  controllerOnly: true,
  params: { data: raw(), per_host: raw(), aggregate: raw() },
  async *run(args) {
    const data: Record<string, Json> = record()
    if (args.data !== undefined && !isDict(args.data)) throw new ModuleFailure("The 'data' option needs to be a dictionary/hash")
    for (const [key, value] of args.data ?? []) {
      checkVariableName(asText(key))
      data[asText(key)] = inResult(value)
    }
    return { changed: false, ansible_stats: { data, per_host: isOn(args.per_host, false), aggregate: isOn(args.aggregate, true) } }
  },
})

/** What is no word of yes or no is no. */
const isOn = (value: Value | undefined, otherwise: boolean): boolean =>
  value === undefined || value === null ? otherwise : (boolWord(value) ?? false)
