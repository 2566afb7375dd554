/** The sets of characters that Python's string module has names for. */

export const LOWER = 'abcdefghijklmnopqrstuvwxyz'
export const UPPER = LOWER.toUpperCase()
export const DIGITS = '0123456789'
export const PUNCTUATION = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'
const WHITESPACE = ' \t\n\r\x0b\x0c'

export const CHARACTER_SETS: Readonly<Record<string, string>> = {
  ascii_letters: LOWER + UPPER,
  ascii_lowercase: LOWER,
  ascii_uppercase: UPPER,
  digits: DIGITS,
  hexdigits: `${DIGITS}abcdefABCDEF`,
  octdigits: '01234567',
  printable: DIGITS + LOWER + UPPER + PUNCTUATION + WHITESPACE,
  punctuation: PUNCTUATION,
  whitespace: WHITESPACE,
}
