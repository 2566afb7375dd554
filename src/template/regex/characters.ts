/** Parts of a pattern that take one character → the test of a code point. */
import { asciiLower, kin, lower } from './cases.ts'
import type { CharacterNode, ClassName, Flags, SetItem } from './node.ts'

export type CharacterTest = (code: number) => boolean

export function characterTest(node: CharacterNode): CharacterTest {
  switch (node.kind) {
    case 'char':
      return oneOf(node.code, node.flags)
    case 'any':
      return node.flags.dotAll ? () => true : (code) => code !== 10
    case 'class':
      return classTest(node.name, node.flags)
    case 'set':
      return remembered(setTest(node.items, node.negated, node.flags))
  }
}

export function isWord(code: number, ascii: boolean): boolean {
  return ascii || code < 128 ? code < 128 && WORD_ASCII.test(String.fromCharCode(code)) : WORD.test(String.fromCodePoint(code))
}

/** The small letter by the rule that holds under these flags. */
export function lowerBy(flags: Flags): (code: number) => number {
  return flags.ascii ? asciiLower : lower
}

const WORD_ASCII = /^\w$/
const WORD = /^[\p{L}\p{N}_]$/u
const DIGIT = /^\p{Nd}$/u
const SPACE = /^[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]$/
const isDigit = (code: number, ascii: boolean): boolean =>
  ascii || code < 128 ? code >= 48 && code <= 57 : DIGIT.test(String.fromCodePoint(code))
const isSpace = (code: number, ascii: boolean): boolean =>
  ascii ? code === 32 || (code >= 9 && code <= 13) : code < 0x10000 && SPACE.test(String.fromCharCode(code))

const CLASSES: Readonly<Record<ClassName, (code: number, ascii: boolean) => boolean>> = {
  d: isDigit,
  s: isSpace,
  w: isWord,
  D: (code, ascii) => !isDigit(code, ascii),
  S: (code, ascii) => !isSpace(code, ascii),
  W: (code, ascii) => !isWord(code, ascii),
}

function classTest(name: ClassName, { ascii }: Flags): CharacterTest {
  const test = CLASSES[name]
  return (code) => test(code, ascii)
}

function oneOf(wanted: number, flags: Flags): CharacterTest {
  if (!flags.ignoreCase) return (code) => code === wanted
  const small = lowerBy(flags)
  const letters = flags.ascii ? [small(wanted)] : kin(small(wanted))
  return letters.length === 1 ? (code) => small(code) === letters[0] : (code) => letters.includes(small(code))
}

/** Where case is ignored, a character's small letter is looked for among the small letters of the set. */
function setTest(items: readonly SetItem[], negated: boolean, flags: Flags): CharacterTest {
  const tests = items.map((item) => ('name' in item ? classTest(item.name, flags) : rangeTest(item.low, item.high, flags)))
  if (!flags.ignoreCase) return (code) => tests.some((test) => test(code)) !== negated
  const small = lowerBy(flags)
  return (code) => {
    const letter = small(code)
    return tests.some((test) => test(letter)) !== negated
  }
}

function rangeTest(low: number, high: number, flags: Flags): CharacterTest {
  if (!flags.ignoreCase) return (code) => code >= low && code <= high
  const small = lowerBy(flags)
  const upTo = Math.min(high, 0xffff)
  const letters = new Set<number>()
  for (let code = low; code <= upTo; code++) for (const letter of flags.ascii ? [small(code)] : kin(small(code))) letters.add(letter)
  return (letter) => letters.has(letter) || (high > 0xffff && letter > 0xffff && within(letter, low, high))
}

function within(letter: number, low: number, high: number): boolean {
  const upper = String.fromCodePoint(letter).toUpperCase().codePointAt(0)!
  return (letter >= low && letter <= high) || (upper >= low && upper <= high)
}

/** The answers for the first characters are kept. */
function remembered(test: CharacterTest): CharacterTest {
  const known = new Int8Array(256)
  return (code) => {
    if (code > 255) return test(code)
    const answer = known[code]!
    if (answer !== 0) return answer === 1
    const now = test(code)
    known[code] = now ? 1 : 2
    return now
  }
}
