/** fetch: brings a file of the host to the controller. */
import { basename, join, normalize, resolve } from 'node:path'
import { bool, fallback, path, required, str } from '../params/index.ts'
import { type Missing, type Stat, statProbe } from '../remote/index.ts'
import { expandUser } from '../template/index.ts'
import { defineModule, type Host, ModuleFailure, type Result } from './api.ts'
import { ask } from './files/ask.ts'
import { digestsOf } from './files/digest.ts'
import { unreadable } from './slurp.ts'

export default defineModule({
  name: 'ansible.builtin.fetch',
  takesAsync: false,
  missingWords: 'src and dest are required',
  summary: 'Brings a file of the host to the controller.',
  checkMode: false,
  checkWords: 'check mode not (yet) supported for this module',
  params: {
    src: required(path()),
    dest: required(str()),
    flat: fallback(bool(), false),
    fail_on_missing: fallback(bool(), true),
    validate_checksum: fallback(bool(), true),
  },
  async *run(args, host) {
    const { controller } = host
    for (const [option, word] of [
      ['dest', 'dest'],
      ['src', 'source'],
    ] as const)
      if (typeof host.task.rawArgs.get(option) !== 'string')
        throw new ModuleFailure(`Invalid type supplied for ${word} option, it must be a string`)
    const stat = await ask(host, statProbe(args.src, { follow: true, checksum: 'sha1' }))
    const trouble = host.task.becomeUser === undefined ? (unseen(args.src, stat) ?? unread(args.src, stat)) : unread(args.src, stat)
    if (trouble && args.fail_on_missing) throw new ModuleFailure(trouble.msg, trouble.failed)
    if (trouble) return { changed: false, ...trouble.ignored }
    const dest = await localPath(args, host)
    const there = (await controller.stat(dest))?.kind
    if (there === 'directory')
      throw new ModuleFailure(
        `calculated dest '${dest}' is an existing directory, use another path that does not point to an existing directory`,
      )
    const local = there === 'file' ? await controller.read(dest) : undefined
    const known = stat.exists ? stat.checksum : undefined
    if (local && known !== undefined && digestsOf(local).sha1 === known) return unchanged(args.src, dest, local)
    const bytes = await host.read(args.src)
    const { sha1, md5 } = digestsOf(bytes)
    if (local && digestsOf(local).sha1 === sha1) return unchanged(args.src, dest, local)
    await controller.write(dest, bytes)
    if (args.validate_checksum && known !== undefined && known !== sha1)
      throw new ModuleFailure('checksum mismatch', {
        md5sum: md5,
        file: args.src,
        dest,
        remote_md5sum: null,
        checksum: sha1,
        remote_checksum: known,
      })
    return { changed: true, md5sum: md5, dest, remote_md5sum: null, checksum: sha1, remote_checksum: known ?? sha1 }
  },
})

/** What there is to say of a file that is not fetched, as a failure and where that is none. */
interface Trouble {
  readonly msg: string
  readonly failed?: Result
  readonly ignored: Result
}

const DIRECTORY = 'remote file is a directory, fetch cannot work on directories'
const REASONS: Partial<Record<Missing['why'], string>> = {
  'no-permission': 'Permission denied',
  'not-a-directory': 'Not a directory',
  loop: 'Too many levels of symbolic links',
}

/** Without another user the path is looked at first. */
function unseen(file: string, stat: Stat | Missing): Trouble | undefined {
  if (stat.exists)
    return stat.kind === 'directory' ? { msg: DIRECTORY, ignored: { msg: `${DIRECTORY}, not transferring, ignored` } } : undefined
  const reason = REASONS[stat.why]
  if (reason === undefined) return undefined
  const msg = `Failed to get information on remote file (${file}): ${reason}`
  return { msg, failed: { file }, ignored: { file, msg: `${msg}, ignored` } }
}

/** What slurp would say of it. */
function unread(file: string, stat: Stat | Missing): Trouble | undefined {
  const refusal = unreadable(file, stat)
  if (refusal === undefined) return undefined
  if (!stat.exists && refusal.startsWith('file not found')) {
    const msg = 'the remote file does not exist, not transferring, ignored'
    return { msg, ignored: { file, msg } }
  }
  if (stat.exists && stat.kind === 'directory') return { msg: DIRECTORY, ignored: { file, msg: DIRECTORY } }
  return { msg: refusal, ignored: { file } }
}

function unchanged(file: string, dest: string, bytes: Uint8Array): Result {
  const { sha1, md5 } = digestsOf(bytes)
  return { changed: false, md5sum: md5, file, dest, checksum: sha1 }
}

/** Where the file goes: below the host's name, or just where dest says. */
async function localPath(args: { readonly src: string; readonly dest: string; readonly flat: boolean }, host: Host): Promise<string> {
  const { controller } = host
  const dest = expandUser(args.dest, process.env)
  const full = resolve(controller.playbookDir, dest)
  if (!args.flat) return normalize(`${full}/${host.name}/${args.src}`)
  if (dest.endsWith('/')) return join(full, basename(args.src))
  if ((await controller.stat(full))?.kind === 'directory')
    throw new ModuleFailure('dest is an existing directory, use a trailing slash if you want to fetch src into that directory')
  return full
}
