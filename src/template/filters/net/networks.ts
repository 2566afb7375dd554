/** Filters that reckon with networks: parts of them, members, merges. */
import type { Value } from '../../../base/index.ts'
import { asIndex, filterError, isInteger, iterate, normalInt, parseInteger, repr, str, toList, truth } from '../../python/index.ts'
import { type Bound, classOf, type FilterTable, filter, plain } from '../define.ts'
import {
  firstOf,
  formatAddress,
  formatNetwork,
  type IpVersion,
  lastOf,
  type Network,
  parseAddress,
  parseNetwork,
  shortAddress,
  sizeOf,
  WIDTH,
} from './address.ts'
import { hwaddr, parseHardware } from './hardware.ts'
import { addressAt, checkType, ipaddr, wrongType } from './ipaddr.ts'

const ask = (value: Value, query: string): Value => ipaddr(value, query, undefined, 'ipaddr')

export const NETWORK_FILTERS: FilterTable = {
  cidr_merge: filter('cidr_merge', [['action', 'merge']], (value, [action]) => mergeNetworks(value, action)),
  hwaddr: filter(
    'hwaddr',
    [
      ['query', ''],
      ['alias', 'hwaddr'],
    ],
    (value, [query, alias]) => hwaddr(value, str(query), str(alias)),
  ),
  ip4_hex: filter('ip4_hex', [['delimiter', '']], (value, [delimiter]) =>
    str(value)
      .split('.')
      .map((part) => Number(part).toString(16).padStart(2, '0'))
      .slice(0, 4)
      .join(str(delimiter)),
  ),
  ipaddr: filter(
    'ipaddr',
    [
      ['query', ''],
      ['version', false],
      ['alias', 'ipaddr'],
    ],
    (value, [query, version, alias]) => {
      checkType(value, 'ipaddr')
      return ipaddr(value, str(query), versionOf(version), str(alias))
    },
  ),
  ipmath: filter('ipmath', ['amount'], (value, [amount]) => {
    const text = isInteger(value) && typeof value !== 'boolean' ? str(value) : value
    const net = typeof text !== 'string' ? undefined : text.includes('/') ? parseNetwork(text) : (parseAddress(text) ?? shortAddress(text))
    if (!net) throw filterError(`You must pass a valid IP address; ${str(value)} is invalid`)
    const number = isInteger(amount) ? amount : typeof amount === 'string' ? parseInteger(amount) : undefined
    if (number === undefined) {
      const type = classOf(amount)
      const why = typeof amount === 'string' ? `"${repr(amount)}" cannot be converted to an int` : `${type} cannot be converted to an int`
      throw filterError(str([`argument 'amount' is of type ${type} and we were unable to convert to int: ${why}`]))
    }
    const sum = net.value + BigInt(number)
    if (sum < 0n || sum >> BigInt(WIDTH[net.version])) throw filterError('result outside valid IP address boundary!')
    return formatAddress({ version: net.version, value: sum })
  }),
  ipsubnet: filter(
    'ipsubnet',
    [
      ['query', ''],
      ['index', null],
    ],
    ipsubnet,
  ),
  ipv4: byVersion('ipv4', 4),
  ipv6: byVersion('ipv6', 6),
  ipwrap: filter('ipwrap', [['query', '']], (value, [query]) => wrap(value, str(query))),
  macaddr: filter('macaddr', [['query', '']], (value, [query]) => hwaddr(value, str(query), 'macaddr')),
  network_in_network: filter('network_in_network', ['test'], (value, [test]) => isWithin(test, rangeOf(value))),
  network_in_usable: filter('network_in_usable', ['test'], (value, [test]) => isWithin(test, usableRangeOf(value))),
  next_nth_usable: filter('next_nth_usable', ['offset'], (value, [offset]) => neighbour(value, offset, 1n)),
  nthhost: filter('nthhost', [['query', '']], (value, [query]) => {
    const net = networkOf(value)
    if (!net || !truth(query) || !/^-?\d+$/.test(str(query))) return false
    const nth = BigInt(str(query))
    if (nth < -sizeOf(net)) throw filterError('index out range for address range size!')
    return addressAt(net, nth) ?? false
  }),
  previous_nth_usable: filter('previous_nth_usable', ['offset'], (value, [offset]) => neighbour(value, offset, -1n)),
  reduce_on_network: filter('reduce_on_network', ['network'], (value, [network]) => {
    const range = rangeOf(network)
    return Array.from(iterate(value)).filter((item) => isWithin(item, range))
  }),
  slaac: filter('slaac', [['query', '']], (value, [query]) => slaac(value, query)),
  usable_range: plain('usable_range', (value) => {
    const net = typeof value === 'string' ? parseNetwork(value) : undefined
    if (!net) throw filterError(`Error while using plugin 'usable_range': ${repr(value)} does not appear to be an IPv4 or IPv6 network`)
    if (firstOf(net) !== net.value) throw filterError(`Error while using plugin 'usable_range': ${str(value)} has host bits set`)
    const ips: Value[] = []
    for (let at = firstOf(net); at <= lastOf(net); at++) ips.push(formatAddress({ version: net.version, value: at }))
    return new Map<Value, Value>([
      ['usable_ips', ips],
      ['number_of_ips', normalInt(sizeOf(net))],
    ])
  }),
}

