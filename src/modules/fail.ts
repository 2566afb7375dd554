/** fail: ends a host's run with a message. */
import { fallback, str } from '../params/index.ts'
import { defineModule, ModuleFailure } from './api.ts'

export default defineModule({
  name: 'ansible.builtin.fail',
  takesAsync: false,
  optionsOfAction: true,
  summary: "Ends a host's run with a message.",
  controllerOnly: true,
  params: { msg: fallback(str(), 'Failed as requested from task') },
  async *run(args) {
    throw new ModuleFailure(args.msg)
  },
})
