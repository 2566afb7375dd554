/** The general release files → a first guess of name, version and release, before the distributions' own files are asked. */
import type { Facts } from '../collector.ts'
import { type Look, linesOf } from '../look.ts'
import { parseRelease } from '../release.ts'

/** Files that hold one line such as `CentOS Linux release 7.9.2009 (Core)`; the first that does counts. */
export const oneLiners = [
  '/etc/almalinux-release',
  '/etc/centos-release',
  '/etc/fedora-release',
  '/etc/openEuler-release',
  '/etc/oracle-release',
  '/etc/redhat-release',
  '/etc/rocky-release',
]

export function guess(look: Look): Facts {
  const release = parseRelease(look.file('/etc/os-release') ?? look.file('/usr/lib/os-release'))
  const id = idOf(look, release)
  const version = versionOf(look, id, release) || 'NA'
  return {
    distribution: nameOf(id),
    distribution_version: version,
    distribution_release: codename(look, release) ?? 'NA',
    distribution_major_version: version.split('.')[0] || 'NA',
  }
}

/** The lower-case id of the distribution, as os-release has it. */
export function idOf(look: Look, release = parseRelease(look.file('/etc/os-release') ?? look.file('/usr/lib/os-release'))): string {
  const id = release.get('ID') ?? lsb(look, 'DISTRIB_ID') ?? oneLine(look)?.name ?? ''
  return id.toLowerCase().replaceAll(' ', '_')
}

const renamed: Readonly<Record<string, string>> = { amzn: 'Amazon', rhel: 'Redhat', '': 'OtherLinux' }

const nameOf = (id: string): string => renamed[id] ?? id[0]!.toUpperCase() + id.slice(1)

function versionOf(look: Look, id: string, release: ReadonlyMap<string, string>): string {
  const version = release.get('VERSION_ID') ?? lsb(look, 'DISTRIB_RELEASE') ?? oneLine(look)?.version ?? ''
  if (id === 'centos')
    return mostDotted([version, oneLine(look)?.version])
      .split('.')
      .slice(0, 2)
      .join('.')
  if (id === 'debian') return mostDotted([version, lsb(look, 'DISTRIB_RELEASE'), look.file('/etc/debian_version')])
  return version
}

/** Of several spellings of one version, the first with the most parts. */
function mostDotted(versions: readonly (string | undefined)[]): string {
  const dots = (text: string) => text.split('.').length
  return versions.reduce<string>((best, one) => (one && (dots(one) > dots(best) || best === '') ? one : best), '')
}

function codename(look: Look, release: ReadonlyMap<string, string>): string | undefined {
  const given = release.get('VERSION_CODENAME') ?? release.get('UBUNTU_CODENAME')
  if (given !== undefined) return given
  const named = /\((\D+)\)|,\s*(\D+)/.exec(release.get('VERSION') ?? '')
  return (named?.[1] ?? named?.[2])?.trim() ?? lsb(look, 'DISTRIB_CODENAME') ?? oneLine(look)?.codename
}

const lsb = (look: Look, key: string): string | undefined => parseRelease(look.file('/etc/lsb-release')).get(key) || undefined

/** name, version and code name from the first one-line release file */
function oneLine(look: Look): { name: string; version: string; codename: string | undefined } | undefined {
  for (const path of oneLiners) {
    const match = /^(.+?)\s+(?:release\s+)?(\d[\d.]*)[^(]*(?:\((.+)\))?/.exec(linesOf(look.file(path))[0] ?? '')
    if (match) return { name: match[1]!.replace(/ Linux.*| Enterprise.*/, ''), version: match[2]!, codename: match[3] }
  }
  return undefined
}
