/** service: makes a service be started or stopped and enabled, by the host's own service manager. */
import type { Value } from '../../base/index.ts'
import type { Look } from '../../facts/index.ts'
import { bool, choice, fallback, int, required, str } from '../../params/index.ts'
import { type Script, sh } from '../../remote/index.ts'
import { defineModule, type Host, type Module, ModuleFailure, type Result } from '../api.ts'
import { lookAt, mustEnd } from './looking.ts'

const params = {
  name: required(str()),
  state: choice(['started', 'stopped', 'reloaded', 'restarted']),
  sleep: int(),
  pattern: str(),
  enabled: bool(),
  runlevel: fallback(str(), 'default'),
  arguments: fallback(str({ aliases: ['args'] }), ''),
  use: fallback(str(), 'auto'),
} as const

/** Parameters that the systemd module has no use for. */
const unusedBySystemd = new Set(['pattern', 'runlevel', 'sleep', 'arguments', 'args'])

export default defineModule({
  name: 'ansible.builtin.service',
  summary: 'Controls services, whatever the service manager.',
  params,
  openArgs: true,
  async *run(args, host) {
    const manager = args.use === 'auto' ? String((await host.fact('service_mgr')) ?? 'auto') : args.use
    const target = delegates[manager]
    if (target !== undefined) return yield* delegate(target, host)
    if (args.use !== 'auto' && args.use !== 'service' && args.use !== 'openrc') {
      return yield* host.call(args.use, passed(host.task.rawArgs, new Set()))
    }
    return yield* control(args, host)
  },
})

/** Managers with a module of their own. */
const delegates: Readonly<Record<string, string>> = {
  systemd: 'ansible.builtin.systemd_service',
  systemd_service: 'ansible.builtin.systemd_service',
  sysvinit: 'ansible.builtin.sysvinit',
}

async function* delegate(module: string, host: Host): ReturnType<Module['run']> {
  const unused = module.endsWith('systemd_service') ? unusedBySystemd : new Set<string>()
  const ignored = [...host.task.rawArgs.keys()].filter((name) => unused.has(name))
  const result = yield* host.call(module, passed(host.task.rawArgs, unused))
  const warnings = ignored.map((name) => `Ignoring "${name}" as it is not used in "systemd"`)
  return warnings.length > 0 ? { ...result, warnings: [...((result.warnings as string[] | undefined) ?? []), ...warnings] } : result
}

const passed = (args: ReadonlyMap<string, Value>, without: ReadonlySet<string>): ReadonlyMap<string, Value> =>
  new Map([...args].filter(([name]) => name !== 'use' && !without.has(name)))

/** What the tools of the host say of a service. */
interface Service {
  readonly tool: 'rc-service' | 'service' | 'script' | undefined
  readonly enabler: 'rc-update' | 'update-rc.d' | 'chkconfig' | undefined
  readonly running: boolean
  readonly enabled: boolean
  readonly everEnabled: boolean
}

interface Wanted {
  readonly name: string
  readonly state: 'started' | 'stopped' | 'reloaded' | 'restarted' | undefined
  readonly enabled: boolean | undefined
  readonly runlevel: string
  readonly arguments: string
  readonly pattern: string | undefined
  readonly sleep: number | undefined
}

/** Services of OpenRC and of init scripts; the exit status of `status` tells whether one runs. */
async function* control(wanted: Wanted, host: Host): ReturnType<Module['run']> {
  if (wanted.state === undefined && wanted.enabled === undefined)
    throw new ModuleFailure('one of the following is required: state, enabled')
  const { name } = wanted
  const now = readService(await lookAt(host, serviceLook(wanted)), wanted)
  if (now.tool === undefined) throw new ModuleFailure(`Could not find the requested service ${name}: host`)
  const result: { [key: string]: Result[string] } = { name, changed: false }
  if (wanted.enabled !== undefined) {
    result.enabled = wanted.enabled
    if (wanted.enabled !== now.enabled) {
      if (now.enabler === undefined)
        throw new ModuleFailure(`cannot detect command to enable service ${name}, typo or init system potentially unknown`)
      result.changed = true
      const done = yield { what: 'enabled', onFailure: 'tell', script: enabling(now, wanted, wanted.enabled) }
      mustEnd(done, ({ stdout, stderr }) => stderr || stdout)
    }
  }
  if (wanted.state !== undefined) {
    result.state = wanted.state === 'stopped' ? 'stopped' : 'started'
    const act = (verb: string): Script => acting(now.tool!, name, verb, wanted.arguments)
    const script = stateScript(wanted, now, act)
    if (script !== undefined) {
      result.changed = true
      const done = yield { what: 'state', onFailure: 'tell', script }
      mustEnd(done, ({ stdout, stderr }) => stderr || stdout)
    }
  }
  return result
}

