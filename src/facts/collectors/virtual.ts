/** Signs of containers and hypervisors → what the host runs in and what it can run. */
import { sh } from '../../remote/index.ts'
import type { Collector, Facts } from '../collector.ts'
import { type Look, linesOf } from '../look.ts'

const dmi = '/sys/devices/virtual/dmi/id'

export const virtual: Collector = {
  name: 'virtual',
  ids: ['virtualization_type', 'virtualization_role', 'virtualization_tech_guest', 'virtualization_tech_host'],
  requires: [],
  minimal: false,
  script: () => sh`
f /proc/1/cgroup /proc/cpuinfo /proc/modules /proc/xen/capabilities /proc/self/status
if [ -r /proc/1/environ ]; then printf '\036environ1\n'; cat /proc/1/environ 2>/dev/null | tr -d '\036' | tr '\000' '\n'; fi
r /run/systemd/container ${['product_name', 'sys_vendor', 'product_family', 'bios_vendor'].map((name) => `${dmi}/${name}`)}
e /proc/vz /proc/lve /proc/bc /.dockerenv /.dockerinit /proc/xen /dev/kvm /rhev /proc/cpuinfo
if [ -d /rhev ]; then for x in /proc/[0-9]*/comm; do r "$x"; done; fi
if w lscpu; then c lscpu lscpu; fi
if w dmidecode; then c dmi:system-product-name dmidecode -s system-product-name; fi`,
  parse: virtualFacts,
}

/** A sign: the technology, the role in it, and whether it is also what facts call the type. */
interface Sign {
  readonly tech?: string
  readonly side: 'guest' | 'host'
  /** undefined: the sign adds a technology only */
  readonly type?: string
  readonly role?: string
}

/** All signs, the strongest first: the first that has a type names it. */
function virtualFacts(look: Look): Facts {
  const signs = [...containerSigns(look), ...machineSigns(look), ...processorSigns(look), ...hostSigns(look)]
  const techs = (side: Sign['side']): string[] =>
    [...new Set(signs.filter((one) => one.side === side && one.tech).map((one) => one.tech!))].sort()
  const main = signs.find((one) => one.type !== undefined)
  const guest = techs('guest')
  const inContainer =
    guest.some((tech) => ['docker', 'lxc', 'podman', 'openvz', 'containerd'].includes(tech)) || look.file('/run/systemd/container')
  return {
    virtualization_type: main?.type ?? 'NA',
    virtualization_role: main ? (main.role ?? main.side) : 'NA',
    virtualization_tech_guest: inContainer ? [...new Set([...guest, 'container'])].sort() : guest,
    virtualization_tech_host: techs('host'),
  }
}

const guestOf = (tech: string): Sign => ({ tech, side: 'guest', type: tech })
const hostOf = (tech: string): Sign => ({ tech, side: 'host', type: tech })

function containerSigns(look: Look): Sign[] {
  const groups = look.file('/proc/1/cgroup') ?? ''
  const environment = linesOf(look.section('environ1'))
  const systemd = look.file('/run/systemd/container')
  const found: [boolean, () => Sign][] = [
    [/\/docker(\/|-[0-9a-f]+\.scope)/.test(groups), () => guestOf('docker')],
    [/\/lxc\/|\/machine.slice\/machine-lxc/.test(groups), () => guestOf('lxc')],
    [/\/system.slice\/containerd.service/.test(groups), () => guestOf('containerd')],
    [environment.some((line) => line.includes('container=lxc')), () => guestOf('lxc')],
    [environment.some((line) => line.includes('container=podman')), () => guestOf('podman')],
    [environment.some((line) => /^container=./.test(line)), () => guestOf('container')],
    [look.exists('/proc/vz') && !look.exists('/proc/lve'), () => (look.exists('/proc/bc') ? hostOf('openvz') : guestOf('openvz'))],
    [systemd !== undefined, () => guestOf(systemd!)],
    [look.exists('/.dockerenv') || look.exists('/.dockerinit'), () => guestOf('docker')],
    [look.exists('/proc/xen'), () => xen(look)],
  ]
  return found.filter(([there]) => there).map(([, sign]) => sign())
}

const xen = (look: Look): Sign =>
  look.file('/proc/xen/capabilities')?.includes('control_d') ? hostOf('xen') : { side: 'guest', type: 'xen' }

