/** mount: makes a file system be in fstab, be mounted, or neither. */
import type { Look } from '../../facts/index.ts'
import { type Args, bool, choice, fallback, path, required, str } from '../../params/index.ts'
import { joinScripts, type Script, sh, textOf } from '../../remote/index.ts'
import { type Change, type Done, defineModule, ModuleFailure, type Result } from '../api.ts'
import { withEntry, withoutEntry } from './fstab.ts'
import { lookAt, ran } from './looking.ts'
import { mountSources } from './mounted.ts'
import { writeText } from './write-text.ts'

const params = {
  boot: fallback(bool(), true),
  dump: fallback(str(), '0'),
  fstab: str(),
  fstype: str(),
  path: required(path({ aliases: ['name'] })),
  opts: str(),
  passno: fallback(str(), '0'),
  src: path(),
  backup: fallback(bool(), false),
  state: required(choice(['absent', 'absent_from_fstab', 'mounted', 'present', 'unmounted', 'remounted', 'ephemeral'])),
} as const

type MountArgs = Args<typeof params>

export default defineModule({
  name: 'ansible.posix.mount',
  summary: 'Mounts file systems and keeps fstab.',
  params,
  rules: {
    requiredIf: [
      ['state', 'mounted', ['src', 'fstype']],
      ['state', 'present', ['src', 'fstype']],
      ['state', 'ephemeral', ['src', 'fstype']],
    ],
  },
  async *run(args, host) {
    const { opts, boot, warnings } = options(args)
    const wanted: Wanted = { args, opts, fstab: args.fstab ?? '/etc/fstab' }
    const now = readNow(await lookAt(host, mountLook(wanted)), wanted)
    const { changed, backup } = yield* states[args.state](wanted, now)
    return {
      changed,
      name: args.path,
      opts,
      dump: args.dump,
      passno: args.passno,
      fstab: wanted.fstab,
      boot,
      backup_file: backup,
      ...(args.src === undefined ? {} : { src: args.src }),
      ...(args.fstype === undefined ? {} : { fstype: args.fstype }),
      ...(warnings.length > 0 ? { warnings } : {}),
    } satisfies Result
  },
})

interface Wanted {
  readonly args: MountArgs
  readonly opts: string
  readonly fstab: string
}

interface Now {
  readonly fstabText: string
  readonly exists: boolean
  /** the folders on the way to the mount point that are missing, the outermost first */
  readonly missing: readonly string[]
  /** something is mounted there */
  readonly isMountPoint: boolean
  /** what is mounted there, as far as the kernel tells */
  readonly source: string | undefined
}

interface Outcome {
  readonly changed: boolean
  readonly backup: string
}

type Steps = AsyncGenerator<Change, Outcome, Done>
const unchanged: Outcome = { changed: false, backup: '' }

/** `boot: false` is written as the option noauto. */
function options(args: MountArgs): { opts: string; boot: string; warnings: string[] } {
  const opts = args.opts ?? 'defaults'
  const words = opts.split(',')
  if (words.includes('noauto')) return { opts, boot: 'yes', warnings: ["Ignore the 'boot' due to 'opts' contains 'noauto'."] }
  if (args.boot) return { opts, boot: 'yes', warnings: [] }
  if (words.includes('defaults')) return { opts, boot: 'no', warnings: ["Ignore the 'boot' due to 'opts' contains 'defaults'."] }
  return { opts: `${opts},noauto`, boot: 'no', warnings: [] }
}

const ancestors = (target: string): string[] => {
  const parts = target.split('/').filter(Boolean)
  return parts.map((_part, index) => `${target.startsWith('/') ? '/' : ''}${parts.slice(0, index + 1).join('/')}`)
}

