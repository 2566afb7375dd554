/** The lookup filetree: folders → every file, folder and link below them, with owner, mode and times. */
import { lstatSync, readdirSync, readFileSync, readlinkSync, type Stats, statSync } from 'node:fs'
import path from 'node:path'
import { Float, type Value } from '../../base/index.ts'
import { lookupError, str } from '../python/index.ts'
import { compileRegex } from '../regex/regex.ts'
import type { CallContext, LookupFunction } from '../registry.ts'
import { baseFolder, Options } from './define.ts'

export const filetree: LookupFunction = (context, terms, kwargs) => {
  const pattern = new Options(kwargs).value('exclude')
  const excluded = pattern === null ? undefined : matcher(str(pattern))
  const seen = new Set<string>()
  return terms.flatMap((term) => {
    const root = rootOf(context, str(term))
    return walk(root, '', excluded).flatMap((entry) => {
      if (seen.has(entry)) return []
      seen.add(entry)
      const found = properties(root, entry)
      return found === undefined ? [] : [found]
    })
  })
}

function matcher(pattern: string): (name: string) => boolean {
  try {
    const regex = compileRegex(pattern)
    return (name) => regex.match(name) !== undefined
  } catch (error) {
    throw lookupError(`Invalid exclude regular expression '${pattern}': ${error instanceof Error ? error.message : String(error)}`, error)
  }
}

function rootOf({ scope, ...context }: CallContext, term: string): string {
  const folder = path.dirname(term)
  if (path.isAbsolute(term)) return term
  const found = scope.files?.find('files', folder)
  return path.join(found ?? path.join(baseFolder({ scope, ...context } as CallContext), 'files', folder), path.basename(term))
}

/** Folders, then files, then what is in the folders, as os.walk() has it. */
function walk(root: string, below: string, excluded: ((name: string) => boolean) | undefined): string[] {
  const kept = namesIn(path.join(root, below)).filter((name) => !excluded?.(name))
  const isFolder = (name: string): boolean => statSync(path.join(root, below, name), { throwIfNoEntry: false })?.isDirectory() ?? false
  const folders = kept.filter(isFolder)
  const files = kept.filter((name) => !folders.includes(name))
  const here = [...folders, ...files].map((name) => path.join(below, name))
  const open = folders.filter((name) => !statOf(path.join(root, below, name))?.isSymbolicLink())
  return [...here, ...open.flatMap((name) => walk(root, path.join(below, name), excluded))]
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

const statOf = (file: string): Stats | undefined => lstatSync(file, { throwIfNoEntry: false })

function properties(root: string, entry: string): Value | undefined {
  const file = path.join(root, entry)
  const stat = statOf(file)
  const kind = stat && kindOf(stat)
  if (!stat || kind === undefined) return undefined
  const source: [Value, Value][] = kind === 'link' ? [['src', readlinkSync(file)]] : kind === 'file' ? [['src', file]] : []
  return new Map<Value, Value>([
    ['root', root],
    ['path', entry],
    ['state', kind],
    ...source,
    ['uid', stat.uid],
    ['gid', stat.gid],
    ['owner', nameIn('/etc/passwd', stat.uid)],
    ['group', nameIn('/etc/group', stat.gid)],
    ['mode', `0${(stat.mode & 0o7777).toString(8).padStart(3, '0')}`],
    ['size', stat.size],
    ['mtime', new Float(stat.mtimeMs / 1000)],
    ['ctime', new Float(stat.ctimeMs / 1000)],
  ])
}

function kindOf(stat: Stats): string | undefined {
  if (stat.isSymbolicLink()) return 'link'
  return stat.isDirectory() ? 'directory' : stat.isFile() ? 'file' : undefined
}

/** The name of an id in passwd or group; the number where it has none. */
function nameIn(file: string, id: number): Value {
  try {
    const lines = readFileSync(file, 'utf8').split('\n')
    return lines.map((line) => line.split(':')).find((fields) => fields[2] === String(id))?.[0] ?? id
  } catch {
    return id
  }
}
