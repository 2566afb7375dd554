/** Names of task files and role files → paths, looked for where Ansible looks. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, extname, join, relative, resolve } from 'node:path'
import { unquote } from './arguments.ts'
import type { Level } from './loading.ts'

export interface Found {
  readonly path: string
  readonly exists: boolean
  /** where it was looked for */
  readonly tried: readonly string[]
}

/** The file of import_tasks (`imports`) or include_tasks, as seen from where the task stands. */
export function findTaskFile(name: string, level: Level, kind: 'tasks' | 'handlers', imports: boolean): Found {
  const tried = new Set<string>()
  for (const path of taskFileCandidates(unquote(name), level, kind, imports)) {
    if (tried.has(path)) continue
    if (existsSync(path)) return { path, exists: true, tried: [...tried, path] }
    tried.add(path)
  }
  const all = [...tried]
  return { path: all[0] ?? name, exists: false, tried: all }
}

/** First relative to the includes on the way here, the nearest first, each seen from the next outer one; then to the role or the playbook. */
function* taskFileCandidates(name: string, level: Level, kind: string, imports: boolean): Generator<string> {
  if (name.startsWith('/') || name.startsWith('~')) {
    yield expandHome(name)
    return
  }
  const { use, play } = level
  const role = use?.role
  let way: string | undefined
  for (const { dir, role: isRole } of level.trail) {
    if (isRole && imports) break
    const wasAbsolute = way?.startsWith('/') === true
    if (way === undefined || (wasAbsolute && !imports)) way = dir
    else if (!wasAbsolute) way = join(dir, way)
    if (!role) yield* near(play.folder, way, name, play.folder)
    else {
      if (!imports) yield* near(role.path, kind, name, play.folder, true)
      yield* near(resolveFrom(join(role.path, kind), way), kind, name, play.folder, true)
    }
  }
  if (role) yield* near(role.path, kind, name, play.folder, true)
  else yield resolve(play.folder, name)
}

const resolveFrom = (base: string, dir: string): string => (dir.startsWith('/') ? dir : join(base, dir))

/** Where a file of a role or playbook folder may be. */
function* near(base: string, dir: string, name: string, playFolder: string, isRole = false): Generator<string> {
  const above = isRole && /(?:^|\/)tasks\/?$/.test(base) ? dirname(base) : base
  yield resolve(base, resolveFrom(dir, name))
  yield resolve(above, resolveFrom(dir, name))
  if (isRole) yield resolve(above, 'tasks', name)
  yield resolve(above, name)
  yield resolve(playFolder, resolveFrom(dir, name))
  yield resolve(playFolder, name)
}

export const expandHome = (path: string): string =>
  path.startsWith('~/') ? join(process.env['HOME'] ?? '/', path.slice(2)) : resolve(path)

const EXTENSIONS = ['.yml', '.yaml', '.json']

/**
 * The files of a role's part (`tasks`, `vars`, …): main.yml, main.yaml, main.json or main, or what `from` names;
 * with `folders`, main may be a folder whose files all count, in order.
 */
export function roleFiles(rolePath: string, part: string, from: string | undefined, folders: boolean): string[] {
  const folder = join(rolePath, part)
  const base = resolve(folder, from ?? 'main')
  for (const extension of from === undefined ? [...EXTENSIONS, ''] : ['', ...EXTENSIONS]) {
    const path = base + extension
    const kind = kindOf(path)
    if (kind === undefined || (kind === 'folder' && !folders)) continue
    return kind === 'folder' ? filesBelow(path) : [path]
  }
  return []
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => !name.startsWith('.') && !name.endsWith('~'))
    .sort()
    .flatMap((name) => {
      const path = join(folder, name)
      const extension = extname(name)
      if (kindOf(path) === 'folder') return extension === '' ? filesBelow(path) : []
      return extension === '' || EXTENSIONS.includes(extension) ? [path] : []
    })
}

export function kindOf(path: string): 'file' | 'folder' | undefined {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat && (stat.isDirectory() ? 'folder' : 'file')
}

/** May something of this name be in a folder? The names are read once and kept in `known`, so that nobody asks for each of many parts. */
export function mayHold(folder: string, name: string, known: Map<string, readonly string[]>): boolean {
  const key = `${folder}\0names`
  const names = known.get(key) ?? namesIn(folder)
  if (!names) return true
  known.set(key, names)
  return names.includes(name)
}

/** Undefined where the names may not be read. */
function namesIn(folder: string): readonly string[] | undefined {
  try {
    return readdirSync(folder)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? [] : undefined
  }
}

/** The names of the folders in a folder; none where there is no such folder. */
export const foldersIn = (folder: string): string[] =>
  kindOf(folder) === 'folder' ? readdirSync(folder).filter((name) => kindOf(join(folder, name)) === 'folder') : []

/** Does a path lie within a folder? */
export const isBelow = (path: string, folder: string): boolean => !relative(folder, path).startsWith('..')
