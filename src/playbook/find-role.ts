/** A role's name → its folder, looked for where Ansible looks. */
import { realpathSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { didYouMean, type Span } from '../base/index.ts'
import { collectionFolders } from './collections.ts'
import { mistake } from './findings.ts'
import type { PlayFrame } from './loading.ts'
import { expandHome, foldersIn, kindOf } from './paths.ts'

export interface FoundRole {
  /** without the collection */
  readonly name: string
  readonly path: string
  readonly collection?: string | undefined
}

/**
 * Collections first (for full names, or where a list of collections says so), then roles/ beside the playbook, the roles path,
 * the folder of the role that asks, the playbook's own folder, and the name itself as a path.
 */
export function findRole(name: string, play: PlayFrame, beside: string | undefined, collections: readonly string[], at: Span): FoundRole {
  const { found } = play.session
  const key = ['role', name, play.folder, beside, ...collections].join('\0')
  const [path, plain = name, collection] = found.get(key) ?? []
  if (path !== undefined) return { name: plain, path, collection }
  const role = searchRole(name, play, beside, collections, at)
  found.set(key, [role.path, role.name, ...(role.collection === undefined ? [] : [role.collection])])
  return role
}

function searchRole(name: string, play: PlayFrame, beside: string | undefined, collections: readonly string[], at: Span): FoundRole {
  const { context } = play.session
  const inCollection = collectionRole(name, play, collections)
  if (inCollection) return inCollection
  const folders = [join(play.folder, 'roles'), ...context.rolesPath, ...(beside ? [beside] : []), play.folder]
  for (const folder of folders) {
    const path = resolve(folder, expandTilde(name))
    if (kindOf(path)) return { name, path: realpathSync.native(path) }
  }
  const itself = resolve(expandTilde(name))
  if (kindOf(itself)) return { name: basename(name), path: realpathSync.native(itself) }
  throw mistake(`the role '${name}' was not found in ${[...collections, ...folders].join(':')}`, at, {
    kind: 'file',
    hint: didYouMean(name, folders.slice(0, -1).flatMap(foldersIn)),
  })
}

const expandTilde = (name: string): string => (name.startsWith('~/') ? expandHome(name) : name)

const FULL_NAME = /^([a-z_]\w*\.[a-z_]\w*)\.([\w./-]+)$/i

function collectionRole(name: string, play: PlayFrame, collections: readonly string[]): FoundRole | undefined {
  const full = FULL_NAME.exec(name)
  const wanted = full ? [{ collection: full[1]!, role: full[2]! }] : collections.map((collection) => ({ collection, role: name }))
  for (const { collection, role } of wanted)
    for (const folder of collectionsNear(collection, play)) {
      const path = join(folder, 'roles', full ? role.replaceAll('.', '/') : role)
      if (kindOf(path) === 'folder') return { name: role, path: realpathSync.native(path), collection }
    }
  return undefined
}

/** Where a collection may lie: beside the playbook, then on the collections paths. */
export const collectionsNear = (collection: string, play: Pick<PlayFrame, 'folder' | 'session'>): string[] =>
  collectionFolders(collection, [join(play.folder, 'collections'), ...play.session.context.collectionsPaths])
