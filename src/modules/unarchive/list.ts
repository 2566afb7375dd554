/** Lists an archive on the host and compares it with what lies unpacked: names, modes, owners, sizes and times, never words. */
import { type Fields, joinScripts, type Probe, type Script, sh } from '../../remote/index.ts'

export type Format = 'tar' | 'gzip' | 'bzip2' | 'xz' | 'zstd' | 'zip'

/** What a module calls the kind of archive. */
/** By name of what unpacks it: tar alone sees by itself how all but gzip are packed. */
export const HANDLERS: Readonly<Record<Format, string>> = {
  tar: 'TarArchive',
  gzip: 'TgzArchive',
  bzip2: 'TarArchive',
  xz: 'TarArchive',
  zstd: 'TarArchive',
  zip: 'ZipArchive',
}

const FLAGS: Readonly<Record<Format, Script>> = { tar: sh``, gzip: sh`-z`, bzip2: sh`-j`, xz: sh`-J`, zstd: sh`--zstd`, zip: sh`` }

/** The kind of archive by its first bytes; undefined: no such file; `empty`: nothing in it. */
export function formatProbe(path: string): Probe<Format | 'empty' | 'unreadable' | undefined> {
  return {
    script: sh`a=${path}; if [ ! -e "$a" ]; then printf '\0'; elif [ ! -r "$a" ]; then printf 'unreadable\0'; elif [ ! -s "$a" ]; then printf 'empty\0'; else printf '%s\0' "$(head -c 6 "$a" | od -An -tx1 | tr -d ' \n')"; fi`,
    read: (fields) => {
      const magic = fields.text()
      if (magic === '') return undefined
      if (magic === 'empty' || magic === 'unreadable') return magic
      return MAGIC.find(([start]) => magic.startsWith(start))?.[1] ?? 'tar'
    },
  }
}

const MAGIC: readonly (readonly [string, Format])[] = [
  ['504b03', 'zip'],
  ['504b05', 'zip'],
  ['1f8b', 'gzip'],
  ['425a68', 'bzip2'],
  ['fd377a585a', 'xz'],
  ['28b52ffd', 'zstd'],
]

export interface Archive {
  readonly path: string
  readonly dest: string
  readonly format: Format
  readonly exclude: readonly string[]
  readonly include: readonly string[]
  readonly extraOptions: readonly string[]
  readonly keepNewer: boolean
}

export interface Member {
  readonly name: string
  /** permission bits; undefined where the archive does not tell */
  readonly mode: number | undefined
  readonly uid: number | undefined
  readonly gid: number | undefined
  readonly kind: string
  /** as digits `yyyymmddhhmmss` by the host's clock, or minutes only */
  readonly time: string
  /** where a link of a tar archive leads */
  readonly target?: string | undefined
  /** what lies there: undefined where nothing does */
  readonly there: Unpacked | undefined
}

export interface Unpacked {
  readonly mode: number
  readonly uid: number
  readonly gid: number
  readonly link: boolean
  readonly time: string
  readonly target?: string | undefined
}

export interface Listing {
  /** 0 where the archive could be read */
  readonly code: number
  readonly members: readonly Member[]
  /** programs that the host has not got */
  readonly missing: readonly string[]
  /** what the program said */
  readonly error: string
}

/** The words that all calls of tar share. */
function tarWords({ path, dest, format, exclude, extraOptions }: Archive): Script {
  // $s is set where tar can list names as they will be
  const transformed = extraOptions.length > 0 ? sh` \${s-} ${extraOptions}` : sh``
  const excluded = exclude.length > 0 ? sh` ${exclude.map((e) => `--exclude=${e.replace(/\/+$/, '')}`)}` : sh``
  return sh`-C ${dest} ${FLAGS[format]}${transformed}${excluded} -f ${path}`
}

