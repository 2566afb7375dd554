/** A process id → the script that ends every process below it, with or without itself. */
import { type Script, userScript } from '../../remote/index.ts'
import { LIST, TREE } from './tree.ts'

/** Ends what a persistent shell has started, but not the shell. */
export const stopBelow = (pid: number): Script => stop(pid, '')

/** Ends a process and all that it has started. */
export const stopTree = (pid: number): Script => stop(pid, String(pid))

/** Asks first (TERM), kills a second later. The tree is read before anything is killed, for orphans change parents. */
function stop(pid: number, also: string): Script {
  return userScript(`
known=" ${pid} " below="${also}"
${LIST}
all=$(list)
${TREE}
[ -n "$below" ] || exit 0
kill -TERM $below 2>/dev/null
(sleep 1; kill -KILL $below 2>/dev/null) </dev/null >/dev/null 2>&1 &
exit 0
`)
}
