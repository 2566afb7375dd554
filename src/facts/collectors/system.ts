/** Small facts of the running system: lsb, selinux, apparmor, chroot, fips, python, capabilities, command line, environment, load, dns. */
import { type Json, record } from '../../base/index.ts'
import { sh } from '../../remote/index.ts'
import type { Collector, Facts } from '../collector.ts'
import { type Look, linesOf, wordsOf } from '../look.ts'
import { parseRelease } from '../release.ts'

type Parts = Omit<Collector, 'ids' | 'requires'> & Partial<Pick<Collector, 'ids' | 'requires'>>
const collector = (parts: Parts): Collector => ({ ids: [], requires: [], ...parts })

const stripped = (text: string): string => text.replace(/^[\\'"]+|[\\'"]+$/g, '')

export const lsb = collector({
  name: 'lsb',
  minimal: true,
  script: () => sh`if w lsb_release; then c lsb lsb_release -a; fi; f /etc/lsb-release`,
  parse(look) {
    const found = lsbCommand(look) ?? lsbFile(look)
    const release = found.release
    return { lsb: { ...found, ...(release === undefined ? {} : { major_release: release.split('.')[0]! }) } }
  },
})

/** the words of lsb_release's field names → our keys; LC_ALL=C keeps them as they are */
const lsbFields: Readonly<Record<string, string>> = {
  'LSB Version': 'release',
  'Distributor ID': 'id',
  Description: 'description',
  Release: 'release',
  Codename: 'codename',
}

function lsbCommand(look: Look): Record<string, string> | undefined {
  const facts: Record<string, string> = record()
  for (const line of linesOf(look.command('lsb'))) {
    const colon = line.indexOf(':')
    const key = lsbFields[line.slice(0, colon)]
    if (key) facts[key] = stripped(line.slice(colon + 1).trim())
  }
  return Object.keys(facts).length > 0 ? facts : undefined
}

function lsbFile(look: Look): Record<string, string> {
  const release = parseRelease(look.file('/etc/lsb-release'))
  const keys = { id: 'DISTRIB_ID', release: 'DISTRIB_RELEASE', description: 'DISTRIB_DESCRIPTION', codename: 'DISTRIB_CODENAME' }
  return Object.fromEntries(Object.entries(keys).flatMap(([key, name]) => (release.has(name) ? [[key, release.get(name)!]] : [])))
}

export const selinux = collector({
  name: 'selinux',
  minimal: true,
  script: () => sh`
e /sys/fs/selinux/enforce /selinux/enforce
r /sys/fs/selinux/enforce /sys/fs/selinux/policyvers /selinux/enforce /selinux/policyvers
f /etc/selinux/config`,
  parse: (look) => ({ selinux: selinuxFacts(look), selinux_python_present: true }),
})

function selinuxFacts(look: Look): Facts {
  const base = ['/sys/fs/selinux', '/selinux'].find((path) => look.exists(`${path}/enforce`))
  if (base === undefined) return { status: 'disabled' }
  const config = parseRelease(look.file('/etc/selinux/config'))
  const version = Number.parseInt(look.file(`${base}/policyvers`) ?? '', 10)
  return {
    status: 'enabled',
    policyvers: Number.isNaN(version) ? 'unknown' : version,
    config_mode: config.get('SELINUX')?.toLowerCase() ?? 'unknown',
    mode: look.file(`${base}/enforce`) === '1' ? 'enforcing' : 'permissive',
    type: config.get('SELINUXTYPE') ?? 'unknown',
  }
}

export const apparmor = collector({
  name: 'apparmor',
  minimal: true,
  script: () => sh`e /sys/kernel/security/apparmor`,
  parse: (look) => ({ apparmor: { status: look.exists('/sys/kernel/security/apparmor') ? 'enabled' : 'disabled' } }),
})

export const chroot = collector({
  name: 'chroot',
  ids: ['is_chroot'],
  minimal: false,
  script: () => sh`
if [ -n "$debian_chroot" ]; then printf '\036e:debian_chroot\n'; fi
c root stat -c '%d %i' /
c firstroot stat -c '%d %i' /proc/1/root/.
c rootfs stat -f -c %T /`,
  parse: (look) => ({ is_chroot: look.exists('debian_chroot') || inChroot(look) }),
})

/** the inode of the root folder on file systems that number it otherwise than 2 */
const rootInodes: Readonly<Record<string, string>> = { btrfs: '256', xfs: '128' }

function inChroot(look: Look): boolean {
  const root = look.command('root')?.trim()
  const first = look.command('firstroot')?.trim()
  if (first !== undefined) return root !== first
  return root?.split(' ')[1] !== (rootInodes[look.command('rootfs')?.trim() ?? ''] ?? '2')
}

export const fips = collector({
  name: 'fips',
  minimal: true,
  script: () => sh`r /proc/sys/crypto/fips_enabled`,
  parse: (look) => ({ fips: look.file('/proc/sys/crypto/fips_enabled') === '1' }),
})

const pythonProbe = `import sys, json
try:
  import importlib.util as u
  s = u.find_spec("_ssl") is not None
except Exception:
  s = True
i = getattr(sys, "implementation", None)
print(json.dumps([list(sys.version_info), sys.executable, s, getattr(i, "name", None)]))`

export const python = collector({
  name: 'python',
  minimal: true,
  script: ({ python }) => sh`
for x in ${python === undefined ? [] : [python]} /usr/bin/python3 python3 /usr/libexec/platform-python python; do
  if w "$x"; then c python "$x" -ISc ${pythonProbe}; break; fi
done`,
  parse(look) {
    const text = look.command('python')
    if (text === undefined) return {}
    const [info, executable, hasSsl, type] = JSON.parse(text) as [[number, number, number, string, number], string, boolean, string | null]
    const [major, minor, micro, releaselevel, serial] = info
    return {
      python: { version: { major, minor, micro, releaselevel, serial }, version_info: info, executable, has_sslcontext: hasSsl, type },
      python_version: `${major}.${minor}.${micro}`,
    }
  },
})

export const caps = collector({
  name: 'caps',
  ids: ['system_capabilities', 'system_capabilities_enforced'],
  minimal: true,
  script: () => sh`if w capsh; then c capsh capsh --print; fi`,
  parse(look) {
    const text = look.command('capsh')
    if (text === undefined) return { system_capabilities_enforced: 'N/A', system_capabilities: 'N/A' }
    const current = linesOf(text).find((line) => line.startsWith('Current:'))
    if (current === undefined) return { system_capabilities_enforced: 'NA', system_capabilities: [] }
    if (current.split(':')[1]!.trim() === '=ep') return { system_capabilities_enforced: 'False', system_capabilities: [] }
    return { system_capabilities_enforced: 'True', system_capabilities: (current.split('=')[1] ?? '').split(',').map((one) => one.trim()) }
  },
})

export const cmdline = collector({
  name: 'cmdline',
  minimal: true,
  script: () => sh`f /proc/cmdline`,
  parse(look) {
    const text = look.file('/proc/cmdline')
    if (text === undefined) return {}
    const last: Record<string, Json> = record()
    const all: Record<string, Json> = record()
    for (const piece of text.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? []) {
      const equals = piece.indexOf('=')
      const key = equals < 0 ? piece : piece.slice(0, equals)
      const value = equals < 0 ? true : piece.slice(equals + 1)
      const before = all[key]
      last[key] = value
      all[key] = value === true || before === undefined ? value : Array.isArray(before) ? [...before, value] : [before, value]
    }
    return { cmdline: last, proc_cmdline: all }
  },
})

export const env = collector({
  name: 'env',
  minimal: true,
  script: () => sh`PATH=$path_was; if [ -n "$lc_was" ]; then LC_ALL=$lc_was; else unset LC_ALL; fi
printf '\036env\n'; cat /proc/self/environ 2>/dev/null | tr -d '\036' | tr '\000' '\037'`,
  parse(look) {
    const pairs = (look.section('env') ?? '').split('\u001f').filter((pair) => pair.includes('='))
    return { env: Object.fromEntries(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)])) }
  },
})

