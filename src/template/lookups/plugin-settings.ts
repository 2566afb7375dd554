/** Options of the plugins that stand for connections and shells: a plugin's type, its name and an option → its value and where that is from. */
import type { Value } from '../../base/index.ts'
import { lookupError } from '../python/index.ts'
import type { CallContext } from '../registry.ts'

interface PluginOption {
  /** the later ones are over the earlier ones */
  readonly vars: readonly string[]
  /** the setting that holds where no variable does */
  readonly setting?: string
  readonly integer?: true
}

const of = (vars: string, setting?: string): PluginOption => ({ vars: vars.split(' '), ...(setting === undefined ? {} : { setting }) })

const SSH: Readonly<Record<string, PluginOption>> = {
  host: of('inventory_hostname ansible_host ansible_ssh_host'),
  host_key_checking: of('ansible_host_key_checking ansible_ssh_host_key_checking', 'HOST_KEY_CHECKING'),
  password: of('ansible_password ansible_ssh_pass ansible_ssh_password'),
  pipelining: of('ansible_pipelining ansible_ssh_pipelining', 'ANSIBLE_PIPELINING'),
  port: { ...of('ansible_port ansible_ssh_port', 'DEFAULT_REMOTE_PORT'), integer: true },
  private_key_file: of('ansible_private_key_file ansible_ssh_private_key_file', 'DEFAULT_PRIVATE_KEY_FILE'),
  remote_user: of('ansible_user ansible_ssh_user', 'DEFAULT_REMOTE_USER'),
  ssh_args: of('ansible_ssh_args'),
  ssh_common_args: of('ansible_ssh_common_args'),
  ssh_extra_args: of('ansible_ssh_extra_args'),
  timeout: { ...of('ansible_ssh_timeout', 'DEFAULT_TIMEOUT'), integer: true },
}

const SHELL: Readonly<Record<string, PluginOption>> = {
  remote_tmp: of('ansible_remote_tmp', 'ANSIBLE_REMOTE_TMP'),
  system_tmpdirs: of('ansible_system_tmpdirs'),
}

const PLUGINS: ReadonlyMap<string, Readonly<Record<string, PluginOption>>> = new Map([
  ['connection ssh', SSH],
  ['shell sh', SHELL],
])

export interface Found {
  readonly value: Value
  /** `var: NAME`; null where it is a setting */
  readonly origin: string | null
}

/** The option of a plugin; undefined where the plugin has none of that name. */
export function pluginSetting({ scope }: CallContext, type: string, plugin: string, name: string): Found | undefined {
  const options = PLUGINS.get(`${type} ${plugin.replace(/^ansible\.(?:builtin|legacy)\./, '')}`)
  if (!options) throw lookupError(`Unable to load ${type} plugin "${plugin}"`)
  const option = Object.hasOwn(options, name) ? options[name] : undefined
  if (!option) return undefined
  const variable = option.vars.findLast((one) => scope.has(one))
  if (variable === undefined) return { value: (option.setting && scope.run?.setting?.(option.setting)) ?? null, origin: null }
  const value = scope.get(variable) ?? null
  return { value: option.integer && typeof value === 'string' ? Number(value) : value, origin: `var: ${variable}` }
}