function byVersion(name: string, version: IpVersion): FilterTable[string] {
  return filter(name, [['query', '']], (value, [query]) => {
    checkType(value, name)
    return ipaddr(value, str(query), version, name)
  })
}

function versionOf(version: Value): IpVersion | undefined {
  return version === 4 || version === '4' ? 4 : version === 6 || version === '6' ? 6 : undefined
}

/** Brackets around IPv6 addresses; everything else comes back as it is. */
function wrap(value: Value, query: string): Value {
  if (typeof value !== 'string' && !Array.isArray(value) && typeof value !== 'boolean') throw wrongType(value, 'ipwrap')
  try {
    if (Array.isArray(value)) return value.map((item) => (truth(ipaddr(item, query, undefined, 'ipwrap')) ? ask(item, 'wrap') : item))
    const found = ipaddr(value, query, undefined, 'ipwrap')
    return truth(found) ? ask(found, 'wrap') : value
  } catch {
    return value // what cannot be asked is not wrapped
  }
}

/** The network an address or a network stands for. */
function networkOf(value: Value): Network | undefined {
  const type = ask(value, 'type')
  const text = type === 'address' ? ask(value, 'cidr') : type === 'network' ? ask(value, 'subnet') : undefined
  return typeof text === 'string' ? parseNetwork(text) : undefined
}

function neighbour(value: Value, offset: Value, direction: bigint): Value {
  const net = networkOf(value)
  if (!net) return false
  if (typeof offset !== 'number' && typeof offset !== 'bigint') throw filterError('Must pass in an integer')
  if (sizeOf(net) === 1n) return null
  const [first, last] = sizeOf(net) === 2n ? [firstOf(net), lastOf(net)] : [firstOf(net) + 1n, lastOf(net) - 1n]
  const nth = net.value + direction * BigInt(offset)
  return nth >= first && nth <= last ? formatAddress({ version: net.version, value: nth }) : null
}

interface Range {
  readonly first: bigint
  readonly last: bigint
}

/** First and last address, an address alone counting as its network. */
function rangeOf(value: Value): Range {
  const subnet = ask(value, 'subnet')
  const net = typeof subnet === 'string' ? parseNetwork(subnet) : undefined
  return net
    ? { first: firstOf(net), last: sizeOf(net) > 2n ? lastOf(net) : sizeOf(net) === 2n ? firstOf(net) : net.value }
    : { first: 0n, last: 0n }
}

function usableRangeOf(value: Value): Range {
  const subnet = ask(value, 'subnet')
  const net = typeof subnet === 'string' ? parseNetwork(subnet) : undefined
  if (!net) return { first: 0n, last: 0n }
  if (sizeOf(net) <= 2n) return { first: firstOf(net), last: lastOf(net) }
  return { first: firstOf(net) + 1n, last: lastOf(net) - 1n }
}

function isWithin(value: Value, range: Range): boolean {
  const inner = rangeOf(value)
  return inner.first >= range.first && inner.first <= range.last && inner.last >= range.first && inner.last <= range.last
}

function slaac(value: Value, query: Value): Value {
  if (ask(value, 'version') !== 6) return false
  const net = networkOf(value)
  const mac = truth(query) ? parseHardware(query) : undefined
  if (!net || !mac) return false
  const eui = mac.bits === 64 ? mac.value : ((mac.value >> 24n) << 40n) | (0xfffen << 24n) | (mac.value & 0xffffffn)
  return formatAddress({ version: 6, value: firstOf(net) + (eui ^ (1n << 57n)) })
}

function ipsubnet(value: Value, [query, index]: Bound): Value {
  const net = networkOf(value)
  if (!net) return false
  const cidr: Network = { ...net, value: firstOf(net) }
  const isAddress = sizeOf(cidr) === 1n
  const wanted = str(query)
  if (wanted === '' || query === null) return formatNetwork(cidr)
  if (!/^\d+$/.test(wanted)) return placeWithin(cidr, wanted)
  const bits = Number(wanted)
  const width = WIDTH[cidr.version]
  if (bits > width) return false
  const at = index === null ? undefined : Number(asIndex(index) ?? str(index))
  return isAddress ? supernet(cidr, bits, at, width) : subnetAt(cidr, bits, at, width)
}

