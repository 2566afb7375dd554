/** Refreshes apt's lists: the script and its patience. */
import { type Script, sh } from '../../remote/index.ts'
import { awaitLock, quiet } from './apt-command.ts'

export interface Patience {
  readonly lock_timeout: number
  readonly update_cache_retries: number
  readonly update_cache_retry_max_delay: number
}

/** apt-get update with patience: the lock's, and a few tries with growing pauses. */
export const updateScript = (args: Patience): Script => sh`(
${quiet}
${awaitLock('/var/lib/apt/lists/lock', args.lock_timeout)}
n=0; d=1
until o=$(apt-get -q -o APT::Update::Error-Mode=any update 2>&1 >/dev/null </dev/null); do
  n=$((n + 1)); if [ $n -ge ${args.update_cache_retries} ]; then printf '%s\n' "$o" >&2; exit 1; fi
  if [ $d -gt ${args.update_cache_retry_max_delay} ]; then d=${args.update_cache_retry_max_delay}; fi
  sleep $d; d=$((d * 2))
done
) || exit $?`
