/** acl: makes an entry of a path's access list be there, with permissions, or be gone; or tells the list. */
import { type Args, bool, choice, fallback, path, required, str } from '../../params/index.ts'
import { sh, textOf } from '../../remote/index.ts'
import { defineModule, type Host, ModuleFailure } from '../api.ts'

const params = {
  default: fallback(bool({ description: 'the entry is for what is made in the folder' }), false),
  entity: fallback(str({ description: 'the user or group' }), ''),
  entry: str({ description: 'the entry in one: user:kim:rw' }),
  etype: choice(['group', 'mask', 'other', 'user'], { description: 'whom the entry is for' }),
  follow: fallback(bool({ description: 'follow links' }), true),
  path: required(path({ aliases: ['name'], description: 'the file or folder' })),
  permissions: str({ description: 'some of r, w, x and X' }),
  recalculate_mask: choice(['default', 'mask', 'no_mask'], 'default', { description: 'whether the mask is made anew' }),
  recursive: fallback(bool({ aliases: ['recurse'], description: 'all below too' }), false),
  state: choice(['absent', 'present', 'query'], 'query', { description: 'whether the entry is to be there' }),
  use_nfsv4_acls: fallback(bool({ description: 'lists as NFS has them' }), false),
} as const

type AclArgs = Args<typeof params>

interface Entry {
  readonly etype: string
  readonly entity: string
  readonly permissions: string | undefined
  readonly isDefault: boolean
}

export default defineModule({
  name: 'ansible.posix.acl',
  summary: 'Manages access lists of files.',
  params,
  async *run(args, host) {
    if (args.use_nfsv4_acls) throw new ModuleFailure('use_nfsv4_acls is not supported: it is for FreeBSD')
    const entry = args.state === 'query' && args.entry === undefined && args.etype === undefined ? undefined : entryOf(args)
    const ofDefault = entry?.isDefault ?? args.default
    const before = await readList(host, args, ofDefault)
    if (!entry || args.state === 'query') return { changed: false, msg: 'current acl', acl: before.list }
    const words = changeWords(args, entry)
    const dry = await host.look(sh`setfacl --test ${words} -- ${args.path}`, { onFailure: 'tell' })
    if (dry.code !== 0) throw new ModuleFailure(textOf(dry.stderr).trim())
    // `*` stands for a list that stays; a path's last word of its line is that list
    const changed = textOf(dry.stdout)
      .split('\n')
      .filter((line) => line.trim() !== '')
      .some((line) => !line.endsWith('*,*'))

    if (!changed) return { changed: false, msg: messageOf(args, entry), acl: before.list }
    const done = yield { what: 'acl', script: sh`setfacl ${words} -- ${args.path}`, onFailure: 'tell' }
    if (done && done.code !== 0) throw new ModuleFailure(textOf(done.stderr).trim())
    const after = done ? await readList(host, args, ofDefault) : before
    return { changed: true, msg: messageOf(args, entry), acl: after.list }
  },
})

const messageOf = (args: AclArgs, entry: Entry): string =>
  args.state === 'absent' ? `${plain(entry, false)} is absent` : `${plain(entry, true)} is present`

function entryOf(args: AclArgs): Entry {
  if (args.entry === undefined) {
    if (args.etype === undefined) throw new ModuleFailure("'etype' must be set")
    return { etype: args.etype, entity: args.entity, permissions: args.permissions, isDefault: args.default }
  }
  if (args.etype !== undefined || args.entity !== '' || args.permissions !== undefined) {
    throw new ModuleFailure("'entry' MUST NOT be set when 'entity', 'etype' or 'permissions' are set.")
  }
  const parts = args.entry.split(':')
  const isDefault = /^d(efault)?$/.test(parts[0]!)
  if (isDefault) parts.shift()
  const kinds: Readonly<Record<string, string>> = { u: 'user', g: 'group', m: 'mask', o: 'other' }
  const etype = kinds[(parts[0] ?? '')[0] ?? '']
  if (etype === undefined || parts.length < 2 || parts.length > 3)
    throw new ModuleFailure(`entry '${args.entry}' is not of the form type:name:permissions`)
  return { etype, entity: parts[1]!, permissions: parts[2], isDefault: isDefault || args.default }
}

const plain = ({ etype, entity, permissions }: Entry, whole: boolean): string => `${etype}:${entity}${whole ? `:${permissions ?? ''}` : ''}`

const spelled = (entry: Entry, whole: boolean): string => `${entry.isDefault ? 'd:' : ''}${plain(entry, whole)}`

function changeWords(args: AclArgs, entry: Entry): string[] {
  const mask: Readonly<Record<string, readonly string[]>> = { default: [], mask: ['--mask'], no_mask: ['--no-mask'] }
  if (args.state === 'present' && entry.permissions === undefined) throw new ModuleFailure("'permissions' must be set")
  return [
    ...mask[args.recalculate_mask]!,
    ...(args.recursive ? ['--recursive'] : []),
    ...(args.follow ? [] : ['--physical']),
    args.state === 'present' ? `--modify=${spelled(entry, true)}` : `--remove=${spelled(entry, false)}`,
  ]
}

async function readList(host: Host, args: AclArgs, ofDefault: boolean): Promise<{ list: string[] }> {
  const told = await host.look(
    sh`command -v getfacl >/dev/null && command -v setfacl >/dev/null || exit 93
[ -e ${args.path} ] || exit 94
getfacl --omit-header --absolute-names ${ofDefault ? ['-d'] : []} -- ${args.path}`,
    { onFailure: 'tell' },
  )
  if (told.code === 93) throw new ModuleFailure('Failed to find required executable "getfacl" in paths')
  if (told.code === 94) throw new ModuleFailure('Path not found or not accessible.')
  if (told.code !== 0) throw new ModuleFailure(textOf(told.stderr).trim())
  return {
    list: textOf(told.stdout)
      .split('\n')
      .filter((line) => line.trim() !== ''),
  }
}
