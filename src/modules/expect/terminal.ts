/** The scripts of a command that runs on a terminal of its own, beside the session: start it, read what it says, type, end it. */
import { type Output, type Script, sh, textOf } from '../../remote/index.ts'
import { ModuleFailure } from '../api.ts'

export const NO_SCRIPT = 93
export const NO_COMMAND = 94
export const NO_FOLDER = 95

export interface Started {
  /** scratch folder: `in` is what is typed, `out` what is said, `rc` how it ended */
  readonly folder: string
}

/** Prints the scratch folder. `script` gives the terminal; the shell on it has its size and echo set, and keeps the status. */
export function startScript(words: readonly string[], chdir: string | undefined, echo: boolean): Script {
  return sh`command -v script >/dev/null || exit ${NO_SCRIPT}
cd -- ${chdir ?? '.'} || exit ${NO_FOLDER}
command -v ${words[0] ?? ''} >/dev/null || exit ${NO_COMMAND}
umask=$(umask); umask 077
d=$(mktemp -d) && mkfifo "$d/in" && : >"$d/out" || exit 1
cat >"$d/run" <<'END'
stty rows 24 cols 80 2>/dev/null
if [ "$TSSPRAY_ECHO" = 1 ]; then stty echo; else stty -echo; fi 2>/dev/null
d=$TSSPRAY_DIR; printf '%s\n' $$ >"$d/pid"
umask "$TSSPRAY_UMASK"
unset TSSPRAY_ECHO TSSPRAY_DIR TSSPRAY_UMASK
( eval "exec $(cat "$d/words")" )
printf '%s\n' $? >"$d/status"
END
printf %s ${quoted(words)} >"$d/words"
TSSPRAY_ECHO=${echo ? 1 : 0}; TSSPRAY_DIR=$d; TSSPRAY_UMASK=$umask; export TSSPRAY_ECHO TSSPRAY_DIR TSSPRAY_UMASK
( exec 9<>"$d/in"; script -q -f -c "sh '$d/run'" /dev/null <"$d/in" >"$d/out" 2>/dev/null
if [ -f "$d/status" ]; then mv "$d/status" "$d/rc"; else echo none >"$d/rc"; fi ) </dev/null >/dev/null 2>&1 &
printf '%s\n' "$d"`
}

/** The command as one line of the shell's; its words are quoted by the one place that quotes. */
const quoted = (words: readonly string[]): string => sh`${words}`.text

/** Waits until there is more than `offset` bytes, or the end, or the seconds are over; prints the end's status, NUL, and what is new. */
export const readScript = (folder: string, offset: number, seconds: number): Script => sh`d=${folder}; n=0
while [ ! -f "$d/rc" ] && [ "$(wc -c <"$d/out")" -le ${offset} ] && [ $n -lt ${Math.ceil(seconds * 10)} ]; do n=$((n + 1)); sleep 0.1 2>/dev/null || { sleep 1; n=$((n + 9)); }; done
cat "$d/rc" 2>/dev/null; printf '\0'; tail -c ${`+${offset + 1}`} "$d/out"`

/** Types what the change has as stdin. */
export const typeScript = (folder: string): Script => sh`cat >${`${folder}/in`}`

/** Ends what still runs, and takes the scratch folder away. */
export const endScript = (folder: string): Script => sh`d=${folder}
if [ ! -f "$d/rc" ] && p=$(cat "$d/pid" 2>/dev/null); then kill -HUP -"$p" 2>/dev/null || kill -HUP "$p"; sleep 1; kill -KILL -"$p" 2>/dev/null; fi
rm -rf "$d"`

export function checkStart(output: Output, command: string, chdir: string | undefined): Started {
  if (output.code === NO_SCRIPT) throw new ModuleFailure('Failed to find required executable "script" in paths')
  if (output.code === NO_FOLDER) throw new ModuleFailure(`Unable to change directory before execution: ${chdir ?? ''}`)
  if (output.code === NO_COMMAND) throw new ModuleFailure(`The command was not found or was not executable: ${command}.`)
  if (output.code !== 0) throw new ModuleFailure(textOf(output.stderr).trim(), { rc: output.code })
  return { folder: textOf(output.stdout).trim() }
}
