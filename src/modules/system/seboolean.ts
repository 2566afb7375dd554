/** seboolean: makes a switch of SELinux be on or off, now and after the next start. */
import { bool, fallback, required, str } from '../../params/index.ts'
import { sh } from '../../remote/index.ts'
import { defineModule, ModuleFailure } from '../api.ts'
import { lookAt, mustEnd } from './looking.ts'

export default defineModule({
  name: 'ansible.posix.seboolean',
  summary: "Sets SELinux's booleans.",
  params: {
    name: required(str()),
    state: required(bool()),
    persistent: fallback(bool(), false),
    ignore_selinux_state: fallback(bool(), false),
  },
  async *run({ name, state, persistent, ignore_selinux_state: ignore }, host) {
    const now = `/sys/fs/selinux/booleans/${name}`
    const look = await lookAt(
      host,
      sh`e /sys/fs/selinux/enforce ${now}; r ${now}
if ${persistent ? sh`w semanage` : sh`false`}; then printf '\036stored\n'; semanage boolean -l -n 2>/dev/null | grep ${`^${name} `}; fi`,
    )
    if (!look.exists('/sys/fs/selinux/enforce') && !ignore) throw new ModuleFailure('SELinux is disabled on this host.')
    if (!look.exists(now) && !ignore) throw new ModuleFailure(`SELinux boolean ${name} does not exist.`)
    const current = look.file(now)?.split(' ')[0] === '1'
    // `name (on , off) …`: in force, and stored
    const stored = /\(\s*(\w+)\s*,\s*(\w+)\s*\)/.exec(look.section('stored') ?? '')?.[2]
    const settled = current === state && (!persistent || stored === undefined || (stored === 'on') === state)
    const result = { name, persistent, state }
    if (settled) return { changed: false, ...result }
    const done = yield {
      what: 'boolean',
      onFailure: 'tell',
      script: sh`setsebool ${persistent ? ['-P'] : []} ${`${name}=${state ? 1 : 0}`}`,
    }
    mustEnd(
      done,
      () => `Failed to set boolean ${name} to ${state}`,
      (said) => ({ ...said }),
    )
    return { changed: true, ...result }
  },
})
