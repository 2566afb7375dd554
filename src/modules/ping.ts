/** ping: shows that a host can be worked on. */
import { fallback, str } from '../params/index.ts'
import { sh } from '../remote/index.ts'
import { defineModule } from './api.ts'

export default defineModule({
  name: 'ansible.builtin.ping',
  summary: 'Shows that a host can be worked on.',
  params: { data: fallback(str(), 'pong') },
  async *run(args, host) {
    if (args.data === 'crash') throw new Error('boom')
    await host.look(sh`:`)
    return { changed: false, ping: args.data }
  },
})
