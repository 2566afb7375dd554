/** DER bytes → the values in them, one after the other. */

export interface DerNode {
  readonly tag: number
  /** the bytes of the value */
  readonly body: Uint8Array
  /** the bytes with tag and length */
  readonly whole: Uint8Array
}

export function readDer(bytes: Uint8Array): DerNode {
  return readAll(bytes)[0]!
}

/** The members of a sequence, a set or an explicit tag. */
export function readAll(bytes: Uint8Array): DerNode[] {
  const out: DerNode[] = []
  let at = 0
  while (at < bytes.length) {
    const tag = bytes[at]!
    let length = bytes[at + 1]!
    let from = at + 2
    if (length & 0x80) {
      const count = length & 0x7f
      length = 0
      for (let i = 0; i < count; i++) length = length * 256 + bytes[from + i]!
      from += count
    }
    out.push({ tag, body: bytes.subarray(from, from + length), whole: bytes.subarray(at, from + length) })
    at = from + length
  }
  return out
}

/** `1.2.840.113549` */
export function readOid(bytes: Uint8Array): string {
  const parts: bigint[] = []
  let value = 0n
  for (const byte of bytes) {
    value = (value << 7n) | BigInt(byte & 0x7f)
    if (byte & 0x80) continue
    parts.push(value)
    value = 0n
  }
  const first = parts[0] ?? 0n
  const head = first < 40n ? 0n : first < 80n ? 1n : 2n
  return [head, first - head * 40n, ...parts.slice(1)].join('.')
}

export function readInteger(bytes: Uint8Array): bigint {
  const value = bytes.length === 0 ? 0n : BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
  return bytes.length > 0 && bytes[0]! & 0x80 ? value - (1n << BigInt(bytes.length * 8)) : value
}

/** The bits of a BIT STRING that are set, counted from the first. */
export function readBits(bytes: Uint8Array): Set<number> {
  const set = new Set<number>()
  bytes.subarray(1).forEach((byte, i) => {
    for (let bit = 0; bit < 8; bit++) if (byte & (0x80 >> bit)) set.add(i * 8 + bit)
  })
  return set
}
