/** What a task wants of a connection → settings of NetworkManager by their names, in the order in which they are given. */
import { isDict, type Value } from '../../base/index.ts'
import { asText } from '../../params/index.ts'
import { ModuleFailure } from '../api.ts'
import type { NmcliArgs } from './nmcli-params.ts'

/** A wish: a text, several, or none (null). */
export type Setting = string | readonly string[] | null
export type Settings = ReadonlyMap<string, Setting>

type Raw = Value | readonly string[] | undefined

/** The type as it is known: asked for, or that of the connection. */
export type TypedArgs = Omit<NmcliArgs, 'type'> & { readonly type: string | undefined }

/** Kinds that have addresses of their own. */
const WITH_ADDRESSES = new Set([
  ...['bond', 'bridge', 'dummy', 'ethernet', '802-3-ethernet', 'generic', 'gre', 'infiniband', 'ipip', 'sit', 'team', 'vlan', 'wifi'],
  ...['802-11-wireless', 'gsm', 'macvlan', 'wireguard', 'vpn', 'loopback', 'ovs-interface'],
])
const WITH_MTU = new Set(['bond', 'bond-slave', 'dummy', 'ethernet', 'infiniband', 'team-slave', 'vlan'])
/** Kinds that may be part of another. */
const PARTS = new Set([
  ...['ethernet', 'bridge', 'bond', 'vlan', 'team', 'wifi', 'bond-slave', 'bridge-slave', 'team-slave', 'wifi', 'infiniband'],
  ...['ovs-port', 'ovs-interface'],
])
const WITHOUT_METHOD = new Set(['dummy', 'macvlan', 'wireguard'])
export const TUNNELS: ReadonlySet<string> = new Set(['gre', 'ipip', 'sit'])

export const macSetting = (type: string | undefined): string =>
  type === 'bridge' ? 'bridge.mac-address' : '802-3-ethernet.cloned-mac-address'
export const mtuSetting = (type: string | undefined): string => (type === 'infiniband' ? 'infiniband.mtu' : '802-3-ethernet.mtu')

const FLAGS = new Set([
  ...['bridge.stp', 'bridge-port.hairpin-mode', 'connection.autoconnect', 'ipv4.never-default', 'ipv4.ignore-auto-dns'],
  ...['ipv4.ignore-auto-routes', 'ipv4.may-fail', 'ipv6.ignore-auto-dns', 'ipv6.ignore-auto-routes', '802-11-wireless.hidden'],
  ...['team.runner-fast-rate'],
])

/** Settings that hold several values. */
export const LISTS: ReadonlySet<string> = new Set([
  ...['ipv4.addresses', 'ipv6.addresses', 'ipv4.dns', 'ipv4.dns-search', 'ipv4.dns-options', 'ipv4.routes', 'ipv4.routing-rules'],
  ...['ipv6.dns', 'ipv6.dns-search', 'ipv6.dns-options', 'ipv6.routes', '802-11-wireless-security.group'],
  ...['802-11-wireless-security.leap-password-flags', '802-11-wireless-security.pairwise', '802-11-wireless-security.proto'],
  ...['802-11-wireless-security.psk-flags', '802-11-wireless-security.wep-key-flags', '802-11-wireless.mac-address-blacklist'],
])

/** All settings that the task speaks of; null where it says nothing. The way of addresses follows from the type that is asked for. */
export function settingsOf(args: TypedArgs, asked: string | undefined): Settings {
  const settings = new Map<string, Setting>()
  const add = (all: Readonly<Record<string, Raw>>): void => {
    for (const [name, value] of Object.entries(all)) settings.set(name, settingOf(name, value))
  }
  const { type } = args
  add({ 'connection.autoconnect': args.autoconnect, 'connection.zone': args.zone })
  if ((WITH_ADDRESSES.has(type ?? '') && args.master === undefined) || type === 'ovs-interface') add(addressSettings(args, asked))
  if (args.mac) add({ [macSetting(type)]: args.mac })
  if (WITH_MTU.has(type ?? '')) add({ [mtuSetting(type)]: args.mtu })
  if (PARTS.has(type ?? '')) add({ 'connection.master': args.master, 'connection.slave-type': args.slave_type })
  add(OF_TYPE[TUNNELS.has(type ?? '') ? 'tunnel' : (type ?? '')]?.(args) ?? {})
  return settings
}

