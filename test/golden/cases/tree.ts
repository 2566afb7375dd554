/** A case's tree ↔ files on disk. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { Case, Data, Tree } from './case.ts'
import { masked } from './mask.ts'

/** When all files of a fresh state were changed last. */
export const LONG_AGO = new Date('2024-01-02T03:04:05Z')

/** Makes the fresh state of a case in its folder. */
export function layOut(one: Case, folder: string): void {
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o755)
  const hard: (() => void)[] = []
  for (const [name, what] of Object.entries(one.setup)) {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    if (name.endsWith('/')) {
      mkdirSync(path, { recursive: true })
      chmodSync(path, Number.parseInt((what as string | null) ?? '0755', 8))
    } else hard.push(...put(folder, path, what))
  }
  for (const link of hard) link()
  if (one.shell !== undefined) execFileSync('sh', ['-ec', one.shell], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  for (const path of [...walk(folder), '']) lutimesSync(join(folder, path), LONG_AGO, LONG_AGO)
}

function put(folder: string, path: string, what: Data): (() => void)[] {
  const { text, base64, mode, link, hard } = (typeof what === 'string' ? { text: what } : what) as Record<string, string | undefined>
  if (link !== undefined) symlinkSync(link.replaceAll('DIR', folder), path)
  else if (hard !== undefined) return [() => linkSync(join(folder, hard), path)]
  else {
    writeFileSync(path, base64 === undefined ? (text ?? '').replaceAll('DIR', folder) : Buffer.from(base64, 'base64'))
    chmodSync(path, Number.parseInt(mode ?? '0644', 8))
  }
  return []
}

/** Every path below a folder, folders with a closing slash. */
function walk(folder: string, below = ''): string[] {
  return readdirSync(join(folder, below), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const name = below + entry.name
      return entry.isDirectory() ? [`${name}/`, ...walk(folder, `${name}/`)] : [name]
    })
}

/** What is in the case's folder, and what of the system belongs to it. */
export function look(one: Case, folder: string, systemRoot: string): Tree {
  const inodes = new Map<number, string>()
  const mine = walk(folder).map((name) => [masked(name, folder), entryOf(join(folder, name), name, inodes, folder, one)] as const)
  const also = Object.entries(one.also).map(([path, pattern]) => [path, linesOf(join(systemRoot, path), pattern)] as const)
  return together([...mine, ...also].filter(([name]) => !HOUSE.test(name)))
}

/** Several backups of one file have one name here; they become a list. */
function together(entries: readonly (readonly [string, Data])[]): Tree {
  const tree: Record<string, Data> = {}
  for (const [name, value] of entries) tree[name] = name in tree ? [tree[name]!, value].flat().sort(byText) : value
  return tree
}

const byText = (a: Data, b: Data): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)

/** What git keeps and rewrites as it likes. */
const HOUSE = /(^|\/)\.git\/.|\/ssh_host_/

function entryOf(path: string, name: string, inodes: Map<number, string>, folder: string, one: Case): Data {
  const stat = lstatSync(path)
  const mode = `0${(stat.mode & 0o7777).toString(8)}`
  const owner = stat.uid === process.getuid?.() && stat.gid === process.getgid?.() ? {} : { owner: `${stat.uid}:${stat.gid}` }
  if (stat.isSymbolicLink()) return { link: masked(readlinkSync(path), folder), ...owner }
  if (stat.isDirectory()) return Object.keys(owner).length > 0 ? { mode, ...owner } : mode
  const known = inodes.get(stat.ino)
  if (known !== undefined) return { hard: known }
  inodes.set(stat.ino, name)
  if (!stat.isFile()) return { special: true, mode }
  const modified = one.times ? { modified: Math.abs(Date.now() - stat.mtimeMs) < 3600_000 ? 'now' : stat.mtime.toISOString() } : {}
  if (one.random.includes(name)) return { mode, ...owner, ...modified, random: true }
  return short({ mode, ...owner, ...modified, ...contentOf(readFileSync(path), folder) })
}

const short = (entry: { mode: string; text?: string }): Data =>
  Object.keys(entry).length === 2 && entry.mode === '0644' && entry.text !== undefined ? entry.text : entry

function contentOf(bytes: Buffer, folder: string): { text: string } | { sha256: string } {
  const text = bytes.toString('utf8')
  const isText = bytes.length <= 3000 && Buffer.from(text).equals(bytes) && !/[\0\b]/.test(text)
  return isText ? { text: masked(text, folder) } : { sha256: createHash('sha256').update(bytes).digest('hex').slice(0, 16) }
}

function linesOf(path: string, pattern: string): Data {
  if (!existsSync(path)) return null
  const wanted = new RegExp(pattern)
  const lines = readFileSync(path, 'utf8').split('\n').filter((line) => wanted.test(line)) // biome-ignore format: a chain
  return { mode: `0${(lstatSync(path).mode & 0o7777).toString(8)}`, lines: lines.join('\n') }
}
