/** ipaddr: text → what a query asks about the address or network it is. */
import { Tuple, type Value } from '../../../base/index.ts'
import { filterError, isInteger, isUndefined, normalInt, str, truth } from '../../python/index.ts'
import { classOf } from '../define.ts'
import {
  broadcastOf,
  contains,
  firstOf,
  formatAddress,
  formatNetwork,
  hostMask,
  type IpVersion,
  lastOf,
  type Network,
  netMask,
  parseNetwork,
  reverseName,
  sizeOf,
  WIDTH,
} from './address.ts'
import { isLinkLocal, isLoopback, isMulticast, isPrivate, isPublic } from './kinds.ts'

/** What a query looks at. */
interface Asked {
  readonly net: Network
  /** a bare address, or one with a prefix? */
  readonly kind: 'address' | 'network'
  /** the value as given, or as it would be written */
  readonly value: Value
}

type Query = (asked: Asked) => Value

const address = (net: Network, value: bigint): string => formatAddress({ version: net.version, value })
const isFirst = (net: Network): boolean => net.value === firstOf(net)
const isHost = (net: Network): boolean => !isFirst(net) || broadcastOf(net) === undefined
const when =
  (holds: (net: Network) => boolean): Query =>
  ({ net, value }) =>
    holds(net) ? value : null
const whenAddress =
  (holds: (net: Network) => boolean): Query =>
  ({ net, value }) =>
    holds({ ...net, prefix: WIDTH[net.version] }) ? value : null

function addressQuery({ net }: Asked): Value {
  return sizeOf(net) === 1n || isHost(net) || net.version === 6 ? formatAddress(net) : null
}

function addressPrefix({ net }: Asked): Value {
  return sizeOf(net) > 2n && (isFirst(net) || net.value === lastOf(net)) ? false : formatNetwork(net)
}

/** First and last address for hosts. */
function usable(net: Network): [bigint, bigint] {
  return sizeOf(net) === 2n ? [firstOf(net), lastOf(net)] : [firstOf(net) + 1n, lastOf(net) - 1n]
}

/** Queries that only a network can answer. */
function ofNetwork(answer: (net: Network) => Value): Query {
  return ({ net, kind }) => {
    if (kind === 'address') throw filterError('Not a network address')
    return sizeOf(net) > 1n ? answer(net) : null
  }
}

function neighbour(net: Network, offset: bigint): Value {
  const [first, last] = usable(net)
  const next = net.value + offset
  return next >= first && next <= last ? address(net, next) : null
}

function peer(net: Network): Value {
  const size = sizeOf(net)
  if (size === 2n) return address(net, net.value ^ 1n)
  if (size !== 4n) throw filterError('Not a point-to-point network')
  if (net.value % 4n === 0n) throw filterError('Network address of /30 has no peer')
  if (net.value % 4n === 3n) throw filterError('Broadcast address of /30 has no peer')
  return address(net, net.value ^ 3n)
}

function asIpv4({ net, value }: Asked): Value {
  if (net.version === 4) return value
  const high = net.value >> 32n
  if (high !== 0n && high !== 0xffffn) return false
  return net.prefix < 96 ? false : formatNetwork({ version: 4, value: net.value & 0xffffffffn, prefix: net.prefix - 96 })
}

const asIpv6: Query = ({ net, value }) =>
  net.version === 6 ? value : formatNetwork({ version: 6, value: (0xffffn << 32n) | net.value, prefix: net.prefix + 96 })

function wrapped({ net, kind, value }: Asked): Value {
  if (net.version === 4) return value
  return kind === 'address' ? `[${formatAddress(net)}]` : `[${formatAddress(net)}]/${net.prefix}`
}

function sixToFour({ net, kind, value }: Asked): Value {
  if (net.version === 4) {
    if (sizeOf(net) > 1n && isFirst(net)) return false
    const host: Network = { ...net, prefix: 32 }
    if (!isPublic(host) && !isPrivate(host)) return false
    const hex = net.value.toString(16).padStart(8, '0')
    return `2002:${hex.slice(0, 4)}:${hex.slice(4)}::1/48`
  }
  if (kind === 'network' && isFirst(net)) return false
  return net.value >> 112n === 0x2002n ? value : false
}

const loopback = whenAddress(isLoopback)
const prefixed = addressPrefix
const hostmask: Query = ({ net }) => address(net, hostMask(net))
const network: Query = ({ net }) => address(net, firstOf(net))
const subnet: Query = ({ net }) => formatNetwork({ ...net, value: firstOf(net) })
const size: Query = ({ net }) => normalInt(sizeOf(net))

