/** A process id → the script that ends every process below it, with or without itself. */
import { type Script, userScript } from '../../remote/index.ts'

/** Ends what a persistent shell has started, but not the shell. */
export const stopBelow = (pid: number): Script => stop(pid, '')

/** Ends a process and all that it has started. */
export const stopTree = (pid: number): Script => stop(pid, String(pid))

/**
 * Asks first (TERM), kills a second later. The tree is read before anything is killed, for orphans change parents. /proc is read with builtins only;
 * systems without it have a ps that knows -A and -o.
 */
function stop(pid: number, also: string): Script {
  return userScript(`
known=" ${pid} " below="${also}" grew=1
list() {
  if [ -r /proc/1/stat ]; then
    for f in /proc/[0-9]*/stat; do
      { IFS= read -r line <"$f"; } 2>/dev/null || continue
      p=\${f#/proc/}
      set -- \${line##*) }
      echo "\${p%/stat} $2"
    done
  else
    ps -A -o pid= -o ppid=
  fi
}
all=$(list)
while [ $grew = 1 ]; do
  grew=0
  while read -r p up; do
    case $known in *" $p "*) continue ;; esac
    case $known in *" $up "*) known="$known$p " below="$below $p" grew=1 ;; esac
  done <<END
$all
END
done
[ -n "$below" ] || exit 0
kill -TERM $below 2>/dev/null
(sleep 1; kill -KILL $below 2>/dev/null) </dev/null >/dev/null 2>&1 &
exit 0
`)
}
