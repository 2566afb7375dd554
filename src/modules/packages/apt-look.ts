/** One look at dpkg and apt → what is installed, what could be, and how old the lists are. */
import { type Look, linesOf } from '../../facts/index.ts'
import { type Script, sh } from '../../remote/index.ts'

/** A package name as playbooks write it, taken apart: `foo`, `foo=1.2*`, `foo>=1.2`. */
export interface Spec {
  readonly text: string
  readonly name: string
  readonly operator: '=' | '>=' | undefined
  readonly version: string | undefined
}

export function parseSpec(text: string): Spec {
  const match = /^(.*?)(>?=)(.*)$/s.exec(text)
  return match
    ? { text, name: match[1]!, operator: match[2] as '=' | '>=', version: match[3]! }
    : { text, name: text, operator: undefined, version: undefined }
}

export interface Installed {
  readonly installed: boolean
  readonly version: string
  /** files are there though the package may be removed */
  readonly hasFiles: boolean
}

/** What apt says of a package name. */
export interface Policy {
  readonly candidate: string | undefined
  /** all versions that can be had, the best first */
  readonly versions: readonly string[]
}

/** In check mode apt's caches are made in memory, not on the host's disk. */
export const inMemory = (check: boolean): string[] => (check ? ['-o', 'Dir::Cache::pkgcache=', '-o', 'Dir::Cache::srcpkgcache='] : [])

const format = '${Package}|${Architecture}|${db:Status-Abbrev}|${Version}\n'

/** The look: installed packages, candidates, marks of automatic installation and the age of the lists. */
export const aptLook = (names: readonly string[], release: string | undefined, check: boolean): Script => sh`
for x in /var/lib/apt/periodic/update-success-stamp /var/lib/apt/lists; do
  if [ -e "$x" ]; then printf '\036lists\n'; stat -c %Y "$x"; break; fi
done
if w aptitude; then printf '\036e:aptitude\n'; fi
date '+%s' | { read -r x; printf '\036now\n%s\n' "$x"; }
${names.length === 0 ? sh`` : packagesLook(names, release, check)}`

const packagesLook = (names: readonly string[], release: string | undefined, check: boolean): Script => sh`
printf '\036arch\n'; dpkg --print-architecture
printf '\036dpkg\n'; dpkg-query -W -f ${format} ${names} 2>/dev/null
printf '\036policy\n'; apt-cache ${[...inMemory(check), ...(release === undefined ? [] : ['-o', `APT::Default-Release=${release}`])]} policy ${names} 2>/dev/null
printf '\036auto\n'
if [ -r /var/lib/apt/extended_states ]; then
  awk '$1=="Package:"{p=$2} $1=="Architecture:"{a=$2} $1=="Auto-Installed:"&&$2=="1"{print p; print p ":" a}' /var/lib/apt/extended_states | grep -Fx ${names.flatMap((name) => ['-e', name])}
fi`

/** Names that match a glob need the list of all names first. */
export const namesLook = (check: boolean): Script =>
  sh`printf '\036names\n'; apt-cache ${inMemory(check)} pkgnames 2>/dev/null; dpkg-query -W -f ${'${Package}\n'} 2>/dev/null`

/** What provides names that are no packages themselves. */
export const providersLook = (names: readonly string[], check: boolean): Script => sh`
for x in ${names}; do printf '\036provides:%s\n' "$x"; apt-cache ${inMemory(check)} showpkg "$x" 2>/dev/null; done`

export class AptState {
  private readonly native: string
  private readonly rows: readonly (readonly string[])[]
  private readonly policies: ReadonlyMap<string, Policy>
  readonly automatic: ReadonlySet<string>

  constructor(private readonly look: Look) {
    this.native = look.section('arch')?.trim() ?? ''
    this.rows = linesOf(look.section('dpkg')).map((line) => line.split('|'))
    this.policies = parsePolicies(look.section('policy'))
    this.automatic = new Set(linesOf(look.section('auto')))
  }

  get hasAptitude(): boolean {
    return this.look.exists('aptitude')
  }

  /** when the lists were fetched, in seconds; 0 when never */
  get listsTime(): number {
    return Number(this.look.section('lists')?.trim() ?? 0)
  }

  get now(): number {
    return Number(this.look.section('now')?.trim() ?? 0)
  }

  installed(name: string): Installed {
    const [base, arch] = name.split(':') as [string, string?]
    const row = this.rows.find(([pkg, own]) => pkg === base && (own === 'all' || own === (arch ?? this.native) || arch === 'any'))
    const state = row?.[2]?.[1]
    return { installed: state === 'i', version: row?.[3] ?? '', hasFiles: state !== undefined && state !== 'n' }
  }

  /** undefined: apt knows no such name; a name without versions is only provided by others */
  policy(name: string): Policy | undefined {
    const [base, arch] = name.split(':') as [string, string?]
    return this.policies.get(name) ?? (arch === this.native || arch === 'all' ? this.policies.get(base) : undefined)
  }
}

/**
 * The blocks of `apt-cache policy` by their form: a name and a colon, two lines of installed and candidate version, a heading, and versions, each with
 * its sources set in deeper.
 */
export function parsePolicies(text: string | undefined): ReadonlyMap<string, Policy> {
  const found = new Map<string, { candidate: string | undefined; versions: string[]; line: number }>()
  let current: { candidate: string | undefined; versions: string[]; line: number } | undefined
  for (const line of linesOf(text)) {
    const header = /^(\S+):$/.exec(line)?.[1]
    if (header !== undefined) {
      current = { candidate: undefined, versions: [], line: 0 }
      found.set(header, current)
      continue
    }
    if (!current) continue
    current.line++
    const version = /^ (?:\*\*\*| {3}) (\S+)/.exec(line)?.[1]
    if (current.line === 2) current.candidate = knownVersion(line)
    else if (current.line > 3 && version !== undefined) current.versions.push(version)
  }
  return found
}

/** `  Candidate: 2.0-1`; what stands in brackets there is no version. */
function knownVersion(line: string): string | undefined {
  const value = /^\s+[^:]+:\s+(\S.*)$/.exec(line)?.[1]?.trim()
  return value === undefined || value.startsWith('(') ? undefined : value
}

/** The packages that provide a name: the words after the last heading of showpkg. */
export function providersOf(look: Look, name: string): readonly string[] {
  const lines = linesOf(look.section(`provides:${name}`))
  const heading = lines.findLastIndex((line) => /^\S.*:\s*$/.test(line))
  return [...new Set(lines.slice(heading + 1).flatMap((line) => line.trim().split(/\s+/)[0] || []))]
}
