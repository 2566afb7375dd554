/** Lists a place of the controller with modes and times. */
import { lstat, readdir, readlink, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { expandUser } from '../../template/index.ts'

export interface LocalEntry {
  /** below the place; empty for a lone file */
  readonly path: string
  readonly full: string
  readonly kind: 'file' | 'directory' | 'link'
  readonly mode: number
  readonly modified: number
  readonly uid: number
  readonly gid: number
  readonly target: string
}

/** A path of the controller, absolute. */
export function localPath(path: string, folder: string): string {
  const slash = path.endsWith('/') ? '/' : ''
  return resolve(folder, expandUser(path, process.env)).replace(/\/$/, '') + slash
}

/** What is there: the file itself, or everything below a folder; undefined where there is nothing. */
export async function localEntries(
  path: string,
  options: { readonly follow: boolean; readonly recursive: boolean },
): Promise<LocalEntry[] | undefined> {
  const top = await entryOf(path.replace(/(?<=.)\/+$/, ''), '', true)
  if (!top) return undefined
  if (top.kind !== 'directory') return [top]
  const out: LocalEntry[] = []
  const visit = async (below: string): Promise<void> => {
    for (const name of (await readdir(`${path}/${below}`)).sort()) {
      const relative = below === '' ? name : `${below}/${name}`
      const entry = await entryOf(`${path.replace(/\/+$/, '')}/${relative}`, relative, options.follow)
      if (!entry) continue
      out.push(entry)
      if (entry.kind === 'directory' && options.recursive) await visit(relative)
    }
  }
  await visit('')
  return out
}

/** One thing, or undefined where there is nothing of a kind that is sent. */
export async function entryOf(full: string, path: string, follow: boolean): Promise<LocalEntry | undefined> {
  try {
    const info = follow ? await stat(full) : await lstat(full)
    const kind = info.isSymbolicLink() ? 'link' : info.isDirectory() ? 'directory' : info.isFile() ? 'file' : undefined
    if (!kind) return undefined
    const target = kind === 'link' ? await readlink(full) : ''
    return { path, full, kind, mode: info.mode & 0o7777, modified: Math.floor(info.mtimeMs / 1000), uid: info.uid, gid: info.gid, target }
  } catch {
    return undefined
  }
}
