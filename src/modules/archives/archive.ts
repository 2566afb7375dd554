/** archive: packs files and trees of the host into an archive, or compresses a file. */
import { type Args, bool, choice, fallback, list, path, required } from '../../params/index.ts'
import { type Missing, type Script, type Stat, sh, statProbe, textOf } from '../../remote/index.ts'
import { type Change, defineModule, type Host, ModuleFailure } from '../api.ts'
import { tend } from '../crypto/tend.ts'
import { askAll } from '../files/ask.ts'
import { attributeParams } from '../files/attributes.ts'
import { pathInfo } from '../files/info.ts'

const params = {
  ...attributeParams,
  dest: path({ description: 'the archive' }),
  exclude_path: fallback(list('path', { description: 'paths to leave out' }), []),
  exclusion_patterns: list('path', { description: 'patterns of names to leave out' }),
  force_archive: fallback(bool({ description: 'make an archive of a single file too' }), false),
  format: choice(['bz2', 'gz', 'tar', 'xz', 'zip'], 'gz', { description: 'how it is packed' }),
  path: required(list('path', { description: 'what is packed; patterns too' })),
  remove: fallback(bool({ description: 'take away what is packed' }), false),
} as const

type ArchiveArgs = Args<typeof params>

export default defineModule({
  name: 'community.general.archive',
  summary: 'Packs files into an archive.',
  params,
  async *run(args, host) {
    const found = await findAll(host, args)
    const single =
      found.paths.length === 1 &&
      found.missing.length === 0 &&
      !found.folders &&
      args.path.length === 1 &&
      !args.force_archive &&
      args.format !== 'zip' &&
      args.format !== 'tar'
    const dest =
      args.dest ??
      (found.paths.length === 1
        ? `${found.paths[0]}.${single || args.format === 'zip' || args.format === 'tar' ? args.format : `tar.${args.format}`}`
        : undefined)
    if (dest === undefined) throw new ModuleFailure('Error, must specify "dest" when archiving multiple files or trees')
    const expanded = [...found.paths, ...found.missing]
    if (expanded.length === 0) throw new ModuleFailure('Error, no source paths were found', { path: args.path.join(', ') })
    const root = commonRoot(expanded)
    const told = {
      dest,
      missing: found.missing,
      arcroot: root,
      expanded_paths: [...expanded, ...found.leftOut],
      expanded_exclude_paths: found.excluded,
    }
    const build = single ? compressScript(args, found.paths[0]!) : packScript(args, root, found)
    const state = single ? 'compress' : found.missing.length > 0 ? 'incomplete' : 'archive'
    if (found.paths.length === 0) {
      const now = await statOf(host, dest)
      return { changed: false, ...told, archived: [], dest_state: now.exists ? 'archive' : 'absent', ...pathInfo(now) }
    }
    if (host.check) {
      const changed = !single || !(await statOf(host, dest)).exists
      if (changed) yield packChange(args, build, dest)
      return { changed, ...told, archived: [], dest_state: 'absent' }
    }
    const same = await isSame(host, build, dest, args.format, single)
    if (!same) yield packChange(args, build, dest)
    if (args.remove) yield { what: 'sources', script: sh`rm -rf -- ${found.paths}` }
    const mended = yield* tend(host, args, dest)
    return {
      changed: !same || args.remove || mended,
      ...told,
      archived: found.members,
      dest_state: state,
      ...pathInfo(await statOf(host, dest)),
    }
  },
})

interface Found {
  readonly paths: readonly string[]
  readonly missing: readonly string[]
  readonly excluded: readonly string[]
  /** what is excluded of the paths */
  readonly leftOut: readonly string[]
  /** everything that goes in */
  readonly members: readonly string[]
  readonly folders: boolean
}

const statOf = async (host: Host, file: string): Promise<Stat | Missing> =>
  (await askAll(host, { stat: statProbe(file, { follow: true }) })).stat

/** Expands the patterns on the host: what they find, what they leave out, and every file below. */
async function findAll(host: Host, args: ArchiveArgs): Promise<Found> {
  const told = await host.look(sh`
x() { o=$IFS; IFS=; for f in $1; do if [ -e "$f" ] || [ -L "$f" ]; then printf '%s%s\0' "$2" "$f"; else printf 'm%s\0' "$1"; fi; done; IFS=$o; }
for p in ${[...args.path]}; do x "$p" p; done
for p in ${[...args.exclude_path]} ; do x "$p" e; done`)
  const entries = textOf(told.stdout).split('\0').filter(Boolean)
  const of = (kind: string): string[] => entries.filter((one) => one.startsWith(kind)).map((one) => one.slice(1).replace(/(.)\/+$/, '$1'))
  const excluded = of('e')
  const paths = of('p').filter((one) => !excluded.includes(one))
  const leftOut = of('p').filter((one) => excluded.includes(one))
  const missing = of('m').filter((one) => args.path.includes(one) && !/[*?]/.test(one) && !excluded.includes(one))
  if (paths.length === 0) return { paths, missing, excluded, leftOut, members: [], folders: false }
  const listed = await host.look(
    sh`for p in ${paths}; do find "$p" -type d -exec sh -c 'for f; do printf "d%s\0" "$f"; done' sh {} + ; find "$p" ! -type d -exec sh -c 'for f; do printf "f%s\0" "$f"; done' sh {} +; done`,
  )
  const all = textOf(listed.stdout).split('\0').filter(Boolean)
  const out = (file: string): boolean =>
    excluded.some((one) => file === one || file.startsWith(`${one}/`)) ||
    (args.exclusion_patterns ?? []).some(
      (pattern) => globOf(pattern).test(file) || globOf(pattern).test(file.slice(file.lastIndexOf('/') + 1)),
    )
  const tops = new Set(all.flatMap((one) => (one.startsWith('d') && paths.includes(one.slice(1)) ? [one.slice(1)] : [])))
  const members = all.map((one) => one.slice(1)).filter((one) => !out(one) && one !== args.dest && !tops.has(one))
  return {
    paths,
    missing,
    excluded,
    leftOut,
    members,
    folders: all.some((one) => one.startsWith('d')),
  }
}

