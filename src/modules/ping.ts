/** ping: shows that a host can be worked on. */
import { fallback, str } from '../params/index.ts'
import { sh } from '../remote/index.ts'
import { defineModule, ModuleFailure } from './api.ts'

export default defineModule({
  name: 'ansible.builtin.ping',
  summary: 'Shows that a host can be worked on.',
  params: { data: fallback(str(), 'pong') },
  async *run(args, host) {
    if (args.data === 'crash') throw crashed()
    await host.look(sh`:`)
    return { changed: false, ping: args.data }
  },
})

/** What a module that crashes looks like: asked for, to see how a playbook takes it. */
function crashed(): ModuleFailure {
  const said = 'Traceback (most recent call last):\nException: boom\n'
  return new ModuleFailure('MODULE FAILURE\nSee stdout/stderr for the exact error', {
    exception: said,
    module_stdout: '',
    module_stderr: said,
    rc: 1,
  })
}