const mountLook = ({ args, fstab }: Wanted): Script => sh`
f ${fstab}; f /proc/self/mountinfo; e ${args.path} ${ancestors(args.path)}
if [ -d ${args.path} ] && [ ! -L ${args.path} ]; then
  a=$(stat -c '%d %i' ${args.path}); b=$(stat -c '%d %i' ${`${args.path}/..`})
  printf '\036stats\n%s\n%s\n' "$a" "$b"
fi`

function readNow(look: Look, { args, fstab }: Wanted): Now {
  const [own, above] = (look.section('stats') ?? '')
    .trim()
    .split('\n')
    .map((line) => line.split(' '))
  return {
    fstabText: look.section(`f:${fstab}`) ?? '',
    exists: look.exists(args.path),
    missing: ancestors(args.path).filter((folder) => !look.exists(folder)),
    // the root of a file system: on another device than the folder above, or the folder above itself
    isMountPoint: own !== undefined && above !== undefined && (own[0] !== above[0] || own[1] === above[1]),
    source: mountSources(look.section('f:/proc/self/mountinfo')).get(args.path),
  }
}

/** What each state does; a failed step undoes what it did to fstab. */
const states: Readonly<Record<MountArgs['state'], (wanted: Wanted, now: Now) => Steps>> = {
  async *present(wanted, now) {
    const text = fstabWith(wanted, now)
    return text === undefined ? unchanged : yield* writing(wanted, text)
  },
  async *absent_from_fstab(wanted, now) {
    const text = withoutEntry(now.fstabText, wanted.args.path, wanted.args.src)
    return text === undefined ? unchanged : { ...(yield* writing(wanted, text)), backup: '' }
  },
  async *absent(wanted, now) {
    const { path: target, src } = wanted.args
    const text = withoutEntry(now.fstabText, target, src)
    if (text === undefined) return unchanged
    const steps = [
      writeFstab(wanted, text),
      ...(isMounted(now) ? [sh`x=$(umount ${target} 2>&1) || { printf '%s\n' "$x"; exit 91; }`] : []),
      ...(now.exists ? [sh`if [ -d ${target} ]; then x=$(rmdir ${target} 2>&1) || { printf '%s\n' "$x"; exit 92; }; fi`] : []),
    ]
    const done = yield { what: 'mount', onFailure: 'tell', script: inSubshell(steps) }
    mustSucceed(done, { 91: `Error unmounting ${target}: `, 92: `Error rmdir ${target}: ` })
    return { changed: true, backup: '' }
  },
  async *unmounted(wanted, now) {
    const target = wanted.args.path
    if (!isMounted(now)) return unchanged
    const done = yield { what: 'mount', onFailure: 'tell', script: sh`umount ${target}` }
    mustSucceed(done, {}, `Error unmounting ${target}: `)
    return { changed: true, backup: '' }
  },
  async *mounted(wanted, now) {
    const text = fstabWith(wanted, now)
    const there = now.isMountPoint || (now.source !== undefined && now.source === wanted.args.src)
    if (there && text === undefined) return unchanged
    return yield* mounting(wanted, now, text, there ? remountScript(wanted) : mountScript(wanted))
  },
  async *ephemeral(wanted, now) {
    const there = now.isMountPoint || (now.source !== undefined && now.source === wanted.args.src)
    if (!there) return yield* mounting(wanted, now, undefined, mountScript(wanted))
    if (now.source !== wanted.args.src) {
      throw new ModuleFailure(
        'Ephemeral mount point is already mounted with a different source than the specified one. Failing in order to prevent an unwanted unmount or override operation. Try replacing this command with a "state: unmounted" followed by a "state: ephemeral", or use a different destination path.',
      )
    }
    return yield* mounting(wanted, now, undefined, remountScript(wanted))
  },
  async *remounted(wanted) {
    const done = yield { what: 'mount', onFailure: 'tell', script: inSubshell([remountScript(wanted)]) }
    mustSucceed(done, { 93: remountRefused }, `Error remounting ${wanted.args.path}: `)
    return { changed: true, backup: '' }
  },
}

