/** Which release file speaks for which distribution, and how each is read. */
import type { Facts } from '../collector.ts'
import type { Look } from '../look.ts'
import { idOf, oneLiners } from './guess.ts'

export interface FileReader {
  readonly path: string
  readonly name: string
  /** the file's presence is enough */
  readonly mayBeEmpty?: boolean
  /** facts when the file is of this distribution, undefined otherwise */
  readonly read: (text: string, look: Look, guessed: Facts) => Facts | undefined
}

/** The name is taken when the mark is in the text; else the text's first word is the distribution. */
const nameOrFirstWord =
  (name: string, mark: string): FileReader['read'] =>
  (text) =>
    text.includes(mark) ? { distribution: name, distribution_file_search_string: mark } : { distribution: text.split(/\s+/)[0]! }

const value = (text: string, pattern: RegExp): string | undefined => pattern.exec(text)?.[1]
const some = (key: string, found: string | undefined): Facts => (found === undefined ? {} : { [key]: found })
const major = (version: string | undefined): string | undefined => version?.split('.')[0]

const amazonOsRelease: FileReader['read'] = (text) => {
  if (!text.includes('Amazon')) return undefined
  const version = value(text, /VERSION_ID="(.*)"/)
  if (version === undefined) return {}
  const parts = version.split('.')
  return { distribution_version: version, distribution_major_version: parts[0]!, distribution_minor_version: parts[1] ?? 'NA' }
}

const amazonRelease: FileReader['read'] = (text) =>
  text.includes('Amazon') ? { distribution_version: text.split(/\s+/).find((word) => /^\d+$/.test(word)) ?? 'NA' } : undefined

const suseOsRelease: FileReader['read'] = (text) => {
  if (!/suse/i.test(text)) return undefined
  const version = value(text, /^VERSION_ID="?([0-9]+\.?[0-9]*)"?/m)
  const minor = value(text, /^VERSION_ID="?[0-9]+\.?([0-9]*)"?/m)
  const release = /open/i.test(text) ? minor : /enterprise/i.test(text) && version !== undefined ? minor || '0' : undefined
  return {
    ...some('distribution', value(text, /^NAME=(.*)/m)?.replace(/^"|"$/g, '')),
    ...some('distribution_version', version),
    ...some('distribution_major_version', major(version)),
    ...some('distribution_release', release),
  }
}

const suseRelease: FileReader['read'] = (text, _look, guessed) => {
  if (!/suse/i.test(text)) return undefined
  if (/open/i.test(text))
    return { distribution: text.split(/\s+/)[0]!, ...some('distribution_release', value(text, /CODENAME *= *([^\n]+)/)?.trim()) }
  const level = value(text, /PATCHLEVEL = ([0-9]+)/)
  return {
    distribution: text.includes('Server') ? 'SLES' : text.includes('Desktop') ? 'SLED' : 'SUSE',
    ...(level ? { distribution_release: level, distribution_version: `${String(guessed.distribution_version)}.${level}` } : {}),
  }
}

/** SLES for SAP says so only in a link. */
const withSap =
  (read: FileReader['read']): FileReader['read'] =>
  (text, look, guessed) => {
    const facts = read(text, look, guessed)
    const sap = look.section('k:/etc/products.d/baseproduct')?.trim().endsWith('SLES_SAP.prod')
    return facts && sap ? { ...facts, distribution: 'SLES_SAP' } : facts
  }

const versionId = (text: string, pattern = /VERSION_ID="(.*)"/): Facts => {
  const version = value(text, pattern)
  return { ...some('distribution_version', version), ...some('distribution_major_version', major(version)) }
}

