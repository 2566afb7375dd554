/** `tsspray completion SHELL`: prints a script that completes commands, options and their values. */
import { didYouMean, own, Problem } from '../../base/index.ts'
import type { Commands } from '../command.ts'
import { bashScript } from '../completion/bash.ts'
import { fishScript } from '../completion/fish.ts'
import { type CommandShape, commandShapes } from '../completion/shape.ts'
import { zshScript } from '../completion/zsh.ts'
import { parseArgs } from '../options.ts'
import type { Terminal } from '../terminal.ts'

const SHELLS: Readonly<Record<string, (commands: readonly CommandShape[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
}

export const usage = {
  name: 'tsspray completion',
  about: 'Prints a script that completes words in bash, zsh or fish.',
  args: '<shell>',
  options: {},
  footer: `
bash:  tsspray completion bash > /etc/bash_completion.d/tsspray
zsh:   tsspray completion zsh > "\${fpath[1]}/_tsspray"
fish:  tsspray completion fish > ~/.config/fish/completions/tsspray.fish`,
} as const

export async function run(argv: readonly string[], terminal: Terminal, commands: Commands): Promise<number> {
  const [shell = ''] = parseArgs(usage, argv, terminal).args
  const write = own(SHELLS, shell)
  if (!write) {
    const hint = didYouMean(shell, Object.keys(SHELLS)) ?? `known are ${Object.keys(SHELLS).join(', ')}`
    throw new Problem(`there is no completion for '${shell}'`, { kind: 'usage', hint })
  }
  terminal.out(write(await commandShapes(commands)))
  return 0
}
