// A target's name and aliases → why it is not for tsspray or not for such a machine; undefined where it is to be run.

const KINDS = [
  [/^(hidden|disabled|unsupported)$/, 'not a target of its own'],
  [/^(shippable\/windows|windows)/, 'Windows'],
  [/^(shippable\/galaxy|cloud\/|needs\/httptester)/, 'needs a network service'],
]

const NAMES = [
  [/^(hardware_facts|mount_facts)$/, 'changes what all of a machine shares: volumes and mounts'],
  [/^(ansible|ansible-config|ansible-doc|config|infra|pyyaml|deprecations)$/, 'asks for documentation, settings or libraries of Python code'],
  [
    /^(ansible-playbook-callbacks|callback_results|collections|collections_plugin_namespace|collections_runtime_pythonpath|common_network)$/,
    'plugins in Python on the controller',
  ],
  [
    /^(connection_(delegation|local|paramiko_ssh|remote_is_local)|egg-info|error_from_connection|fork_safe_stdio|ignore_unreachable)$/,
    'plugins in Python on the controller',
  ],
  [
    /^(jinja_plugins|loop-connection|old_style_(cache|vars)_plugins|pkg_resources|plugin_(config_for_inventory|filtering|loader|namespace))$/,
    'plugins in Python on the controller',
  ],
  [/^(inventory|inventory_cache|module_defaults)$/, 'plugins in Python on the controller'],
  [/^ansible-inventory$/, 'Ansible itself fails it on such a machine: packages to be downloaded, an error that is a warning'],
  [/^module_utils$/, 'Ansible itself fails it on such a machine'],
  [/^(result_pickle_error|shell|unexpected_executor_exception|until)$/, 'plugins in Python on the controller'],
  [/^(apt|apt_key|binary_modules_posix|deb822_repository|dpkg_selections|git|package|pip|subversion)$/, 'needs a network'],
  [/^incidental_ios_file$/, 'needs a network'],
  [/^become_unprivileged$/, 'plugins in Python on the controller'],
  [/^(module_no_log|cron|service|service_facts|reboot|dnf|dnf5|yum_repository|rpm_key)$/, 'needs another kind of host: running services, packages of rpm'],
  [/^unarchive$/, 'an archive to be downloaded'],
  [/^preflight_encoding$/, 'demands a locale of Python, which tsspray has no need of'],
  [/^(ansiballz_python|interpreter_discovery_python|remote_tmp)$/, 'the files and the Python of its modules on hosts, which tsspray has no need of'],
  [
    /^(ansible-test|ansible-galaxy|ansible-pull|packaging_|entry_points|win_|module_utils_Ansible|connection_(psrp|winrm|windows))/,
    'a tool that tsspray does not replace',
  ],
]

/** These install packages of Debian or of Python, which may be at hand. */
const PACKAGED = [
  [/^(debconf|group|user)$/, 'DEBS'],
  [/^(cli|expect)$/, 'PACKAGES'],
]

export function whyNot(name, aliases) {
  const where = PACKAGED.find(([pattern]) => pattern.test(name))?.[1]
  if (where && !process.env[where]) return `packages to be downloaded, unless ${where} has them`
  const named = NAMES.find(([pattern]) => pattern.test(name))
  if (named) return named[1]
  if (aliases.some((alias) => /^shippable\/posix/.test(alias)) && !aliases.includes('needs/httptester')) return undefined
  return KINDS.find(([pattern]) => aliases.some((alias) => pattern.test(alias)))?.[1]
}
