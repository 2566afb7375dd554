/** systemd: makes a unit be started or stopped, enabled, masked; reloads the manager. */

import { Look } from '../../facts/index.ts'
import { bool, choice, fallback, str } from '../../params/index.ts'
import { joinScripts, type Script, sh, textOf } from '../../remote/index.ts'
import { defineModule, type Module, ModuleFailure, type Result } from '../api.ts'
import { lookAt, mustEnd, thenLook } from './looking.ts'
import { isRunning, isStopping, readUnit, type Unit, unitLook } from './systemd-unit.ts'

export default defineModule({
  name: 'ansible.builtin.systemd_service',
  aliases: ['ansible.builtin.systemd'],
  summary: 'Controls systemd units and the manager itself.',
  params: {
    name: str({ aliases: ['service', 'unit'] }),
    state: choice(['reloaded', 'restarted', 'started', 'stopped']),
    enabled: bool(),
    force: bool(),
    masked: bool(),
    daemon_reload: fallback(bool({ aliases: ['daemon-reload'] }), false),
    daemon_reexec: fallback(bool({ aliases: ['daemon-reexec'] }), false),
    scope: choice(['system', 'user', 'global'], 'system'),
    no_block: fallback(bool(), false),
  },
  rules: {
    requiredOneOf: [['state', 'enabled', 'masked', 'daemon_reload', 'daemon_reexec']],
    requiredBy: { state: ['name'], enabled: ['name'], masked: ['name'] },
  },
  async *run(args, host) {
    const unit = args.name
    const glob = unit === undefined ? undefined : ['*', '?', '['].find((sign) => unit.includes(sign))
    if (glob)
      throw new ModuleFailure(`This module does not currently support using glob patterns, found '${glob}' in service name: ${unit}`)
    const systemctl = command(args)
    const look = unit === undefined ? sh`:` : withRuntimeDir(unitLook(systemctl, unit))
    let seen: Look | undefined
    for (const action of (['daemon_reload', 'daemon_reexec'] as const).filter((one) => args[one])) {
      const verb = action.replace('_', '-')
      const done = yield {
        what: verb,
        counts: false,
        onFailure: 'tell',
        script: thenLook(withRuntimeDir(sh`${systemctl} ${verb}`), look),
      }
      mustEnd(done, ({ rc, stderr }) => `failure ${rc} during ${verb}: ${stderr}`)
      if (done) seen = new Look(textOf(done.stdout))
    }
    if (unit === undefined) return { name: null, changed: false, status: {} }
    const now = readUnit(seen ?? (await lookAt(host, look)), unit)
    return yield* settle(unit, now, args, systemctl)
  },
})

interface Wanted {
  readonly state: 'reloaded' | 'restarted' | 'started' | 'stopped' | undefined
  readonly enabled: boolean | undefined
  readonly masked: boolean | undefined
  readonly scope: 'system' | 'user' | 'global'
}

/** Brings one unit to what is wanted; the result tells its state before. */
async function* settle(unit: string, now: Unit, wanted: Wanted, systemctl: Script): ReturnType<Module['run']> {
  const { status } = now
  const found = now.isUnit || now.isInitScript
  if (now.isUnit && status.LoadState !== 'masked' && status.LoadError) {
    throw new ModuleFailure(`Error loading unit file '${unit}': ${status.LoadError}`)
  }
  const result: { [key: string]: Result[string] } = { name: unit, changed: false, status }
  if (now.isInitScript && !now.isUnit) {
    result.warnings = [`The service (${unit}) is actually an init script but the system is managed by systemd`]
  }
  const missing = () => new ModuleFailure(`Could not find the requested service ${unit}: host`)
  const act = (verb: string) => withRuntimeDir(sh`${systemctl} ${verb} ${unit}`)

  if (wanted.masked !== undefined && (now.enabledWord === 'masked') !== wanted.masked) {
    result.changed = true
    const verb = wanted.masked ? 'mask' : 'unmask'
    const done = yield { what: 'masked', onFailure: 'tell', script: act(verb) }
    mustEnd(done, ({ stderr }) => (found ? `Failed to ${verb} the service (${unit}): ${stderr.trim()}` : missing().message))
  }

  if (wanted.enabled !== undefined) {
    if (!found) throw missing()
    const enabled = isEnabled(now, wanted)
    result.enabled = wanted.enabled
    if (enabled !== wanted.enabled) {
      result.changed = true
      const verb = wanted.enabled ? 'enable' : 'disable'
      const done = yield { what: 'enabled', onFailure: 'tell', script: act(verb) }
      mustEnd(done, ({ stdout, stderr }) => `Unable to ${verb} service ${unit}: ${stdout}${stderr}`)
    }
  }

  if (wanted.state !== undefined) {
    if (!found) throw missing()
    result.state = wanted.state === 'stopped' ? 'stopped' : 'started'
    if (!('ActiveState' in status)) return unknownState(now, result)
    const verb = actions[wanted.state](isRunning(status), isStopping(status))
    if (verb) {
      result.changed = true
      const done = yield { what: 'state', onFailure: 'tell', script: act(verb) }
      mustEnd(done, ({ stderr }) => `Unable to ${verb} service ${unit}: ${stderr}`)
    }
  }
  return result
}

/** What is to be done for a wanted state, given whether the unit runs or is just stopping. */
const actions = {
  started: (running: boolean) => (running ? undefined : 'start'),
  stopped: (running: boolean, stopping: boolean) => (running || stopping ? 'stop' : undefined),
  restarted: (running: boolean) => (running ? 'restart' : 'start'),
  reloaded: (running: boolean) => (running ? 'reload' : 'start'),
} as const

const offlineWarning =
  'Target is a chroot or systemd is offline. This can lead to false positives or prevent the init system tools from working.'

/** Without a manager nothing can be told of a state: fine in a chroot, a failure elsewhere. */
function unknownState(now: Unit, result: { [key: string]: Result[string] }): Result {
  if (now.isOffline) return { ...result, warnings: [...((result.warnings as string[] | undefined) ?? []), offlineWarning] }
  throw new ModuleFailure('Service is in unknown state', { status: now.status })
}

/** enabled for good: not for this boot only, nor by a name of another unit */
const passing = new Set(['enabled-runtime', 'indirect', 'alias'])

function isEnabled(now: Unit, wanted: Wanted): boolean {
  if (now.enabledCode === 0) return !passing.has(now.enabledWord)
  return now.enabledCode === 1 && wanted.scope === 'system' && now.isInitScript && now.enabledWord !== 'disabled' && now.initEnabled
}

function command(args: { scope: string; no_block: boolean; force: boolean | undefined }): Script {
  const options = [
    args.scope === 'system' ? [] : [`--${args.scope}`],
    args.no_block ? ['--no-block'] : [],
    args.force ? ['--force'] : [],
  ].flat()
  return sh`systemctl ${options}`
}

/** Users' managers are found by this variable, which a login through su or sudo does not set. */
const withRuntimeDir = (script: Script): Script =>
  joinScripts([sh`if [ -z "$XDG_RUNTIME_DIR" ]; then XDG_RUNTIME_DIR=/run/user/$(id -u); export XDG_RUNTIME_DIR; fi`, script])
