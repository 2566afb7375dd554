/** Sends a folder of the controller: one look at all targets, then the files that differ, in as few changes as there are batches. */
import { isUtf8 } from 'node:buffer'
import type { JsonObject, Value } from '../../base/index.ts'
import { each, eachStat, type Missing, type Stat, sh, sumsProbe } from '../../remote/index.ts'
import { type Change, type Done, type Host, ModuleFailure, type Result } from '../api.ts'
import { askAll } from '../files/ask.ts'
import { type AttributeArgs, attributeSteps, newborn, type Step, type Wanted, wantedProbe } from '../files/attributes.ts'
import { digestsOf } from '../files/digest.ts'
import { makeFoldersScript, missingProbe, stepScripts } from '../files/folders.ts'
import { pathInfo } from '../files/info.ts'
import { freshFilesChange, type Install, installsChange, nameOf, readInstalls, requireInstalled } from '../files/install.ts'
import { readLocal } from '../files/local.ts'
import { modeText } from '../files/mode.ts'
import { join } from './join.ts'
import { type Sending, send } from './send.ts'

export interface TreeSending extends Pick<Sending, 'dest' | 'directoryMode' | 'force' | 'follow' | 'backup' | 'validate' | 'unsafeWrites'> {
  readonly args: AttributeArgs & {
    readonly local_follow?: boolean | undefined
    readonly decrypt: boolean
    readonly mode?: Value | undefined
  }
  readonly source: string
  /** `src` ends with a slash: the folder's content, not the folder itself */
  readonly slash: boolean
}

/** What of the folder goes where. */
interface Contents {
  readonly files: readonly { readonly local: string; readonly path: string; readonly mode: number }[]
  readonly folders: readonly string[]
  readonly links: readonly { readonly path: string; readonly target: string }[]
}

export async function* sendTree(tree: TreeSending, host: Host): AsyncGenerator<Change, Result, Done> {
  const dest = join(tree.dest, '')
  const contents = await contentsOf(tree, host)
  const only = contents.files.length === 1 ? contents.files[0] : undefined
  const summary: JsonObject = { dest, src: tree.source + (tree.slash ? '/' : '') }
  const first = only ? yield* sendOnly(tree, dest, contents, only, host) : yield* sendAll(tree, dest, contents, host)
  const folders = yield* settleFolders(tree, dest, contents, host)
  const links = yield* makeLinks(tree, dest, contents, host)
  const last = links.at(-1) ?? folders.at(-1) ?? first
  const changed = [first, ...folders, ...links].some((r) => r.changed === true)
  if (!only) return { ...summary, changed }
  return { ...last, ...(last['dest'] === undefined && last['path'] !== undefined ? { dest: last['path'] } : {}), changed }
}

async function contentsOf(tree: TreeSending, host: Host): Promise<Contents> {
  const { controller } = host
  const follow = tree.args.local_follow ?? true
  const prefix = tree.slash ? '' : `${nameOf(tree.source)}/`
  const entries = await controller.walk(tree.source, { followLinks: follow })
  const at = (path: string): string => prefix + path
  return {
    files: entries
      .filter((e) => e.kind === 'file')
      .sort((a, b) => (filesFirst(a.path) < filesFirst(b.path) ? -1 : 1))
      .map((e) => ({ local: join(tree.source, e.path), path: at(e.path), mode: e.mode })),
    folders: [...(prefix ? [prefix.slice(0, -1)] : []), ...entries.filter((e) => e.kind === 'directory').map((e) => at(e.path))],
    links: await orderedLinks(
      tree.source,
      entries.filter((e) => e.kind === 'link'),
      controller,
    ).then((links) => links.map((e) => ({ path: at(e.path), target: e.target ?? '' }))),
  }
}

/** The files of a folder come before those of the folders in it. */
const filesFirst = (path: string): string => path.replace(/[^/]+\//g, (folder) => `\uffff${folder}`)

interface Link {
  readonly path: string
  readonly target?: string
}

/** Within a folder, links to files come before links to folders. */
async function orderedLinks(source: string, links: readonly Link[], controller: Host['controller']): Promise<Link[]> {
  const parent = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1)
  const kinds = await Promise.all(links.map((link) => controller.stat(join(source, link.path))))
  const keyed = links.map((link, i) => ({ link, key: [parent(link.path), kinds[i]?.kind === 'directory' ? 1 : 0] as const }))
  return keyed.sort((a, b) => (a.key[0] === b.key[0] ? a.key[1] - b.key[1] : a.key[0] < b.key[0] ? -1 : 1)).map((k) => k.link)
}

