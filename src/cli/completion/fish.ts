/** The commands → a script of completion for fish. */
import type { CommandShape, Completes, OptionShape } from './shape.ts'

export function fishScript(commands: readonly CommandShape[]): string {
  const names = commands.map(({ name }) => name).join(' ')
  return `# fish completion for tsspray: put it into ~/.config/fish/completions/tsspray.fish
function __tsspray_is
  set -l words (commandline -opc)
  set -l command playbook
  if set -q words[2]; and contains -- $words[2] ${names}
    set command $words[2]
  end
  test $command = $argv[1]
end
complete -c tsspray -e
${commands.map(({ name, summary }) => `complete -c tsspray -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`).join('\n')}
${commands.flatMap(linesOf).join('\n')}
`
}

const linesOf = ({ name, options, completes }: CommandShape): string[] => [
  ...options.map((option) => optionLine(name, option)),
  ...(completes.kind === 'files' ? [] : [`complete -c tsspray -n '__tsspray_is ${name}' -f${wordsOf(completes)}`]),
]

function optionLine(command: string, { names, about, value, isOptional, completes }: OptionShape): string {
  const spelled = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`)).join(' ')
  const taken = value === undefined || isOptional ? '' : completes.kind === 'files' ? ' -r -F' : ` -x${wordsOf(completes)}`
  return `complete -c tsspray -n '__tsspray_is ${command}' ${spelled}${taken} -d ${quoted(about)}`
}

const wordsOf = (completes: Completes): string => (completes.kind === 'words' ? ` -a ${quoted(completes.words.join(' '))}` : '')

const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`