function stateScript({ state, sleep }: Wanted, now: Service, act: (verb: string) => Script): Script | undefined {
  if (state === 'stopped') return now.running ? act('stop') : undefined
  if (!now.running) return act('start')
  if (state === 'reloaded') return act('reload')
  if (state === 'restarted') return sleep ? sh`${act('stop')}; sleep ${sleep}; ${act('start')}` : act('restart')
  return undefined
}

const acting = (tool: NonNullable<Service['tool']>, name: string, verb: string, args: string): Script => {
  const words = args.split(/\s+/).filter(Boolean)
  if (tool === 'script') return sh`${`/etc/init.d/${name}`} ${verb} ${words}`
  return sh`${tool} ${name} ${verb} ${words}`
}

function enabling(now: Service, { name, runlevel }: Wanted, on: boolean): Script {
  if (now.enabler === 'rc-update') return sh`rc-update ${on ? 'add' : 'delete'} ${name} ${runlevel}`
  if (now.enabler === 'chkconfig') return sh`chkconfig --add ${name} 2>/dev/null; chkconfig ${name} ${on ? 'on' : 'off'}`
  if (on && !now.everEnabled) return sh`update-rc.d ${name} defaults && update-rc.d ${name} enable`
  return sh`update-rc.d ${name} ${on ? 'enable' : 'disable'}`
}

const serviceLook = ({ name, pattern, arguments: args }: Wanted): Script => sh`
i=${`/etc/init.d/${name}`}; e "$i"
for x in rc-service rc-update service update-rc.d chkconfig; do if w $x; then printf '\036e:%s\n' $x; fi; done
if [ -e "$i" ]; then
  if w rc-service; then rc-service ${name} status >/dev/null 2>&1 </dev/null
  elif w service; then service ${name} status ${args.split(/\s+/).filter(Boolean)} >/dev/null 2>&1 </dev/null
  else "$i" status >/dev/null 2>&1 </dev/null; fi
  printf '\036status\n%s\n' $?
fi
for x in /etc/rc?.d/S??${name}; do if [ -e "$x" ]; then printf '\036e:S\n'; fi; done
for x in /etc/rc?.d/K??${name}; do if [ -e "$x" ]; then printf '\036e:K\n'; fi; done
for x in /etc/runlevels/*/${name}; do if [ -e "$x" ]; then printf '\036rl:%s\n' "$x"; fi; done
if [ -n ${pattern ?? ''} ]; then printf '\036ps\n'; ps axo args 2>/dev/null || ps; fi`

function readService(look: Look, wanted: Wanted): Service {
  const script = look.exists(`/etc/init.d/${wanted.name}`)
  const tool = !script ? undefined : look.exists('rc-service') ? 'rc-service' : look.exists('service') ? 'service' : 'script'
  const enabler = (['rc-update', 'update-rc.d', 'chkconfig'] as const).find((one) => look.exists(one))
  const byPattern = wanted.pattern !== undefined && (look.section('ps') ?? '').includes(wanted.pattern)
  const inRunlevel = look.names('rl:').includes(`/etc/runlevels/${wanted.runlevel}/${wanted.name}`)
  return {
    tool,
    enabler,
    running: wanted.pattern === undefined ? look.section('status')?.trim() === '0' : byPattern,
    enabled: enabler === 'rc-update' ? inRunlevel : look.exists('S'),
    everEnabled: look.exists('K'),
  }
}