const attributesFor = (tree: TreeSending, mode: number): AttributeArgs =>
  tree.args.mode === 'preserve' ? { ...tree.args, mode: modeText(mode) } : tree.args

/** A lone file is sent, and told, as by itself. */
async function* sendOnly(
  tree: TreeSending,
  dest: string,
  contents: Contents,
  file: Contents['files'][number],
  host: Host,
): AsyncGenerator<Change, Result, Done> {
  const bytes = await readLocal(host.controller, file.local, tree.args.decrypt)
  const folder = file.path.slice(0, file.path.lastIndexOf('/') + 1)
  return yield* send(
    {
      ...tree,
      dest: dest + folder,
      name: nameOf(file.path),
      bytes,
      upload: bytes,
      source: file.local,
      inline: false,
      attributes: attributesFor(tree, file.mode),
      follow: tree.follow && contents.folders.length === 0,
    },
    host,
  )
}

const BATCH_FILES = 100
const BATCH_BYTES = 8_000_000
/** What travels in one frame. */
const FRESH_FILES = 250
const FRESH_BYTES = 48 * 1024
const isShort = ({ content }: { readonly content: Uint8Array }): boolean => content.length <= 8 * 1024 && isUtf8(content)

async function* sendAll(tree: TreeSending, dest: string, contents: Contents, host: Host): AsyncGenerator<Change, Result, Done> {
  if (contents.files.length === 0) return { changed: false }
  const bytes = await Promise.all(contents.files.map((f) => readLocal(host.controller, f.local, tree.args.decrypt)))
  const parents = [...new Set(contents.files.map((f) => dest + f.path.slice(0, f.path.lastIndexOf('/') + 1)))]
  const found = await askAll(host, {
    files: eachStat(contents.files.map((f) => ({ path: dest + f.path }))),
    sums: sumsProbe(
      contents.files.map((f) => dest + f.path),
      'sha1',
    ),
    missing: each(parents.map((p) => missingProbe(p))),
    wanted: wantedProbe(tree.args, { self: true }),
  })
  const folders = [...new Set(found.missing.flat())].sort()
  let changed = yield* makeFolders(tree, folders, found.wanted, host)
  const installs: (Install & { content: Uint8Array })[] = []
  const mended: { path: string; steps: readonly Step[] }[] = []
  contents.files.forEach((file, i) => {
    const path = dest + file.path
    const now = found.files[i]!
    const wanted = { ...found.wanted, args: attributesFor(tree, file.mode) }
    if (now.exists && now.leadsToDirectory && now.kind !== 'link') throw new ModuleFailure(`${path} is a directory`)
    if (now.exists && !tree.force) return
    const same = now.exists && now.kind === 'file' && found.sums[i] === digestsOf(bytes[i]!).sha1
    const steps = stepsFor(now, wanted, path, same, host)
    if (!same)
      installs.push({ path, now, content: bytes[i]!, steps, backup: tree.backup, validate: tree.validate, unsafeWrites: tree.unsafeWrites })
    else if (steps.length > 0) mended.push({ path, steps })
  })
  const isFresh = (install: Install): boolean =>
    !install.now.exists && install.now.why === 'absent' && install.validate === undefined && install.unsafeWrites === undefined
  const fresh = installs.filter((install) => isFresh(install) && isShort(install) && !install.steps.some((s) => s.what === 'attributes'))
  for (const batch of batches(fresh, FRESH_FILES, FRESH_BYTES)) {
    const done = yield freshFilesChange(batch)
    if (done) requireInstalled(done, batch[0]!.path)
    changed = true
  }
  const others = installs.filter((install) => !fresh.includes(install))
  for (const batch of batches(others, BATCH_FILES, BATCH_BYTES)) {
    const done = yield installsChange(batch)
    if (done)
      readInstalls(
        done,
        batch.map((i) => i.path),
      )
    changed = true
  }
  if (mended.length > 0) {
    yield mendChange(mended)
    changed = true
  }
  return { changed }
}

