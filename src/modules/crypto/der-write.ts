/** Values → their bytes in DER, as certificates and lists of revoked ones have them. */
import { ModuleFailure } from '../api.ts'
import { TAG } from './der.ts'

/** A value of any tag: its length is written before its content. */
export function tagged(tag: number, ...contents: readonly Uint8Array[]): Uint8Array {
  const content = Buffer.concat(contents)
  return new Uint8Array(Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content]))
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length])
  const bytes = bytesOf(BigInt(length))
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes])
}

const bytesOf = (value: bigint): Buffer => {
  const hex = value.toString(16)
  return Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex')
}

export const sequence = (...parts: readonly Uint8Array[]): Uint8Array => tagged(TAG.sequence, ...parts)

/** A number that is not below zero; one whose first bit is set gets a byte before it. */
export function integer(value: bigint): Uint8Array {
  const bytes = bytesOf(value)
  return tagged(TAG.integer, bytes[0]! & 0x80 ? Buffer.concat([Buffer.alloc(1), bytes]) : bytes)
}

/** `2.5.4.3` */
export function oid(dotted: string): Uint8Array {
  const [first = 0n, second = 0n, ...rest] = dotted.split('.').map(BigInt)
  return tagged(TAG.oid, ...[first * 40n + second, ...rest].map(base128))
}

function base128(number: bigint): Uint8Array {
  const bytes = [Number(number & 0x7fn)]
  for (let left = number >> 7n; left > 0n; left >>= 7n) bytes.unshift(Number(left & 0x7fn) | 0x80)
  return Uint8Array.from(bytes)
}

export const NULL = Uint8Array.from([5, 0])

export const octets = (content: Uint8Array): Uint8Array => tagged(TAG.octets, content)

export const bits = (content: Uint8Array): Uint8Array => tagged(TAG.bits, Uint8Array.of(0), content)

/** `20240131235959Z`: years from 1950 to 2049 are written with two digits. */
export function time(at: string): Uint8Array {
  const year = Number(at.slice(0, 4))
  return year >= 1950 && year < 2050 ? tagged(23, Buffer.from(at.slice(2), 'latin1')) : generalizedTime(at)
}

export const generalizedTime = (at: string): Uint8Array => tagged(24, Buffer.from(at, 'latin1'))

/** Country names are of the plainest letters, addresses of ASCII, all others of Unicode. */
const STRING_TAGS: Readonly<Record<string, number>> = { '2.5.4.6': 19, '1.2.840.113549.1.9.1': 22, '0.9.2342.19200300.100.1.25': 22 }

/** Parts of a name by their identifiers, each a set of its own. */
export const nameOf = (parts: readonly (readonly [string, string])[]): Uint8Array =>
  sequence(
    ...parts.map(([dotted, value]) =>
      tagged(TAG.set, sequence(oid(dotted), tagged(STRING_TAGS[dotted] ?? 12, Buffer.from(value, 'utf8')))),
    ),
  )

/** PEM text around bytes, in lines of 64 letters. */
export const pemOf = (label: string, der: Uint8Array): string =>
  `-----BEGIN ${label}-----\n${Buffer.from(der)
    .toString('base64')
    .replace(/.{1,64}/g, '$&\n')}-----END ${label}-----\n`

/** An address's bytes: 4 or 16. */
export function addressBytes(text: string): Uint8Array {
  const parts = text.split('.').map(Number)
  if (/^\d+(\.\d+){3}$/.test(text) && parts.every((one) => one < 256)) return Uint8Array.from(parts)
  const host = URL.canParse(`http://[${text}]`) ? new URL(`http://[${text}]`).hostname.slice(1, -1) : undefined
  if (host === undefined) throw new ModuleFailure(`'${text}' does not appear to be an IPv4 or IPv6 address`)
  const [head = '', tail] = host.split('::')
  const groups = (half: string): string[] => half.split(':').filter(Boolean)
  const left = groups(head)
  const right = tail === undefined ? [] : groups(tail)
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0')
  return new Uint8Array(Buffer.from([...left, ...zeros, ...right].map((one) => one.padStart(4, '0')).join(''), 'hex'))
}
