/** helm_info: tells a Helm release. */
import { bool, fallback, list, required, str } from '../../params/index.ts'
import { defineModule } from '../api.ts'
import { helmParams, releaseOf } from './helm-words.ts'

export default defineModule({
  name: 'kubernetes.core.helm_info',
  aliases: ['community.kubernetes.helm_info'],
  summary: 'Tells a Helm release.',
  params: {
    ...helmParams,
    get_all_values: fallback(bool({ description: "the chart's own values too" }), false),
    release_name: required(str({ aliases: ['name'], description: 'name of the release' })),
    release_namespace: required(str({ aliases: ['namespace'], description: 'namespace of the release' })),
    release_state: list('str', { description: 'only in these states; all otherwise' }),
  },
  async *run(args, host) {
    const status = await releaseOf(host, args, { states: args.release_state ?? [], allValues: args.get_all_values })
    return status ? { changed: false, status } : { changed: false }
  },
})
