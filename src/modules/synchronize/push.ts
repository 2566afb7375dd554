/** Sends what differs from the controller to the host. */
import { readFile } from 'node:fs/promises'
import {
  each,
  expansionProbe,
  known,
  type Missing,
  needsExpansion,
  type Script,
  type Stat,
  selfProbe,
  sh,
  statProbe,
} from '../../remote/index.ts'
import { type Change, type Done, type Host, ModuleFailure } from '../api.ts'
import { join } from '../copy/join.ts'
import { ask, askAll } from '../files/ask.ts'
import { digestsOf } from '../files/digest.ts'
import { type Install, installsChange, nameOf, parentOf, readInstalls } from '../files/install.ts'
import { listProbe } from '../files/listing.ts'
import { type LocalEntry, localEntries, localPath } from './local.ts'
import type { SyncChange, SyncWish } from './wish.ts'

type Pushed = AsyncGenerator<Change, SyncChange[], Done>

export async function* push(wish: SyncWish, host: Host): Pushed {
  const source = localPath(host.controller.find('files', wish.src) ?? wish.src, host.controller.playbookDir)
  const src = wish.src.endsWith('/') && !source.endsWith('/') ? `${source}/` : source
  const entries = await localEntries(src, { follow: wish.followLinks, recursive: wish.recursive })
  if (!entries) throw new ModuleFailure(`link_stat "${src}" failed: No such file or directory (2)`, { rc: 23 })
  const lone = entries.length === 1 && entries[0]!.path === ''
  const base = await baseOf(wish, src, lone, host)
  const wanted = entries.filter((e) => !wish.excluded(e.path) && (wish.links || e.kind !== 'link'))
  const targets = wanted.map((e) => (e.path === '' ? base : join(base, e.path)))
  const found = await askAll(host, {
    targets: each(targets.map((t) => statProbe(t, { checksum: 'sha1' }))),
    base: statProbe(lone ? parentOf(base) : base, { follow: true }),
    self: selfProbe,
    listing: wish.remove && !lone ? listProbe([base], { follow: false, depth: undefined }) : known(undefined),
  })
  const changes: SyncChange[] = []
  if (!found.base.exists && !wish.existingOnly) yield script(sh`mkdir -p -- ${lone ? parentOf(base) : base}`)
  yield* folders(wish, wanted, targets, found.targets, changes)
  yield* files(wish, wanted, targets, found.targets, changes)
  yield* links(wish, wanted, targets, found.targets, changes)
  yield* attributes(wish, wanted, targets, found.targets, found.self.uid === 0, changes)
  const extra = (found.listing?.places[0] ?? [])
    .map((l) => l.path)
    .filter((p) => !targets.includes(p) && !wish.excluded(p.slice(base.length).replace(/^\/+/, '')))
  if (extra.length > 0) {
    yield script(sh`rm -rf -- ${extra}`)
    changes.push(...extra.map((path) => ({ mark: '*deleting', path }) as const))
  }
  return changes
}

/** Where things go: a folder without a slash at its end brings its own name along, as rsync has it. */
async function baseOf(wish: SyncWish, src: string, lone: boolean, host: Host): Promise<string> {
  const path = needsExpansion(wish.dest) ? (await ask(host, expansionProbe([wish.dest])))(wish.dest) : wish.dest
  if (!lone) return src.endsWith('/') ? path : join(path, nameOf(src))
  const there = await askAll(host, { dest: statProbe(path, { follow: true }) })
  return path.endsWith('/') || (there.dest.exists && there.dest.kind === 'directory') ? join(path, nameOf(src)) : path
}

const script = (text: Script): Change => ({ what: 'content', script: text, failMessage: 'could not synchronize' })

type Targets = readonly (Stat | Missing)[]

async function* folders(
  wish: SyncWish,
  wanted: readonly LocalEntry[],
  targets: readonly string[],
  found: Targets,
  changes: SyncChange[],
): AsyncGenerator<Change, void, Done> {
  if (wish.existingOnly) return
  const fresh = wanted.flatMap((e, i) =>
    e.kind === 'directory' && !(found[i]!.exists && (found[i] as Stat).kind === 'directory') ? [targets[i]!] : [],
  )
  if (fresh.length === 0) return
  yield script(sh`mkdir -p -- ${fresh}`)
  changes.push(...fresh.map((path) => ({ mark: 'cd', path }) as const))
}

