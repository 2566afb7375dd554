/** Asks what a path is: kind, owner, mode, times, link target, checksum; answers in numbers, never in English. */
import type { Fields } from './fields.ts'
import type { Probe } from './probe.ts'
import { type Script, sh } from './script.ts'

export type PathKind = 'file' | 'directory' | 'link' | 'fifo' | 'socket' | 'char' | 'block'
export type Algorithm = 'md5' | 'sha1' | 'sha224' | 'sha256' | 'sha384' | 'sha512'

export interface Stat {
  readonly exists: true
  readonly kind: PathKind
  /** permission bits with set-id and sticky */
  readonly mode: number
  readonly uid: number
  readonly gid: number
  /** undefined where the host knows no such user */
  readonly owner: string | undefined
  readonly group: string | undefined
  readonly size: number
  readonly links: number
  readonly inode: number
  readonly device: number
  readonly deviceType: number
  readonly blocks: number
  readonly blockSize: number
  readonly accessed: number
  readonly modified: number
  readonly changed: number
  readonly readable: boolean
  readonly writable: boolean
  readonly executable: boolean
  /** where a link leads to something that exists; true for what is no link */
  readonly resolves: boolean
  /** a directory, or a link to one */
  readonly leadsToDirectory: boolean
  readonly linkTarget: string | undefined
  readonly realPath: string | undefined
  /** of regular files, where asked for and readable */
  readonly checksum: string | undefined
  /** where SELinux is enabled */
  readonly context: string | undefined
  readonly attributes: FileAttributes | undefined
  readonly mime: string | undefined
}

/** What lsattr tells. */
export interface FileAttributes {
  /** not every file system has it */
  readonly version: string | undefined
  readonly flags: string
}

/** Nothing there, and why: no such name, a name below what is no directory, a chain of links without end, or no permission to look. */
export interface Missing {
  readonly exists: false
  readonly why: 'absent' | 'not-a-directory' | 'loop' | 'no-permission'
}

export interface StatWishes {
  /** look at what a link leads to */
  readonly follow?: boolean | undefined
  readonly checksum?: Algorithm | undefined
  /** hash only what a link leads to; a path that is no link was hashed by another question */
  readonly hashLinksOnly?: boolean | undefined
  /** ask lsattr */
  readonly attributes?: boolean | undefined
  /** ask file for the type */
  readonly mime?: boolean | undefined
}

/** What stat is asked to print about a path. */
export const STAT_FORMAT = '%f %u %g %s %h %i %d %t %T %b %o %.9X %.9Y %.9Z %U:%G'

/** Leaves in `q` what the link in `p` leads to, link after link; `n` is 41 where it leads nowhere. */
const FOLLOW: Script = sh`q=$p; n=0
while [ -L "$q" ] && [ $n -lt 41 ]; do
l=$(readlink -- "$q"); case $l in /*) q=$l ;; *) case $q in */*) q=\${q%/*}/$l ;; *) q=$l ;; esac ;; esac; n=$((n + 1))
done`

/** Prints the real name of the path in `p`, which is a link; BusyBox looks for relative links to nothing in the folder it stands in. */
export const realName: Script = sh`q=$p; [ -e "$p" ] || { ${FOLLOW}
}; readlink -f -- "$q"`

/** The question about one path; a Script is taken as a shell word (`"$t"`). */
export function statProbe(path: string | Script, wishes: StatWishes = {}): Probe<Stat | Missing> {
  const follow = wishes.follow ? sh`-L` : sh``
  const orLink = wishes.follow ? sh`` : sh`|| [ -L "$p" ]`
  const script = sh`p=${path}
if [ -e "$p" ] ${orLink}; then
a=; [ -r "$p" ] && a=r; [ -w "$p" ] && a=$a""w; [ -x "$p" ] && a=$a""x; [ -e "$p" ] && a=$a""e; [ -d "$p" ] && a=$a""d
printf '%s\0%s\0' "$(stat ${follow} -c ${STAT_FORMAT} -- "$p")" "$a"
if [ -L "$p" ]; then l=$(readlink -- "$p"; printf x); l=\${l%x}; printf '%s\0%s\0' "\${l%
}" "$(${realName})"; else printf '\0\0'; fi
if [ -e /sys/fs/selinux/enforce ]; then stat ${follow} -c %C -- "$p" | tr '\n' '\0'; else printf '\0'; fi
${checksumScript(wishes)}${attributeScript(wishes)}${mimeScript(wishes)}else
${WHY}
printf '\0%s\0' "$w"
fi`
  return { script, read: (fields) => readStat(fields, wishes) }
}

export function checksumScript(wishes: StatWishes): Script {
  if (!wishes.checksum) return sh``
  const regular = wishes.follow ? sh`[ -f "$p" ]` : sh`[ -f "$p" ] && [ ! -L "$p" ]`
  const linked = wishes.hashLinksOnly ? sh` && [ -L "$p" ]` : sh``
  return sh`if ${regular}${linked} && [ -r "$p" ]; then c=$(${sumProgram(wishes.checksum)} <"$p"); printf '%s\0' "\${c%% *}"; else printf '\0'; fi
`
}

