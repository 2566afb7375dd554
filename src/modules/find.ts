/** find: lists files by name, age, size, kind and content. */
import type { JsonObject, Value } from '../base/index.ts'
import { bool, choice, fallback, int, list, raw, required, str } from '../params/index.ts'
import { type Algorithm, contentProbe, each, type Stat, sh, statProbe } from '../remote/index.ts'
import { defineModule, type Host, ModuleFailure } from './api.ts'
import { ask } from './files/ask.ts'
import { readableText } from './files/encoding.ts'
import { globPattern } from './files/glob.ts'
import { type Listed, listProbe } from './files/listing.ts'
import { isSymbolic, modeOf } from './files/mode.ts'
import { textPattern } from './files/pattern.ts'
import { statFields } from './files/stat-fields.ts'

export default defineModule({
  name: 'ansible.builtin.find',
  summary: 'Lists files by name, age, size, kind and content.',
  params: {
    paths: required(list('path', { aliases: ['name', 'path'] })),
    patterns: fallback(list('str', { aliases: ['pattern'] }), []),
    excludes: list('str', { aliases: ['exclude'] }),
    contains: str(),
    read_whole_file: fallback(bool(), false),
    file_type: choice(['any', 'directory', 'file', 'link'], 'file'),
    age: str(),
    age_stamp: choice(['atime', 'ctime', 'mtime'], 'mtime'),
    size: str(),
    recurse: fallback(bool(), false),
    hidden: fallback(bool(), false),
    follow: fallback(bool(), false),
    get_checksum: fallback(bool(), false),
    checksum_algorithm: choice(['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512'], 'sha1', { aliases: ['checksum', 'checksum_algo'] }),
    use_regex: fallback(bool(), false),
    depth: int(),
    mode: raw(),
    exact_mode: fallback(bool(), true),
    limit: int(),
    encoding: str(),
  },
  async *run(args, host) {
    const test = tests(args)
    const depth = !args.recurse ? 1 : args.depth ? args.depth + 1 : undefined
    const listings = await ask(host, listProbe(args.paths, { follow: args.follow, depth }))
    const skipped: Record<string, string> = {}
    const found: Found[] = []
    let examined = 0
    for (const [i, listing] of listings.places.entries()) {
      const path = args.paths[i]!
      if (!listing) {
        skipped[path] = `'${path}' is not a directory`
        continue
      }
      examined += listing.length
      const levels = (p: string): number => p.split('/').length
      const top = levels(path.replace(/\/+$/, ''))
      for (const entry of listing) {
        if (args.depth && levels(entry.path) - top > args.depth) continue
        if (test(entry, listings.now)) found.push({ entry, place: path })
      }
    }
    const all = args.contains === undefined || args.file_type !== 'file' ? found : await containing(found, args, host, skipped)
    const matched = all.map(({ entry }) => entry)
    const limited = args.limit ? matched.slice(0, args.limit) : matched
    const files = args.get_checksum ? await withChecksums(limited, args.checksum_algorithm, host) : limited.map(describe)
    const complete = Object.keys(skipped).length === 0
    const closed = Object.fromEntries(listings.closed.map((path) => [path, `[Errno 13] Permission denied: '${path}'`]))
    return {
      changed: false,
      files,
      examined,
      matched: files.length,
      msg: complete ? 'All paths examined' : 'Not all paths examined, check warnings for details',
      skipped_paths: { ...closed, ...skipped },
      ...(complete
        ? {}
        : { warnings: Object.entries(skipped).map(([p, why]) => `Skipped '${p}' path due to this access issue: ${why}\n`) }),
    }
  },
})

interface Wishes {
  readonly patterns: readonly string[]
  readonly excludes?: readonly string[] | undefined
  readonly use_regex: boolean
  readonly hidden: boolean
  readonly file_type: 'any' | 'directory' | 'file' | 'link'
  readonly age?: string | undefined
  readonly age_stamp: 'atime' | 'ctime' | 'mtime'
  readonly size?: string | undefined
  readonly mode?: Value | undefined
  readonly exact_mode: boolean
  readonly contains?: string | undefined
  readonly read_whole_file: boolean
  readonly encoding?: string | undefined
}

type Test = (entry: Listed, now: number) => boolean

/** All that can be told from a listing alone. */
function tests(args: Wishes): Test {
  const wanted = namesTest(args.patterns.length > 0 ? args.patterns : [args.use_regex ? '.*' : '*'], args.use_regex)
  const unwanted = args.excludes && args.excludes.length > 0 ? namesTest(args.excludes, args.use_regex) : () => false
  const age = amount(args.age, AGES, 'age')
  const size = amount(args.size, SIZES, 'size')
  const stamp = { atime: 'accessed', ctime: 'changed', mtime: 'modified' } as const
  return (entry, now) => {
    const { stat, name } = entry
    if (name.startsWith('.') && !args.hidden) return false
    if (args.file_type !== 'any' && stat.kind !== args.file_type) return false
    if (!wanted(name) || unwanted(name)) return false
    if (age !== undefined && !within(now - stat[stamp[args.age_stamp]], age)) return false
    if (!modeFits(stat, args)) return false
    return size === undefined || stat.kind !== 'file' || within(stat.size, size)
  }
}