function settingOf(name: string, value: Raw): Setting {
  if (FLAGS.has(name)) return yesNo(value === true || (typeof value === 'string' && value !== ''))
  if (value === undefined || value === null) return null
  if (typeof value === 'boolean') return yesNo(value)
  if (LISTS.has(name)) return Array.isArray(value) ? value.map((one) => asText(one as Value)) : [asText(value as Value)]
  return asText(value as Value)
}

export const yesNo = (value: boolean): string => (value ? 'yes' : 'no')

function addressSettings(args: TypedArgs, asked: string | undefined): Record<string, Raw> {
  const method4 = args.method4 ?? methodFor(asked, args.ip4)
  const method6 = args.method6 ?? methodFor(asked, args.ip6)
  return {
    'ipv4.addresses': args.ip4?.map((one) => (one.includes('/') ? one : `${one}/32`)),
    'ipv4.dhcp-client-id': args.dhcp_client_id,
    'ipv4.dns': args.dns4,
    'ipv4.dns-search': args.dns4_search,
    'ipv4.dns-options': args.dns4_options,
    'ipv4.ignore-auto-dns': args.dns4_ignore_auto,
    'ipv4.gateway': args.gw4,
    'ipv4.ignore-auto-routes': args.gw4_ignore_auto,
    'ipv4.routes': args.routes4 ?? args.routes4_extended?.map(routeText),
    'ipv4.route-metric': args.route_metric4,
    'ipv4.routing-rules': args.routing_rules4,
    'ipv4.never-default': args.never_default4,
    'ipv4.method': method4,
    'ipv4.may-fail': args.may_fail4,
    'ipv6.addresses': args.ip6?.map((one) => (one.includes('/') ? one : `${one}/128`)),
    'ipv6.dns': args.dns6,
    'ipv6.dns-search': args.dns6_search,
    'ipv6.dns-options': args.dns6_options,
    'ipv6.ignore-auto-dns': args.dns6_ignore_auto,
    'ipv6.gateway': args.gw6,
    'ipv6.ignore-auto-routes': args.gw6_ignore_auto,
    'ipv6.routes': args.routes6 ?? args.routes6_extended?.map(routeText),
    'ipv6.route-metric': args.route_metric6,
    'ipv6.method': method6,
    'ipv6.ip6-privacy': args.ip_privacy6,
    'ipv6.addr-gen-mode': args.addr_gen_mode6,
  }
}

function methodFor(type: string | undefined, addresses: readonly string[] | undefined): string | undefined {
  if (addresses?.length) return 'manual'
  return WITHOUT_METHOD.has(type ?? '') ? 'disabled' : undefined
}

/** `10.0.0.0/8 10.1.1.1 5 table=7` */
export function routeText(route: Value): string {
  if (!isDict(route)) return asText(route)
  const get = (name: string): Value => route.get(name) ?? null
  const [ip, hop, metric] = ['ip', 'next_hop', 'metric'].map(get)
  const rest = [...route]
    .filter(([name, value]) => !['ip', 'next_hop', 'metric'].includes(String(name)) && value !== null)
    .map(([name, value]) => `${String(name)}=${asText(value).toLowerCase()}`)
    .sort()
  return [asText(ip!), ...(hop === null ? [] : [asText(hop!)]), ...(metric === null ? [] : [asText(metric!)]), ...rest].join(' ')
}

/** The entries of a dict, with what goes before their names. */
const prefixed = (prefix: string, value: Value | undefined): Record<string, Raw> =>
  value !== undefined && isDict(value) ? Object.fromEntries([...value].map(([name, one]) => [`${prefix}.${asText(name)}`, one])) : {}

/** A part says of what kind the whole is: by its own kind. */
function partOf(kind: string, args: TypedArgs): Record<string, Raw> {
  if (args.slave_type === undefined) return { 'connection.slave-type': kind }
  if (args.slave_type === kind) return {}
  throw new ModuleFailure(
    `Connection type '${args.type}' cannot be combined with '${args.slave_type}' slave-type. Allowed slave-type for '${args.type}' is '${kind}'.`,
  )
}

