/** Strings by code points, as Python counts them. */

const SURROGATE = /[\ud800-\udfff]/

/** Does counting UTF-16 units give the same as counting code points? */
export const isSimple = (text: string): boolean => !SURROGATE.test(text)

/** The characters of a text. */
export const characters = (text: string): string[] => (isSimple(text) ? text.split('') : Array.from(text))

/** How many characters it has. */
export const textLength = (text: string): number => (isSimple(text) ? text.length : Array.from(text).length)

/** `text[index]` for an index within bounds or beyond; negative ones count from the end. */
export function characterAt(text: string, index: number): string | undefined {
  if (isSimple(text)) return text[index < 0 ? index + text.length : index]
  const all = Array.from(text)
  return all[index < 0 ? index + all.length : index]
}

/** The UTF-16 offset of a character's index. */
export function offsetOf(text: string, index: number): number {
  return isSimple(text) ? index : Array.from(text).slice(0, index).join('').length
}

/** The character's index of a UTF-16 offset. */
export function indexOf(text: string, offset: number): number {
  return offset < 0 || isSimple(text) ? offset : Array.from(text.slice(0, offset)).length
}
