/** A collection's name → the folders in which it may lie. */
import { basename, join } from 'node:path'

/** `paths` are collections paths, with ansible_collections at their end or not. */
export function collectionFolders(collection: string, paths: readonly string[]): string[] {
  const [namespace = '', name = ''] = collection.split('.')
  return paths.map((path) => join(basename(path) === 'ansible_collections' ? path : join(path, 'ansible_collections'), namespace, name))
}
