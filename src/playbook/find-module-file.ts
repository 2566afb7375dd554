/** A module's name → the file of a user's own module, in library/ folders or in a collection. */
import { readdirSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { ModuleInfo } from './api.ts'
import { kindOf } from './paths.ts'

/** Extensions of what lies beside modules but is none. */
const NO_MODULE = new Set([
  '.pyc',
  '.pyo',
  '.swp',
  '.bak',
  '.rpm',
  '.md',
  '.txt',
  '.rst',
  '.yaml',
  '.yml',
  '.json',
  '.ini',
  '.orig',
  '.rej',
])

/** Short names are looked for in the folders, the latest met first; full names in the collections. */
export function findModuleFile(
  name: string,
  folders: readonly string[],
  collections: readonly string[],
  foldersOf: (collection: string) => readonly string[],
  ignored: readonly string[] = [],
): ModuleInfo | undefined {
  const [namespace, collection, ...rest] = name.replace(/^ansible\.legacy\./, '').split('.')
  if (rest.length > 0) return inCollection(name, foldersOf(`${namespace}.${collection}`), rest, ignored)
  for (const folder of [...folders].reverse()) {
    const file = fileIn(folder, namespace!, ignored)
    if (file) return custom(name, file)
  }
  for (const one of collections) {
    const found = inCollection(`${one}.${name}`, foldersOf(one), [name], ignored)
    if (found) return found
  }
  return undefined
}

function inCollection(
  name: string,
  folders: readonly string[],
  rest: readonly string[],
  ignored: readonly string[],
): ModuleInfo | undefined {
  for (const folder of folders) {
    const file = fileIn(join(folder, 'plugins', 'modules', ...rest.slice(0, -1)), rest.at(-1)!, ignored)
    if (file) return custom(name, file)
  }
  return undefined
}

const custom = (resolved: string, file: string): ModuleInfo => ({ resolved, freeForm: false, parameters: undefined, openArgs: true, file })

function fileIn(folder: string, name: string, ignored: readonly string[]): string | undefined {
  if (kindOf(folder) !== 'folder') return undefined
  const found = readdirSync(folder).find(
    (file) =>
      file.slice(0, file.length - extname(file).length) === name &&
      !NO_MODULE.has(extname(file)) &&
      !ignored.some((ending) => file.endsWith(ending)),
  )
  return found === undefined ? undefined : join(folder, found)
}