const remountRefused =
  'Options were specified with remounted, but the remount command failed. Failing in order to prevent an unexpected mount result. Try replacing this command with a "state: unmounted" followed by a "state: mounted" using the full desired mount options instead.'

const isMounted = (now: Now): boolean => now.isMountPoint || now.source !== undefined

function fstabWith({ args, opts }: Wanted, now: Now): string | undefined {
  const { src, path: name, fstype, dump, passno } = args
  return withEntry(now.fstabText, { src: src!, name, fstype: fstype!, opts, dump, passno })
}

/** Folders, fstab and mount together; when the mount fails, the first two are taken back. */
async function* mounting(wanted: Wanted, now: Now, fstabText: string | undefined, mount: Script): Steps {
  const target = wanted.args.path
  const undo = [
    ...(fstabText === undefined ? [] : [writeText(wanted.fstab, now.fstabText)]),
    ...now.missing.toReversed().map((folder) => sh`rmdir ${folder} 2>/dev/null`),
  ]
  const steps = [
    ...now.missing.map((folder) => sh`x=$(mkdir ${folder} 2>&1) || { printf '%s\n' "$x"; exit 94; }`),
    ...(fstabText === undefined ? [] : [writeFstab(wanted, fstabText)]),
    sh`x=$( ( ${mount} ) 2>&1 ) || { printf '%s\n' "$x"`,
    ...undo,
    sh`exit 91; }`,
  ]
  const done = yield { what: 'mount', onFailure: 'tell', script: inSubshell(steps) }
  mustSucceed(done, { 91: `Error mounting ${target}: `, 94: `Error making dir ${target}: ` })
  return { changed: true, backup: backupOf(done) }
}

async function* writing(wanted: Wanted, text: string): Steps {
  const done = yield { what: 'fstab', onFailure: 'tell', script: inSubshell([writeFstab(wanted, text)]) }
  mustSucceed(done, {}, `Failed to write ${wanted.fstab}: `)
  return { changed: true, backup: backupOf(done) }
}

const writeFstab = ({ args, fstab }: Wanted, text: string): Script =>
  sh`mkdir -p "$(dirname ${fstab})" && ${writeText(fstab, text, { backup: args.backup })} || exit 95`

const fstabWords = ({ args, fstab }: Wanted): string[] => (args.state === 'ephemeral' || fstab === '/etc/fstab' ? [] : ['-T', fstab])

const ephemeralWords = ({ args, opts }: Wanted): string[] =>
  args.state === 'ephemeral' ? ['-t', args.fstype!, ...(opts === 'defaults' ? [] : ['-o', opts]), args.src!] : []

const mountScript = (wanted: Wanted): Script => sh`mount ${[...fstabWords(wanted), ...ephemeralWords(wanted), wanted.args.path]}`

/** Remounts, or where that is not possible unmounts and mounts; not so when options were asked for. */
function remountScript(wanted: Wanted): Script {
  const { args, opts } = wanted
  const own = args.state === 'remounted' && opts !== 'defaults'
  const words = ['-o', own ? `remount,${opts}` : 'remount', ...fstabWords(wanted), ...ephemeralWords(wanted), args.path]
  return own ? sh`mount ${words} || exit 93` : sh`mount ${words} 2>/dev/null || { umount ${args.path} && ${mountScript(wanted)}; }`
}

const inSubshell = (steps: readonly Script[]): Script => joinScripts([sh`(`, ...steps, sh`)`])

function mustSucceed(done: Done, messages: Readonly<Record<number, string>>, otherwise = ''): void {
  if (!done || done.code === 0) return
  const { rc, stdout, stderr } = ran(done)
  throw new ModuleFailure(`${messages[rc] ?? otherwise}${stdout}${stderr}`)
}

/** The name of the copy that was kept of fstab. */
function backupOf(done: Done): string {
  return /\u001ebackup\n(.*)\n/.exec(done ? textOf(done.stdout) : '')?.[1] ?? ''
}
