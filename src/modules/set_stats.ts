/** set_stats: gives the run numbers of its own. */
import { isDict, type Json, record } from '../base/index.ts'
import { asText, bool, fallback, raw } from '../params/index.ts'
import { defineModule, ModuleFailure } from './api.ts'
import { checkVariableName } from './files/names.ts'
import { inResult } from './files/values.ts'

export default defineModule({
  name: 'ansible.builtin.set_stats',
  summary: 'Gives the run numbers of its own.',
  controllerOnly: true,
  params: { data: raw(), per_host: fallback(bool(), false), aggregate: fallback(bool(), true) },
  async *run(args) {
    const data: Record<string, Json> = record()
    if (args.data !== undefined && !isDict(args.data)) throw new ModuleFailure("The 'data' option needs to be a dictionary/hash")
    for (const [key, value] of args.data ?? []) {
      checkVariableName(asText(key))
      data[asText(key)] = inResult(value)
    }
    return { changed: false, ansible_stats: { data, per_host: args.per_host, aggregate: args.aggregate } }
  },
})
