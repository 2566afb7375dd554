/** Makes the script that runs a program as Python's Popen would: found in PATH, never a builtin, and a death by signal told apart from an exit code. */
import { type Output, type Script, sh, textOf, userScript } from '../../remote/index.ts'

/** What became of a program. */
export interface Ended {
  readonly stdout: Uint8Array
  readonly stderr: Uint8Array
  /** negative: the signal that killed it */
  readonly rc: number
  /** why it never ran: `rc` is the errno */
  readonly trouble?: Trouble
}

type Trouble = 'chdir' | keyof typeof ERRNO

/** Why a program cannot be started, and Python's errno of it. */
const ERRNO = { missing: 2, denied: 13, format: 8 } as const

/** The errno of a folder that cannot be gone to, as `$e`. */
export const whyNoFolder = (folder: string): Script => sh`if [ -d ${folder} ]; then e=13; elif [ -e ${folder} ]; then e=20; else e=2; fi`

/**
 * Runs argv in a folder; words are shell words already. Read the output with `endedOf`.
 *
 * A shell says something when a signal kills what it waits for; only whether it says something matters here, not what. It says so into a pipe of its own
 * (a short text to read lies in one, which /proc opens for writing too), and is asked only after codes that may mean a signal; where there is no such pipe,
 * another process listens.
 */
export function programScript(words: readonly Script[], chdir: string | undefined): Script {
  const argv = words.reduce((all, word) => sh`${all} ${word}`, sh``)
  const go =
    chdir === undefined
      ? sh``
      : sh`cd -P -- ${chdir} || { ${whyNoFolder(chdir)}; printf '\0tsspray:chdir%s' $e; exit 125; }
`
  return sh`${go}set -- ${argv}
case $1 in
*/*) _f=$1 ;;
*) _f=; _o=$IFS; IFS=:; for _d in $PATH; do [ -f "$_d/$1" ] && [ -x "$_d/$1" ] && { _f=$_d/$1; break; }; done; IFS=$_o ;;
esac
if [ -z "$_f" ] || [ ! -e "$_f" ]; then printf '\0tsspray:missing'; exit 125; fi
if [ -d "$_f" ] || [ ! -x "$_f" ]; then printf '\0tsspray:denied'; exit 125; fi
${STARTABLE}exec 3>&1 4>&2
exec 5<<E
.
E
if [ -p /proc/self/fd/5 ] && { true 2>/proc/self/fd/5; } 2>/dev/null; then
read -r _l <&5; exec 2>/proc/self/fd/5
(exec "$@" 1>&3 2>&4 3>&- 4>&- 5<&-)
_r=$?
if [ $_r -gt 128 ]; then echo >&2; IFS= read -r _l <&5; [ -z "$_l" ] || printf '\0tsspray:signal' >&3; fi
exit $_r
fi
{ (exec "$@" 1>&3 2>&4 3>&- 4>&- 5<&-); printf '%s\n' $?; } 2>&1 | {
_n=0; while IFS= read -r _l; do _n=$((_n + 1)); _r=$_l; done
[ $_n = 1 ] || printf '\0tsspray:signal'
exit "$_r"; }`
}

/**
 * Ends where the kernel would not start the file `$_f`, which a shell runs by itself: what has no program named in its first line, or one that is not
 * there. Programs of PATH are not looked into; what the kernel may know by other marks (`binfmt_misc`) is let through.
 */
const STARTABLE: Script = sh`case $1 in /bin/sh) ;; */*)
if [ -r "$_f" ] && [ -f "$_f" ]; then
_l=; { IFS= read -r _l; } <"$_f" 2>/dev/null
case $_l in
'#!'*) set -f; _o=$IFS; IFS=' 	'; for _d in \${_l#??}; do break; done; IFS=$_o; set +f
[ -e "$_d" ] || { printf '\0tsspray:missing'; exit 125; } ;;
?ELF*|PK*|MZ*) ;;
*) printf '\0tsspray:format'; exit 125 ;;
esac
fi ;;
esac
`

/** Takes the marks of `programScript` off its output. */
export function endedOf(output: Output): Ended {
  const at = output.code === 125 || output.code > 128 ? output.stdout.lastIndexOf(0) : -1
  const [, mark, errno] = (at === -1 ? undefined : /^tsspray:([a-z]+)(\d*)$/.exec(textOf(output.stdout.subarray(at + 1)))) ?? []
  const { stderr } = output
  if (mark === undefined) return { stdout: output.stdout, stderr, rc: output.code }
  const stdout = output.stdout.subarray(0, at)
  if (mark === 'signal') return { stdout, stderr, rc: 128 - output.code }
  return {
    stdout,
    stderr,
    rc: mark === 'chdir' ? Number(errno) : ERRNO[mark as keyof typeof ERRNO],
    trouble: mark as Trouble,
  }
}

/** A word as the command module sees it: `$VAR`, `${VAR}` and a leading `~` are expanded on the host, unknown variables stay. */
export function expandingWord(word: string): Script {
  const tilde = /^~([A-Za-z0-9_.-]*)(?=\/|$)/.exec(word)
  const rest = tilde ? word.slice(tilde[0].length) : word
  const head = tilde ? (tilde[1] === '' ? sh`"\${HOME-~}"` : userScript(`~${tilde[1]}`)) : sh``
  const parts = rest.split(/(\$[A-Za-z_][A-Za-z0-9_]*|\$\{[A-Za-z_][A-Za-z0-9_]*\})/)
  const body = parts.reduce((all, part, i) => (part === '' ? all : sh`${all}${i % 2 === 1 ? variable(part) : sh`${part}`}`), head)
  return body.text === '' ? sh`''` : body
}

/** The value of a variable that is set, or its text as written. */
function variable(written: string): Script {
  const name = written.replace(/[${}]/g, '')
  return userScript(`"\${${name}-${written.replace(/[${}]/g, (c) => (c === '{' ? c : `\\${c}`))}}"`)
}