/** The program that prints a checksum of its input; every host has it from coreutils or busybox. */
export function sumProgram(algorithm: Algorithm): Script {
  return SUM_PROGRAMS[algorithm]
}

const SUM_PROGRAMS: Readonly<Record<Algorithm, Script>> = {
  md5: sh`md5sum`,
  sha1: sh`sha1sum`,
  sha224: sh`sha224sum`,
  sha256: sh`sha256sum`,
  sha384: sh`sha384sum`,
  sha512: sh`sha512sum`,
}

export function attributeScript(wishes: StatWishes): Script {
  if (!wishes.attributes) return sh``
  return sh`if l=$(lsattr -vd -- "$p" 2>/dev/null) || l=$(lsattr -d -- "$p" 2>/dev/null); then printf '%s\0' "$l"; else printf '\0'; fi
`
}

export function mimeScript(wishes: StatWishes): Script {
  if (!wishes.mime) return sh``
  return sh`if command -v file >/dev/null && l=$(file -b --mime-type --mime-encoding -- "$p" 2>/dev/null); then printf '%s\0' "$l"; else printf '\0'; fi
`
}

/** Finds out, as `w`, why the path in `p` cannot be reached: follows its links, then climbs to the nearest name that exists. */
export const WHY = sh`${FOLLOW}
w=absent
if [ $n -ge 41 ]; then w=loop; else
case $q in */) q=\${q%/}; [ -e "$q" ] && [ ! -d "$q" ] && w=not-a-directory ;; esac
while [ $w = absent ]; do
case $q in */*) q=\${q%/*} ;; *) break ;; esac
[ -n "$q" ] || break
if [ -d "$q" ]; then [ -x "$q" ] || w=no-permission; break; fi
if [ -e "$q" ]; then w=not-a-directory; break; fi
done; fi`

/** The file type bits of st_mode, shifted down. */
const KINDS: Readonly<Record<number, PathKind>> = {
  1: 'fifo',
  2: 'char',
  4: 'directory',
  6: 'block',
  8: 'file',
  10: 'link',
  12: 'socket',
}

function readStat(fields: Fields, wishes: StatWishes): Stat | Missing {
  const plain = readStatLine(fields.text())
  if (!plain) return { exists: false, why: fields.text() as Missing['why'] }
  const access = fields.text()
  const linkTarget = fields.text()
  const realPath = fields.text()
  const context = fields.text()
  return { ...plain, ...reached({ access, linkTarget, realPath, context }), ...readWishes(fields, wishes) }
}

/** What the shell and readlink tell about a path that is there. */
export const reached = (told: { access: string; linkTarget: string; realPath: string; context: string }) => ({
  readable: told.access.includes('r'),
  writable: told.access.includes('w'),
  executable: told.access.includes('x'),
  resolves: told.access.includes('e'),
  leadsToDirectory: told.access.includes('d'),
  linkTarget: told.linkTarget || undefined,
  realPath: told.realPath || undefined,
  context: told.context || undefined,
})

/** Reads what was asked for besides. */
export const readWishes = (fields: Fields, wishes: StatWishes) => ({
  checksum: (wishes.checksum ? fields.text() : '') || undefined,
  attributes: attributesOf(wishes.attributes ? fields.text() : ''),
  mime: (wishes.mime ? fields.text() : '') || undefined,
})

/** Reads one line that stat printed by STAT_FORMAT; what only other questions tell is left open. */
export function readStatLine(line: string): Stat | undefined {
  if (line === '') return undefined
  const words = line.split(' ')
  const rawMode = Number.parseInt(words[0]!, 16)
  const number = (i: number): number => Number(words[i])
  const names = words.slice(14).join(' ').split(':')
  const kind = KINDS[rawMode >> 12] ?? 'file'
  return {
    exists: true,
    kind,
    mode: rawMode & 0o7777,
    uid: number(1),
    gid: number(2),
    owner: nameOf(names[0]),
    group: nameOf(names[1]),
    size: number(3),
    links: number(4),
    inode: number(5),
    device: number(6),
    deviceType: deviceNumber(Number.parseInt(words[7]!, 16), Number.parseInt(words[8]!, 16)),
    blocks: number(9),
    blockSize: number(10),
    accessed: number(11),
    modified: number(12),
    changed: number(13),
    readable: false,
    writable: false,
    executable: false,
    resolves: kind !== 'link',
    leadsToDirectory: kind === 'directory',
    linkTarget: undefined,
    realPath: undefined,
    checksum: undefined,
    context: undefined,
    attributes: undefined,
    mime: undefined,
  }
}

/** `UNKNOWN` is what stat prints for an id without a name. */
const nameOf = (name: string | undefined): string | undefined =>
  name === undefined || name === '' || name === 'UNKNOWN' ? undefined : name

/** The kernel's major and minor number as st_rdev has them. */
function deviceNumber(major: number, minor: number): number {
  return (major & 0xfff) * 256 + (minor & 0xff) + Math.floor(minor / 256) * 2 ** 20
}

function attributesOf(line: string): FileAttributes | undefined {
  const match = /^\s*(?:(\d+)\s+)?([A-Za-z-]+)\s/.exec(line)
  return match ? { version: match[1], flags: match[2]!.replaceAll('-', '') } : undefined
}
