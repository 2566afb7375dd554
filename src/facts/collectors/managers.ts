/** Programs and PID 1 → the package manager, the service manager and systemd's version. */
import { sh } from '../../remote/index.ts'
import type { Collector, Facts } from '../collector.ts'
import { type Look, linesOf } from '../look.ts'

/** Programs by which a package manager is known; a later one that is there beats an earlier one. */
const packageManagers: readonly (readonly [string, string])[] = [
  ['/usr/bin/rpm-ostree', 'atomic_container'],
  ['/usr/bin/yum', 'dnf'],
  ['/usr/bin/dnf-3', 'dnf'],
  ['/usr/bin/dnf5', 'dnf5'],
  ['/usr/bin/apt-get', 'apt'],
  ['/usr/bin/zypper', 'zypper'],
  ['/usr/sbin/urpmi', 'urpmi'],
  ['/usr/bin/pacman', 'pacman'],
  ['/bin/opkg', 'opkg'],
  ['/usr/pkg/bin/pkgin', 'pkgin'],
  ['/usr/local/bin/brew', 'homebrew'],
  ['/sbin/apk', 'apk'],
  ['/usr/bin/emerge', 'portage'],
  ['/usr/bin/xbps-install', 'xbps'],
  ['/usr/bin/swupd', 'swupd'],
  ['/usr/sbin/sorcery', 'sorcery'],
]

export const pkgMgr: Collector = {
  name: 'pkg_mgr',
  ids: [],
  requires: ['distribution'],
  minimal: true,
  script: () => sh`
e ${packageManagers.map(([path]) => path)} /run/ostree-booted /usr/bin/dnf /usr/bin/microdnf
k /usr/bin/dnf /usr/bin/microdnf
if [ -e /usr/bin/rpm ] && [ -e /usr/bin/apt-get ] && rpm -q --whatprovides /usr/bin/apt-get >/dev/null 2>&1; then printf '\036aptrpm\n'; fi`,
  parse: (look, known) => ({ pkg_mgr: packageManager(look, String(known.os_family)) }),
}

function packageManager(look: Look, family: string): string {
  if (family === 'RedHat') return redHatManager(look)
  const found = packageManagers.findLast(([path]) => look.exists(path))?.[1] ?? 'unknown'
  const name = family === 'Debian' ? 'apt' : found
  return name === 'apt' && (family === 'Altlinux' || look.section('aptrpm') !== undefined) ? 'apt_rpm' : name
}

/** What dnf points to is the default there; old releases have only yum. */
function redHatManager(look: Look): string {
  if (look.exists('/run/ostree-booted')) return 'atomic_container'
  for (const path of ['/usr/bin/dnf', '/usr/bin/microdnf']) {
    if (look.exists(path)) return /(^|\/)dnf5\s*$/.test(look.section(`k:${path}`) ?? '') ? 'dnf5' : 'dnf'
  }
  return look.exists('/usr/bin/yum') ? 'yum' : 'unknown'
}

/** What PID 1 calls itself → the name of the service manager. */
const firstProcess: Readonly<Record<string, string>> = {
  procd: 'openwrt_init',
  'runit-init': 'runit',
  svscan: 'svc',
  'openrc-init': 'openrc',
}

export const serviceMgr: Collector = {
  name: 'service_mgr',
  ids: [],
  requires: ['platform', 'distribution'],
  minimal: true,
  script: () => sh`
r /proc/1/comm
k /sbin/init
for x in systemctl initctl; do if w $x; then printf '\036e:%s\n' $x; fi; done
e /run/systemd/system /dev/.run/systemd /dev/.systemd /etc/init /sbin/openrc /etc/dinit.d /etc/init.d`,
  parse: (look, known) => ({ service_mgr: serviceManager(look, known) }),
}

function serviceManager(look: Look, known: Facts): string {
  const init = (look.file('/proc/1/comm') ?? look.section('k:/sbin/init')?.trim())?.split('/').at(-1)
  if (init !== undefined && init !== 'init' && !init.endsWith('sh')) return firstProcess[init] ?? init
  if (known.distribution === 'OpenWrt') return 'openwrt_init'
  if (known.distribution === 'SMGL') return 'simpleinit_msb'
  const linkedToSystemd = /(^|\/)systemd\s*$/.test(look.section('k:/sbin/init') ?? '')
  const signs: readonly [boolean, string][] = [
    [bootedBySystemd(look), 'systemd'],
    [look.exists('initctl') && look.exists('/etc/init'), 'upstart'],
    [look.exists('/sbin/openrc'), 'openrc'],
    [look.exists('systemctl') && linkedToSystemd, 'systemd'],
    [look.exists('/etc/dinit.d'), 'dinit'],
    [look.exists('/etc/init.d'), 'sysvinit'],
  ]
  return signs.find(([there]) => there)?.[1] ?? 'service'
}

const bootedBySystemd = (look: Look): boolean =>
  look.exists('systemctl') && ['/run/systemd/system', '/dev/.run/systemd', '/dev/.systemd'].some((path) => look.exists(path))

export const systemd: Collector = {
  name: 'systemd',
  ids: [],
  requires: [],
  minimal: false,
  script: () => sh`
if w systemctl && { [ -e /run/systemd/system ] || [ -e /dev/.run/systemd ] || [ -e /dev/.systemd ]; }; then c systemd systemctl --version; fi`,
  parse(look) {
    const [first, features] = linesOf(look.command('systemd'))
    const version = Number.parseInt(first?.split(' ')[1] ?? '', 10)
    return Number.isNaN(version) || features === undefined ? {} : { systemd: { features, version } }
  },
}
