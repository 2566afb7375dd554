/** Python's random.Random: the Mersenne Twister, seeded with text or numbers. */
import { createHash, randomBytes } from 'node:crypto'
import { Float, type Value } from '../../base/index.ts'
import { PyError, repr } from '../python/index.ts'

const N = 624
const M = 397

/** What draws the bits. */
export interface RandomSource {
  bits(count: number): bigint
}

export function seededRandom(seed: Value): RandomSource {
  return new MersenneTwister(wordsOf(seed))
}

/** The operating system's randomness. */
export const SYSTEM_RANDOM: RandomSource = {
  bits(count) {
    const bytes = randomBytes(Math.ceil(count / 8))
    return BigInt(`0x0${bytes.toString('hex')}`) >> BigInt(bytes.length * 8 - count)
  },
}

/** A number from 0 up to, not including, `limit`. */
export function below(source: RandomSource, limit: number): number {
  if (limit <= 0) return 0
  const count = BigInt(limit).toString(2).length
  let drawn = source.bits(count)
  while (drawn >= BigInt(limit)) drawn = source.bits(count)
  return Number(drawn)
}

/** random.shuffle */
export function shuffled<T>(source: RandomSource, items: readonly T[]): T[] {
  const out = items.slice()
  for (let i = out.length - 1; i > 0; i--) {
    const j = below(source, i + 1)
    const held = out[i]!
    out[i] = out[j]!
    out[j] = held
  }
  return out
}

function wordsOf(seed: Value): number[] {
  if (typeof seed === 'string' || seed instanceof Uint8Array) {
    const text = Buffer.from(seed)
    return words(BigInt(`0x${Buffer.concat([text, createHash('sha512').update(text).digest()]).toString('hex')}`))
  }
  if (typeof seed === 'boolean') return [Number(seed)]
  if (typeof seed === 'number' || typeof seed === 'bigint') return words(seed < 0 ? -BigInt(seed) : BigInt(seed))
  if (seed instanceof Float) return words(floatHash(seed.value))
  throw new PyError('TypeError', `The only supported seed types are: None,\nint, float, str, bytes, and bytearray. (${repr(seed)})`)
}

function words(value: bigint): number[] {
  const out: number[] = []
  for (let rest = value; rest > 0n; rest >>= 32n) out.push(Number(rest & 0xffffffffn))
  return out.length === 0 ? [0] : out
}

const HASH_BITS = 61n
const HASH_MODULUS = (1n << HASH_BITS) - 1n

/** hash() of a float, as an unsigned word. */
function floatHash(value: number): bigint {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 0n : 314159n
  let exponent = 0
  let mantissa = Math.abs(value)
  while (mantissa !== 0 && !Number.isInteger(mantissa)) {
    mantissa *= 2
    exponent--
  }
  const shift = (HASH_BITS + (BigInt(exponent) % HASH_BITS)) % HASH_BITS
  const hash = ((BigInt(mantissa) % HASH_MODULUS) << shift) % HASH_MODULUS
  return hash
}

class MersenneTwister implements RandomSource {
  private readonly state = new Uint32Array(N)
  private index = N

  constructor(key: readonly number[]) {
    this.seed(19650218)
    const { state } = this
    let i = 1
    let j = 0
    for (let k = Math.max(N, key.length); k > 0; k--) {
      const previous = state[i - 1]! ^ (state[i - 1]! >>> 30)
      state[i] = (state[i]! ^ Math.imul(previous, 1664525)) + key[j]! + j
      if (++i >= N) {
        state[0] = state[N - 1]!
        i = 1
      }
      if (++j >= key.length) j = 0
    }
    for (let k = N - 1; k > 0; k--) {
      const previous = state[i - 1]! ^ (state[i - 1]! >>> 30)
      state[i] = (state[i]! ^ Math.imul(previous, 1566083941)) - i
      if (++i >= N) {
        state[0] = state[N - 1]!
        i = 1
      }
    }
    state[0] = 0x80000000
  }

  bits(count: number): bigint {
    if (count <= 32) return BigInt(this.next() >>> (32 - count))
    let out = 0n
    for (let taken = 0; taken < count; taken += 32) {
      const left = count - taken
      out |= BigInt(left < 32 ? this.next() >>> (32 - left) : this.next()) << BigInt(taken)
    }
    return out
  }

  private seed(value: number): void {
    this.state[0] = value
    for (let i = 1; i < N; i++) {
      const previous = this.state[i - 1]! ^ (this.state[i - 1]! >>> 30)
      this.state[i] = Math.imul(previous, 1812433253) + i
    }
  }

  private next(): number {
    if (this.index >= N) this.twist()
    let y = this.state[this.index++]!
    y ^= y >>> 11
    y ^= (y << 7) & 0x9d2c5680
    y ^= (y << 15) & 0xefc60000
    y ^= y >>> 18
    return y >>> 0
  }

  private twist(): void {
    const { state } = this
    for (let i = 0; i < N; i++) {
      const y = (state[i]! & 0x80000000) | (state[(i + 1) % N]! & 0x7fffffff)
      state[i] = state[(i + M) % N]! ^ (y >>> 1) ^ (y & 1 ? 0x9908b0df : 0)
    }
    this.index = 0
  }
}
