/** uname, names and machine id → system, kernel, architecture, hostname, fqdn, domain. */
import { sh } from '../../remote/index.ts'
import type { Collector, Facts } from '../collector.ts'
import { type Look, linesOf, wordsOf } from '../look.ts'

export const platform: Collector = {
  name: 'platform',
  ids: ['system', 'kernel', 'kernel_version', 'machine', 'python_version', 'architecture', 'machine_id'],
  requires: [],
  minimal: true,
  script: () => sh`
u=$(uname -snrvm); printf '\036uname\n%s\n' "$u"
n=$(set -f; set -- $u; printf %s "$2"); a=
if w getent; then
  a=$(getent ahosts "$n" 2>/dev/null | { read -r x y && printf %s "$x"; })
  if [ -n "$a" ]; then c reverse getent hosts "$a"; fi
else c fqdn hostname -f; fi
c bits getconf LONG_BIT
f /var/lib/dbus/machine-id /etc/machine-id`,
  parse(look) {
    const { system, kernel, machine, node, version } = parseUname(look.section('uname'))
    const fqdn = fqdnOf(look, node)
    const bits = look.command('bits')?.trim() || (/64|s390x/.test(machine) ? '64' : '32')
    const id = look.file('/var/lib/dbus/machine-id') ?? look.file('/etc/machine-id')
    return {
      system,
      kernel,
      kernel_version: version,
      machine,
      fqdn,
      hostname: node.split('.')[0]!,
      nodename: node,
      domain: fqdn.split('.').slice(1).join('.'),
      userspace_bits: bits,
      ...architecture(machine, bits),
      ...(id ? { machine_id: linesOf(id)[0]! } : {}),
    }
  },
}

/** The first of the address's names that has a dot, else its first name, else the node's own name. */
function fqdnOf(look: Look, node: string): string {
  const named = look.command('fqdn')?.trim()
  if (named) return named
  const [, name, ...aliases] = wordsOf(linesOf(look.command('reverse'))[0])
  if (name === undefined) return node
  return [name, ...aliases].find((one) => one.includes('.')) ?? name
}

function architecture(machine: string, bits: string): Facts {
  if (machine === 'x86_64') return { architecture: machine, userspace_architecture: bits === '64' ? 'x86_64' : 'i386' }
  if (/^i[3456]86|i86pc/.test(machine)) return { architecture: 'i386', userspace_architecture: bits === '64' ? 'x86_64' : 'i386' }
  return { architecture: machine }
}

/** `uname -snrvm`: system, node, release, then the version in several words, and the machine last. */
export function parseUname(text: string | undefined): { system: string; node: string; kernel: string; version: string; machine: string } {
  const words = wordsOf(text)
  const [system = '', node = '', kernel = ''] = words
  return { system, node, kernel, version: words.slice(3, -1).join(' '), machine: words.length > 3 ? words.at(-1)! : '' }
}
