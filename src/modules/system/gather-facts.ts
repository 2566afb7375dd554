/** gather_facts: what a play does before its tasks; here the same as setup. */
import { bool } from '../../params/index.ts'
import { defineModule } from '../api.ts'

export default defineModule({
  name: 'ansible.builtin.gather_facts',
  takesAsync: false,
  summary: 'Gathers facts about a host as plays do by themselves.',
  params: { parallel: bool() },
  openArgs: true,
  async *run(_args, host) {
    const args = new Map([...host.task.rawArgs].filter(([name]) => name !== 'parallel'))
    return yield* host.call('ansible.builtin.setup', args)
  },
})
