/** IP addresses and networks as numbers: read, written, reckoned with. */

export type IpVersion = 4 | 6

export interface Address {
  readonly version: IpVersion
  readonly value: bigint
}

/** An address with the length of its network's prefix. */
export interface Network extends Address {
  readonly prefix: number
}

export const WIDTH: Readonly<Record<IpVersion, number>> = { 4: 32, 6: 128 }

export const sizeOf = (net: Network): bigint => 1n << BigInt(WIDTH[net.version] - net.prefix)
export const hostMask = (net: Network): bigint => sizeOf(net) - 1n
export const netMask = (net: Network): bigint => ((1n << BigInt(WIDTH[net.version])) - 1n) ^ hostMask(net)
export const firstOf = (net: Network): bigint => net.value & netMask(net)
export const lastOf = (net: Network): bigint => net.value | hostMask(net)

/** The broadcast address; IPv4 networks of one or two addresses have none. */
export function broadcastOf(net: Network): bigint | undefined {
  return net.version === 4 && net.prefix >= 31 ? undefined : lastOf(net)
}

export const contains = (outer: Network, inner: Network): boolean =>
  outer.version === inner.version && firstOf(inner) >= firstOf(outer) && lastOf(inner) <= lastOf(outer)

/** `10.0.0.1`, `fe80::1`; undefined for anything else. */
export function parseAddress(text: string): Address | undefined {
  const four = parseIpv4(text)
  if (four !== undefined) return { version: 4, value: four }
  const six = parseIpv6(text)
  return six === undefined ? undefined : { version: 6, value: six }
}

/** An address, with `/prefix`, `/netmask` or nothing behind it; `10.1/16` and the like are filled with zeros. */
export function parseNetwork(text: string): Network | undefined {
  const slash = text.indexOf('/')
  const head = slash === -1 ? text : text.slice(0, slash)
  const address = parseAddress(head) ?? partialIpv4(head)
  if (!address) return undefined
  const prefix = slash === -1 ? WIDTH[address.version] : parsePrefix(text.slice(slash + 1), address.version)
  return prefix === undefined ? undefined : { ...address, prefix }
}

function parseIpv4(text: string): bigint | undefined {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)?.slice(1)
  if (!parts?.every((part) => Number(part) <= 255 && (part === '0' || !part.startsWith('0')))) return undefined
  return parts.reduce((value, part) => (value << 8n) | BigInt(part), 0n)
}

function partialIpv4(text: string): Address | undefined {
  const parts = text.split('.').map((part) => part.trim())
  if (parts.length > 4 || !parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) <= 255)) return undefined
  const value = [...parts, '0', '0', '0'].slice(0, 4).reduce((sum, part) => (sum << 8n) | BigInt(part), 0n)
  return { version: 4, value }
}

/** Fewer than four parts, in the way of inet_aton: the last one fills what is left. */
export function shortAddress(text: string): Address | undefined {
  const parts = text.split('.')
  if (parts.length > 4 || !parts.every((part) => /^(0[xX][0-9a-fA-F]+|0[0-7]*|[1-9]\d*)$/.test(part))) return undefined
  const numbers = parts.map((part) => BigInt(/^0[0-7]+$/.test(part) ? `0o${part.slice(1)}` : part))
  const last = numbers.pop()!
  const room = BigInt(8 * (4 - numbers.length))
  if (numbers.some((part) => part > 255n) || last >> room) return undefined
  return { version: 4, value: (numbers.reduce((sum, part) => (sum << 8n) | part, 0n) << room) | last }
}

function parseIpv6(text: string): bigint | undefined {
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text)
  if (dotted) {
    const tail = parseIpv4(dotted[2]!)
    if (tail === undefined) return undefined
    return parseIpv6(`${dotted[1]}${(tail >> 16n).toString(16)}:${(tail & 0xffffn).toString(16)}`)
  }
  if (!/^[0-9a-fA-F:]+$/.test(text) || /:::/.test(text)) return undefined
  const halves = text.split('::')
  if (halves.length > 2) return undefined
  const [head = [], tail = []] = halves.map((half) => (half === '' ? [] : half.split(':')))
  const missing = 8 - head.length - tail.length
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined
  const groups = [...head, ...Array<string>(halves.length === 2 ? missing : 0).fill('0'), ...tail]
  if (!groups.every((group) => /^[0-9a-fA-F]{1,4}$/.test(group))) return undefined
  return groups.reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n)
}

function parsePrefix(text: string, version: IpVersion): number | undefined {
  if (/^\s*\+?\d+\s*$/.test(text)) return Number(text) <= WIDTH[version] ? Number(text) : undefined
  const mask = parseAddress(text)
  if (!mask || mask.version !== version) return undefined
  if (isNetmask(mask)) return WIDTH[version] - trailing(mask.value ^ allOnes(version))
  return isHostmask(mask) ? WIDTH[version] - trailing(mask.value) : undefined
}

const allOnes = (version: IpVersion): bigint => (1n << BigInt(WIDTH[version])) - 1n
const trailing = (ones: bigint): number => (ones === 0n ? 0 : ones.toString(2).length)

export function isNetmask(address: Address): boolean {
  return isHostmask({ version: address.version, value: address.value ^ allOnes(address.version) })
}

export const isHostmask = (address: Address): boolean => (address.value & (address.value + 1n)) === 0n

export function formatAddress(address: Address): string {
  return address.version === 4 ? formatIpv4(address.value) : formatIpv6(address.value)
}

export const formatNetwork = (net: Network): string => `${formatAddress(net)}/${net.prefix}`

const formatIpv4 = (value: bigint): string => [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.')

function formatIpv6(value: bigint): string {
  const groups = Array.from({ length: 8 }, (_, i) => Number((value >> BigInt(112 - 16 * i)) & 0xffffn))
  const { start, length } = longestZeros(groups)
  const dotted = start === 0 && (length === 6 || (length === 5 && groups[5] === 0xffff))
  const shown = groups.map((group) => group.toString(16))
  if (dotted) return `::${length === 5 ? 'ffff:' : ''}${formatIpv4(value & 0xffffffffn)}`
  if (length < 2) return shown.join(':')
  return `${shown.slice(0, start).join(':')}::${shown.slice(start + length).join(':')}`
}

function longestZeros(groups: readonly number[]): { start: number; length: number } {
  let best = { start: -1, length: 0 }
  for (let i = 0; i < groups.length; i++) {
    let end = i
    while (end < groups.length && groups[end] === 0) end++
    if (end - i > best.length) best = { start: i, length: end - i }
    i = Math.max(i, end - 1)
  }
  return best
}

/** The name under in-addr.arpa or ip6.arpa. */
export function reverseName(address: Address): string {
  if (address.version === 4) return `${formatIpv4(address.value).split('.').reverse().join('.')}.in-addr.arpa.`
  return `${[...address.value.toString(16).padStart(32, '0')].reverse().join('.')}.ip6.arpa.`
}