/** The Debian family's members, in the order in which they are looked for in the text. */
const debians: readonly [RegExp, (text: string, look: Look) => Facts][] = [
  [
    /Debian|Raspbian/,
    (text, look) => ({
      distribution: 'Debian',
      ...some('distribution_release', value(text, /PRETTY_NAME=[^(]+ \(?([^)]+?)\)/)),
      ...some('distribution_minor_version', value(look.file('/etc/debian_version') ?? '', /\d+\.(\d+)/)),
    }),
  ],
  [/Ubuntu/, () => ({ distribution: 'Ubuntu' })],
  [/SteamOS/, () => ({ distribution: 'SteamOS' })],
  [/Kali/, (text) => ({ distribution: 'Kali', ...some('distribution_release', value(text, /DISTRIB_RELEASE=(.*)/)) })],
  [/Parrot/, (text) => ({ distribution: 'Parrot', ...some('distribution_release', value(text, /DISTRIB_RELEASE=(.*)/)) })],
  [
    /Devuan/,
    (text) => {
      const version = value(text, /VERSION_ID="(.*)"/)
      return {
        distribution: 'Devuan',
        ...some('distribution_release', value(text, /PRETTY_NAME="?[^("]+ \(?([^) "]+)\)?/)),
        ...some('distribution_version', version),
        ...some('distribution_major_version', version),
      }
    },
  ],
  [
    /Cumulus/,
    (text) => ({
      distribution: 'Cumulus Linux',
      ...versionId(text, /VERSION_ID=(.*)/),
      ...some('distribution_release', value(text, /VERSION="(.*)"/)),
    }),
  ],
  [/Mint/, (text) => ({ distribution: 'Linux Mint', ...versionId(text) })],
  [/UOS|Uos|uos/, (text) => ({ distribution: 'Uos', ...codenamed(text), ...versionId(text) })],
  [/[Dd]eepin/, (text) => ({ distribution: 'Deepin', ...codenamed(text), ...versionId(text) })],
]

const codenamed = (text: string): Facts => some('distribution_release', value(text, /VERSION_CODENAME="?([^"\n]+)"?/))

const debian: FileReader['read'] = (text, look) => debians.find(([mark]) => mark.test(text))?.[1](text, look)

const flatcar: FileReader['read'] = (text, look) => {
  if (idOf(look) !== 'flatcar') return undefined
  const version = value(text, /VERSION=(.*)/)?.replace(/^"|"$/g, '')
  return { ...some('distribution_major_version', major(version)), ...some('distribution_version', version) }
}

const clearLinux: FileReader['read'] = (text) => {
  const name = value(text, /NAME="(.*)"/)
  if (name !== undefined && !name.includes('Clear Linux')) return undefined
  const version = value(text, /VERSION_ID=(.*)/)
  return {
    ...some('distribution', name),
    ...some('distribution_major_version', version),
    ...some('distribution_version', version),
    ...some('distribution_release', value(text, /ID=(.*)/)),
  }
}

const lsbQuoted =
  (mark: string): FileReader['read'] =>
  (text) =>
    text.includes(mark)
      ? {
          ...some('distribution_version', value(text, /DISTRIB_RELEASE="(.*)"/)),
          ...some('distribution_release', value(text, /DISTRIB_CODENAME="(.*)"/)),
        }
      : undefined

const anyOther: FileReader['read'] = (text, _look, guessed) => ({
  ...some('distribution', value(text, /^NAME=(.*)/m)?.replace(/^"|"$/g, '')),
  ...(guessed.distribution_version === 'NA' ? some('distribution_version', value(text, /^VERSION=(.*)/m)?.replace(/^"|"$/g, '')) : {}),
})

const centos: FileReader['read'] = (text) =>
  text.includes('CentOS Stream')
    ? { distribution_release: 'Stream' }
    : text.includes('TencentOS Server')
      ? { distribution: 'TencentOS' }
      : undefined

const slackware: FileReader['read'] = (text) =>
  text.includes('Slackware') ? some('distribution_version', value(text, /(\w+[.]\w+\+?)/)) : undefined

const coreos: FileReader['read'] = (text, look) =>
  idOf(look) === 'coreos' ? some('distribution_release', value(text, /^GROUP=(.*)/m)?.replace(/^"|"$/g, '')) : undefined

/** The files in the order in which they are asked; the first that answers wins. */
export const readers: readonly FileReader[] = [
  { path: '/etc/altlinux-release', name: 'Altlinux', read: nameOrFirstWord('Altlinux', 'ALT') },
  { path: '/etc/oracle-release', name: 'OracleLinux', read: nameOrFirstWord('OracleLinux', 'Oracle Linux') },
  { path: '/etc/slackware-version', name: 'Slackware', read: slackware },
  { path: '/etc/centos-release', name: 'CentOS', read: centos },
  { path: '/etc/redhat-release', name: 'RedHat', read: nameOrFirstWord('RedHat', 'Red Hat') },
  { path: '/etc/vmware-release', name: 'VMwareESX', mayBeEmpty: true, read: () => undefined },
  { path: '/etc/openwrt_release', name: 'OpenWrt', read: lsbQuoted('OpenWrt') },
  { path: '/etc/os-release', name: 'Amazon', read: amazonOsRelease },
  { path: '/etc/system-release', name: 'Amazon', read: amazonRelease },
  { path: '/etc/alpine-release', name: 'Alpine', read: (text) => ({ distribution_version: text }) },
  { path: '/etc/arch-release', name: 'Archlinux', mayBeEmpty: true, read: () => undefined },
  { path: '/etc/os-release', name: 'Archlinux', read: (text) => (text.includes('Arch Linux') ? {} : undefined) },
  { path: '/etc/os-release', name: 'SUSE', read: withSap(suseOsRelease) },
  { path: '/etc/SuSE-release', name: 'SUSE', read: withSap(suseRelease) },
  { path: '/etc/gentoo-release', name: 'Gentoo', read: () => undefined },
  { path: '/etc/os-release', name: 'Debian', read: debian },
  { path: '/etc/lsb-release', name: 'Debian', read: debian },
  { path: '/etc/lsb-release', name: 'Mandriva', read: lsbQuoted('Mandriva') },
  { path: '/etc/sourcemage-release', name: 'SMGL', read: nameOrFirstWord('SMGL', 'Source Mage GNU/Linux') },
  { path: '/usr/lib/os-release', name: 'ClearLinux', read: clearLinux },
  { path: '/etc/coreos/update.conf', name: 'Coreos', read: coreos },
  { path: '/etc/os-release', name: 'Flatcar', read: flatcar },
  { path: '/etc/os-release', name: 'NA', read: anyOther },
]

/** All files that are read, each once. */
export const releaseFiles: readonly string[] = [...new Set([...readers.map((one) => one.path), ...oneLiners])]
