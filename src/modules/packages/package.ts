/** package: makes packages be there or be gone, by the host's own package manager. */
import { fallback, raw, str } from '../../params/index.ts'
import { defineModule, ModuleFailure } from '../api.ts'

export default defineModule({
  name: 'ansible.builtin.package',
  summary: 'Manages packages, whatever the package manager.',
  params: { name: raw(), state: str(), use: fallback(str(), 'auto') },
  openArgs: true,
  async *run(args, host) {
    const manager = args.use === 'auto' ? await host.fact('pkg_mgr') : args.use
    if (typeof manager !== 'string' || manager === 'unknown') {
      throw new ModuleFailure('Could not detect which package manager to use. Try gathering facts or setting the "use" option.')
    }
    const given = new Map([...host.task.rawArgs].filter(([name]) => name !== 'use'))
    return yield* host.call(manager, given)
  },
})
