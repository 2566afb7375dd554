/** The output of `ip addr show` → addresses, primary ones of a device first. */
import { linesOf, wordsOf } from '../look.ts'

export interface Address {
  readonly family: 4 | 6
  readonly device: string
  /** the name that the address carries, often the device's own */
  readonly label: string
  readonly address: string
  /** the prefix length as text, as facts have it */
  readonly prefix: string
  readonly scope: string
  readonly secondary: boolean
  readonly broadcast?: string
  readonly netmask?: string
  readonly network?: string
}

export function addressesOf(output: string | undefined): readonly Address[] {
  const found: Address[] = []
  let device = ''
  for (const line of linesOf(output)) {
    const header = /^\d+: ([^@:\s]+(?::[^@:\s]+)?)(?:@\S+)?: </.exec(line)
    if (header) device = header[1]!
    const words = wordsOf(line)
    if (words[0] === 'inet') found.push(ipv4(device, words))
    if (words[0] === 'inet6') found.push(ipv6(device, words))
  }
  // within a device, what `ip addr show primary` tells comes before what `secondary` tells
  const order = [...new Set(found.map((one) => one.device))]
  return order.flatMap((name) => [false, true].flatMap((second) => found.filter((one) => one.device === name && one.secondary === second)))
}

function ipv4(device: string, words: readonly string[]): Address {
  const [address, length] = words[1]!.split('/') as [string, string?]
  const prefix = length ?? '32'
  const mask = Number(prefix) === 0 ? 0 : (0xffffffff << (32 - Number(prefix))) >>> 0
  return {
    family: 4,
    device,
    label: labelOf(words, device),
    address,
    prefix,
    scope: after(words, 'scope'),
    secondary: words.includes('secondary'),
    broadcast: length !== undefined && words[2] === 'brd' ? words[3]! : '',
    netmask: dotted(mask),
    network: dotted((number(address) & mask) >>> 0),
  }
}

function ipv6(device: string, words: readonly string[]): Address {
  const peer = words[2] === 'peer'
  const [address, length] = words[1]!.split('/') as [string, string?]
  return {
    family: 6,
    device,
    label: device,
    address,
    prefix: (peer ? words[3]?.split('/')[1] : length) ?? '128',
    scope: after(words, 'scope'),
    secondary: words.includes('secondary') || words.includes('temporary'),
  }
}

/** The label is the last word unless flags or a lifetime stand there. */
function labelOf(words: readonly string[], device: string): string {
  const last = words.at(-1)!
  return last === device || last.startsWith(`${device}:`) ? last : device
}

const after = (words: readonly string[], word: string): string => (words.includes(word) ? (words[words.indexOf(word) + 1] ?? '') : '')
const number = (address: string): number => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
const dotted = (value: number): string => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.')
