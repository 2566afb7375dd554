/** Bytes in DER (as certificates and requests have them) → a tree of tagged values. */

export interface Der {
  readonly tag: number
  /** the bytes within, without tag and length */
  readonly content: Uint8Array
  /** the value whole, with tag and length */
  readonly whole: Uint8Array
  /** what a constructed value is made of */
  readonly parts: readonly Der[]
}

export const TAG = { boolean: 1, integer: 2, bits: 3, octets: 4, oid: 6, enumerated: 10, sequence: 0x30, set: 0x31 } as const

/** The first value in the bytes. */
export function readDer(bytes: Uint8Array): Der {
  const [value] = readAt(bytes, 0)
  return value
}

function readAt(bytes: Uint8Array, start: number): [Der, number] {
  const tag = bytes[start]
  let at = start + 1
  let length = bytes[at++]
  if (tag === undefined || length === undefined) throw new RangeError('the DER ends too early')
  if (length > 0x7f) {
    const count = length & 0x7f
    length = 0
    for (let i = 0; i < count; i++) length = length * 256 + (bytes[at++] ?? 0)
  }
  const end = at + length
  if (end > bytes.length) throw new RangeError('the DER ends too early')
  const content = bytes.subarray(at, end)
  return [{ tag, content, whole: bytes.subarray(start, end), parts: tag & 0x20 ? readAll(content) : [] }, end]
}

function readAll(bytes: Uint8Array): Der[] {
  const all: Der[] = []
  for (let at = 0; at < bytes.length; ) {
    const [value, end] = readAt(bytes, at)
    all.push(value)
    at = end
  }
  return all
}

/** `2.5.4.3` */
export function oidOf(content: Uint8Array): string {
  const numbers: bigint[] = []
  let number = 0n
  for (const byte of content) {
    number = number * 128n + BigInt(byte & 0x7f)
    if (byte & 0x80) continue
    numbers.push(number)
    number = 0n
  }
  const [head = 0n, ...rest] = numbers
  const first = head < 40n ? 0n : head < 80n ? 1n : 2n
  return [first, head - first * 40n, ...rest].join('.')
}

/** A number as big as it is. */
export function integerOf(content: Uint8Array): bigint {
  const number = content.reduce((all, byte) => all * 256n + BigInt(byte), 0n)
  return (content[0] ?? 0) & 0x80 ? number - (1n << BigInt(content.length * 8)) : number
}

export const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** `aa:bb:cc` */
export const colonsOf = (bytes: Uint8Array): string => (hexOf(bytes).match(/../g) ?? []).join(':')

/** The texts of a string type: of two bytes each, or UTF-8. */
export const textIn = ({ tag, content }: Der): string =>
  tag === 30 ? Buffer.from(content).swap16().toString('utf16le') : Buffer.from(content).toString('utf8')

/** The DER within PEM text; undefined where there is none. */
export function pemToDer(text: string): Uint8Array | undefined {
  const body = /-----BEGIN [^-]+-----([A-Za-z0-9+/=\s]+)-----END/.exec(text)?.[1]
  return body === undefined ? undefined : new Uint8Array(Buffer.from(body, 'base64'))
}
