/** Letters → the letters that Python takes for the same where case is ignored. */

/** The one small letter of a character, as Unicode's simple mapping has it. */
export function lower(code: number): number {
  if (code < 128) return code >= 65 && code <= 90 ? code + 32 : code
  if (code === 0x130) return 0x69
  const text = String.fromCodePoint(code).toLowerCase()
  const found = text.codePointAt(0)!
  return text.length === (found > 0xffff ? 2 : 1) ? found : code
}

export function asciiLower(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code
}

/** Small letters that share their capital with others. */
const KIN: readonly (readonly number[])[] = [
  [0x69, 0x131],
  [0x73, 0x17f],
  [0xb5, 0x3bc],
  [0x345, 0x3b9, 0x1fbe],
  [0x390, 0x1fd3],
  [0x3b0, 0x1fe3],
  [0x3b2, 0x3d0],
  [0x3b5, 0x3f5],
  [0x3b8, 0x3d1],
  [0x3ba, 0x3f0],
  [0x3c0, 0x3d6],
  [0x3c1, 0x3f1],
  [0x3c2, 0x3c3],
  [0x3c6, 0x3d5],
  [0x432, 0x1c80],
  [0x434, 0x1c81],
  [0x43e, 0x1c82],
  [0x441, 0x1c83],
  [0x442, 0x1c84, 0x1c85],
  [0x44a, 0x1c86],
  [0x463, 0x1c87],
  [0x1c88, 0xa64b],
  [0x1e61, 0x1e9b],
  [0xfb05, 0xfb06],
]
const kinOf = new Map(KIN.flatMap((letters) => letters.map((letter) => [letter, letters] as const)))

/** A small letter and those that have the same capital. */
export function kin(letter: number): readonly number[] {
  return kinOf.get(letter) ?? [letter]
}

/** The characters beyond ASCII whose small letter, or its kin, is an ASCII letter. */
export const FOREIGN_CAPITALS: readonly number[] = [0x130, 0x131, 0x17f, 0x212a]
