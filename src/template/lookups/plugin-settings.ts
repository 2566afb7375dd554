/** Options of the plugins that stand for connections and shells: a plugin's type, its name and an option → its value and where that is from. */
import type { Value } from '../../base/index.ts'
import { lookupError } from '../python/index.ts'
import type { CallContext } from '../registry.ts'

interface PluginOption {
  /** the later ones are over the earlier ones */
  readonly vars: readonly string[]
  /** the setting that holds where no variable does */
  readonly setting?: string
  readonly kind?: 'integer' | 'boolean'
  /** what holds where there is no such setting */
  readonly fallback?: string | boolean
}

const of = (vars: string, setting?: string): PluginOption => ({ vars: vars.split(' '), ...(setting === undefined ? {} : { setting }) })

const SSH: Readonly<Record<string, PluginOption>> = {
  control_path: of('ansible_control_path', 'SSH_CONTROL_PATH'),
  control_path_dir: of('ansible_control_path_dir', 'SSH_CONTROL_PATH_DIR'),
  host: of('inventory_hostname ansible_host ansible_ssh_host'),
  host_key_checking: { ...of('ansible_host_key_checking ansible_ssh_host_key_checking', 'SSH_HOST_KEY_CHECKING'), kind: 'boolean' },
  password: of('ansible_password ansible_ssh_pass ansible_ssh_password'),
  pipelining: { ...of('ansible_pipelining ansible_ssh_pipelining', 'SSH_PIPELINING'), kind: 'boolean' },
  pkcs11_provider: { ...of('ansible_ssh_pkcs11_provider'), fallback: '' },
  port: { ...of('ansible_port ansible_ssh_port', 'DEFAULT_REMOTE_PORT'), kind: 'integer' },
  private_key_file: of('ansible_private_key_file ansible_ssh_private_key_file', 'DEFAULT_PRIVATE_KEY_FILE'),
  reconnection_retries: { ...of('ansible_ssh_retries', 'SSH_RETRIES'), kind: 'integer' },
  remote_user: of('ansible_user ansible_ssh_user', 'DEFAULT_REMOTE_USER'),
  scp_executable: { ...of('ansible_scp_executable'), fallback: 'scp' },
  scp_extra_args: of('ansible_scp_extra_args', 'SCP_EXTRA_ARGS'),
  sftp_batch_mode: { ...of('ansible_sftp_batch_mode'), kind: 'boolean', fallback: true },
  sftp_executable: { ...of('ansible_sftp_executable'), fallback: 'sftp' },
  sftp_extra_args: of('ansible_sftp_extra_args', 'SFTP_EXTRA_ARGS'),
  ssh_args: of('ansible_ssh_args', 'SSH_ARGS'),
  ssh_common_args: of('ansible_ssh_common_args', 'SSH_COMMON_ARGS'),
  ssh_executable: of('ansible_ssh_executable', 'SSH_EXECUTABLE'),
  ssh_extra_args: of('ansible_ssh_extra_args', 'SSH_EXTRA_ARGS'),
  ssh_transfer_method: of('ansible_ssh_transfer_method', 'SSH_TRANSFER_METHOD'),
  sshpass_prompt: { ...of('ansible_sshpass_prompt'), fallback: '' },
  timeout: { ...of('ansible_ssh_timeout', 'SSH_TIMEOUT'), kind: 'integer' },
  use_tty: { ...of('ansible_ssh_use_tty', 'SSH_USETTY'), kind: 'boolean' },
}

const SHELL: Readonly<Record<string, PluginOption>> = {
  remote_tmp: of('ansible_remote_tmp', 'ANSIBLE_REMOTE_TMP'),
  system_tmpdirs: of('ansible_system_tmpdirs'),
}

const PLUGINS: ReadonlyMap<string, Readonly<Record<string, PluginOption>>> = new Map([
  ['connection ssh', SSH],
  ['shell sh', SHELL],
])

/** What is written in quotes, or in an inventory in INI. */
const READ: Readonly<Record<'integer' | 'boolean', (text: string) => Value>> = {
  integer: Number,
  boolean: (text) => /^(y|yes|on|1|true|t)$/i.test(text),
}

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
  if (variable === undefined)
    return { value: (option.setting ? scope.run?.setting?.(option.setting) : option.fallback) ?? null, origin: null }
  const value = scope.get(variable) ?? null
  return { value: option.kind && typeof value === 'string' ? READ[option.kind](value) : value, origin: `var: ${variable}` }
}
