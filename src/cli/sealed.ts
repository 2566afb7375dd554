/** What a vault was opened to → the texts in it that are secrets: all of it, or of a file of variables the values that cannot be words of everyday. */

const VARIABLES = /^[\w-]+\s*:/m
/** A key, a dash, or both, before a value that stands on its line. */
const LEAD = /^\s*(?:- +)*(?:["']?[\w.-]+["']?\s*:(?=\s))?\s*/
/** What YAML or a template reads as something else than text. */
const NO_TEXT = /^(?:[|>&*!#{[]|\{\{|$)/

/** Short values and words would mask half the output. */
const isTelling = (text: string): boolean => text.length >= 12 || (text.length >= 8 && !/^[a-z]+$/i.test(text)) || (text.length >= 6 && /\d/.test(text) && /[a-z]/i.test(text)) // biome-ignore format: one thought

export function secretsIn(plain: string): string[] {
  if (!plain.includes('\n') || !VARIABLES.test(plain)) return [plain]
  return plain
    .split(/\r?\n/)
    .map((line) =>
      line
        .replace(LEAD, '')
        .replace(/\s+#.*$/, '')
        .trim(),
    )
    .filter((value) => !NO_TEXT.test(value) && !/^[\w.-]+:$/.test(value))
    .map((value) => (/^(["']).*\1$/.test(value) ? value.slice(1, -1) : value))
    .filter((value) => !value.includes('{{') && isTelling(value))
}
