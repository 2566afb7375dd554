/** Wanted accounts → the commands of shadow-utils, libuser or busybox that make them. */
import { joinScripts, type Script, sh } from '../../remote/index.ts'
import { type Account, findGroup, type Group } from './accounts.ts'
import type { UserArgs } from './user-params.ts'

/** All in one script; the first command that fails ends it. */
const chain = (steps: readonly Script[]): Script => joinScripts(steps.map((step) => sh`${step} || exit $?`))

const flag = (name: string, value: string | number | undefined): string[] => (value === undefined ? [] : [name, String(value)])

/** seconds → the day as usermod takes it; a time before 1970 takes the limit away */
const dayOf = (seconds: number): string => (seconds < 0 ? '' : new Date(Math.floor(seconds) * 1000).toISOString().slice(0, 10))

export function createScript(args: UserArgs, groups: readonly Group[], hasUseradd: boolean): Script {
  if (!hasUseradd) return busyboxCreate(args, groups)
  const primary = args.group === undefined ? undefined : findGroup(groups, args.group)
  const others = (args.groups ?? []).filter((name) => findGroup(groups, name)?.gid !== primary?.gid || primary === undefined)
  const own = args.group === undefined && findGroup(groups, args.name) !== undefined
  const local = args.local ?? false
  const parent = args.home?.replace(/\/[^/]*\/?$/, '') ?? ''
  const words = [
    ...flag('-u', args.uid),
    ...(args.uid !== undefined && args.non_unique ? ['-o'] : []),
    ...flag('-Z', args.seuser),
    ...(args.group !== undefined ? ['-g', args.group] : own ? [local ? '-n' : '-N'] : []),
    ...(others.length > 0 && !local ? ['-G', others.join(',')] : []),
    ...flag('-c', args.comment),
    ...flag('-d', args.home),
    ...flag('-s', args.shell),
    ...(args.expires === undefined || local ? [] : ['-e', dayOf(args.expires)]),
    ...flag('-f', args.password_expire_account_disable),
    ...(args.password === undefined || !local ? [] : ['-p', sealedPassword(args, args.password)]),
    ...homeWords(args, local),
    ...(args.system ? ['-r'] : []),
    ...(args.uid_min === undefined ? [] : ['-K', `UID_MIN=${args.uid_min}`]),
    ...(args.uid_max === undefined ? [] : ['-K', `UID_MAX=${args.uid_max}`]),
    args.name,
  ]
  return chain([
    ...(args.create_home && parent !== '' ? [sh`mkdir -p ${parent}`] : []),
    sh`${local ? 'luseradd' : 'useradd'} ${words}`,
    ...(args.password === undefined || local ? [] : [givePassword(args.name, sealedPassword(args, args.password))]),
    ...(local && args.expires !== undefined ? [localExpiry(args.name, args.expires)] : []),
    ...(local ? others.map((group) => sh`lgroupmod -M ${args.name} ${group}`) : []),
  ])
}

function homeWords(args: UserArgs, local: boolean): string[] {
  if (!args.create_home) return ['-M']
  return [...(local ? [] : ['-m']), ...flag('-k', args.skeleton), ...(args.umask === undefined ? [] : ['-K', `UMASK=${args.umask}`])]
}

function busyboxCreate(args: UserArgs, groups: readonly Group[]): Script {
  const words = [
    '-D',
    ...flag('-u', args.uid),
    ...flag('-G', args.group === undefined ? undefined : (findGroup(groups, args.group)?.name ?? args.group)),
    ...flag('-g', args.comment),
    ...flag('-h', args.home),
    ...flag('-s', args.shell),
    ...(args.create_home ? [] : ['-H']),
    ...flag('-k', args.skeleton),
    ...(args.system ? ['-S'] : []),
    args.name,
  ]
  return chain([
    sh`adduser ${words}`,
    ...(args.password === undefined ? [] : [givePassword(args.name, args.password)]),
    ...(args.groups ?? []).filter(Boolean).map((group) => sh`adduser ${args.name} ${group}`),
  ])
}

/** undefined when the account is as wanted */
export function modifyScript(args: UserArgs, now: Account, groups: readonly Group[], hasUseradd: boolean): Script | undefined {
  if (!hasUseradd) return busyboxModify(args, now, groups)
  const local = args.local ?? false
  const memberships = groupWords(args, groups)
  const password = newPassword(args, now)
  const words = [
    ...(args.uid !== undefined && args.uid !== now.uid ? ['-u', String(args.uid), ...(args.non_unique ? ['-o'] : [])] : []),
    ...primaryWords(args, now, groups),
    ...(local ? [] : memberships.words),
    ...(args.comment !== undefined && args.comment !== now.comment ? ['-c', args.comment] : []),
    ...(args.home !== undefined && args.home !== now.home ? ['-d', args.home, ...(args.move_home ? ['-m'] : [])] : []),
    ...(args.shell !== undefined && args.shell !== now.shell ? ['-s', args.shell] : []),
    ...(local ? [] : expiryWords(args, now)),
    ...flag('-f', args.password_expire_account_disable),
    ...(password === undefined ? lockWords(args, now) : local ? ['-p', password] : []),
  ]
  const steps = [
    ...(words.length > 0 ? [sh`${local ? 'lusermod' : 'usermod'} ${words} ${args.name}`] : []),
    ...(password === undefined || local ? [] : [givePassword(args.name, password)]),
    ...(local && expiryWords(args, now).length > 0 ? [localExpiry(args.name, args.expires ?? -1)] : []),
    ...(local ? memberships.add.map((group) => sh`lgroupmod -M ${args.name} ${group}`) : []),
    ...(local ? memberships.drop.map((group) => sh`lgroupmod -m ${args.name} ${group}`) : []),
  ]
  return steps.length > 0 ? chain(steps) : undefined
}