export function listProbe(archive: Archive): Probe<Listing> {
  const zip = archive.format === 'zip'
  const include = archive.include.length > 0 ? sh` ${archive.include}` : sh``
  const names = zip ? sh`unzip -Z -1 ${archive.path}${include}${zipExcludes(archive)}` : sh`tar -t $q ${tarWords(archive)}${include}`
  const details = zip
    ? sh`unzip -Z -T -s ${archive.path}${include}${zipExcludes(archive)}`
    : sh`TZ=UTC tar -tv $q $t --numeric-owner ${tarWords(archive)}${include}`
  const script = joinScripts([
    sh`w=$(mktemp -d); q=; t=; s=
if tar --help 2>/dev/null | grep -q -e --quoting-style; then q=--quoting-style=literal; t=--full-time; s=--show-transformed-names; fi
${names} >"$w/n" 2>"$w/e"; printf '%s\0' $?
for b in ${zip ? ['unzip', 'zipinfo'] : ['tar']}; do command -v "$b" >/dev/null 2>&1 || echo "$b"; done; printf '\0'; cat "$w/e"; printf '\0'`,
    sh`cat "$w/n"; printf '\0'
${details} 2>/dev/null; printf '\0'
cd -- ${archive.dest} && tr '\n' '\0' <"$w/n" | TZ=${zip ? sh`"\${TZ-}"` : sh`UTC`} xargs -0 stat -c '%f %u %g %y %n' -- 2>/dev/null; printf '\0'
tr '\n' '\0' <"$w/n" | xargs -0 sh -c 'for f; do if [ -h "$f" ]; then printf "%s\n%s\n" "$f" "$(readlink -- "$f")"; fi; done' sh 2>/dev/null; printf '\0'
rm -rf "$w"`,
  ])
  return { script, read: (fields) => readListing(fields, zip) }
}

const zipExcludes = (archive: Archive): Script => (archive.exclude.length > 0 ? sh` -x ${archive.exclude}` : sh``)

function readListing(fields: Fields, zip: boolean): Listing {
  const code = fields.number() ?? 1
  const missing = linesOf(fields.text())
  const error = fields.text()
  const names = linesOf(fields.text())
  const details = linesOf(fields.text()).filter((line) => !zip || /^[-dlbcps?][-rwxstST]{9}\s/.test(line))
  const there = new Map(linesOf(fields.text()).map(readStat))
  for (const [name, target] of pairs(linesOf(fields.text()))) {
    const found = there.get(name)
    if (found) there.set(name, { ...found, target })
  }
  const members = names.map((name, i) => ({
    ...(zip ? zipMember(details[i] ?? '') : { ...tarMember(details[i] ?? ''), target: targetOf(details[i] ?? '', name) }),
    name,
    there: there.get(name),
  }))
  return { code, members, missing, error }
}

const pairs = (lines: readonly string[]): [string, string][] =>
  lines.flatMap((line, i): [string, string][] => (i % 2 === 0 ? [[line, lines[i + 1] ?? '']] : []))

/** `name -> target` at the end of a line */
function targetOf(line: string, name: string): string | undefined {
  const arrow = ` ${name} -> `
  const at = line.startsWith('l') ? line.indexOf(arrow) : -1
  return at < 0 ? undefined : line.slice(at + arrow.length)
}

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '')

function readStat(line: string): [string, Unpacked] {
  const [raw, uid, gid, day, time, _zone, ...name] = line.split(' ')
  const mode = Number.parseInt(raw ?? '0', 16)
  return [
    name.join(' '),
    {
      mode: mode & 0o7777,
      uid: Number(uid),
      gid: Number(gid),
      link: mode >> 12 === 10,
      time: digits(`${day}${(time ?? '').split('.')[0]}`),
    },
  ]
}

const digits = (text: string): string => text.replace(/\D/g, '')

