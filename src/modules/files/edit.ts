/** What the modules that edit a text file share: one look at the file, one change that writes it, and the words about both. */
import type { JsonObject } from '../../base/index.ts'
import { lastContentProbe, type Missing, type Stat, statsProbe, textOf } from '../../remote/index.ts'
import { type Change, type Done, type Host, ModuleFailure } from '../api.ts'
import { askAll } from './ask.ts'
import { type AttributeArgs, attributeSteps, newborn, stepsDiff, type Wanted, wantedProbe } from './attributes.ts'
import { makeFoldersScript, missingProbe } from './folders.ts'
import { attributeChange, checkValidate, installChange, parentOf, readInstalled, validationFailure } from './install.ts'

export interface EditArgs extends AttributeArgs {
  readonly path: string
  readonly backup: boolean
  readonly validate?: string | undefined
  readonly unsafe_writes?: boolean | undefined
}

/** The file as it is found; links are followed. */
export interface Edited {
  readonly here: Stat | Missing
  readonly real: Stat | Missing
  /** where the bytes live: what a link leads to */
  readonly target: string
  readonly content: Uint8Array | undefined
  readonly missing: readonly string[]
  readonly wanted: Wanted
}

export async function openFile(args: EditArgs, host: Host): Promise<Edited> {
  const attributes = args.attributes !== undefined
  const { stats, ...more } = await askAll(host, {
    stats: statsProbe({ here: { path: args.path, attributes }, real: { path: args.path, follow: true, attributes } }),
    missing: missingProbe(parentOf(args.path)),
    wanted: wantedProbe(args, { self: true }),
    content: lastContentProbe(args.path),
  })
  const found = { ...stats, ...more }
  const link = found.here.exists && found.here.kind === 'link'
  return { ...found, target: link && found.here.exists ? (found.here.realPath ?? args.path) : args.path }
}

/** What became of an edit: a message about attributes joined to the one about content, as these modules tell it. */
export interface Saved {
  readonly changed: boolean
  readonly msg: string
  /** the backup's path, or an empty text */
  readonly backup: string
  readonly diff: JsonObject | readonly JsonObject[]
  readonly stat: Stat | Missing
}

/** Writes the new bytes where they differ, and mends attributes; the message grows by what the attributes did. */
export async function* saveFile(
  args: EditArgs,
  file: Edited,
  next: { readonly bytes: Uint8Array; readonly changed: boolean; readonly msg: string; readonly makeFolders?: boolean },
  host: Host,
): AsyncGenerator<Change, Saved, Done> {
  const { target, real } = file
  const content = contentDiff(args.path, file.content, next.bytes, host)
  const fresh = !real.exists
  if (fresh && host.check) {
    yield {
      what: 'content',
      script: installChange({ path: target, now: real, content: next.bytes, steps: [] }).script,
      diff: viewOf(content),
      counts: next.changed,
    }
    return { changed: next.changed, msg: next.msg, backup: '', diff: content, stat: real }
  }
  // the content of what a link leads to is edited, owners and modes are the link's own
  const link = file.here.exists && file.here.kind === 'link' ? file.here : undefined
  const steps = attributeSteps(link ?? (real.exists ? real : newborn('file', file.wanted.self!)), file.wanted, args.path, fresh)
  const mends = steps.some((s) => !s.idle)
  const attributes = {
    ...namedDiff(steps),
    before_header: `${args.path} (file attributes)`,
    after_header: `${args.path} (file attributes)`,
  }
  const msg = mends ? `${next.msg}${next.changed ? ' and ' : ''}ownership, perms or SE linux context changed` : next.msg
  const told = { changed: next.changed || mends, msg, diff: [content, attributes] }
  if (!next.changed) {
    if (!mends) return { ...told, backup: '', stat: real }
    const done = yield attributeChange(link ? args.path : target, steps, viewOf(attributes))
    return { ...told, backup: '', stat: done && !link ? readInstalled(done, target).stat : real }
  }
  if (!host.check) checkValidate(args.validate)
  const folders = fresh && next.makeFolders && file.missing.length > 0 ? makeFoldersScript(file.missing, [], 81) : undefined
  const done = yield installChange({
    path: target,
    now: real,
    content: next.bytes,
    steps: link ? [] : steps,
    backup: args.backup,
    backupOf: args.path,
    validate: args.validate,
    unsafeWrites: args.unsafe_writes,
    folders,
    self: file.wanted.self,
    diff: viewOf(content),
  })
  if (link && mends) yield attributeChange(args.path, steps, viewOf(attributes))
  if (!done) return { ...told, backup: '', stat: real }
  const installed = readInstalled(done, target, { validate: validationFailure })
  return { ...told, backup: installed.backup, stat: installed.stat }
}

function namedDiff(steps: Parameters<typeof stepsDiff>[0]): JsonObject {
  const { before, after } = stepsDiff(steps)
  return Object.keys(after).length === 0 ? {} : { before, after }
}

/** The texts are told only where differences are shown. */
function contentDiff(path: string, before: Uint8Array | undefined, after: Uint8Array, host: Host): JsonObject {
  return {
    before: host.diff && before ? textOf(before) : '',
    after: host.diff ? textOf(after) : '',
    before_header: `${path} (content)`,
    after_header: `${path} (content)`,
  }
}

function viewOf(diff: JsonObject): { before: never; after: never; beforeHeader: string; afterHeader: string } {
  return {
    before: (diff['before'] ?? '') as never,
    after: (diff['after'] ?? '') as never,
    beforeHeader: String(diff['before_header']),
    afterHeader: String(diff['after_header']),
  }
}

/** Fails for what cannot be edited as a file. */
export function refuseDirectory(file: Edited, path: string): void {
  if (file.real.exists && file.real.kind === 'directory') throw new ModuleFailure(`Path ${path} is a directory !`, { rc: 256 })
}

/** Bytes as text of one character a byte, in which patterns of bytes can search. */
export const binary = (bytes: Uint8Array | undefined): string => (bytes ? Buffer.from(bytes).toString('latin1') : '')

/** The same of a text that a task gives. */
export const binaryText = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')

export const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'))

/** Lines with their ends; only a newline ends one. */
export const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? []
