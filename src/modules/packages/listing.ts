/** Lists of installed packages before and after a command → what came, went and changed: the same for every package manager. */
import { Look, linesOf } from '../../facts/index.ts'
import { joinScripts, type Script, sh, textOf } from '../../remote/index.ts'
import { type Change, type Done, ModuleFailure } from '../api.ts'
import type { Ran } from '../system/looking.ts'

export interface Outcome extends Ran {
  readonly changed: boolean
  readonly installed: readonly string[]
  readonly removed: readonly string[]
}

/** A change that runs `command` between two lists; undefined in check mode. The command's own output follows the first list. */
export async function* runListed(list: Script, command: Script, what = 'packages'): AsyncGenerator<Change, Outcome | undefined, Done> {
  const script = joinScripts([
    sh`printf '\036before\n'`,
    list,
    sh`printf '\036said\n'; (`,
    command,
    sh`) </dev/null; l_r=$?; printf '\036after\n'`,
    list,
    sh`(exit $l_r)`,
  ])
  const done = yield { what, onFailure: 'tell', script }
  if (!done) return undefined
  const look = new Look(textOf(done.stdout))
  const [before, after] = ['before', 'after'].map((name) => linesOf(look.section(name))) as [readonly string[], readonly string[]]
  const installed = difference(after, before)
  const removed = difference(before, after)
  return {
    rc: done.code,
    stdout: look.section('said') ?? '',
    stderr: textOf(done.stderr),
    changed: installed.length + removed.length > 0,
    installed,
    removed,
  }
}

function difference(a: readonly string[], b: readonly string[]): string[] {
  const other = new Set(b)
  return a.filter((one) => !other.has(one))
}

/** Ends the module when the command failed. */
export function mustSucceed(
  outcome: Outcome | undefined,
  message: string,
  more: Record<string, string | number | readonly string[]> = {},
): void {
  if (!outcome || outcome.rc === 0) return
  throw new ModuleFailure(message, { rc: outcome.rc, stdout: outcome.stdout, stderr: outcome.stderr, ...more })
}