/** The enclosing networks from the given size down to the address's own. */
function supernet(net: Network, bits: number, at: number | undefined, width: number): Value {
  const sizes = Array.from({ length: net.prefix - bits }, (_, i) => bits + i)
  if (at !== undefined && (at > width + 1 - at || at < bits - width)) return false
  const prefix = sizes.at(at ?? 0)
  if (prefix === undefined) throw filterError('list index out of range')
  return formatNetwork({ version: net.version, value: firstOf({ ...net, prefix }), prefix })
}

function subnetAt(net: Network, bits: number, at: number | undefined, width: number): Value {
  if (at === undefined) {
    if (bits < net.prefix) throw filterError(`Requested subnet size of ${bits} is invalid`)
    return String(1n << BigInt(bits - net.prefix))
  }
  if (bits < net.prefix) return false
  const count = 1n << BigInt(bits - net.prefix)
  const index = at < 0 ? BigInt(at) + count : BigInt(at)
  if (index < 0n || index >= count) return false
  return formatNetwork({ version: net.version, value: firstOf(net) + (index << BigInt(width - bits)), prefix: bits })
}

/** Which subnet of another network is it, counted from 1? */
function placeWithin(net: Network, query: string): Value {
  const outer = networkOf(query)
  if (!outer) throw filterError(`You must pass a valid subnet or IP address; ${query} is invalid`)
  const width = BigInt(WIDTH[net.version])
  const shift = width - BigInt(outer.prefix)
  if (net.value >> shift !== outer.value >> shift) {
    throw filterError(
      `${formatNetwork({ ...net, value: firstOf(net) })} is not in the subnet ${formatNetwork({ ...outer, value: firstOf(outer) })}`,
    )
  }
  const low = width - BigInt(net.prefix)
  const mask = ((1n << BigInt(Math.max(0, net.prefix - outer.prefix))) - 1n) << low
  return String(((net.value & mask) >> low) + 1n)
}

function mergeNetworks(value: Value, action: Value): Value {
  const nets = toList(value).map((item) => {
    const net = parseNetwork(str(item))
    if (!net) throw filterError(`cidr_merge: error in netaddr:\ninvalid IPNetwork ${str(item)}`)
    return net
  })
  if (action === 'merge') return merged(nets).map(formatNetwork)
  if (action !== 'span') throw filterError(`cidr_merge: invalid action '${str(action)}'`)
  if (nets.length === 0) return null
  return nets.length === 1 ? formatNetwork(nets[0]!) : formatNetwork(spanning(nets))
}

function spanning(nets: readonly Network[]): Network {
  if (nets.some((net) => net.version !== nets[0]!.version))
    throw filterError('cidr_merge: error in netaddr:\nIP sequence cannot contain both IPv4 and IPv6!')
  const first = nets.map(firstOf).reduce((a, b) => (compare(a, b) < 0 ? a : b))
  const last = nets.map(lastOf).reduce(larger)
  const { version } = nets[0]!
  let prefix = WIDTH[version]
  while (prefix > 0 && lastOf({ version, value: first, prefix }) < last) prefix--
  return { version, value: firstOf({ version, value: first, prefix }), prefix }
}

interface Span extends Range {
  /** the network as given, while it stands alone */
  readonly alone?: Network | undefined
}

/** The fewest networks that cover the same addresses; one that touches no other stays as it was written. */
function merged(nets: readonly Network[]): Network[] {
  return ([4, 6] as const).flatMap((version) => {
    const spans = nets
      .filter((net) => net.version === version)
      .map((net): Span => ({ first: firstOf(net), last: lastOf(net), alone: net }))
      .sort((a, b) => compare(a.first, b.first) || compare(a.last, b.last))
    const joined: Span[] = []
    for (const span of spans) {
      const before = joined.at(-1)
      if (before && span.first <= before.last + 1n)
        joined[joined.length - 1] = { first: before.first, last: larger(span.last, before.last) }
      else joined.push(span)
    }
    return joined.flatMap((span) => (span.alone ? [span.alone] : covering(version, span)))
  })
}

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0)
const larger = (a: bigint, b: bigint): bigint => (compare(a, b) < 0 ? b : a)

function covering(version: IpVersion, range: Range): Network[] {
  const out: Network[] = []
  let at = range.first
  while (at <= range.last) {
    let prefix = WIDTH[version]
    while (prefix > 0) {
      const wider: Network = { version, value: at, prefix: prefix - 1 }
      if (firstOf(wider) !== at || lastOf(wider) > range.last) break
      prefix--
    }
    out.push({ version, value: at, prefix })
    at = lastOf({ version, value: at, prefix }) + 1n
  }
  return out
}
