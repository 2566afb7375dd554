/** slurp: brings a file's content into a result, as base64. */
import { path, required } from '../params/index.ts'
import { contentProbe, type Missing, type Stat, statProbe } from '../remote/index.ts'
import { defineModule, ModuleFailure } from './api.ts'
import { askAll } from './files/ask.ts'

export default defineModule({
  name: 'ansible.builtin.slurp',
  summary: "Brings a file's content into a result.",
  params: { src: required(path({ aliases: ['path'] })) },
  async *run(args, host) {
    const { stat, content } = await askAll(host, { stat: statProbe(args.src, { follow: true }), content: contentProbe(args.src) })
    const refusal = unreadable(args.src, stat)
    if (refusal) throw new ModuleFailure(refusal)
    // files of /proc say that they are empty
    const bytes = content && (content.length > 0 || !args.src.startsWith('/proc/')) ? content : await host.read(args.src)
    return { changed: false, content: Buffer.from(bytes).toString('base64'), source: args.src, encoding: 'base64' }
  },
})

/** Why there is nothing to be read. */
export function unreadable(src: string, stat: Stat | Missing): string | undefined {
  if (!stat.exists && stat.why === 'not-a-directory') return `unable to slurp file: [Errno 20] Not a directory: '${src}'`
  if (!stat.exists) return stat.why === 'no-permission' ? `file is not readable: ${src}` : `file not found: ${src}`
  if (stat.kind === 'directory') return `source is a directory and must be a file: ${src}`
  return stat.kind === 'file' && !stat.readable ? `file is not readable: ${src}` : undefined
}
