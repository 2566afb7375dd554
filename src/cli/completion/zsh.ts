/** The commands → a script of completion for zsh. */
import type { CommandShape, Completes, OptionShape } from './shape.ts'

export function zshScript(commands: readonly CommandShape[]): string {
  return `#compdef tsspray
# zsh completion for tsspray: put it as _tsspray into a folder of $fpath

_tsspray() {
  local -a commands
  commands=(
${commands.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}`).join('\n')}
  )
  local command=playbook
  if (( CURRENT > 2 )) && [[ -n "\${(M)commands:#\${words[2]}:*}" ]]; then
    command=\${words[2]}
    words=("\${words[1]}" "\${(@)words[3,-1]}")
    (( CURRENT-- ))
  elif (( CURRENT == 2 )) && [[ "\${words[2]}" != -* ]]; then
    _describe command commands
    _files
    return
  fi
  case $command in
${commands.map(commandCase).join('\n')}
  esac
}

if [ "$funcstack[1]" = _tsspray ]; then _tsspray "$@"; else compdef _tsspray tsspray; fi
`
}

const commandCase = ({ name, options, completes }: CommandShape): string =>
  [
    `    ${name})`,
    `      _arguments -s \\`,
    ...options.map((option) => `        ${specOf(option)} \\`),
    `        ${quoted(`*:argument:${actionOf(completes)}`)} ;;`,
  ].join('\n')

/** `'(-i --inventory)'{-i,--inventory}'[about]:source:_files'`; the same option may come again. */
function specOf({ names, about, value, isOptional, completes }: OptionShape): string {
  const told = `[${about.replace(/[\\[\]:]/g, '\\$&')}]`
  const taken = value === undefined ? '' : `${isOptional ? '::' : ':'}${value.replaceAll(':', ' ')}:${actionOf(completes)}`
  return names.length === 1 ? quoted(`*${names[0]}${told}${taken}`) : `'*'{${names.join(',')}}${quoted(told + taken)}`
}

function actionOf(completes: Completes): string {
  if (completes.kind === 'words') return `(${completes.words.join(' ')})`
  return completes.kind === 'files' ? '_files' : ' '
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
