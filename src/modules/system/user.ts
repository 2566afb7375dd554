/** user: makes an account be there, as wanted, or be gone. */
import type { Json } from '../../base/index.ts'
import { Look } from '../../facts/index.ts'
import { joinScripts, sh, textOf } from '../../remote/index.ts'
import { type Change, type Done, defineModule, type Host, ModuleFailure, type Result } from '../api.ts'
import { type Account, accountLook, accountOf, findGroup, type Group, groupsOf } from './accounts.ts'
import { lookAt, sections } from './looking.ts'
import { looksUnhashed, params, type UserArgs } from './user-params.ts'
import { createScript, expiryScript, homeScript, modifyScript, passwordAges } from './user-scripts.ts'
import { sshKey } from './user-ssh-key.ts'

export default defineModule({
  name: 'ansible.builtin.user',
  summary: 'Manages user accounts.',
  params,
  async *run(args, host) {
    const look = await lookAt(host, accountLook(args.name, args.local ?? false))
    const now: Now = { account: accountOf(look, args.name), groups: groupsOf(look), look }
    const warnings = [...(args.append && args.groups === undefined ? [NO_GROUPS] : []), ...(looksUnhashed(args.password) ? [UNHASHED] : [])]
    const result = args.state === 'absent' ? yield* remove(args, now, host) : yield* present(args, now, host)
    return warnings.length > 0 ? { ...result, warnings: [...((result.warnings as string[] | undefined) ?? []), ...warnings] } : result
  },
})

const UNHASHED =
  "The input password appears not to have been hashed. The 'password' argument must be encrypted for this module to work properly."
const NO_GROUPS =
  "'append' is set, but no 'groups' are specified. Use 'groups' for appending new groups.This will change to an error in Ansible 2.14."

interface Now {
  readonly account: Account | undefined
  readonly groups: readonly Group[]
  readonly look: Look
}

type Run = AsyncGenerator<Change, Result, Done>
type Mutable = { [key: string]: Json | undefined }

async function* remove(args: UserArgs, now: Now, host: Host): Run {
  const { name, force } = args
  if (!now.account) return { changed: false, name, state: 'absent' }
  const busybox = !now.look.exists('useradd')
  const script = busybox
    ? sh`deluser ${args.remove ? ['--remove-home'] : []} ${name}`
    : sh`${args.local ? 'luserdel' : 'userdel'} ${[...(force && !args.local ? ['-f'] : []), ...(args.remove ? ['-r'] : [])]} ${name}`
  if (!host.check) await host.leave(name)
  const done = yield { what: 'account', onFailure: 'tell', script }
  if (host.check) return { changed: true }
  mustEnd(done, name)
  return { changed: true, name, state: 'absent', force, remove: args.remove, ...said(done) }
}

async function* present(args: UserArgs, now: Now, host: Host): Run {
  // the group may be one that an earlier task would have made
  if (host.check && !now.account) return { changed: true }
  for (const group of [args.group, ...(args.groups ?? [])]) {
    if (group && !findGroup(now.groups, group)) throw new ModuleFailure(`Group ${group} does not exist`)
  }
  const made = now.account ? yield* modify(args, now, now.account) : yield* create(args, now)
  const account = made.account ?? now.account
  if (!account) throw new ModuleFailure(`failed to look up user name: ${args.name}`, { name: args.name })
  const result: Mutable = {
    name: args.name,
    state: 'present',
    ...made.result,
    ...(args.password === undefined ? {} : { password: 'NOT_LOGGING_PASSWORD' }),
    uid: account.uid,
    group: account.gid,
    comment: account.comment,
    home: account.home,
    shell: account.shell,
    ...(args.groups === undefined ? {} : { groups: args.groups.join(',') }),
  }
  yield* missingHome(args, account, result)
  if (args.generate_ssh_key) Object.assign(result, yield* sshKey(args, account, host, result))
  const ages = passwordAges(args, account)
  if (ages.length > 0) {
    mustEnd(yield { what: 'expiry', onFailure: 'tell', script: expiryScript(args.name, ages) }, args.name)
    result.changed = true
  }
  return result
}

interface Made {
  readonly result: Mutable
  /** as it is after the change; undefined when nothing ran */
  readonly account: Account | undefined
}

async function* create(args: UserArgs, now: Now): AsyncGenerator<Change, Made, Done> {
  const script = joinScripts([
    createScript(args, now.groups, now.look.exists('useradd')),
    sections(accountLook(args.name, args.local ?? false)),
  ])
  const done = yield { what: 'account', onFailure: 'tell', script }
  mustEnd(done, args.name)
  const account = done ? accountOf(new Look(textOf(done.stdout)), args.name) : undefined
  return { result: { changed: true, system: args.system, create_home: args.create_home, ...said(done) }, account }
}

async function* modify(args: UserArgs, now: Now, account: Account): AsyncGenerator<Change, Made, Done> {
  const result = { append: args.append, move_home: args.move_home }
  const script = modifyScript(args, account, now.groups, now.look.exists('useradd'))
  if (script === undefined) return { result: { changed: false, ...result }, account }
  const whole = joinScripts([script, sections(accountLook(args.name, args.local ?? false))])
  const done = yield { what: 'account', onFailure: 'tell', script: whole }
  mustEnd(done, args.name)
  return {
    result: { changed: true, ...result, ...said(done) },
    account: done ? accountOf(new Look(textOf(done.stdout)), args.name) : account,
  }
}

/** A home that an account names but that is not there. */
async function* missingHome(args: UserArgs, account: Account, result: Mutable): AsyncGenerator<Change, void, Done> {
  if (!args.create_home || account.homeExists) return
  const home = args.home ?? account.home
  mustEnd(yield { what: 'home', onFailure: 'tell', script: homeScript(home, account, args) }, args.name)
  result.changed = true
}

function mustEnd(done: Done, name: string): void {
  if (!done || done.code === 0) return
  throw new ModuleFailure(textOf(done.stderr), { name, rc: done.code })
}

/** What the tools printed, without our own sections. */
function said(done: Done): Mutable {
  if (!done) return {}
  const stdout = textOf(done.stdout).split('\u001e')[0]!
  const stderr = textOf(done.stderr)
  return { ...(stdout ? { stdout } : {}), ...(stderr ? { stderr } : {}) }
}
