/** Turns a plain scalar's text into the value YAML 1.1 gives it: yes and off are booleans, 010 is 8, 1:30 is 90, 1e3 is text. */
import { Float, type Scalar } from '../base/index.ts'

const WORDS: ReadonlyMap<string, null | boolean> = new Map<string, null | boolean>([
  ...['', '~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
  ...['yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'].map((word) => [word, true] as const),
  ...['no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'].map((word) => [word, false] as const),
])

const INTEGER = /^(?:([-+]?)(?:0b([01_]+)|0x([0-9a-fA-F_]+)|0([0-7_]+)|(0|[1-9][0-9_]*)|([1-9][0-9_]*(?::[0-5]?[0-9])+)))$/
const FLOAT =
  /^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*)$/
const INFINITE = /^([-+]?)\.(?:inf|Inf|INF)$/
const NOT_A_NUMBER = /^\.(?:nan|NaN|NAN)$/
const MAY_BE_NUMBER = /^[-+.0-9]/

/** The value of an unquoted scalar. Dates stay text. */
export function resolvePlain(text: string): Scalar {
  const word = WORDS.get(text)
  if (word !== undefined) return word
  if (!MAY_BE_NUMBER.test(text)) return text
  return readInteger(text) ?? readFloat(text) ?? text
}

/** An integer in any of YAML 1.1's spellings. */
export function readInteger(text: string): number | bigint | undefined {
  const match = INTEGER.exec(text)
  if (!match) return undefined
  const [, sign, binary, hex, octal, decimal, sixties] = match
  const size =
    binary !== undefined
      ? withBase('0b', binary)
      : hex !== undefined
        ? withBase('0x', hex)
        : octal !== undefined
          ? withBase('0o', octal)
          : sixties !== undefined
            ? sixties.split(':').reduce((sum, part) => sum * 60n + BigInt(part.replaceAll('_', '')), 0n)
            : BigInt((decimal ?? '0').replaceAll('_', ''))
  return size === undefined ? undefined : narrow(sign === '-' ? -size : size)
}

/** A float in any of YAML 1.1's spellings. */
export function readFloat(text: string): Float | undefined {
  const infinite = INFINITE.exec(text)
  if (infinite) return new Float(infinite[1] === '-' ? -Infinity : Infinity)
  if (NOT_A_NUMBER.test(text)) return new Float(Number.NaN)
  if (!FLOAT.test(text)) return undefined
  const digits = text.replaceAll('_', '')
  if (!digits.includes(':')) return new Float(Number(digits))
  const negative = digits.startsWith('-')
  const size = digits
    .replace(/^[-+]/, '')
    .split(':')
    .reduce((sum, part) => sum * 60 + Number(part), 0)
  return new Float(negative ? -size : size)
}

/** A number as JSON spells it: 1e3 is a float there. */
export function readJsonNumber(text: string): number | bigint | Float | undefined {
  if (/^-?(?:0|[1-9][0-9]*)$/.test(text)) return narrow(BigInt(text))
  return /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?$/.test(text) ? new Float(Number(text)) : undefined
}

function withBase(prefix: string, digits: string): bigint | undefined {
  const clean = digits.replaceAll('_', '')
  return clean === '' ? (prefix === '0o' ? 0n : undefined) : BigInt(prefix + clean)
}

function narrow(size: bigint): number | bigint {
  const number = Number(size)
  return Number.isSafeInteger(number) ? number : size
}
