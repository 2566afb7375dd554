/** The few facts that modules decide by, in one cheap look. */
import { joinScripts, type Script, sh } from '../remote/index.ts'
import type { FactOptions, Facts } from './collector.ts'
import { distribution } from './collectors/distribution.ts'
import { pkgMgr, serviceMgr } from './collectors/managers.ts'
import { user } from './collectors/people.ts'
import { parseUname } from './collectors/platform.ts'
import { Look } from './look.ts'
import { prelude } from './prelude.ts'

const options: FactOptions = { factPath: '', timeoutSeconds: 10 }
const chosen = [distribution, pkgMgr, serviceMgr, user]

/** Gathers os_family, distribution and its versions, pkg_mgr, service_mgr, the user, kernel, architecture and system; names without prefix. */
export const smallFacts: { readonly script: Script; readonly parse: (output: string) => Facts } = {
  script: joinScripts([
    sh`(`,
    prelude,
    sh`printf '\036small\n'; uname -snrvm`,
    ...chosen.map((one) => one.script(options)),
    sh`:
)`,
  ]),
  parse(output) {
    const look = new Look(output)
    const { system, kernel, machine } = parseUname(look.section('small'))
    const facts: Facts = { system, kernel, architecture: /^i[3456]86|i86pc/.test(machine) ? 'i386' : machine, machine }
    for (const one of chosen) Object.assign(facts, one.parse(look, facts))
    return facts
  },
}
