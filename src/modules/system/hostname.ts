/** hostname: makes the host have a name, now and after the next start. */
import { type Look, linesOf, wordsOf } from '../../facts/index.ts'
import { choice, required, str } from '../../params/index.ts'
import { joinScripts, type Script, sh } from '../../remote/index.ts'
import { defineModule, ModuleFailure } from '../api.ts'
import { lookAt, mustEnd } from './looking.ts'
import { writeText } from './write-text.ts'

const ways = [
  'alpine',
  'debian',
  'freebsd',
  'generic',
  'macos',
  'macosx',
  'darwin',
  'openbsd',
  'openrc',
  'redhat',
  'sles',
  'solaris',
  'systemd',
] as const

export default defineModule({
  name: 'ansible.builtin.hostname',
  summary: "Sets the host's name.",
  params: { name: required(str()), use: choice(ways) },
  async *run(args, host) {
    const { name } = args
    if (name.length > 64) throw new ModuleFailure(`name cannot be longer than 64 characters on systemd servers, try a shorter name`)
    const look = await lookAt(host, nameLook(name))
    const current = look.section('current')?.trim() ?? ''
    const way =
      args.use ??
      (look.exists('hostnamectl') && look.exists('/run/systemd/system') ? 'systemd' : look.exists('/etc/HOSTNAME') ? 'sles' : 'generic')
    const kept = (look.file('/etc/hostname') ?? look.file('/etc/HOSTNAME') ?? '').split('\n')[0]!
    const changed = current !== name || (way !== 'generic' || kept !== '' ? kept !== name : false)
    if (changed) {
      const before = current !== name ? current : kept
      const diff = { before: `hostname = ${before}\n`, after: `hostname = ${name}\n` }
      const done = yield { what: 'hostname', diff, onFailure: 'tell', script: (scripts[way] ?? plainly)(name) }
      mustEnd(done, ({ stdout, stderr }) => `Command failed rc: ${stdout}, ${stderr}`)
    }
    const fqdn = fqdnOf(look, name)
    return {
      changed,
      name,
      ansible_facts: {
        ansible_hostname: name.split('.')[0]!,
        ansible_nodename: name,
        ansible_fqdn: fqdn,
        ansible_domain: fqdn.split('.').slice(1).join('.'),
      },
    }
  },
})

const nameLook = (name: string): Script => sh`
printf '\036current\n'; uname -n
f /etc/hostname /etc/HOSTNAME; e /run/systemd/system /etc/HOSTNAME
if w hostnamectl; then printf '\036e:hostnamectl\n'; fi
if w getent; then
  a=$(getent ahosts ${name} 2>/dev/null | { read -r x y && printf %s "$x"; })
  if [ -n "$a" ]; then c reverse getent hosts "$a"; fi
fi`

function fqdnOf(look: Look, name: string): string {
  const [, first, ...aliases] = wordsOf(linesOf(look.command('reverse'))[0])
  if (first === undefined) return name
  return [first, ...aliases].find((one) => one.includes('.')) ?? first
}

const plainly = (name: string): Script => joinScripts([sh`hostname ${name} || exit $?`, writeText('/etc/hostname', `${name}\n`)])

/** How each kind of system is told its name. */
const bySystemd = (name: string): Script =>
  sh`hostnamectl --transient set-hostname ${name} && hostnamectl --pretty set-hostname ${name} && hostnamectl --static set-hostname ${name}`

const scripts: Readonly<Record<string, (name: string) => Script>> = {
  systemd: bySystemd,
  debian: bySystemd,
  sles: (name) => joinScripts([sh`hostname ${name} || exit $?`, writeText('/etc/HOSTNAME', `${name}\n`)]),
  openrc: (name) => joinScripts([sh`hostname ${name} || exit $?`, writeText('/etc/conf.d/hostname', `hostname="${name}"\n`)]),
}
