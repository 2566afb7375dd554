/** slurp: brings a file's content into a result, as base64. */
import { path, required } from '../params/index.ts'
import { contentProbe, statProbe } from '../remote/index.ts'
import { defineModule, ModuleFailure } from './api.ts'
import { askAll } from './files/ask.ts'

export default defineModule({
  name: 'ansible.builtin.slurp',
  summary: "Brings a file's content into a result.",
  params: { src: required(path({ aliases: ['path'] })) },
  async *run(args, host) {
    const { stat, content } = await askAll(host, { stat: statProbe(args.src, { follow: true }), content: contentProbe(args.src) })
    if (!stat.exists && stat.why === 'not-a-directory')
      throw new ModuleFailure(`unable to slurp file: [Errno 20] Not a directory: '${args.src}'`)
    if (!stat.exists)
      throw new ModuleFailure(stat.why === 'no-permission' ? `file is not readable: ${args.src}` : `file not found: ${args.src}`)
    if (stat.kind === 'directory') throw new ModuleFailure(`source is a directory and must be a file: ${args.src}`)
    if (stat.kind === 'file' && !stat.readable) throw new ModuleFailure(`file is not readable: ${args.src}`)
    // files of /proc say that they are empty
    const bytes = content && (content.length > 0 || !args.src.startsWith('/proc/')) ? content : await host.read(args.src)
    return { changed: false, content: Buffer.from(bytes).toString('base64'), source: args.src, encoding: 'base64' }
  },
})