/** Settings that connections of one kind have. */
const OF_TYPE: Readonly<Record<string, (args: TypedArgs) => Record<string, Raw>>> = {
  bond: (args) => ({
    'arp-interval': args.arp_interval,
    'arp-ip-target': args.arp_ip_target,
    downdelay: args.downdelay,
    miimon: args.miimon,
    mode: args.mode,
    primary: args.primary,
    updelay: args.updelay,
    xmit_hash_policy: args.xmit_hash_policy,
  }),
  'bond-slave': (args) => partOf('bond', args),
  bridge: (args) => ({
    'bridge.ageing-time': args.ageingtime,
    'bridge.forward-delay': args.forwarddelay,
    'bridge.hello-time': args.hellotime,
    'bridge.max-age': args.maxage,
    'bridge.priority': args.priority,
    'bridge.stp': args.stp,
  }),
  'bridge-slave': (args) => ({
    ...partOf('bridge', args),
    'bridge-port.path-cost': args.path_cost,
    'bridge-port.hairpin-mode': args.hairpin,
    'bridge-port.priority': args.slavepriority,
  }),
  team: (args) => ({
    'team.runner': args.runner,
    'team.runner-hwaddr-policy': args.runner_hwaddr_policy,
    ...(args.runner_fast_rate === undefined ? {} : { 'team.runner-fast-rate': args.runner_fast_rate }),
  }),
  'team-slave': (args) => partOf('team', args),
  tunnel: (args) => ({
    'ip-tunnel.local': args.ip_tunnel_local,
    'ip-tunnel.mode': args.type,
    'ip-tunnel.parent': args.ip_tunnel_dev,
    'ip-tunnel.remote': args.ip_tunnel_remote,
    ...(args.type === 'gre' ? { 'ip-tunnel.input-key': args.ip_tunnel_input_key, 'ip-tunnel.output-key': args.ip_tunnel_output_key } : {}),
  }),
  vlan: (args) => ({
    'vlan.id': args.vlanid,
    'vlan.parent': args.vlandev,
    'vlan.flags': args.flags,
    'vlan.ingress': args.ingress,
    'vlan.egress': args.egress,
  }),
  vxlan: (args) => ({ 'vxlan.id': args.vxlan_id, 'vxlan.local': args.vxlan_local, 'vxlan.remote': args.vxlan_remote }),
  wifi: (args) => ({
    '802-11-wireless.ssid': args.ssid,
    'connection.slave-type': args.master === undefined ? undefined : (args.slave_type ?? 'bond'),
    ...prefixed('802-11-wireless', args.wifi),
    ...prefixed('802-11-wireless-security', args.wifi_sec),
  }),
  gsm: (args) => prefixed('gsm', args.gsm),
  macvlan: (args) => {
    if (!args.macvlan?.size && args.state === 'present')
      throw new ModuleFailure('type is macvlan but all of the following are missing: macvlan', { name: args.conn_name })
    return prefixed('macvlan', args.macvlan)
  },
  wireguard: (args) => prefixed('wireguard', args.wireguard),
  vpn: (args) => vpnSettings(args.vpn),
  infiniband: (args) => ({ 'infiniband.transport-mode': args.transport_mode }),
  ethernet: (args) => prefixed('sriov', args.sriov),
}

/** What is not the connection's own is data of the service. */
function vpnSettings(vpn: NmcliArgs['vpn']): Record<string, Raw> {
  if (!vpn?.size) return {}
  const own: Readonly<Record<string, string>> = { 'service-type': 'vpn.service-type', permissions: 'connection.permissions' }
  const entries = [...vpn].map(([name, value]) => [asText(name), value] as const)
  const data = entries
    .filter(([name]) => own[name] === undefined)
    .map(([name, value]) => `${name}=${typeof value === 'boolean' ? yesNo(value) : asText(value)}`)
  return {
    ...Object.fromEntries(entries.flatMap(([name, value]) => (own[name] === undefined ? [] : [[own[name]!, value]]))),
    'vpn.data': data.join(', '),
  }
}
