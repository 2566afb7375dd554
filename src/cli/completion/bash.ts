/** The commands → a script of completion for bash. */
import type { CommandShape, Completes } from './shape.ts'

export function bashScript(commands: readonly CommandShape[]): string {
  const names = commands.map(({ name }) => name)
  return `# bash completion for tsspray: source it, or put it into /etc/bash_completion.d
_tsspray() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} command=playbook words=
  # --option=value comes as three words
  [ "$cur" = = ] && cur=
  [ "$prev" = = ] && prev=\${COMP_WORDS[COMP_CWORD - 2]}
  COMPREPLY=()
  if [ "$COMP_CWORD" -gt 1 ]; then
    case \${COMP_WORDS[1]} in
      ${names.join(' | ')}) command=\${COMP_WORDS[1]} ;;
    esac
  fi
  case $command:$prev in
${commands.flatMap(valueCases).join('\n')}
  esac
  case $command in
${commands.map(optionCase).join('\n')}
  esac
  if [ "\${cur#-}" != "$cur" ]; then
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
    return
  fi
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${names.join(' ')}' -- "$cur") $(compgen -f -- "$cur"))
    return
  fi
  case $command in
${commands.map(({ name, completes }) => `    ${name}) ${replyOf(completes)} ;;`).join('\n')}
  esac
}
complete -o filenames -F _tsspray tsspray
`
}

const valueCases = ({ name, options }: CommandShape): string[] =>
  options.flatMap(({ names, value, completes, isOptional }) =>
    value === undefined || isOptional ? [] : [`    ${names.map((one) => `${name}:${one}`).join(' | ')}) ${replyOf(completes)}; return ;;`],
  )

const optionCase = ({ name, options }: CommandShape): string => `    ${name}) words='${options.flatMap(({ names }) => names).join(' ')}' ;;`

function replyOf(completes: Completes): string {
  if (completes.kind === 'words') return `COMPREPLY=($(compgen -W '${completes.words.join(' ')}' -- "$cur"))`
  return completes.kind === 'files' ? 'COMPREPLY=($(compgen -f -- "$cur"))' : 'COMPREPLY=()'
}