const QUERIES: Readonly<Record<string, Query>> = {
  '': ({ net, kind }) => (kind === 'address' ? formatAddress(net) : formatNetwork(net)),
  '6to4': sixToFour,
  address: addressQuery,
  'address/prefix': prefixed,
  bool: () => true,
  broadcast: ({ net }) => (sizeOf(net) > 2n ? address(net, lastOf(net)) : null),
  cidr: ({ net }) => formatNetwork(net),
  first_usable: ofNetwork((net) => address(net, usable(net)[0])),
  gateway: prefixed,
  gw: prefixed,
  host: ({ net }) => (sizeOf(net) === 1n || isHost(net) ? formatNetwork(net) : null),
  'host/prefix': prefixed,
  hostmask,
  hostnet: prefixed,
  int: ({ net, kind }) => (kind === 'address' ? normalInt(net.value) : `${net.value}/${net.prefix}`),
  ip: addressQuery,
  'ip/prefix': ({ net }) => (sizeOf(net) === 2n || (sizeOf(net) > 1n && !isFirst(net)) ? formatNetwork(net) : null),
  ip_netmask: ({ net }) =>
    sizeOf(net) === 2n || (sizeOf(net) > 1n && !isFirst(net)) ? `${formatAddress(net)} ${address(net, netMask(net))}` : null,
  ipv4: asIpv4,
  ipv6: asIpv6,
  last_usable: ofNetwork((net) => address(net, usable(net)[1])),
  'link-local': whenAddress(isLinkLocal),
  lo: loopback,
  loopback,
  multicast: when(isMulticast),
  net: ({ net }) => (sizeOf(net) > 1n && isFirst(net) ? formatNetwork(net) : null),
  netmask: ({ net }) => address(net, netMask(net)),
  network,
  'network/prefix': subnet,
  network_id: network,
  network_netmask: ({ net }) => `${address(net, firstOf(net))} ${address(net, netMask(net))}`,
  network_wildcard: ({ net }) => `${address(net, firstOf(net))} ${address(net, hostMask(net))}`,
  next_usable: ofNetwork((net) => neighbour(net, 1n)),
  peer: ({ net, kind }) => {
    if (kind === 'address') throw filterError('Not a network address')
    return peer(net)
  },
  prefix: ({ net }) => net.prefix,
  previous_usable: ofNetwork((net) => neighbour(net, -1n)),
  private: when(isPrivate),
  public: whenAddress(isPublic),
  range_usable: ofNetwork((net) =>
    usable(net)
      .map((value) => address(net, value))
      .join('-'),
  ),
  revdns: ({ net }) => reverseName(net),
  router: prefixed,
  size,
  size_usable: ({ net }) => (sizeOf(net) === 1n ? 0 : sizeOf(net) === 2n ? 2 : normalInt(sizeOf(net) - 2n)),
  subnet,
  type: ({ net }) => (sizeOf(net) === 1n || !isFirst(net) ? 'address' : 'network'),
  unicast: when((net) => !isMulticast(net)),
  v4: asIpv4,
  v6: asIpv6,
  version: ({ net }) => net.version,
  wildcard: hostmask,
  wrap: wrapped,
}

/** The filter itself; lists are answered item by item and lose what is no answer. */
export function ipaddr(value: Value, query: string, version: IpVersion | undefined, alias: string): Value {
  if (Array.isArray(value) || value instanceof Tuple) {
    const items = Array.isArray(value) ? value : value.items
    return items.map((item) => ipaddr(item, query, version, 'ipaddr')).filter(truth)
  }
  if (!truth(value) || value === true) return false
  const asked = read(value, version)
  if (!asked) return false
  const outer = query !== '' && !Object.hasOwn(QUERIES, query) && !/^\d+$/.test(query) ? lookupNetwork(query) : undefined
  if (version !== undefined && asked.net.version !== version) return false
  if (outer) return contains(outer, asked.net) ? asked.value : null
  if (Object.hasOwn(QUERIES, query)) return QUERIES[query]!(asked)
  return nth(asked, query, alias)
}

/** Refuses what is neither text nor list nor number. */
export function checkType(value: Value, name: string): void {
  if (typeof value !== 'string' && !Array.isArray(value) && !isInteger(value)) throw wrongType(value, name)
}

export function wrongType(value: Value, name: string): Error {
  return filterError(
    `Unrecognized type <${isUndefined(value) ? "<class 'ansible.template.AnsibleUndefined'>" : classOf(value)}> for ${name} filter <value>`,
  )
}

function read(value: Value, version: IpVersion | undefined): Asked | undefined {
  const text = str(value)
  if (/^\d+$/.test(text)) return numeric(BigInt(text), version)
  const net = parseNetwork(text)
  if (net) return { net, kind: text.split('/').length === 2 ? 'network' : 'address', value: text }
  const parts = /^(\d+)\/(\d+)$/.exec(text)
  if (!parts) return undefined
  const number = BigInt(parts[1]!)
  const prefix = Number(parts[2])
  const made: Network = number < 1n << 32n && prefix <= 32 ? { version: 4, value: number, prefix } : { version: 6, value: number, prefix }
  if (made.value >= 1n << 128n || prefix > 128) return undefined
  return { net: made, kind: 'network', value: formatNetwork(made) }
}

function numeric(value: bigint, version: IpVersion | undefined): Asked | undefined {
  const made: IpVersion = version === 6 || value >= 1n << 32n ? 6 : 4
  if (value >= 1n << BigInt(WIDTH[made])) return undefined
  const net: Network = { version: made, value, prefix: WIDTH[made] }
  return { net, kind: 'address', value: formatNetwork(net) }
}

function lookupNetwork(query: string): Network | undefined {
  return truth(ipaddr(query, 'network', undefined, 'ipaddr')) ? parseNetwork(query) : undefined
}

/** The address at a place in the network, counted from its end when negative. */
function nth({ net, kind }: Asked, query: string, alias: string): Value {
  if (Number.isNaN(Number(query)) || query.trim() === '') throw filterError(`${alias}: unknown filter type: ${query}`)
  if (sizeOf(net) === 1n) return kind === 'address' ? formatAddress(net) : formatNetwork(net)
  if (!/^\s*[+-]?\d+\s*$/.test(query)) return false
  const found = addressAt(net, BigInt(query.trim().replace('+', '')))
  return found === undefined ? false : `${found}/${net.prefix}`
}

export function addressAt(net: Network, index: bigint): string | undefined {
  const count = sizeOf(net)
  if (index >= count || index < -count) return undefined
  return address(net, index < 0n ? lastOf(net) + index + 1n : firstOf(net) + index)
}
