/** setup: gathers the facts of a host in one look. */
import { gathering } from '../../facts/index.ts'
import { fallback, int, list, path } from '../../params/index.ts'
import { textOf } from '../../remote/index.ts'
import { defineModule } from '../api.ts'

export default defineModule({
  name: 'ansible.builtin.setup',
  summary: 'Gathers facts about a host.',
  params: {
    gather_subset: fallback(list(), ['all']),
    gather_timeout: fallback(int(), 10),
    filter: fallback(list(), []),
    fact_path: fallback(path(), '/etc/ansible/facts.d'),
  },
  async *run(args, host) {
    const python = (host.task.there ?? ((name: string) => host.controller.variable(name)))('ansible_python_interpreter')
    const { script, parse } = gathering({
      subset: args.gather_subset,
      filter: args.filter,
      factPath: args.fact_path,
      timeoutSeconds: args.gather_timeout,
      python: typeof python === 'string' && python.startsWith('/') ? python : undefined,
    })
    const { facts, warnings } = parse(textOf((await host.look(script)).stdout))
    return { ansible_facts: facts, changed: false, ...(warnings.length > 0 ? { warnings } : {}) }
  },
})