const BATCH_BYTES = 16_000_000

async function* files(
  wish: SyncWish,
  wanted: readonly LocalEntry[],
  targets: readonly string[],
  found: Targets,
  changes: SyncChange[],
): AsyncGenerator<Change, void, Done> {
  let batch: (Install & { content: Uint8Array })[] = []
  let size = 0
  for (const [i, entry] of wanted.entries()) {
    if (entry.kind !== 'file') continue
    const now = found[i]!
    if (!now.exists && wish.existingOnly) continue
    const bytes = await readFile(entry.full)
    if (now.exists && now.kind === 'file' && now.checksum === digestsOf(bytes).sha1) continue
    const path = targets[i]!
    changes.push({ mark: '<f', path })
    batch.push({ path, now, content: bytes, steps: [], newMode: wish.perms ? entry.mode : undefined })
    size += bytes.length
    if (size < BATCH_BYTES && batch.length < 100) continue
    yield* install(batch)
    batch = []
    size = 0
  }
  yield* install(batch)
}

async function* install(batch: (Install & { content: Uint8Array })[]): AsyncGenerator<Change, void, Done> {
  if (batch.length === 0) return
  const done = yield installsChange(batch)
  if (done)
    readInstalls(
      done,
      batch.map((b) => b.path),
    )
}

async function* links(
  wish: SyncWish,
  wanted: readonly LocalEntry[],
  targets: readonly string[],
  found: Targets,
  changes: SyncChange[],
): AsyncGenerator<Change, void, Done> {
  for (const [i, entry] of wanted.entries()) {
    const now = found[i]!
    if (
      entry.kind !== 'link' ||
      (now.exists && now.kind === 'link' && now.linkTarget === entry.target) ||
      (!now.exists && wish.existingOnly)
    )
      continue
    const path = targets[i]!
    yield script(sh`rm -f -- ${path} && ln -s -- ${entry.target} ${path}`)
    changes.push({ mark: 'cL', path })
  }
}

/** Modes, times and owners of what was sent and of what was equal already. */
async function* attributes(
  wish: SyncWish,
  wanted: readonly LocalEntry[],
  targets: readonly string[],
  found: Targets,
  root: boolean,
  changes: SyncChange[],
): AsyncGenerator<Change, void, Done> {
  const sent = new Set(changes.map((c) => c.path))
  const scripts: Script[] = []
  // what lies inside a folder moves its time, so folders come last and the deepest first
  const order = [...wanted.keys()].sort(
    (a, b) => Number(wanted[a]!.kind === 'directory') - Number(wanted[b]!.kind === 'directory') || b - a,
  )
  for (const i of order) {
    const entry = wanted[i]!
    const now = found[i]!
    const path = targets[i]!
    if (entry.kind === 'link' || (!now.exists && !sent.has(path))) continue
    const fresh = !now.exists || sent.has(path)
    const steps: Script[] = []
    if (root && wish.owner && (fresh || (now as Stat).uid !== entry.uid)) steps.push(sh`chown -h ${entry.uid} -- ${path}`)
    if (root && wish.group && (fresh || (now as Stat).gid !== entry.gid)) steps.push(sh`chgrp -h ${entry.gid} -- ${path}`)
    if (wish.perms && (fresh || (now as Stat).mode !== entry.mode))
      steps.push(sh`chmod ${entry.mode.toString(8).padStart(5, '0')} -- ${path}`)
    if (wish.times && (fresh || Math.floor((now as Stat).modified) !== entry.modified))
      steps.push(sh`touch -c -m -d ${`@${entry.modified}`} -- ${path}`)
    if (steps.length === 0) continue
    scripts.push(...steps)
    if (!fresh) changes.push({ mark: '.f', path })
  }
  if (scripts.length > 0)
    yield script(
      scripts.reduce(
        (all, s) => sh`${all}${s} || exit 1
`,
        sh``,
      ),
    )
}
