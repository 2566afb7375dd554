/** Sends one file's content to a path of the host: what copy and template do for a single file. */
import type { JsonObject, Value } from '../../base/index.ts'
import { contentProbe, known, type Missing, type Script, type Stat, statsProbe, textOf } from '../../remote/index.ts'
import { type Change, type Diff, type Done, type Host, ModuleFailure, type Result, type Upload } from '../api.ts'
import { askAll } from '../files/ask.ts'
import { type AttributeArgs, attributeSteps, newborn, stepsDiff, wantedProbe } from '../files/attributes.ts'
import { digestsOf } from '../files/digest.ts'
import { makeFoldersScript, missingProbe } from '../files/folders.ts'
import { pathInfo } from '../files/info.ts'
import { attributeChange, checkValidate, installChange, parentOf, readInstalled } from '../files/install.ts'
import { join } from './join.ts'
import { validationFailure } from './validation.ts'

export interface Sending {
  /** as the task has it; a trailing slash means a folder */
  readonly dest: string
  /** the name inside where dest is a folder */
  readonly name: string
  readonly bytes: Uint8Array
  readonly upload: Upload
  /** what diffs call the new content */
  readonly source: string
  /** content given in the task cannot go to a folder */
  readonly inline: boolean
  readonly attributes: AttributeArgs
  readonly directoryMode: Value | undefined
  readonly force: boolean
  readonly follow: boolean
  readonly backup: boolean
  readonly validate: string | undefined
  readonly unsafeWrites: boolean | undefined
}

export type Sent = AsyncGenerator<Change, Result, Done>

export async function* send(sending: Sending, host: Host): Sent {
  const found = await lookAt(sending, host)
  const { sha1 } = digestsOf(sending.bytes)
  if (sending.inline && found.outer?.exists && found.outer.leadsToDirectory)
    throw new ModuleFailure('can not use content with a dir as dest', { diff: [] })
  const inside = sending.dest.endsWith('/') || (found.outer?.exists === true && found.outer.leadsToDirectory)
  const path = inside ? join(sending.dest, sending.name) : sending.dest
  const [plain, real] = inside ? [found.inner, found.innerReal] : [found.outer!, found.outerReal!]
  const followed = sending.follow && plain.exists && plain.kind === 'link' && real.exists
  const target = followed ? (plain.realPath ?? path) : path
  const now = followed ? real : plain
  if (now.exists && now.leadsToDirectory) throw new ModuleFailure(`${path} is a directory`, { dest: path })
  // what force: false spares is what can be reached; a link that leads nowhere is replaced
  if (!sending.force && plain.exists && plain.resolves) return { dest: sending.dest, src: sending.source, changed: false }
  if (now.exists && now.checksum === sha1 && now.kind === 'file') return yield* settle(target, now, found, sha1)
  return yield* replace(sending, { path: target, now, found, inside }, host)
}

type Found = Awaited<ReturnType<typeof lookAt>>

async function lookAt(sending: Sending, host: Host) {
  const folder = sending.dest.endsWith('/')
  const inner = join(sending.dest, sending.name)
  const checksum = 'sha1'
  const none = known(undefined)
  const { stats, ...more } = await askAll(host, {
    stats: statsProbe({
      outer: folder ? undefined : { path: sending.dest, checksum, attributes: sending.attributes.attributes !== undefined },
      outerReal: folder ? undefined : { path: sending.dest, checksum, follow: true, hashLinksOnly: true },
      inner: { path: inner, checksum },
      innerReal: { path: inner, checksum, follow: true, hashLinksOnly: true },
      parent: { path: parentOf(sending.dest), follow: true },
    }),
    missing: missingProbe(folder ? sending.dest : parentOf(sending.dest)),
    wanted: wantedProbe(sending.attributes, { self: true }),
    old: host.diff ? contentProbe(folder ? inner : sending.dest) : none,
    oldInside: host.diff && !folder ? contentProbe(inner) : none,
  })
  return { ...stats, ...more }
}

