/** The commands' names, for those who must tell a mistyped one from a playbook. */
export const COMMAND_NAMES = ['playbook', 'inventory', 'exec', 'vault', 'doc', 'lint', 'config', 'runs', 'show', 'completion'] as const
