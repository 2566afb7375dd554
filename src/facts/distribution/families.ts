/** A distribution's name → the family it belongs to. */

const families: Readonly<Record<string, string>> = {
  RedHat:
    'RedHat RHEL Fedora CentOS Scientific SLC Ascendos CloudLinux PSBM OracleLinux OVS OEL Amazon Amzn Virtuozzo XenServer Alibaba EulerOS openEuler AlmaLinux Rocky TencentOS EuroLinux MIRACLE',
  Debian: 'Debian Ubuntu Raspbian Neon SteamOS Devuan Kali Pop!_OS Parrot Uos Deepin OSMC',
  Suse: 'SuSE SLES SLED openSUSE SLES_SAP SUSE_LINUX ALP-Dolomite SL-Micro',
  Archlinux: 'Archlinux Antergos Manjaro',
  Mandrake: 'Mandrake Mandriva',
  Gentoo: 'Gentoo Funtoo',
}

/** Names that hold blanks. */
const further: Readonly<Record<string, string>> = {
  'Kylin Linux Advanced Server': 'RedHat',
  'KDE neon': 'Debian',
  'Linux Mint': 'Debian',
  'Cumulus Linux': 'Debian',
  'Pardus GNU/Linux': 'Debian',
  'openSUSE Tumbleweed': 'Suse',
  'openSUSE Leap': 'Suse',
  'Clear Linux OS': 'ClearLinux',
  'Clear Linux Mix': 'ClearLinux',
}

const byName: ReadonlyMap<string, string> = new Map([
  ...Object.entries(families).flatMap(([family, names]) => names.split(' ').map((name): [string, string] => [name, family])),
  ...Object.entries(further),
])

/** The family of a distribution; one that stands alone is its own family. */
export const familyOf = (distribution: string): string => byName.get(distribution) ?? distribution
