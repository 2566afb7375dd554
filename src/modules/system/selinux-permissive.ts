/** selinux_permissive: makes a domain of SELinux be one whose offences are told but not hindered, or not. */
import { bool, fallback, required, str } from '../../params/index.ts'
import { defineModule, ModuleFailure } from '../api.ts'
import { askTool, useTool } from './tools.ts'

export default defineModule({
  name: 'community.general.selinux_permissive',
  summary: 'Manages permissive domains of SELinux.',
  params: {
    domain: required(str({ aliases: ['name'], description: 'the domain' })),
    no_reload: fallback(bool({ description: 'do not load the policy anew' }), false),
    permissive: required(bool({ description: 'whether it is permissive' })),
    store: fallback(str({ description: "the policy's store" }), ''),
  },
  async *run({ domain, no_reload: keep, permissive, store }, host) {
    const place = store === '' ? [] : ['-S', store]
    const fail = (message: string): never => {
      throw new ModuleFailure(message, { domain })
    }
    const told = await askTool(host, ['semanage', 'permissive', '-l', '-n', ...place])
    if (told.rc !== 0) fail(told.stderr.trim())
    const listed = told.stdout.split(/\s+/).includes(domain)
    const result = { store, permissive, domain }
    if (listed === permissive) return { changed: false, ...result }
    const done = yield* useTool('domain', ['semanage', 'permissive', permissive ? '-a' : '-d', ...(keep ? ['-N'] : []), ...place, domain])
    if (done && done.rc !== 0) fail(done.stderr.trim())
    return { changed: true, ...result }
  },
})