const globOf = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .replace(/[.+^${}()|\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
    's',
  )

/** The folder that all paths are in, with a slash at its end. */
function commonRoot(paths: readonly string[]): string {
  const folders = paths.map((one) => one.slice(0, one.lastIndexOf('/') + 1).split('/'))
  const [first = []] = folders
  let length = first.length
  for (const folder of folders) while (length > 0 && folder.slice(0, length).join('/') !== first.slice(0, length).join('/')) length--
  const root = first.slice(0, length).join('/')
  return root === '' || root.endsWith('/') ? root || '/' : `${root}/`
}

const FILTERS: Readonly<Record<string, readonly string[]>> = {
  gz: ['gzip', '-n', '-c'],
  bz2: ['bzip2', '-c'],
  xz: ['xz', '-c'],
  tar: ['cat'],
}

const tool = (name: string): Script => sh`command -v ${name} >/dev/null || exit 93`

/** Bytes of names that are words of one command; the tar of BusyBox reads no lists of them. */
const FEW = 60_000

/** Each of these writes to "$t". */
const compressScript = (args: ArchiveArgs, file: string): Script =>
  sh`${tool(FILTERS[args.format]![0]!)}; ${[...FILTERS[args.format]!]} <${file} >"$t"`

function packScript(args: ArchiveArgs, root: string, { members, paths }: Found): Script {
  const names = members
    .filter((one) => !paths.includes(one) || one !== root.slice(0, -1))
    .map((one) => one.slice(root.length))
    .filter(Boolean)
    .map((name) => (name.startsWith('-') ? `./${name}` : name))
  const input = sh`printf '%s\n' ${names}`
  const isFew = names.join(' ').length < FEW
  if ((!isFew || args.format === 'zip') && names.some((name) => name.includes('\n')))
    throw new ModuleFailure('names with line ends cannot be packed')
  if (args.format === 'zip')
    return sh`${tool('zip')}; rm -f "$t"; ( cd -- ${root} && ${input} | zip -q -X -y "$t.zip" -@ ) && mv "$t.zip" "$t"`
  return sh`${tool('tar')}; ${tool(FILTERS[args.format]![0]!)}; ( cd -- ${root} && ${isFew ? sh`tar -c -f - --no-recursion -- ${names}` : sh`${input} | tar -c -f - --no-recursion -T -`} ) | ${[...FILTERS[args.format]!]} >"$t" && [ -s "$t" ]`
}

/** An archive is the same when it has the same names, sizes, modes, owners and times, or, for zip, the same sums. */
async function isSame(host: Host, build: Script, dest: string, format: string, single: boolean): Promise<boolean> {
  const unpack: Readonly<Record<string, readonly string[]>> = {
    gz: ['gzip', '-dc'],
    bz2: ['bzip2', '-dc'],
    xz: ['xz', '-dc'],
    tar: ['cat'],
  }
  const sum = single
    ? sh`${[...unpack[format]!]} <"$1" | cksum`
    : format === 'zip'
      ? sh`unzip -v -qq "$1" | awk '{ $2 = $3 = $4 = $5 = $6 = ""; print }' | sort | cksum`
      : sh`${[...unpack[format]!]} <"$1" | tar -t -v -f - | sort | cksum; ${[...unpack[format]!]} <"$1" | tar -x -O -f - | cksum`
  const told = await host.look(
    sh`[ -e ${dest} ] || exit 1
t=$(mktemp) || exit 2
trap 'rm -f -- "$t" "$t.zip"' EXIT
c() { ${sum}; }
( ${build} ) || exit 2
[ "$(c "$t" 2>/dev/null)" = "$(c ${dest} 2>/dev/null)" ]`,
    { onFailure: 'tell' },
  )
  return told.code === 0
}

function packChange(args: ArchiveArgs, build: Script, dest: string): Change {
  return {
    what: 'archive',
    diff: { before: { path: dest }, after: { path: dest, format: args.format } },
    script: sh`t=$(mktemp ${`${dest}.XXXXXX`}) || exit 1
trap 'rm -f -- "$t" "$t.zip"' EXIT
( ${build} ) || exit $?
if [ -e ${dest} ]; then chmod "$(stat -c %a -- ${dest})" "$t" && chown "$(stat -c %u:%g -- ${dest})" "$t"; else chmod =rw -- "$t"; fi || exit 1
mv -f -- "$t" ${dest}`,
    failMessage: `Error when writing ${args.format} archive at ${dest}`,
  }
}
