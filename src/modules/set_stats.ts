/** set_stats: gives the run numbers of its own. */
import type { Json } from '../base/index.ts'
import { asText, bool, dict, fallback } from '../params/index.ts'
import { defineModule } from './api.ts'
import { checkVariableName } from './files/names.ts'
import { inResult } from './files/values.ts'

export default defineModule({
  name: 'ansible.builtin.set_stats',
  summary: 'Gives the run numbers of its own.',
  controllerOnly: true,
  params: { data: dict(), per_host: fallback(bool(), false), aggregate: fallback(bool(), true) },
  async *run(args) {
    const data: Record<string, Json> = {}
    for (const [key, value] of args.data ?? []) {
      checkVariableName(asText(key))
      data[asText(key)] = inResult(value)
    }
    return { changed: false, ansible_stats: { data, per_host: args.per_host, aggregate: args.aggregate } }
  },
})
