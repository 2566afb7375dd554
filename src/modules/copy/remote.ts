/** Copies from one place of the host to another: `remote_src`. */
import type { JsonObject, Value } from '../../base/index.ts'
import { known, type Missing, type Stat, statProbe } from '../../remote/index.ts'
import { type Change, type Done, type Host, ModuleFailure, type Result } from '../api.ts'
import { askAll } from '../files/ask.ts'
import { type AttributeArgs, attributeSteps, newborn, stepsDiff, wantedProbe } from '../files/attributes.ts'
import { makeFoldersScript, missingProbe } from '../files/folders.ts'
import { pathInfo } from '../files/info.ts'
import { attributeChange, checkValidate, installChange, nameOf, parentOf, readInstalled } from '../files/install.ts'
import { modeText } from '../files/mode.ts'
import { join } from './join.ts'
import { copyTree } from './remote-tree.ts'
import { validationFailure } from './validation.ts'

export interface RemoteCopy extends AttributeArgs {
  readonly src: string
  readonly dest: string
  readonly backup: boolean
  readonly force: boolean
  readonly follow: boolean
  readonly validate?: string | undefined
  readonly directory_mode?: Value | undefined
  readonly local_follow?: boolean | undefined
  readonly checksum?: string | undefined
  readonly unsafe_writes?: boolean | undefined
  readonly _original_basename?: string | undefined
}

export async function* copyRemote(args: RemoteCopy, host: Host): AsyncGenerator<Change, Result, Done> {
  const found = await lookAt(args, host)
  const { source } = found
  if (!source.exists) throw new ModuleFailure(`Source ${args.src} not found`)
  if (!source.readable) throw new ModuleFailure(`Source ${args.src} not readable`)
  if (source.kind !== 'file' && source.kind !== 'directory') throw new ModuleFailure(`Cannot copy invalid source '${args.src}': not a file`)
  if (args.checksum !== undefined && source.checksum !== args.checksum)
    throw new ModuleFailure('Copied file does not match the expected checksum. Transfer failed.', {
      checksum: source.checksum ?? null,
      expected_checksum: args.checksum,
    })
  const wanted = args.mode === 'preserve' ? { ...found.wanted, args: { ...args, mode: modeText(source.mode) } } : found.wanted
  if (source.kind === 'directory') return yield* copyTree({ args, source, wanted, dest: found.outer, missing: found.missing }, host)
  return yield* copyFile(args, { ...found, wanted, source }, host)
}

type Found = Awaited<ReturnType<typeof lookAt>>

async function lookAt(args: RemoteCopy, host: Host) {
  const inner = join(args.dest, args._original_basename || nameOf(args.src))
  return askAll(host, {
    source: statProbe(args.src, { follow: true, checksum: 'sha1' }),
    md5: statProbe(args.src, { follow: true, checksum: 'md5' }),
    outer: statProbe(args.dest, { checksum: 'sha1' }),
    outerReal: statProbe(args.dest, { checksum: 'sha1', follow: true, hashLinksOnly: true }),
    inner: statProbe(inner, { checksum: 'sha1' }),
    innerReal: statProbe(inner, { checksum: 'sha1', follow: true, hashLinksOnly: true }),
    missing: missingProbe(args.dest.endsWith('/') ? args.dest : parentOf(args.dest)),
    wanted: wantedProbe(args, { self: true }),
    nothing: known(undefined),
  })
}

async function* copyFile(args: RemoteCopy, found: Found & { source: Stat }, host: Host): AsyncGenerator<Change, Result, Done> {
  const inside = args.dest.endsWith('/') || (found.outer.exists && found.outer.leadsToDirectory)
  const path = inside ? join(args.dest, args._original_basename || nameOf(args.src)) : args.dest
  const plain: Stat | Missing = inside ? found.inner : found.outer
  const real: Stat | Missing = inside ? found.innerReal : found.outerReal
  const followed = args.follow && plain.exists && plain.kind === 'link' && real.exists
  const target = followed ? (plain.realPath ?? path) : path
  const now = followed ? real : plain
  const md5 = found.md5.exists ? (found.md5.checksum ?? null) : null
  const base: JsonObject = { dest: target, src: args.src, md5sum: md5, checksum: found.source.checksum ?? null }
  if (!args.force && plain.exists && plain.resolves)
    return { msg: 'file already exists', src: args.src, dest: target, changed: false, ...pathInfo(now) }
  if (found.missing.length > 0 && !args.dest.endsWith('/'))
    throw new ModuleFailure(`Destination directory ${parentOf(path)} does not exist`)
  if (now.exists && now.kind === 'file' && now.checksum === found.source.checksum) {
    const steps = attributeSteps(now, found.wanted, target)
    if (steps.length === 0) return { ...base, changed: false, ...pathInfo(now) }
    const done = yield attributeChange(target, steps, stepsDiff(steps))
    return { ...base, changed: true, ...pathInfo(done ? readInstalled(done, target).stat : now) }
  }
  if (!host.check) checkValidate(args.validate)
  const old = now.exists && now.kind !== 'link'
  const self = found.wanted.self!
  const steps = host.check ? [] : attributeSteps(old ? (now as Stat) : newborn('file', self), found.wanted, target, !old)
  const folderWanted = { ...found.wanted, args: { ...found.wanted.args, mode: args.directory_mode } }
  const folders =
    host.check || found.missing.length === 0
      ? undefined
      : makeFoldersScript(found.missing, attributeSteps(newborn('directory', self), folderWanted, args.dest, true), 81)
  const done = yield installChange({
    path: target,
    now,
    content: { remotePath: args.src },
    steps,
    backup: args.backup,
    validate: args.validate,
    unsafeWrites: args.unsafe_writes,
    folders,
  })
  if (!done) return { ...base, changed: true, ...pathInfo(now) }
  const installed = readInstalled(done, target, { validate: (v) => validationFailure(v, {}) })
  return { ...base, changed: true, ...(installed.backup === '' ? {} : { backup_file: installed.backup }), ...pathInfo(installed.stat) }
}
