/** Links, addresses and routes → every interface, the default ones and all addresses. */
import type { Json } from '../../base/index.ts'
import { sh } from '../../remote/index.ts'
import type { Collector, Facts } from '../collector.ts'
import { type Look, linesOf, wordsOf } from '../look.ts'
import { type Address, addressesOf } from '../network/addresses.ts'
import { ethtool } from '../network/ethtool.ts'
import { linkFacts } from '../network/links.ts'

const targets = { v4: '8.8.8.8', v6: '2404:6800:400a:800::1012' } as const

export const network: Collector = {
  name: 'network',
  ids: ['interfaces', 'default_ipv4', 'default_ipv6', 'all_ipv4_addresses', 'all_ipv6_addresses'],
  requires: ['distribution', 'platform'],
  minimal: false,
  script: () => sh`
if w ip; then
  printf '\036e:ip\n'
  c route4 ip -4 route get ${targets.v4}; c route6 ip -6 route get ${targets.v6}
  c local4 ip -4 route show table local; c local6 ip -6 route show table local
  c addr ip addr show
  cd /sys/class/net 2>/dev/null
  for n in *; do d=/sys/class/net/$n
    if [ -d "$d" ]; then
      printf '\036net:%s\n' "$d"
      r "$d/address" "$d/mtu" "$d/operstate" "$d/type" "$d/speed" "$d/flags"
      if [ -e "$d/device" ]; then k "$d/device" "$d/device/driver/module"; fi
      if [ -d "$d/bridge" ]; then e "$d/bridge" "$d"/brif/*; r "$d/bridge/bridge_id" "$d/bridge/stp_state"; fi
      if [ -d "$d/bonding" ]; then e "$d/bonding"; r "$d/bonding/slaves" "$d/bonding/mode" "$d/bonding/miimon" "$d/bonding/lacp_rate" "$d/bonding/primary" "$d/bonding/all_slaves_active"; fi
      if [ -d "$d/bonding_slave" ]; then e "$d/bonding_slave"; r "$d/bonding_slave/perm_hwaddr"; fi
      if w ethtool; then c "ethtool-k:$n" ethtool -k "$n"; c "ethtool-T:$n" ethtool -T "$n"; fi
    fi
  done
fi`,
  parse: (look) => (look.exists('ip') ? networkFacts(look) : {}),
}

function networkFacts(look: Look): Facts {
  const all = addressesOf(look.command('addr'))
  const interfaces: Record<string, Record<string, Json>> = {}
  for (const path of look.names('net:')) {
    const device = path.slice(path.lastIndexOf('/') + 1)
    interfaces[device] = { ...linkFacts(look, path, device) }
  }
  for (const [device, link] of Object.entries(interfaces)) {
    Object.assign(link, addressFacts(all, device), ethtool(look, device))
    // an address with a label of its own (eth0:1) is an interface to those who read facts
    for (const label of new Set(all.filter((one) => one.device === device && one.label !== device).map((one) => one.label))) {
      interfaces[label] ??= {}
      Object.assign(interfaces[label]!, labelFacts(all, label))
    }
  }
  const renamed = Object.fromEntries(Object.entries(interfaces).map(([name, facts]) => [name.replaceAll(':', '_'), facts]))
  return {
    interfaces: Object.keys(renamed),
    ...renamed,
    default_ipv4: defaultInterface(look.command('route4'), targets.v4, all, interfaces),
    default_ipv6: defaultInterface(look.command('route6'), targets.v6, all, interfaces),
    all_ipv4_addresses: all.filter((one) => one.family === 4 && !one.address.startsWith('127.')).map((one) => one.address),
    all_ipv6_addresses: all.filter((one) => one.family === 6 && one.address !== '::1').map((one) => one.address),
    locally_reachable_ips: { ipv4: localRoutes(look.command('local4')), ipv6: localRoutes(look.command('local6')) },
  }
}

const ipv4Facts = ({ address, broadcast, netmask, network, prefix }: Address): Facts => ({
  address,
  broadcast: broadcast ?? '',
  netmask: netmask ?? '',
  network: network ?? '',
  prefix,
})

function addressFacts(all: readonly Address[], device: string): Facts {
  const own = all.filter((one) => one.device === device)
  const [first, ...others] = own.filter((one) => one.family === 4 && !one.secondary && one.label === device)
  const secondaries = [...others, ...own.filter((one) => one.family === 4 && one.secondary)]
  const six = own.filter((one) => one.family === 6)
  return {
    ...(first ? { ipv4: ipv4Facts(first) } : {}),
    ...(secondaries.length > 0 ? { ipv4_secondaries: secondaries.map(ipv4Facts) } : {}),
    ...(six.length > 0 ? { ipv6: six.map(({ address, prefix, scope }) => ({ address, prefix, scope })) } : {}),
  }
}

function labelFacts(all: readonly Address[], label: string): Facts {
  const own = all.filter((one) => one.label === label)
  const secondary = own.filter((one) => one.secondary)
  const first = own.find((one) => !one.secondary)
  return {
    ...(first ? { ipv4: ipv4Facts(first) } : {}),
    ...(secondary.length > 0 ? { ipv4_secondaries: secondary.map(ipv4Facts) } : {}),
  }
}

/** `8.8.8.8 via 10.0.0.1 dev eth0 src 10.0.0.2 …` → the interface with the address that is used towards the world. */
function defaultInterface(
  route: string | undefined,
  target: string,
  all: readonly Address[],
  interfaces: Readonly<Record<string, Record<string, Json>>>,
): Facts {
  const words = wordsOf(linesOf(route)[0])
  if (words[0] !== target) return {}
  const after = (word: string): string | undefined => (words.includes(word) ? words[words.indexOf(word) + 1] : undefined)
  const [device, address, gateway] = [after('dev'), after('src'), after('via')]
  const facts: Facts = {
    ...(gateway && gateway !== target ? { gateway } : {}),
    ...(device ? { interface: device } : {}),
    ...(address ? { address } : {}),
  }
  const own = all.find((one) => one.address === address)
  if (!own) return facts
  const link = interfaces[own.device] ?? {}
  const common = { macaddress: link.macaddress ?? '00:00:00:00:00:00', mtu: link.mtu ?? null, type: link.type ?? 'unknown' }
  if (own.family === 6) return { ...facts, prefix: own.prefix, scope: own.scope, ...common }
  const { broadcast = '', netmask = '', network = '', prefix, label } = own
  return { ...facts, broadcast, netmask, network, prefix, ...common, alias: label }
}

const localRoutes = (text: string | undefined): string[] => [
  ...new Set(linesOf(text).flatMap((line) => (line.startsWith('local ') ? [wordsOf(line)[1]!] : []))),
]
