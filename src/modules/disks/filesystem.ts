/** filesystem: makes a device have a file system of a kind, grown to its size, or none. */
import { type Args, bool, choice, fallback, path, required, str } from '../../params/index.ts'
import { type Script, sh, textOf } from '../../remote/index.ts'
import { type Change, type Done, defineModule, type Host, ModuleFailure, type Result } from '../api.ts'
import { splitWords } from '../files/words.ts'

const params = {
  dev: required(path({ aliases: ['device'], description: 'the device, or a file that is one' })),
  force: fallback(bool({ description: 'write over another file system' }), false),
  fstype: choice(
    ['bcachefs', 'btrfs', 'ext2', 'ext3', 'ext4', 'ext4dev', 'f2fs', 'lvm', 'ocfs2', 'reiserfs', 'xfs', 'vfat', 'swap', 'ufs'],
    { aliases: ['type'], description: 'kind of the file system' },
  ),
  opts: str({ description: 'further options of mkfs' }),
  resizefs: fallback(bool({ description: 'grow it to the size of the device' }), false),
  state: choice(['present', 'absent'], 'present', { description: 'absent: wipe the device' }),
  uuid: str({ description: 'identifier of the file system' }),
} as const

type FsArgs = Args<typeof params>

interface Kind {
  readonly mkfs: readonly string[]
  /** words that have it write over another */
  readonly force: readonly string[]
  /** makes it as big as the device; a mounted one is grown where it is mounted */
  readonly grow?: (dev: string) => Script
  /** prints the size of the file system in bytes */
  readonly size?: (dev: string) => Script
}

const ext: Kind = {
  mkfs: [],
  force: ['-F'],
  grow: (dev) => sh`resize2fs ${dev}`,
  size: (dev) => sh`dumpe2fs -h ${dev} 2>/dev/null | awk '/^Block count:/{c=$3} /^Block size:/{s=$3} END{printf "%.0f\n", c*s}'`,
}
const mounted = (dev: string): Script => sh`m=$(awk -v d=${dev} '$1 == d {print $2; exit}' /proc/mounts)`

const KINDS: Readonly<Record<string, Kind>> = {
  ext2: { ...ext, mkfs: ['mkfs.ext2'] },
  ext3: { ...ext, mkfs: ['mkfs.ext3'] },
  ext4: { ...ext, mkfs: ['mkfs.ext4'] },
  ext4dev: { ...ext, mkfs: ['mkfs.ext4'] },
  xfs: {
    mkfs: ['mkfs.xfs'],
    force: ['-f'],
    grow: (dev) => sh`${mounted(dev)}; [ -n "$m" ] || exit 96; xfs_growfs "$m"`,
    size: (dev) =>
      sh`${mounted(dev)}; [ -n "$m" ] || exit 96; xfs_info "$m" | sed -n 's/^data .*bsize=\([0-9]*\) *blocks=\([0-9]*\).*/\1 \2/p' | awk '{printf "%.0f\n", $1*$2}'`,
  },
  btrfs: {
    mkfs: ['mkfs.btrfs'],
    force: ['-f'],
    grow: (dev) => sh`${mounted(dev)}; [ -n "$m" ] || exit 96; btrfs filesystem resize max "$m"`,
  },
  vfat: { mkfs: ['mkfs.vfat'], force: ['-I'] },
  f2fs: { mkfs: ['mkfs.f2fs'], force: ['-f'], grow: (dev) => sh`resize.f2fs ${dev}` },
  swap: { mkfs: ['mkswap'], force: ['-f'] },
  lvm: {
    mkfs: ['pvcreate'],
    force: ['-f', '-y'],
    grow: (dev) => sh`pvresize ${dev}`,
    size: (dev) => sh`pvs --noheadings -o pv_size --units b --nosuffix ${dev} | tr -d ' '`,
  },
  ocfs2: { mkfs: ['mkfs.ocfs2'], force: ['-Fx'] },
  reiserfs: { mkfs: ['mkfs.reiserfs'], force: ['-q'] },
  bcachefs: { mkfs: ['mkfs.bcachefs'], force: ['--force'] },
}

/** what blkid calls a kind, where it is another word */
const NAMES: Readonly<Record<string, string>> = { LVM2_member: 'lvm', ext4dev: 'ext4' }

