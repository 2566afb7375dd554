/** ansible.utils' tests on addresses and networks, by the rules of Python's ipaddress. */
import type { Value } from '../../base/index.ts'
import {
  contains,
  firstOf,
  type IpVersion,
  type Network,
  netMask,
  parseAddress,
  parseNetwork,
  sizeOf,
  WIDTH,
} from '../filters/net/address.ts'
import { isResolvable } from '../lookups/dns.ts'
import { str, toList } from '../python/index.ts'
import type { TestFunction } from '../registry.ts'
import { claim, type TestTable, test } from './define.ts'

const networks = (...texts: string[]): Network[] => texts.map((text) => parseNetwork(text)!)

const PRIVATE = networks(
  '0.0.0.0/8',
  '10.0.0.0/8',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.0.170/31',
  '192.0.2.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '240.0.0.0/4',
  '255.255.255.255/32',
  '::1/128',
  '::/128',
  '::ffff:0:0/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  'fc00::/7',
  'fe80::/10',
)
/** parts of private networks that are not private themselves */
const GLOBAL = networks(
  '192.0.0.9/32',
  '192.0.0.10/32',
  '2001:1::1/128',
  '2001:1::2/128',
  '2001:3::/32',
  '2001:4:112::/48',
  '2001:20::/28',
  '2001:30::/28',
)
const SHARED = networks('100.64.0.0/10')
const RESERVED = networks(
  '240.0.0.0/4',
  '::/8',
  '100::/8',
  '200::/7',
  '400::/6',
  '800::/5',
  '1000::/4',
  '4000::/3',
  '6000::/3',
  '8000::/3',
  'a000::/3',
  'c000::/3',
  'e000::/4',
  'f000::/5',
  'f800::/6',
  'fe00::/9',
)
const MULTICAST = networks('224.0.0.0/4', 'ff00::/8')
const LOOPBACK = networks('127.0.0.0/8', '::1/128')
const UNSPECIFIED = networks('0.0.0.0/32', '::/128')
const MAPPED = networks('::ffff:0:0/96')
const SIX_TO_FOUR = networks('2002::/16')
const TEREDO = networks('2001::/32')

/** A network without host bits, or an address alone. */
function network(value: Value): Network | undefined {
  const text = unscoped(str(value))
  if (!parseAddress(text.split('/')[0]!) || text.split('/').length > 2) return undefined
  const net = parseNetwork(text)
  return net && net.value === firstOf(net) ? net : undefined
}

/** Without the interface that may stand behind an IPv6 address. */
const unscoped = (text: string): string => text.replace(/^([0-9a-fA-F:.]*:[0-9a-fA-F:.]*)%[^%/]+/, '$1')

function address(value: Value): Network | undefined {
  const found = parseAddress(unscoped(str(value)))
  return found && { ...found, prefix: WIDTH[found.version] }
}

const isNetwork = (name: string, version?: IpVersion): TestFunction =>
  claim(name, (value) => {
    const net = network(value)
    return net !== undefined && (version === undefined || net.version === version)
  })

const isAddress = (name: string, version?: IpVersion): TestFunction =>
  claim(name, (value) => {
    const found = address(value)
    return found !== undefined && (version === undefined || found.version === version)
  })

/** An address within one of some networks. */
const within = (name: string, all: readonly Network[]): TestFunction =>
  claim(name, (value) => {
    const found = address(value)
    return found !== undefined && isIn(found, all)
  })

const isPrivate = (net: Network): boolean => isIn(net, PRIVATE) && !isIn(net, GLOBAL)
const isIn = (net: Network, all: readonly Network[]): boolean => all.some((outer) => contains(outer, net))

function inNetwork(value: Value, outer: Value): boolean {
  const [inner, around] = [network(value), network(outer)]
  return inner !== undefined && around !== undefined && contains(around, inner)
}

/** Is a text the mask that some prefix of IPv4 has? */
function isMask(value: Value, maskOf: (net: Network) => bigint): boolean {
  const mask = parseAddress(str(value))
  const net = mask?.version === 4 ? parseNetwork(`10.0.0.0/${str(value)}`) : undefined
  return net !== undefined && firstOf(net) === net.value && maskOf(net) === mask!.value
}

const MACS = [/^([0-9a-f]{2}[:-]){5}[0-9a-f]{2}$/i, /^([0-9a-f]{4}\.){2}[0-9a-f]{4}$/i, /^[0-9a-f]{12}$/i]

export const NETWORK_TESTS: TestTable = {
  in_any_network: test('in_any_network', ['networks'], (value, [all]) => toList(all).some((one) => inNetwork(value, one))),
  in_network: test('in_network', ['network'], (value, [outer]) => inNetwork(value, outer)),
  in_one_network: test('in_one_network', ['networks'], (value, [all]) => toList(all).filter((one) => inNetwork(value, one)).length === 1),
  ip: isNetwork('ip'),
  ip_address: isAddress('ip_address'),
  ipv4: isNetwork('ipv4', 4),
  ipv4_address: isAddress('ipv4_address', 4),
  ipv4_hostmask: claim('ipv4_hostmask', (value) => isMask(value, (net) => sizeOf(net) - 1n)),
  ipv4_netmask: claim('ipv4_netmask', (value) => isMask(value, netMask)),
  ipv6: isNetwork('ipv6', 6),
  ipv6_address: isAddress('ipv6_address', 6),
  ipv6_ipv4_mapped: within('ipv6_ipv4_mapped', MAPPED),
  ipv6_sixtofour: within('ipv6_sixtofour', SIX_TO_FOUR),
  ipv6_teredo: within('ipv6_teredo', TEREDO),
  loopback: within('loopback', LOOPBACK),
  mac: claim('mac', (value) => MACS.some((form) => form.test(str(value)))),
  multicast: within('multicast', MULTICAST),
  private: claim('private', (value) => {
    const found = address(value)
    return found !== undefined && isPrivate(found)
  }),
  public: claim('public', (value) => {
    const found = address(value)
    return found !== undefined && !isPrivate(found) && !isIn(found, SHARED)
  }),
  reserved: within('reserved', RESERVED),
  resolvable: claim('resolvable', (value) => isResolvable(str(value))),
  subnet_of: test('subnet_of', ['network_b'], (value, [outer]) => inNetwork(value, outer)),
  supernet_of: test('supernet_of', ['network_b'], (value, [inner]) => inNetwork(inner, value)),
  unspecified: within('unspecified', UNSPECIFIED),
}