/** What firmware says, and the guest that it means. */
function machineSigns(look: Look): Sign[] {
  const [product, vendor, family, bios] = ['product_name', 'sys_vendor', 'product_family', 'bios_vendor'].map(
    (name) => look.file(`${dmi}/${name}`) ?? '',
  )
  const one = (text: string | undefined, words: readonly string[]): boolean => words.includes(text!)
  const found: [boolean, string][] = [
    [one(product, ['KVM', 'KVM Server', 'Bochs', 'AHV']), 'kvm'],
    [vendor === 'oVirt', 'oVirt'],
    [vendor === 'Red Hat' && family === 'RHV', 'RHV'],
    [vendor === 'Red Hat' && family !== 'RHV' && product === 'RHEV Hypervisor', 'RHEV'],
    [product!.startsWith('VMware'), 'VMware'],
    [one(product, ['OpenStack Compute', 'OpenStack Nova']), 'openstack'],
    [bios === 'Xen', 'xen'],
    [bios === 'innotek GmbH', 'virtualbox'],
    [one(bios, ['Amazon EC2', 'DigitalOcean', 'Hetzner']), 'kvm'],
    [one(vendor, ['QEMU', 'Amazon EC2', 'DigitalOcean', 'Google', 'Scaleway', 'Nutanix']), 'kvm'],
    [vendor === 'KubeVirt', 'KubeVirt'],
    [vendor === 'Microsoft Corporation', 'VirtualPC'],
    [vendor === 'Parallels Software International Inc.', 'parallels'],
    [vendor === 'OpenStack Foundation', 'openstack'],
  ]
  return found.filter(([there]) => there).map(([, tech]) => guestOf(tech))
}

const processorMarks: readonly [RegExp, string][] = [
  [/^model name.*QEMU Virtual CPU/, 'kvm'],
  [/^vendor_id.*User Mode Linux/, 'uml'],
  [/^model name.*UML/, 'uml'],
  [/^machine.*CHRP IBM pSeries .emulated by qemu./, 'kvm'],
  [/^vendor_id.*PowerVM Lx86/, 'powervm_lx86'],
]

function processorSigns(look: Look): Sign[] {
  const lines = linesOf(look.file('/proc/cpuinfo'))
  const server = /^VxID:\s+(\d+)/m.exec(look.file('/proc/self/status') ?? '')?.[1]
  return [
    ...(server === undefined ? [] : [server.startsWith('0') ? hostOf('linux_vserver') : guestOf('linux_vserver')]),
    ...processorMarks.filter(([mark]) => lines.some((line) => mark.test(line))).map(([, tech]) => guestOf(tech)),
    ...(lines.some((line) => /^vendor_id.*IBM\/S390/.test(line)) ? mainframeSigns(look) : []),
  ]
}

function mainframeSigns(look: Look): Sign[] {
  const hypervisor = /^Hypervisor:\s*(.*)$/m.exec(look.command('lscpu') ?? '')?.[1]
  const tech = look.command('lscpu') === undefined ? 'ibm_systemz' : hypervisor
  const partition: Sign = { tech: 'PR/SM', side: 'guest', type: 'PR/SM', role: 'LPAR' }
  return tech === undefined || tech === 'PR/SM' ? [partition] : [guestOf(tech), { tech: 'PR/SM', side: 'guest' }]
}

function hostSigns(look: Look): Sign[] {
  const modules = new Set(linesOf(look.file('/proc/modules')).map((line) => line.split(' ')[0]!))
  const product = linesOf(look.command('dmi:system-product-name'))
    .filter((line) => !line.startsWith('#'))
    .join('')
  const rhev = look.names('f:/proc/').some((name) => /^\d+\/comm$/.test(name) && /^vdsmd?$/.test(look.file(`/proc/${name}`) ?? ''))
  const found: [boolean, Sign][] = [
    [modules.has('kvm') && rhev, { tech: 'RHEV', side: 'host', type: 'RHEV' }],
    [modules.has('kvm'), hostOf('kvm')],
    [modules.has('vboxdrv'), hostOf('virtualbox')],
    [modules.has('virtio'), { tech: 'kvm', side: 'host', type: 'kvm', role: 'guest' }],
    [product.startsWith('VMware'), guestOf('VMware')],
    [product.includes('BHYVE'), guestOf('bhyve')],
    [look.exists('/dev/kvm'), hostOf('kvm')],
  ]
  return found.filter(([there]) => there).map(([, sign]) => sign)
}
