/** Addresses in other forms: the first or last bits of one, all of its groups or as few as there can be. */
import type { Value } from '../../../base/index.ts'
import { asIndex, filterError, str } from '../../python/index.ts'
import { type FilterTable, filter } from '../define.ts'
import { formatAddress, parseAddress, WIDTH } from './address.ts'

export const ADDRESS_FORMS: FilterTable = {
  ipcut: filter('ipcut', ['amount'], (value, [amount]) => {
    const address = parseAddress(str(value))
    if (!address) throw invalid(value)
    const count = asIndex(typeof amount === 'string' && /^[+-]?\d+$/.test(amount) ? Number(amount) : amount)
    if (count === undefined) throw filterError(`You must pass an integer for arithmetic; ${str(amount)} is not a valid integer`)
    const bits = address.value.toString(2).padStart(WIDTH[address.version], '0')
    const kept = count < 0 ? bits.slice(count) : bits.slice(0, count)
    return address.version === 6 ? inParts(kept, 16).map(hexadecimal).join(':') : inParts(kept, 8).map(decimal).join('.')
  }),
  ipv6form: filter('ipv6form', ['format'], (value, [format]) => {
    const address = parseAddress(str(value))
    if (!address) throw invalid(value)
    if (format === 'compress') return formatAddress(address)
    if (address.version === 4) return format === 'expand' || format === 'x509' ? formatAddress(address) : null
    const groups = inParts(address.value.toString(2).padStart(WIDTH[6], '0'), 16).map(hexadecimal)
    if (format === 'expand') return groups.map((group) => group.padStart(4, '0')).join(':')
    return format === 'x509' ? groups.join(':') : null
  }),
}

const invalid = (value: Value): Error => filterError(`You must pass a valid IP address; ${str(value)} is invalid`)

const inParts = (bits: string, width: number): string[] => bits.match(new RegExp(`.{1,${width}}`, 'g')) ?? []
const hexadecimal = (bits: string): string => Number.parseInt(bits, 2).toString(16)
const decimal = (bits: string): string => String(Number.parseInt(bits, 2))
