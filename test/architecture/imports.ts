/** Source files → the import edges between them, type imports included. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { entry } from './rooms.ts'

export interface Edge {
  /** both relative to src/ */
  readonly from: string
  readonly to: string
}

/** Every .ts file below a folder, relative to it, sorted. */
export function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .sort()
}

/** The relative imports of all files below a folder. */
export function importEdges(folder: string): Edge[] {
  return sourceFiles(folder).flatMap((from) =>
    importedPaths(readFileSync(join(folder, from), 'utf8'))
      .filter((path) => path.startsWith('.'))
      .map((path) => ({ from, to: relative(folder, resolve(folder, dirname(from), path)) })),
  )
}

const FROM = /(?:^|[;\n])\s*(?:import|export)\b[^'"`;]*?\bfrom\s*(['"])([^'"\n]+)\1/g
const BARE = /(?:^|[;\n])\s*import\s*(['"])([^'"\n]+)\1/g
const DYNAMIC = /\bimport\s*\(\s*(['"])([^'"\n]+)\1\s*\)/g

/** What a TypeScript text imports or re-exports, in any form (static, bare, `import()`, `import('…')` as a type). */
export function importedPaths(text: string): string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
  return [FROM, BARE, DYNAMIC].flatMap((pattern) => [...code.matchAll(pattern)].map((match) => match[2]!))
}

export const roomOf = (file: string): string => (file.includes('/') ? file.slice(0, file.indexOf('/')) : entry)

/** The groups of files that import each other in a circle (strongly connected parts of more than one file). */
export function circles(edges: readonly Edge[]): string[][] {
  const next = new Map<string, Edge[]>()
  for (const edge of edges) next.set(edge.from, [...(next.get(edge.from) ?? []), edge])
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const found: string[][] = []
  const visit = (file: string): void => {
    const at = index.size
    index.set(file, at)
    low.set(file, at)
    stack.push(file)
    for (const { to } of next.get(file) ?? []) {
      if (!index.has(to)) visit(to)
      if (stack.includes(to)) low.set(file, Math.min(low.get(file)!, low.get(to)!))
    }
    if (low.get(file) !== at) return
    const part = stack.splice(stack.indexOf(file))
    if (part.length > 1 || next.get(file)?.some((e) => e.to === file)) found.push(part.sort())
  }
  for (const file of next.keys()) if (!index.has(file)) visit(file)
  return found
}
