/** Tells what kind of use an address is meant for: private, loopback, multicast and the like. */
import { contains, isHostmask, isNetmask, type Network, parseNetwork } from './address.ts'

const networks = (...texts: string[]): Network[] => texts.map((text) => parseNetwork(text)!)

const PRIVATE = networks(
  '10.0.0.0/8',
  '100.64.0.0/10',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '239.0.0.0/8',
  'fc00::/7',
  'fec0::/10',
)
const LINK_LOCAL = networks('169.254.0.0/16', 'fe80::/10')
const LOOPBACK = networks('127.0.0.0/8', '::1/128')
const MULTICAST = networks('224.0.0.0/4', 'ff00::/8')

const within = (all: readonly Network[], net: Network): boolean => all.some((outer) => contains(outer, net))

export const isLinkLocal = (net: Network): boolean => within(LINK_LOCAL, net)
export const isLoopback = (net: Network): boolean => within(LOOPBACK, net)
export const isMulticast = (net: Network): boolean => within(MULTICAST, net)
export const isPrivate = (net: Network): boolean => within(PRIVATE, net) || isLinkLocal(net)

export function isPublic(net: Network): boolean {
  return !isMulticast(net) && !isPrivate(net) && !isLoopback(net) && !isNetmask(net) && !isHostmask(net)
}