/** The content is right: only attributes may differ. */
async function* settle(path: string, now: Stat, { wanted }: Found, checksum: string): Sent {
  const steps = attributeSteps(now, wanted, path)
  const more = stepsDiff(steps)
  const diff = { before: { path, ...more.before }, after: { path, ...more.after } }
  const base = { path, dest: path, checksum, diff }
  if (steps.length === 0) return { ...base, changed: false, ...pathInfo(now) }
  const done = yield attributeChange(path, steps, diff)
  return { ...base, changed: true, ...pathInfo(done ? readInstalled(done, path).stat : now) }
}

interface Place {
  readonly path: string
  readonly now: Stat | Missing
  readonly found: Found
  readonly inside: boolean
}

async function* replace(sending: Sending, place: Place, host: Host): Sent {
  const { path, now, found } = place
  if (!now.exists && now.why === 'not-a-directory')
    throw new ModuleFailure(`Failed to get information on remote file (${path}): Not a directory`)
  const { sha1, md5 } = digestsOf(sending.bytes)
  const diff = host.diff ? [contentDiff(sending, place)] : []
  const failed = { checksum: sha1, diff: diff.map(shown) }
  const folders = host.check ? undefined : foldersFor(sending, place, failed)
  if (!host.check) checkValidate(sending.validate, failed)
  const old = now.exists && now.kind !== 'link'
  const steps = host.check ? [] : attributeSteps(old ? (now as Stat) : newborn('file', found.wanted.self!), found.wanted, path, !old)
  const done = yield installChange({
    path,
    now,
    content: sending.upload,
    steps,
    backup: sending.backup,
    validate: sending.validate,
    unsafeWrites: sending.unsafeWrites,
    diff,
    folders,
    self: found.wanted.self,
  })
  const base = { dest: path, checksum: sha1, changed: true, diff: diff.map(shown) }
  // a check run tells no more than that
  if (!done) return { changed: true, diff: base.diff }
  const installed = readInstalled(done, path, { validate: (v) => validationFailure(v, failed) })
  const backup = installed.backup === '' ? {} : { backup_file: installed.backup }
  return { ...base, src: installed.upload, md5sum: md5, ...backup, ...pathInfo(installed.stat) }
}

/** A missing folder is made where dest ends with a slash, and is a failure elsewhere. */
function foldersFor(sending: Sending, { path, found }: Place, failed: JsonObject): Script | undefined {
  if (found.missing.length === 0) return undefined
  const folder = parentOf(path)
  if (!sending.dest.endsWith('/')) {
    if (!found.parent.exists && found.parent.why === 'no-permission')
      throw new ModuleFailure(`Destination directory ${folder} is not accessible`, failed)
    throw new ModuleFailure(`Destination directory ${folder} does not exist`, failed)
  }
  const wanted = { ...found.wanted, args: { ...found.wanted.args, mode: sending.directoryMode } }
  return makeFoldersScript(found.missing, attributeSteps(newborn('directory', found.wanted.self!), wanted, folder, true), 81)
}

function contentDiff(sending: Sending, { path, now, found, inside }: Place): Diff {
  const old = inside && !sending.dest.endsWith('/') ? found.oldInside : found.old
  const before = now.exists && old ? plainText(old) : ''
  const after = plainText(sending.bytes)
  return {
    ...(before === undefined ? {} : { before, ...(now.exists && old ? { beforeHeader: path } : {}) }),
    ...(after === undefined ? {} : { after, afterHeader: sending.inline ? path : sending.source }),
    binary: { ...(before === undefined ? { dst_binary: 1 } : {}), ...(after === undefined ? { src_binary: 1 } : {}) },
  }
}

/** The text, or undefined where the bytes are none. */
function plainText(bytes: Uint8Array): string | undefined {
  return bytes.subarray(0, 8192).includes(0) ? undefined : textOf(bytes)
}

/** A diff under the names that results have. */
function shown(diff: Diff): JsonObject {
  return {
    ...diff.binary,
    ...(diff.before === undefined ? {} : { before: diff.before }),
    ...(diff.after === undefined ? {} : { after: diff.after }),
    ...(diff.beforeHeader === undefined ? {} : { before_header: diff.beforeHeader }),
    ...(diff.afterHeader === undefined ? {} : { after_header: diff.afterHeader }),
  }
}