function primaryWords(args: UserArgs, now: Account, groups: readonly Group[]): string[] {
  const group = args.group === undefined ? undefined : findGroup(groups, args.group)
  return group && group.gid !== now.gid ? ['-g', String(group.gid)] : []
}

/** What has to change about the groups that an account is a member of. */
function groupWords(args: UserArgs, groups: readonly Group[]): { words: string[]; add: string[]; drop: string[] } {
  if (args.groups === undefined) return { words: [], add: [], drop: [] }
  const current = groups.filter((group) => group.members.includes(args.name)).map((group) => group.name)
  const wanted = [...new Set(args.groups.filter(Boolean).map((word) => findGroup(groups, word)?.name ?? word))]
  const add = wanted.filter((group) => !current.includes(group))
  const drop = args.append ? [] : current.filter((group) => !wanted.includes(group))
  if (add.length === 0 && drop.length === 0) return { words: [], add, drop }
  return { words: [...(args.append ? ['-a'] : []), '-G', wanted.join(',')], add, drop }
}

/** lusermod knows no day on which an account ends. */
const localExpiry = (name: string, expires: number): Script =>
  sh`lchage -E ${expires < 0 ? '-1' : String(Math.floor(expires / 86_400))} ${name}`

function expiryWords(args: UserArgs, now: Account): string[] {
  if (args.expires === undefined) return []
  // what cannot be read counts as the first day of all, what is not set as before it
  const current = now.shadow.length === 0 ? 0 : (now.shadow[5] ?? -1)
  if (args.expires < 0) return current >= 0 ? ['-e', ''] : []
  const wanted = dayOf(args.expires)
  return current < 0 || new Date(current * 86_400_000).toISOString().slice(0, 10) !== wanted ? ['-e', wanted] : []
}

const sealedPassword = (args: UserArgs, password: string): string => `${args.password_lock ? '!' : ''}${password}`

/** The password as it is to be kept, if that is another than now. */
function newPassword(args: UserArgs, now: Account): string | undefined {
  const bare = (text: string): string => text.replace(/^!+/, '')
  const differs = args.update_password === 'always' && args.password !== undefined && bare(now.password) !== bare(args.password)
  return differs ? sealedPassword(args, args.password!) : undefined
}

/** By the shell's own printf, so that no process list shows it. */
const givePassword = (name: string, sealed: string): Script => sh`printf '%s\n' ${`${name}:${sealed}`} | chpasswd -e`

function lockWords(args: UserArgs, now: Account): string[] {
  const locked = now.password.startsWith('!')
  if (args.password_lock === true && !locked) return ['-L']
  return args.password_lock === false && locked ? ['-U'] : []
}

function busyboxModify(args: UserArgs, now: Account, groups: readonly Group[]): Script | undefined {
  const { add, drop } = groupWords(args, groups)
  const renewed = args.update_password === 'always' && args.password !== undefined && args.password !== now.password
  const steps = [
    ...add.map((group) => sh`adduser ${args.name} ${group}`),
    ...drop.map((group) => sh`delgroup ${args.name} ${group}`),
    ...(renewed ? [givePassword(args.name, args.password!)] : []),
  ]
  return steps.length > 0 ? chain(steps) : undefined
}

/** A home from the skeleton, owned by its user. */
export function homeScript(home: string, account: Account, args: UserArgs): Script {
  const skeleton = args.skeleton ?? '/etc/skel'
  const mode = args.umask === undefined ? '0755' : (0o777 & ~Number.parseInt(args.umask, 8)).toString(8)
  return sh`mkdir -p "$(dirname ${home})" && if [ -d ${skeleton} ]; then cp -R ${skeleton} ${home}; else mkdir ${home}; fi && chown -R ${`${account.uid}:${account.gid}`} ${home} && chmod ${mode} ${home}`
}

/** The limits of a password's age that differ, as words of chage. */
export function passwordAges(args: UserArgs, now: Account): string[] {
  const limits: readonly [string, number | undefined, number | undefined][] = [
    ['-m', args.password_expire_min, now.shadow[1]],
    ['-M', args.password_expire_max, now.shadow[2]],
    ['-W', args.password_expire_warn, now.shadow[3]],
  ]
  return limits.flatMap(([word, wanted, current]) => (wanted !== undefined && wanted !== (current ?? -1) ? [word, String(wanted)] : []))
}

export const expiryScript = (name: string, words: readonly string[]): Script => sh`chage ${words} ${name}`