export default defineModule({
  name: 'community.general.filesystem',
  summary: 'Makes file systems.',
  params,
  rules: { requiredIf: [['state', 'present', ['fstype']]], mutuallyExclusive: [['resizefs', 'uuid']] },
  async *run(args, host) {
    const now = await kindOf(host, args)
    if (now === undefined) {
      const msg = `Device ${args.dev} not found.`
      if (args.state === 'present') throw new ModuleFailure(msg)
      return { changed: false, msg }
    }
    if (args.state === 'absent') {
      if (now === '') return { changed: false }
      yield {
        what: 'file system',
        diff: { before: { fstype: now }, after: {} },
        script: sh`wipefs --all ${args.dev}`,
        failMessage: 'wipefs failed',
      }
      return { changed: true }
    }
    const kind = KINDS[args.fstype!]
    if (!kind) throw new ModuleFailure(`module does not support this filesystem (${args.fstype}) yet.`)
    const same = now === (args.fstype === 'ext4dev' ? 'ext4' : args.fstype)
    if (same && args.resizefs && !args.force) return yield* grow(host, args, kind)
    if (same && !args.force) return { changed: false }
    if (now !== '' && !args.force)
      throw new ModuleFailure(`'${args.dev}' is already used as ${now}, use force=true to overwrite`, { rc: 0, err: '' })
    const identity = args.uuid === undefined ? [] : uuidWords(args)
    const words = [
      ...kind.mkfs,
      ...(args.force || now !== '' ? kind.force : args.fstype === 'lvm' ? ['-y'] : []),
      ...identity,
      ...splitWords(args.opts ?? ''),
      args.dev,
    ]
    yield {
      what: 'file system',
      diff: { before: { fstype: now }, after: { fstype: args.fstype! } },
      script: sh`PATH=$PATH:/usr/sbin:/sbin; ${words} </dev/null >/dev/null`,
      failMessage: `${kind.mkfs[0]} failed`,
    }
    return { changed: true }
  },
})

function uuidWords(args: FsArgs): string[] {
  const option: Readonly<Record<string, readonly string[]>> = {
    ext2: ['-U'],
    ext3: ['-U'],
    ext4: ['-U'],
    btrfs: ['-U'],
    swap: ['-U'],
    xfs: ['-m'],
    lvm: ['--norestorefile', '-u'],
  }
  const words = option[args.fstype!]
  if (!words) throw new ModuleFailure(`uuid cannot be set for ${args.fstype}`)
  return [...words, args.fstype === 'xfs' ? `uuid=${args.uuid}` : args.uuid!]
}

/** The kind that is there; empty where there is none, undefined where there is no device. */
async function kindOf(host: Host, { dev }: FsArgs): Promise<string | undefined> {
  const told = await host.look(
    sh`PATH=$PATH:/usr/sbin:/sbin
[ -e ${dev} ] || exit 94
command -v blkid >/dev/null || exit 93
blkid -c /dev/null -o value -s TYPE ${dev} || :`,
    { onFailure: 'tell' },
  )
  if (told.code === 94) return undefined
  if (told.code === 93) throw new ModuleFailure('Failed to find required executable "blkid" in paths')
  const name = textOf(told.stdout).trim()
  return NAMES[name] ?? name
}

/** Grows it where the device is bigger by more than one of its blocks. */
async function* grow(host: Host, args: FsArgs, kind: Kind): AsyncGenerator<Change, Result, Done> {
  if (!kind.grow) throw new ModuleFailure(`module does not support resizing ${args.fstype} filesystem yet`)
  const told = await host.look(
    sh`PATH=$PATH:/usr/sbin:/sbin
if [ -b ${args.dev} ]; then blockdev --getsize64 ${args.dev}; else stat -c %s -- ${args.dev}; fi
( ${kind.size ? kind.size(args.dev) : sh`echo 0`} )`,
    { onFailure: 'tell' },
  )
  if (told.code === 96) throw new ModuleFailure(`${args.dev} must be mounted to be grown`)
  const [device = 0, size = 0] = textOf(told.stdout).trim().split('\n').map(Number)
  const slack = args.fstype === 'lvm' ? 8 * 1024 * 1024 : 64 * 1024
  if (size > 0 && device - size < slack)
    return { changed: false, msg: `${CLASSES[args.fstype!] ?? args.fstype} filesystem is using the whole device ${args.dev}` }
  const done = yield {
    what: 'size',
    script: sh`PATH=$PATH:/usr/sbin:/sbin; ( ${kind.grow(args.dev)} )`,
    failMessage: `${args.dev} could not be grown`,
  }
  return { changed: true, msg: done ? textOf(done.stdout) : `resizing filesystem ${args.fstype} on device ${args.dev}` }
}

/** How messages name the kinds. */
const CLASSES: Readonly<Record<string, string>> = {
  ...{ ext2: 'Ext2', ext3: 'Ext3', ext4: 'Ext4', ext4dev: 'Ext4', xfs: 'XFS', reiserfs: 'Reiserfs', btrfs: 'Btrfs' },
  ...{ ocfs2: 'Ocfs2', f2fs: 'F2fs', vfat: 'VFAT', lvm: 'LVM', LVM2_member: 'LVM', swap: 'Swap', ufs: 'UFS' },
}
