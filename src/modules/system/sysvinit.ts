/** sysvinit: makes an init script's service be started or stopped, enabled in its runlevels. */
import type { Look } from '../../facts/index.ts'
import { bool, choice, fallback, int, list, required, str } from '../../params/index.ts'
import { type Script, sh } from '../../remote/index.ts'
import { type Change, type Done, defineModule, ModuleFailure, type Result } from '../api.ts'
import { lookAt, mustEnd, ran } from './looking.ts'

type Mutable = { [key: string]: Result[string] }
type Step = AsyncGenerator<Change, void, Done>

export default defineModule({
  name: 'ansible.builtin.sysvinit',
  summary: 'Controls services of SysV init.',
  params: {
    name: required(str({ aliases: ['service'] })),
    state: choice(['started', 'stopped', 'restarted', 'reloaded']),
    enabled: bool(),
    sleep: fallback(int(), 1),
    pattern: str(),
    arguments: str({ aliases: ['args'] }),
    runlevels: list(),
    daemonize: fallback(bool(), false),
  },
  rules: { requiredOneOf: [['state', 'enabled']] },
  async *run(args, host) {
    const { name, state, enabled } = args
    const words = (args.arguments ?? '').split(/\s+/).filter(Boolean)
    const look = await lookAt(host, scriptLook(name, args.pattern, words))
    if (!look.exists(`/etc/init.d/${name}`)) throw new ModuleFailure(`Could not find the requested service ${name}: host`)
    const result: Mutable = { name, changed: false, status: {} }
    if (enabled !== undefined) yield* enable(name, enabled, args.runlevels, look, result)
    const running = args.pattern === undefined ? look.section('status')?.trim() === '0' : (look.section('ps') ?? '').includes(args.pattern)
    const script = state === undefined ? undefined : stateScript(name, state, running, words, args.sleep)
    if (script !== undefined) yield* act(name, state!, script, result)
    return result
  },
})

async function* enable(name: string, on: boolean, runlevels: readonly string[] | undefined, look: Look, result: Mutable): Step {
  const levels = look.names('S:')
  const enabled = runlevels ? runlevels.every((level) => levels.includes(level)) : levels.length > 0
  const status = { changed: false, rc: null, stdout: null, stderr: null, runlevels: [...(runlevels ?? [])] }
  result.status = { enabled: status }
  if (enabled === on) return
  result.changed = true
  const tool = Object.keys(enabling).find((one) => look.exists(one))
  if (tool === undefined) throw new ModuleFailure('Could not find a tool to enable services with')
  const done = yield { what: 'enabled', onFailure: 'tell', script: enabling[tool]!(name, on, runlevels) }
  mustEnd(done, ({ stdout, stderr }) => `Failed to ${on ? 'enable' : 'disable'} service (${name}): ${stderr || stdout}`)
  result.status = { enabled: { ...status, changed: true, ...(done ? ran(done) : {}) } }
}

async function* act(name: string, state: string, script: Script, result: Mutable): Step {
  result.changed = true
  const done = yield { what: 'state', onFailure: 'tell', script }
  mustEnd(done, ({ stdout, stderr }) => `Failed to ${verbs[state]} service: ${name}${stderr || stdout ? ` ${stderr || stdout}` : ''}`)
  const told = done ? ran(done) : { rc: null, stdout: null, stderr: null }
  result.status = { ...(result.status as object), [state]: { changed: true, ...told } }
}

const verbs: Readonly<Record<string, string>> = { started: 'start', stopped: 'stop', restarted: 'restart', reloaded: 'reload' }

function stateScript(name: string, state: string, running: boolean, words: readonly string[], sleep: number): Script | undefined {
  const run = (verb: string) => sh`${`/etc/init.d/${name}`} ${verb} ${words} </dev/null`
  if (state === 'started') return running ? undefined : run('start')
  if (state === 'stopped') return running ? run('stop') : undefined
  if (state === 'restarted') return running ? sh`${run('stop')}; sleep ${sleep}; ${run('start')}` : run('start')
  return running ? run('reload') : run('start')
}

/** Tools that enable init scripts, the preferred one first. */
const enabling: Readonly<Record<string, (name: string, on: boolean, runlevels: readonly string[] | undefined) => Script>> = {
  chkconfig: (name, on, levels) =>
    sh`chkconfig --add ${name}; chkconfig ${levels ? ['--level', levels.join('')] : []} ${name} ${on ? 'on' : 'off'}`,
  'update-rc.d': (name, on, levels) =>
    on ? sh`update-rc.d ${name} defaults && update-rc.d ${name} enable ${levels ?? []}` : sh`update-rc.d ${name} disable ${levels ?? []}`,
  insserv: (name, on) => (on ? sh`insserv ${name}` : sh`insserv -r ${name}`),
}

const scriptLook = (name: string, pattern: string | undefined, words: readonly string[]): Script => sh`
i=${`/etc/init.d/${name}`}; e "$i"
for x in chkconfig update-rc.d insserv; do if w $x; then printf '\036e:%s\n' $x; fi; done
if [ -e "$i" ]; then "$i" status ${words} >/dev/null 2>&1 </dev/null; printf '\036status\n%s\n' $?; fi
for l in 0 1 2 3 4 5 6 S; do
  for x in /etc/rc$l.d/S??${name}; do if [ -e "$x" ]; then printf '\036S:%s\n' $l; fi; done
done
if [ -n ${pattern ?? ''} ]; then printf '\036ps\n'; ps axo args 2>/dev/null || ps; fi`
