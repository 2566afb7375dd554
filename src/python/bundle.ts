/** A new-style module and its arguments → the bundle that the starter reads: the module, our utils, and those of the user's own that it imports. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { JsonObject } from '../base/index.ts'
import { SHIM } from './sources.ts'

export interface UserUtils {
  /** folders named module_utils beside library/ and roles, nearest first */
  readonly folders: readonly string[]
  /** roots that hold ansible_collections */
  readonly collections: readonly string[]
}

/** The bundle as JSON bytes. */
export function bundle(file: string, source: string, args: JsonObject, utils: UserUtils): Uint8Array {
  const sources = Object.fromEntries(SHIM)
  const asked: string[] = importsOf(source)
  const seen = new Set<string>()
  for (let name = asked.pop(); name !== undefined; name = asked.pop()) {
    if (seen.has(name)) continue
    seen.add(name)
    const found = findUtil(name, utils)
    if (!found) continue
    sources[found.name] = found.source
    asked.push(...importsOf(found.source))
  }
  return new TextEncoder().encode(JSON.stringify({ file, module: source, args, sources }))
}

/** Dotted names a source may import, most exact first: `from a.b import c` may mean a.b.c. */
function importsOf(source: string): string[] {
  const out: string[] = []
  for (const [, from, names, plain] of source.matchAll(
    /^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n#]+)|import[ \t]+([\w., \t]+))/gm,
  )) {
    if (from) {
      out.push(from)
      for (const name of (names ?? '').replace(/[()\\]/g, ' ').split(',')) out.push(`${from}.${name.trim().split(/\s+/)[0]}`)
    } else for (const name of (plain ?? '').split(',')) out.push(name.trim().split(/\s+/)[0]!)
  }
  return out.filter((name) => /^ansible(_collections)?\./.test(name))
}

function findUtil(name: string, { folders, collections }: UserUtils): { name: string; source: string } | undefined {
  const own = name.startsWith('ansible.module_utils.')
  if (own && SHIM.has(name)) return undefined
  const relative = (own ? name.slice('ansible.module_utils.'.length) : name).replaceAll('.', '/')
  for (const root of own ? folders : collections) {
    for (const file of [`${relative}.py`, `${relative}/__init__.py`]) {
      const path = join(root, file)
      if (existsSync(path)) return { name, source: readFileSync(path, 'utf8') }
    }
  }
  return undefined
}

/** The module_utils folders of a module file: beside its library/ or modules/ folder. */
export function utilFoldersOf(file: string): string[] {
  const library = dirname(file)
  return [join(dirname(library), 'module_utils'), join(library, 'module_utils')]
}
