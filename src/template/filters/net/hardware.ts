/** hwaddr: hardware addresses, read and written in many spellings. */
import type { Value } from '../../../base/index.ts'
import { filterError, isInteger, normalInt, str } from '../../python/index.ts'

/** A hardware address of 48 or 64 bits. */
export interface HardwareAddress {
  readonly value: bigint
  readonly bits: 48 | 64
}

const words = (mac: HardwareAddress, size: number, separator: string): string =>
  mac.value
    .toString(16)
    .padStart(mac.bits / 4, '0')
    .replace(new RegExp(`.{${size}}(?=.)`, 'g'), `$&${separator}`)

const SPELLINGS: Readonly<Record<string, (mac: HardwareAddress) => Value>> = {
  bare: (mac) => words(mac, 100, '').toUpperCase(),
  cisco: (mac) => words(mac, 4, '.'),
  eui48: (mac) => words(mac, 2, '-').toUpperCase(),
  int: (mac) => normalInt(mac.value),
  linux: (mac) => words(mac, 2, ':'),
  pgsql: (mac) => words(mac, 6, ':'),
  postgresql: (mac) => words(mac, 6, ':'),
  psql: (mac) => words(mac, 6, ':'),
  unix: (mac) => words(mac, 2, ':').replace(/(^|:)0/g, '$1'),
  win: (mac) => words(mac, 2, '-').toUpperCase(),
}

export function hwaddr(value: Value, query: string, alias: string): Value {
  const mac = parseHardware(value)
  if (!mac && query !== '' && query !== 'bool') throw filterError(`${alias}: not a hardware address: ${str(value)}`)
  if (query === '') return mac ? value : null
  if (query === 'bool') return mac ? true : null
  const spell = Object.hasOwn(SPELLINGS, query) ? SPELLINGS[query] : undefined
  if (!spell) throw filterError(`${alias}: unknown filter type: ${query}`)
  return spell(mac!)
}

const FORMS: readonly RegExp[] = [
  /^(?:[0-9a-f]{1,2}[:-]){5}[0-9a-f]{1,2}$/i,
  /^(?:[0-9a-f]{1,4}[:.-]){2}[0-9a-f]{1,4}$/i,
  /^[0-9a-f]{5,6}[:-][0-9a-f]{5,6}$/i,
  /^[0-9a-f]{11,12}$/i,
  /^(?:[0-9a-f]{1,2}[:-]){7}[0-9a-f]{1,2}$/i,
  /^(?:[0-9a-f]{1,4}[:.-]){3}[0-9a-f]{1,4}$/i,
  /^[0-9a-f]{16}$/i,
]
const BITS: readonly (48 | 64)[] = [48, 48, 48, 48, 64, 64, 64]

export function parseHardware(value: Value): HardwareAddress | undefined {
  if (isInteger(value) && typeof value !== 'boolean') {
    const number = BigInt(value)
    if (number < 0n || number >= 1n << 64n) return undefined
    return { value: number, bits: number < 1n << 48n ? 48 : 64 }
  }
  if (typeof value !== 'string') return undefined
  const form = FORMS.findIndex((f) => f.test(value))
  if (form === -1) return undefined
  const bits = BITS[form]!
  const parts = value.split(/[:.-]/)
  const digits = bits / 4 / parts.length
  return { value: BigInt(`0x${parts.map((part) => part.padStart(digits, '0')).join('')}`), bits }
}
