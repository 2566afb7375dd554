/** wait_for_connection: waits until the host can be reached and answers. */
import { Problem } from '../../base/index.ts'
import { fallback, int } from '../../params/index.ts'
import { sh } from '../../remote/index.ts'
import { defineModule, type Host, ModuleFailure } from '../api.ts'

export default defineModule({
  name: 'ansible.builtin.wait_for_connection',
  takesAsync: false,
  optionsOfAction: true,
  summary: 'Waits until the host can be reached.',
  params: {
    connect_timeout: fallback(int(), 5),
    delay: fallback(int(), 0),
    sleep: fallback(int(), 1),
    timeout: fallback(int(), 600),
  },
  async *run(args, host) {
    if (host.check) return { skipped: true }
    const started = host.now().getTime()
    const elapsed = (): number => Math.floor((host.now().getTime() - started) / 1000)
    if (args.delay > 0) await host.sleep(args.delay)
    for (;;) {
      const trouble = await troubleWith(host, args.connect_timeout)
      if (trouble === undefined) return { changed: false, elapsed: elapsed() }
      if (elapsed() >= args.timeout + args.delay) {
        throw new ModuleFailure(`timed out waiting for ping module test: ${trouble}`, { elapsed: elapsed() })
      }
      await host.sleep(args.sleep)
    }
  },
})

/** Why the host does not answer; undefined when it does. */
async function troubleWith(host: Host, connectTimeoutSeconds: number): Promise<string | undefined> {
  try {
    await host.reconnect({ connectTimeoutSeconds })
    await host.look(sh`:`)
    return undefined
  } catch (error) {
    if (error instanceof Problem && error.kind === 'connection') return error.message
    throw error
  }
}