/** `-rw-r--r-- 0/0 12 2024-01-31 23:59:59 name` */
function tarMember(line: string): Omit<Member, 'name' | 'there'> {
  const match = /^(\S)(\S{9})\S*\s+(\S+?)\/(\S+)\s+(?:\d+,)?\d+\s+(\d{4}-\d\d-\d\d)\s+(\d\d:\d\d(?::\d\d)?)/.exec(line)
  if (!match) return { mode: undefined, uid: undefined, gid: undefined, kind: '?', time: '' }
  return { mode: bitsOf(match[2]!), uid: idOf(match[3]!), gid: idOf(match[4]!), kind: match[1]!, time: digits(`${match[5]}${match[6]}`) }
}

/** Some tars tell names where ids were asked for; those are not compared. */
const idOf = (text: string): number | undefined => (/^\d+$/.test(text) ? Number(text) : undefined)

/** `-rw-r--r-- 3.0 unx 12 tx defN 20240131.235959 name` */
function zipMember(line: string): Omit<Member, 'name' | 'there'> {
  const match = /^(\S)(\S{9})\s.*?\s(\d{8}\.\d{6})\s/.exec(line)
  if (!match) return { mode: undefined, uid: undefined, gid: undefined, kind: '?', time: '' }
  const unix = / unx /.test(line)
  return { mode: unix ? bitsOf(match[2]!) : undefined, uid: undefined, gid: undefined, kind: match[1]!, time: digits(match[3]!) }
}

/** The bits of `rwxr-sr-t`. */
function bitsOf(letters: string): number {
  let mode = 0
  for (const [i, c] of [...letters].entries()) {
    if (c === '-') continue
    const special = [0o4000, 0o2000, 0o1000][Math.floor(i / 3)]!
    if ('rwx'.includes(c) || c === 's' || c === 't') mode |= 1 << (8 - i)
    if ('sStT'.includes(c)) mode |= special
  }
  return mode
}

/** Does the member lie there as the archive has it? What the task sets itself is not compared. */
export function isUnpacked(
  member: Member,
  task: { readonly mode: boolean; readonly owner: boolean; readonly group: boolean; readonly root: boolean },
): boolean {
  const { there } = member
  if (!there) return false
  if (member.kind === 'l') return member.target === undefined || there.target === undefined || there.target === member.target
  if (member.kind === 'h') return true
  // a folder's time moves with what is made in it
  if (member.kind !== 'd' && member.time !== '' && !there.time.startsWith(member.time)) return false
  if (!task.mode && member.mode !== undefined && member.kind !== '?' && (member.mode & 0o777) !== (there.mode & 0o777)) return false
  if (task.root && !task.owner && member.uid !== undefined && member.uid !== there.uid) return false
  return !(task.root && !task.group && member.gid !== undefined && member.gid !== there.gid)
}

/** The command that unpacks. */
export function unpackScript(archive: Archive): Script {
  const include = archive.include.length > 0 ? sh` ${archive.include}` : sh``
  if (archive.format === 'zip') {
    const newer = archive.keepNewer ? sh`-u` : sh`-o`
    return sh`unzip ${newer} ${archive.extraOptions} ${archive.path}${include}${zipExcludes(archive)} -d ${archive.dest}`
  }
  const newer = archive.keepNewer ? sh` --keep-newer-files` : sh``
  return sh`s=; tar -x${newer} ${tarWords(archive)}${include}`
}

/** The command as results tell it. */
export function unpackWords({ path, dest, format, exclude, include, extraOptions, keepNewer }: Archive): string[] {
  if (format === 'zip') {
    const excluded = exclude.length > 0 ? ['-x', ...exclude] : []
    return ['/usr/bin/unzip', keepNewer ? '-u' : '-o', ...extraOptions, path, ...include, ...excluded, '-d', dest]
  }
  const excluded = exclude.map((one) => `--exclude=${one.replace(/\/+$/, '')}`)
  const flags = format === 'gzip' ? ['-z'] : []
  return [
    '/usr/bin/tar',
    '--extract',
    '-C',
    dest,
    ...flags,
    ...(keepNewer ? ['--keep-newer-files'] : []),
    ...(extraOptions.length > 0 ? ['--show-transformed-names', ...extraOptions] : []),
    ...excluded,
    '-f',
    path,
    ...include,
  ]
}
