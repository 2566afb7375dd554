/** The way to start a persistent shell → words that do so with a guard beside it: once nobody can hear the shell any more, what runs in it is ended. */
import { type Script, userScript } from '../../remote/index.ts'
import { LIST, TREE } from './tree.ts'

/** A shell that takes its first line to be told what to do: so the words below pass through no other shell's quoting, and no process list shows them. */
export const guarded: Script = userScript(`exec sh -c 'IFS= read -r w;eval "$w"'`)

/** How many tenths of a second a shell has to end by itself, removing what it keeps, after its input has ended. */
const GRACE = 10

/** Sets `shell` to the guarded one, which is the only child there is. */
const FIND_SHELL = 'shell=;set -- $all;while [ $# -gt 1 ];do [ $2 = $$ ]&&shell=$1;shift 2;done'
const LOOK = `all=$(list);${FIND_SHELL};known=" $shell ";${TREE}`

/**
 * sshd and sudo let a command go on when the connection is gone, and a shell notices the end of its input only after the command. So the guard hands the
 * input on to the shell, and sees its end: all below the shell is asked to end (TERM) and killed a second later. The shell then ends by itself, having
 * removed what it keeps. The guard holds none of the shell's output, so that it never keeps a channel open.
 */
const GUARD = [
  `trap '' 1 2 15`,
  'exec 2>/dev/null',
  // not cat: that of BusyBox has the kernel copy, which keeps what comes until more comes
  'dd bs=65536 <&3',
  'exec >/dev/null 3<&-',
  `n=0`,
  `while kill -0 $$&&[ $n -lt ${GRACE} ];do n=$((n+1));sleep 0.1||sleep 1;done`,
  'kill -0 $$||exit 0',
  LIST,
  'below=',
  LOOK,
  '[ -n "$below" ]||exit 0',
  'kill -TERM $below',
  'sleep 1',
  LOOK,
  'kill -KILL $below',
].join(';')

/** The first line for a guarded shell. Signals are left to the shell inside, which may have something to remove. */
export const guardWords = (shell = 'sh'): Buffer => Buffer.from(`trap : 1 2 15;{ (${GUARD})& } 3<&0|${shell} 3<&-\n`)
