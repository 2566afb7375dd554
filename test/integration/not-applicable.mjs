// A target's name and aliases → why it is not for tsspray or not for such a machine; undefined where it is to be run.

const KINDS = [
  [/^(hidden|disabled|unsupported)$/, 'not a target of its own'],
  [/^(shippable\/windows|windows)/, 'Windows'],
  [/^(shippable\/galaxy|cloud\/|needs\/httptester)/, 'needs a network service'],
]

const NAMES = [
  [/^(hardware_facts|iptables|mount_facts)$/, 'changes what all of a machine shares: volumes, mounts, packet filters'],
  [/^(ansible-test|ansible-galaxy|ansible-pull|packaging_|entry_points|win_|module_utils_Ansible|connection_(psrp|winrm|windows))/, 'a tool that tsspray does not replace'],
]

export function whyNot(name, aliases) {
  const named = NAMES.find(([pattern]) => pattern.test(name))
  if (named) return named[1]
  if (aliases.some((alias) => /^shippable\/posix/.test(alias)) && !aliases.includes('needs/httptester')) return undefined
  return KINDS.find(([pattern]) => aliases.some((alias) => pattern.test(alias)))?.[1]
}