function stepsFor(now: Stat | Missing, wanted: Wanted, path: string, same: boolean, host: Host): Step[] {
  if (host.check && !same) return []
  const old = now.exists && now.kind !== 'link'
  return attributeSteps(old ? (now as Stat) : newborn('file', wanted.self!), wanted, path, !old)
}

async function* makeFolders(
  tree: TreeSending,
  folders: readonly string[],
  wanted: Wanted,
  host: Host,
): AsyncGenerator<Change, boolean, Done> {
  if (folders.length === 0) return false
  const steps = host.check
    ? []
    : attributeSteps(
        newborn('directory', wanted.self!),
        { ...wanted, args: { ...wanted.args, mode: tree.directoryMode } },
        folders[0]!,
        true,
      )
  yield { what: 'state', script: makeFoldersScript(folders, steps, 81), failMessage: 'could not make the folders' }
  return true
}

/** As many files as go well into one change. */
function batches<T extends { readonly content: Uint8Array }>(installs: readonly T[], files: number, bytes: number): T[][] {
  const out: T[][] = []
  let size = 0
  for (const install of installs) {
    const last = out.at(-1)
    if (!last || last.length >= files || size + install.content.length > bytes) {
      out.push([install])
      size = install.content.length
    } else {
      last.push(install)
      size += install.content.length
    }
  }
  return out
}

/** The folders themselves: those that no file brought along are made, the others get the wanted attributes. */
async function* settleFolders(tree: TreeSending, dest: string, contents: Contents, host: Host): AsyncGenerator<Change, Result[], Done> {
  const paths = contents.folders.map((f) => dest + f)
  if (paths.length === 0) return []
  const attributes = { ...tree.args, mode: tree.directoryMode }
  const found = await askAll(host, {
    folders: eachStat(paths.map((path) => ({ path, follow: true }))),
    missing: each(paths.map((p) => missingProbe(p))),
    wanted: wantedProbe(attributes, { self: true }),
  })
  const fresh = [...new Set(found.missing.flat())].sort()
  const made = yield* makeFolders(tree, fresh, found.wanted, host)
  const mended = paths.flatMap((path, i) => {
    const now = found.folders[i]!
    const steps = now.exists ? attributeSteps(now, found.wanted, path) : []
    return steps.length > 0 ? [{ path, steps }] : []
  })
  if (mended.length > 0) yield mendChange(mended)
  const last = paths.at(-1)!
  const now = found.folders.at(-1)!
  return [{ path: last, changed: made || mended.length > 0, ...pathInfo(now) }]
}

/** Sets the attributes of several paths. */
function mendChange(mended: readonly { readonly path: string; readonly steps: readonly Step[] }[]): Change {
  const script = mended.reduce((all, m) => sh`${all}${stepScripts(m.steps, m.path)}`, sh``)
  return { what: 'attributes', script, failMessage: 'could not set attributes' }
}

async function* makeLinks(tree: TreeSending, dest: string, contents: Contents, host: Host): AsyncGenerator<Change, Result[], Done> {
  const results: Result[] = []
  for (const link of contents.links) {
    const mode = tree.args.mode === 'preserve' ? null : (tree.args.mode ?? null)
    const args = fileArgs(tree, {
      path: dest + link.path,
      src: link.target,
      state: 'link',
      force: true,
      mode,
      ...(contents.folders.length > 0 ? { follow: false } : {}),
    })
    results.push(yield* host.call('ansible.builtin.file', args))
  }
  return results
}

/** The arguments of file, with the attributes of the task. */
function fileArgs(tree: TreeSending, args: Readonly<Record<string, Value>>): ReadonlyMap<string, Value> {
  const shared = (['owner', 'group', 'seuser', 'serole', 'setype', 'selevel', 'attributes'] as const).flatMap((name) => {
    const value = tree.args[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return new Map<string, Value>([...shared, ...Object.entries(args).filter(([, value]) => value !== null)])
}