function namesTest(patterns: readonly string[], regex: boolean): (name: string) => boolean {
  if (!regex) {
    const globs = patterns.map(globPattern)
    return (name) => globs.some((g) => g.test(name))
  }
  const compiled = patterns.map((p) => textPattern(p))
  return (name) => compiled.some((p) => p.match(name) !== undefined)
}

const AGES: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }
const SIZES: Readonly<Record<string, number>> = { b: 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3, t: 1024 ** 4 }

function amount(text: string | undefined, units: Readonly<Record<string, number>>, what: string): number | undefined {
  if (text === undefined) return undefined
  const match = /^(-?\d+)([a-z])?$/.exec(text.toLowerCase())
  const unit = match?.[2] === undefined ? 1 : units[match[2]]
  if (!match || unit === undefined) throw new ModuleFailure(`failed to process ${what}`, { [what]: text })
  return Number(match[1]) * unit
}

/** At least, or with a minus at most. */
const within = (value: number, limit: number): boolean => (limit >= 0 && !Object.is(limit, -0) ? value >= limit : value <= Math.abs(limit))

function modeFits(stat: Stat, args: Wishes): boolean {
  if (args.mode === undefined) return true
  const mode = modeOf(args.mode, { mode: isSymbolic(args.mode) ? 0 : stat.mode, directory: stat.kind === 'directory', umask: 0 })
  if (typeof mode !== 'number') throw new ModuleFailure('failed to process mode', { mode: String(args.mode) })
  return args.exact_mode ? stat.mode === mode : (stat.mode & mode) !== 0
}

/** A file with the place that it was found below. */
interface Found {
  readonly entry: Listed
  readonly place: string
}

/** Those with the text; a file that is not in the encoding ends the look at its place. The files are read in batches, so that memory stays bounded. */
async function containing(found: readonly Found[], args: Wishes, host: Host, skipped: Record<string, string>): Promise<Found[]> {
  const pattern = textPattern(args.contains!)
  const fits = ({ entry, place }: Found, bytes: Uint8Array | undefined): boolean => {
    if (!bytes || skipped[place] !== undefined) return false
    try {
      return holds(bytes, pattern, args, entry.path)
    } catch (error) {
      if (!(error instanceof ModuleFailure)) throw error
      skipped[place] = error.message
      return false
    }
  }
  const kept: Found[] = []
  for (const batch of batches(found)) {
    const open = batch.filter(({ place }) => skipped[place] === undefined)
    if (open.length === 0) continue
    const contents = await contentsOf(
      open.map(({ entry }) => entry),
      host,
    )
    kept.push(...open.filter((file, i) => fits(file, contents[i])))
  }
  return kept
}

const BATCH_BYTES = 8 * 1024 * 1024
const BATCH_FILES = 500

/** At most so many files and bytes at once; a bigger file comes alone. */
function* batches(found: readonly Found[]): Generator<Found[]> {
  let batch: Found[] = []
  let bytes = 0
  for (const file of found) {
    if (batch.length > 0 && (batch.length === BATCH_FILES || bytes + file.entry.stat.size > BATCH_BYTES)) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(file)
    bytes += file.entry.stat.size
  }
  if (batch.length > 0) yield batch
}

/** The bytes of files, by one cat of them all; where those are not the sizes that were listed (one changed, or may not be read), one by one. */
async function contentsOf(files: readonly Listed[], host: Host): Promise<readonly (Uint8Array | undefined)[]> {
  const { stdout } = await host.look(sh`cat -- ${files.map(({ path }) => path)} 2>/dev/null; :`)
  const sizes = files.map(({ stat }) => stat.size)
  if (stdout.length !== sizes.reduce((sum, size) => sum + size, 0)) {
    return ask(host, each(files.map(({ path }) => contentProbe(path))))
  }
  let end = 0
  return sizes.map((size) => {
    end += size
    return stdout.subarray(end - size, end)
  })
}

function holds(bytes: Uint8Array, pattern: ReturnType<typeof textPattern>, args: Wishes, path: string): boolean {
  const { text, whole } = readableText(bytes, args.encoding ?? 'utf-8')
  const isThere = args.read_whole_file
    ? whole && pattern.search(text) !== undefined
    : (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).some((line) => pattern.match(line) !== undefined)
  if (isThere || whole) return isThere
  const encoding = args.encoding ?? 'None (default determined by the Python built-in function "open")'
  throw new ModuleFailure(`Failed to read the file ${path} due to an encoding error. current encoding: ${encoding}`)
}

async function withChecksums(found: readonly Listed[], checksum: Algorithm, host: Host): Promise<JsonObject[]> {
  const stats = await ask(host, each(found.map((f) => statProbe(f.path, { checksum }))))
  return found.map((f, i) => {
    const stat = stats[i]!
    return { ...describe(f), ...(stat.exists && stat.checksum !== undefined ? { checksum: stat.checksum } : {}) }
  })
}

function describe({ path, stat }: Listed): JsonObject {
  const { blocks: _b, block_size: _s, device_type: _d, ...fields } = statFields(stat)
  return { path, ...fields, pw_name: stat.owner ?? '', gr_name: stat.group ?? '' }
}
