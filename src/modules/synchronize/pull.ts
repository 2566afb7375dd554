/** Brings what differs from the host to the controller. */
import { lchown, mkdir, rm, symlink, utimes } from 'node:fs/promises'
import { dirname } from 'node:path'
import { each, sh, statProbe } from '../../remote/index.ts'
import { type Change, type Done, type Host, ModuleFailure } from '../api.ts'
import { join } from '../copy/join.ts'
import { ask, askAll } from '../files/ask.ts'
import { digestsOf } from '../files/digest.ts'
import { nameOf } from '../files/install.ts'
import { listProbe } from '../files/listing.ts'
import { entryOf, localEntries, localPath } from './local.ts'
import type { SyncChange, SyncWish } from './wish.ts'

export async function* pull(wish: SyncWish, host: Host): AsyncGenerator<Change, SyncChange[], Done> {
  const src = wish.src
  const { top, listing } = await askAll(host, {
    top: statProbe(src, { follow: true }),
    listing: listProbe([src], { follow: wish.followLinks, depth: wish.recursive ? undefined : 1 }),
  })
  if (!top.exists) throw new ModuleFailure(`link_stat "${src}" failed: No such file or directory (2)`, { rc: 23 })
  const lone = top.kind !== 'directory'
  const inside = (path: string): string => (lone ? '' : path.slice(src.replace(/\/+$/, '').length + 1))
  const names = lone ? [src] : (listing.places[0] ?? []).map((l) => l.path).filter((p) => !wish.excluded(inside(p)))
  const stats =
    names.length === 0 ? [] : await ask(host, each(names.map((n) => statProbe(n, { checksum: 'sha1', follow: lone || wish.followLinks }))))
  const dest = localPath(wish.dest, host.controller.playbookDir)
  const base = lone ? dest : src.endsWith('/') ? dest : join(dest, nameOf(src))
  const there = await host.controller.stat(dest.replace(/(?<=.)\/+$/, ''))
  const changes: SyncChange[] = []
  for (const [i, name] of names.entries()) {
    const stat = stats[i]!
    if (!stat.exists) continue
    const target = lone ? (dest.endsWith('/') || there?.kind === 'directory' ? join(dest, nameOf(src)) : dest) : join(base, inside(name))
    const now = await entryOf(target, '', false)
    const kind = await host.controller.stat(target)
    if (stat.kind === 'directory') {
      if (kind?.kind === 'directory' || wish.existingOnly) continue
      changes.push({ mark: 'cd', path: target })
      if (!host.check) await mkdir(target, { recursive: true })
    } else if (stat.kind === 'link') {
      if (!wish.links || (now?.kind === 'link' && now.target === stat.linkTarget)) continue
      changes.push({ mark: 'cL', path: target })
      if (host.check) continue
      await mkdir(dirname(target), { recursive: true })
      await rm(target, { force: true })
      await symlink(stat.linkTarget ?? '', target)
    } else if (stat.kind === 'file') {
      const old = kind?.kind === 'file' ? await host.controller.read(target) : undefined
      if (!old && wish.existingOnly) continue
      const same = old !== undefined && digestsOf(old).sha1 === stat.checksum
      const stale = same && ((wish.times && now?.modified !== Math.floor(stat.modified)) || (wish.perms && now?.mode !== stat.mode))
      if (same && !stale) continue
      changes.push({ mark: same ? '.f' : '>f', path: target })
      if (host.check) continue
      const bytes = same ? old : await host.read(name)
      await host.controller.write(target, bytes, wish.perms ? stat.mode : undefined)
      if (process.getuid?.() === 0 && wish.owner) await lchown(target, stat.uid, wish.group ? stat.gid : (process.getgid?.() ?? 0))
      if (wish.times) await utimes(target, stat.accessed, stat.modified)
    }
  }
  if (wish.remove && !lone) await removeExtra(base, new Set(names.map((n) => join(base, inside(n)))), wish, host, changes)
  // a step that does nothing, so that the run is told of what changed here
  if (changes.length > 0) yield { what: 'content', script: sh`:` }
  return changes
}

async function removeExtra(base: string, wanted: ReadonlySet<string>, wish: SyncWish, host: Host, changes: SyncChange[]): Promise<void> {
  for (const entry of (await localEntries(base, { follow: false, recursive: true })) ?? []) {
    const path = join(base, entry.path)
    if (wanted.has(path) || wish.excluded(entry.path)) continue
    changes.push({ mark: '*deleting', path })
    if (!host.check) await rm(path, { recursive: true, force: true })
  }
}
