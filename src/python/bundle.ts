/** A new-style module and its arguments → the bundle that the starter reads: the module, our utils, and those of the user's own that it imports. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { JsonObject } from '../base/index.ts'
import { SHIM, STARTER } from './sources.ts'

export interface UserUtils {
  /** folders named module_utils beside library/ and roles, nearest first */
  readonly folders: readonly string[]
  /** roots that hold ansible_collections */
  readonly collections: readonly string[]
}

/** The bundle as JSON bytes. */
export function bundle(file: string, source: string, args: JsonObject, utils: UserUtils): Uint8Array {
  const sources = Object.fromEntries(SHIM)
  const ownPackage = packageOf(file)
  const asked: string[] = importsOf(source, ownPackage)
  const seen = new Set<string>()
  for (let name = asked.pop(); name !== undefined; name = asked.pop()) {
    if (seen.has(name)) continue
    seen.add(name)
    const found = findUtil(name, utils)
    if (!found) continue
    sources[found.name] = found.source
    asked.push(...importsOf(found.source, found.isPackage ? found.name : above(found.name)))
  }
  return new TextEncoder().encode(JSON.stringify({ file, module: source, package: ownPackage, starter: STARTER, args, sources }))
}

/** Dotted names a source may import, most exact first: `from a.b import c` may mean a.b.c. */
function importsOf(source: string, ownPackage: string): string[] {
  const out: string[] = []
  for (const [, written, names, plain] of source.matchAll(
    /^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n#]+)|import[ \t]+([\w., \t]+))/gm,
  )) {
    if (written) {
      const from = absolute(written, ownPackage)
      out.push(from)
      for (const name of (names ?? '').replace(/[()\\]/g, ' ').split(',')) out.push(`${from}.${name.trim().split(/\s+/)[0]}`)
    } else for (const name of (plain ?? '').split(',')) out.push(name.trim().split(/\s+/)[0]!)
  }
  return out.filter((name) => /^ansible(_collections)?\./.test(name))
}

/** `..module_utils.x` seen from a package. */
function absolute(name: string, ownPackage: string): string {
  const dots = /^\.*/.exec(name)![0].length
  if (dots === 0) return name
  const base = ownPackage.split('.')
  return [...base.slice(0, base.length - dots + 1), ...name.slice(dots).split('.')].filter((part) => part !== '').join('.')
}

const above = (name: string): string => name.split('.').slice(0, -1).join('.')

/** The package that a module stands in: that of its folder in a collection, or that of Ansible's own modules. */
export function packageOf(file: string): string {
  const inside = /\/(ansible_collections\/[^/]+\/[^/]+\/plugins\/modules(?:\/.+)?)\/[^/]+$/.exec(file)
  return inside ? inside[1]!.replaceAll('/', '.') : 'ansible.modules'
}

interface FoundUtil {
  readonly name: string
  readonly source: string
  readonly isPackage: boolean
}

function findUtil(name: string, { folders, collections }: UserUtils): FoundUtil | undefined {
  const own = name.startsWith('ansible.module_utils.')
  if (own && SHIM.has(name)) return undefined
  const relative = (own ? name.slice('ansible.module_utils.'.length) : name).replaceAll('.', '/')
  for (const root of own ? folders : collections) {
    for (const file of [`${relative}.py`, `${relative}/__init__.py`]) {
      const path = join(root, file)
      if (existsSync(path)) return { name, source: readFileSync(path, 'utf8'), isPackage: file.endsWith('__init__.py') }
    }
  }
  return undefined
}

/** The module_utils folders of a module file: beside its library/ or modules/ folder. */
export function utilFoldersOf(file: string): string[] {
  const library = dirname(file)
  return [join(dirname(library), 'module_utils'), join(library, 'module_utils')]
}
