/** What the modules of the system share: one look in marked sections, and the reading of what a change printed. */
import { Look, lookWords } from '../../facts/index.ts'
import { joinScripts, type Output, type Script, sh, textOf } from '../../remote/index.ts'
import { type Done, type Host, ModuleFailure } from '../api.ts'

/** A script that may use the words of the facts room (`f`, `r`, `e`, `w`, `c`, `k`) and prints marked sections. */
export const sections = (script: Script): Script => joinScripts([sh`(`, lookWords, script, sh`:`, sh`)`])

/** Looks once; what the script finds comes back by name. */
export async function lookAt(host: Host, script: Script): Promise<Look> {
  return new Look(textOf((await host.look(sections(script))).stdout))
}

/** A script that changes something and then looks: the change's own output is thrown away, its failure ends it. */
export const thenLook = (change: Script, look: Script): Script => joinScripts([sh`(`, change, sh`) >/dev/null || exit $?`, sections(look)])

export interface Ran {
  readonly rc: number
  readonly stdout: string
  readonly stderr: string
}

export const ran = (output: Output): Ran => ({ rc: output.code, stdout: textOf(output.stdout), stderr: textOf(output.stderr) })

/** Ends the module when a change that ran did not end with 0. */
export function mustEnd(
  done: Done,
  message: (ran: Ran) => string,
  result: (ran: Ran) => Record<string, string | number> = () => ({}),
): void {
  if (done === undefined || done.code === 0) return
  const told = ran(done)
  throw new ModuleFailure(message(told), result(told))
}