export const loadavg = collector({
  name: 'loadavg',
  minimal: false,
  script: () => sh`r /proc/loadavg`,
  parse(look) {
    const [one, five, fifteen] = wordsOf(look.file('/proc/loadavg')).map(Number)
    return one === undefined ? {} : { loadavg: { '1m': one, '5m': five!, '15m': fifteen! } }
  },
})

export const dns = collector({
  name: 'dns',
  minimal: true,
  script: () => sh`f /etc/resolv.conf`,
  parse: (look) => ({ dns: resolver(look.file('/etc/resolv.conf')) }),
})

function resolver(text: string | undefined): Facts {
  const facts: Record<string, Json> = record()
  for (const line of linesOf(text)) {
    if (/^[#;]/.test(line)) continue
    const [key, ...values] = wordsOf(line)
    if (key === 'nameserver') facts.nameservers = [...((facts.nameservers as string[] | undefined) ?? []), ...values]
    else if (key === 'domain' && values[0] !== undefined) facts.domain = values[0]
    else if (key === 'search' || key === 'sortlist') facts[key] = values
    else if (key === 'options') facts.options = Object.fromEntries(values.map(option))
  }
  return facts
}

function option(text: string): [string, Json] {
  const colon = text.indexOf(':')
  return colon < 0 ? [text, true] : [text.slice(0, colon), text.slice(colon + 1) || true]
}
