/** helm_plugin: makes a plugin of helm be installed, be the latest, or be gone. */
import { choice, str } from '../../params/index.ts'
import { defineModule, ModuleFailure } from '../api.ts'
import { callHelm, pluginsOf } from './helm-plugins.ts'
import { helmParams } from './helm-words.ts'

export default defineModule({
  name: 'kubernetes.core.helm_plugin',
  summary: 'Manages plugins of Helm.',
  params: {
    ...helmParams,
    plugin_name: str({ description: 'name of the plugin' }),
    plugin_path: str({ description: 'where it comes from: a folder or an address' }),
    plugin_version: str({ description: 'its version' }),
    state: choice(['absent', 'present', 'latest'], 'present'),
  },
  rules: {
    requiredIf: [
      ['state', 'present', ['plugin_path']],
      ['state', 'absent', ['plugin_name']],
      ['state', 'latest', ['plugin_name']],
    ],
    mutuallyExclusive: [
      ['context', 'ca_cert'],
      ['plugin_name', 'plugin_path'],
    ],
  },
  async *run(args, host) {
    if (args.state === 'present') {
      const version = args.plugin_version === undefined ? [] : [`--version=${args.plugin_version}`]
      const told = yield* callHelm('plugin', args, ['plugin', 'install', args.plugin_path!, ...version])
      // helm has no status of its own for this
      if (told.rc === 1 && told.stderr.includes('plugin already exists')) return { changed: false, msg: 'Plugin already exists', ...told }
      if (told.rc !== 0) throw new ModuleFailure('Failure when executing Helm command.', told)
      return { changed: true, msg: 'Plugin installed successfully', ...told }
    }
    const { plugins, told } = await pluginsOf(host, args)
    const gone = args.state === 'absent'
    if (!plugins.some((one) => one.name === args.plugin_name))
      return { changed: false, msg: gone ? 'Plugin not found or is already uninstalled' : 'Plugin not found', ...told }
    const done = yield* callHelm('plugin', args, ['plugin', gone ? 'uninstall' : 'update', args.plugin_name!])
    if (done.rc !== 0) throw new ModuleFailure(`Failed to get Helm plugin ${gone ? 'uninstall' : 'update'}`, done)
    return { changed: true, msg: `Plugin ${gone ? 'uninstalled' : 'updated'} successfully`, ...done }
  },
})
