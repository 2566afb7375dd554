/** A host → one line for everything on it that a task can change: files with what they are, accounts, packages, units. */

/** What differs from host to host, or moves by itself, or belongs to the one engine alone. */
const LEFT_OUT = [
  '/proc', '/sys', '/dev', '/run', '/tmp', '/var/tmp', '/var/log', '/var/cache', '/root/.ansible', '/root/.ansible_async', '/home/*/.ansible', '/var/lib/systemd', '/var/lib/apt/lists',
  '/var/lib/dpkg/info', '/var/lib/dpkg/status*', '/var/lib/dpkg/triggers', '/var/lib/dpkg/lock*', '/usr/lib/python3*', '/usr/share/doc', '/usr/share/man', '/usr/share/python3', '/var/lib/private',
  '/root/.gnupg', '/etc/machine-id', '/root/.cache', '/usr/share/locale', '/var/lib/sudo',
] // biome-ignore format: a list

const SCRIPT = `
find / -xdev \\( ${LEFT_OUT.map((path) => `-path '${path}'`).join(' -o ')} \\) -prune -o -type f -printf '%p\\0' | xargs -0r stat -c '%n|%A|%U|%G|%s' -- | sort >/run/look.files
find / -xdev \\( ${LEFT_OUT.map((path) => `-path '${path}'`).join(' -o ')} \\) -prune -o ! -type f -printf '%p|%M|%u|%g|%l\\n'
find /srv /etc /home /root /opt /usr/local /var/spool -xdev \\( ${LEFT_OUT.map((path) => `-path '${path}'`).join(' -o ')} \\) -prune -o -type f -print0 2>/dev/null | xargs -0r sha256sum 2>/dev/null | sed 's/^/sum /'
cat /run/look.files
rm -f /run/look.files
dpkg-query -W -f 'package|\${Package}|\${Status}\\n'
systemctl list-unit-files --no-legend --no-pager | awk '$2 != "transient" {print "unit|" $1 "|" $2}'
systemctl list-units --all --no-legend --no-pager --plain --type=service | awk '$1 !~ /^(user|systemd-)/ {print "service|" $1 "|" $3}'
for key in net.ipv4.ip_forward net.ipv4.conf.all.rp_filter; do echo "sysctl|$key|$(sysctl -n $key)"; done
hostname | sed 's/^/hostname|/'
`

export async function snapshot(exec) {
  const { status, out, err } = await exec(SCRIPT)
  if (status !== 0) throw new Error(`the host cannot be looked at: ${err}`)
  return new Set(out.split('\n').filter((line) => line !== ''))
}

/** What the real modules leave behind that nobody asks for: ssh-keygen's copy of known_hosts, a backup made in check mode. */
const LITTER = /\/known\.old$|\/known\.old\||limits\.conf\.<backup>~/

/** Backup names hold a time and a process id. */
const masked = (line) =>
  line
    .replace(/\.\d+\.\d{4}-\d\d-\d\d@\d\d:\d\d:\d\d~/, '.<backup>~')
    .replace(/(^|[-+ ]|sum )[0-9a-f]{64} {2}(\/etc\/(shadow|gshadow|passwd|group|hostname)-?)$/, '$1<sum>  $2')
    .replace(/\bnode\d+$/, 'nodeN')
    .replace(/(\/etc\/(shadow|gshadow)-?\|.*\|)\d+$/, '$1<size>')

/** `- line` for what is gone, `+ line` for what is new. */
export function changesBetween(before, after) {
  const lines = [
    ...[...before].filter((line) => !after.has(line)).map((line) => masked(`- ${line}`)),
    ...[...after].filter((line) => !before.has(line)).map((line) => masked(`+ ${line}`)),
  ]
  return lines.filter((line) => !LITTER.test(line))
}
