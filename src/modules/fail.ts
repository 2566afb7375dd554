/** fail: ends a host's run with a message. */
import { asText, fallback, raw } from '../params/index.ts'
import { defineModule, ModuleFailure } from './api.ts'
import { inResult } from './files/values.ts'

export default defineModule({
  name: 'ansible.builtin.fail',
  takesAsync: false,
  optionsOfAction: true,
  summary: "Ends a host's run with a message.",
  controllerOnly: true,
  params: { msg: fallback(raw(), 'Failed as requested from task') },
  async *run(args) {
    const said = inResult(args.msg)
    throw new ModuleFailure(typeof said === 'string' ? said : asText(args.msg), {}, said)
  },
})
