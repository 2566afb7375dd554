/** The commands by name; everything that is none of them is a playbook. */
import type { Load } from './command.ts'
import type { COMMAND_NAMES } from './command-names.ts'

const playbook: Load = () => import('./commands/playbook.ts')

export const COMMANDS: Readonly<Record<(typeof COMMAND_NAMES)[number], { readonly load: Load; readonly summary: string }>> = {
  playbook: { load: playbook, summary: 'run playbooks; the word itself may be left out' },
  inventory: { load: () => import('./commands/inventory.ts'), summary: 'show hosts and groups' },
  exec: { load: () => import('./commands/exec.ts'), summary: 'run one module on hosts' },
  vault: { load: () => import('./commands/vault.ts'), summary: 'seal and open files and texts' },
  doc: { load: () => import('./commands/doc.ts'), summary: 'explain modules' },
  runs: { load: () => import('./commands/runs.ts'), summary: 'list the runs that are kept' },
  show: { load: () => import('./commands/show.ts'), summary: 'retell a run' },
  completion: { load: () => import('./commands/completion.ts'), summary: 'print a script that completes words in bash, zsh or fish' },
  lint: { load: () => import('./commands/lint.ts'), summary: 'find mistakes in playbooks without a host' },
  config: { load: () => import('./commands/config.ts'), summary: 'show settings and where they come from' },
}

export function commandOf(argv: readonly string[]): { readonly load: Load; readonly rest: readonly string[] } {
  const [first = '', ...rest] = argv
  if (first === 'help') return { load: playbook, rest: ['--help'] }
  return isCommand(first) ? { load: COMMANDS[first].load, rest } : { load: playbook, rest: argv }
}

const isCommand = (name: string): name is keyof typeof COMMANDS => Object.hasOwn(COMMANDS, name)
