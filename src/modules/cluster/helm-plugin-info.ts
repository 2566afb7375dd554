/** helm_plugin_info: tells the plugins of helm. */
import { str } from '../../params/index.ts'
import { defineModule } from '../api.ts'
import { pluginsOf } from './helm-plugins.ts'
import { helmParams } from './helm-words.ts'

export default defineModule({
  name: 'kubernetes.core.helm_plugin_info',
  summary: 'Tells the plugins of Helm.',
  params: { ...helmParams, plugin_name: str({ description: 'only the plugin of this name' }) },
  rules: { mutuallyExclusive: [['context', 'ca_cert']] },
  async *run(args, host) {
    const { plugins, told } = await pluginsOf(host, args)
    const wanted = plugins.filter((one) => args.plugin_name === undefined || one.name === args.plugin_name)
    return { changed: false, ...told, plugin_list: wanted.map((one) => ({ ...one })) }
  },
})
