/** What comes with the program (playbooks, roles, inventories): the folders beside it, or, where the program is one file, what is unpacked from it once. */
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Problem } from '../base/index.ts'

declare const TSSPRAY_PACKED: boolean

/** A file of the package: its path below the shipped folder, its mode, and its bytes in base64; a link has where it leads instead of a mode and bytes. */
export type PackedFile = readonly [path: string, mode: number, content: string] | readonly [path: string, link: string, content?: undefined]

/** The folder that holds `playbooks` and `roles`. */
export const shippedFolder = (): string => (folder ??= typeof TSSPRAY_PACKED === 'undefined' ? beside() : unpacked())
let folder: string | undefined

/** The shipped playbook of a plain name such as `cluster.yml`. */
export function shippedPlaybook(name: string): string | undefined {
  if (name.includes('/')) return undefined
  const path = join(shippedFolder(), 'playbooks', name)
  return existsSync(path) ? path : undefined
}

/** Above the built program, or above its sources. */
function beside(): string {
  const built = join(import.meta.dirname, '..')
  return existsSync(join(built, 'roles')) ? built : join(built, '..')
}

function unpacked(): string {
  const { getAsset } = createRequire(import.meta.url)('node:sea') as { getAsset(name: string, encoding: 'utf8'): string }
  return unpack(getAsset('content', 'utf8'), join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'tsspray'))
}

/**
 * Lays packed files out below a folder of caches, once for each content: a folder that is there is whole, for it comes by rename.
 * Where the cache cannot be written, a folder of our own in the system's temporary one serves.
 */
export function unpack(packed: string, caches: string): string {
  const name = createHash('sha256').update(packed).digest('hex').slice(0, 16)
  const own = join(tmpdir(), `tsspray-${process.getuid?.() ?? 0}`)
  for (const below of [caches, own]) {
    const path = join(below, name)
    if (existsSync(path)) return checked(path)
    try {
      layOut(JSON.parse(packed) as PackedFile[], path)
      return checked(path)
    } catch (error) {
      if (error instanceof Problem || below === own) throw error
    }
  }
  throw new Problem(`the playbooks and roles of this program cannot be unpacked: neither ${caches} nor ${own} can be written`, {
    kind: 'file',
  })
}

function layOut(files: readonly PackedFile[], path: string): void {
  const fresh = `${path}.${randomBytes(4).toString('hex')}.new`
  mkdirSync(fresh, { recursive: true, mode: 0o700 })
  try {
    for (const [file, how, content] of files) {
      const to = join(fresh, file)
      mkdirSync(dirname(to), { recursive: true })
      if (typeof how === 'string') symlinkSync(how, to)
      else writeFileSync(to, Buffer.from(content!, 'base64'), { mode: how })
    }
    renameSync(fresh, path)
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true })
    // somebody else was first
    if (!existsSync(path)) throw error
  }
}

/** Nobody else may have put it there, nor be able to put something else in its place. */
function checked(path: string): string {
  for (const each of [path, dirname(path)]) {
    const { uid, mode } = lstatSync(each)
    if (process.getuid !== undefined && uid !== process.getuid() && uid !== 0) throw foreign(each)
    if ((mode & 0o022) !== 0) throw foreign(each)
  }
  return path
}

const foreign = (path: string): Problem =>
  new Problem(`${path}, where the playbooks and roles of this program belong, can be written by others`, {
    kind: 'file',
    hint: 'remove it; it is made again',
  })
