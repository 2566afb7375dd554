/** Backslash sequences of Python regular expressions → what they stand for. */
import type { Problem } from '../../base/index.ts'
import { characterNamed, repr } from '../python/index.ts'
import type { ClassName, SetItem } from './node.ts'

/** What the reader of a pattern offers to those who read escapes. */
export interface EscapeReader {
  at: number
  readonly text: string
  take(): string | undefined
  accept(char: string): boolean
  skip(count: number): void
  until(end: string, what: string): string
  fail(message: string, position: number): Problem
}

export type Escape =
  | { readonly kind: 'code'; readonly code: number }
  | { readonly kind: 'class'; readonly name: ClassName }
  | { readonly kind: 'anchor'; readonly at: 'A' | 'Z' | 'b' | 'B' }
  | { readonly kind: 'reference'; readonly number: number }

const LETTERS: Readonly<Record<string, number>> = { a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11, '\\': 92 }
const HEX: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 }
const CLASSES = 'dDsSwW'
const ANCHORS = 'AZbB'

/** After a backslash outside a set; `from` is the backslash's place. */
export function readEscape(reader: EscapeReader, from: number): Escape {
  const char = reader.take()
  if (char === undefined) throw reader.fail('bad escape (end of pattern)', from)
  if (CLASSES.includes(char)) return { kind: 'class', name: char as ClassName }
  if (ANCHORS.includes(char)) return { kind: 'anchor', at: char as 'A' | 'Z' | 'b' | 'B' }
  if (char === '0') return { kind: 'code', code: octal(reader, /^[0-7]{0,2}/) }
  if (char >= '1' && char <= '9') return readNumber(reader, char, from)
  return { kind: 'code', code: readCharacter(reader, char, from) }
}

/** After a backslash within a set. */
export function readClassEscape(reader: EscapeReader, from: number): SetItem {
  const char = reader.take()
  if (char === undefined) throw reader.fail('bad escape (end of pattern)', from)
  if (CLASSES.includes(char)) return { name: char as ClassName }
  if (char >= '0' && char <= '7') {
    reader.at--
    const code = octal(reader, /^[0-7]{1,3}/)
    if (code > 0o377) throw tooLarge(reader, from)
    return { low: code, high: code }
  }
  const code = readCharacter(reader, char, from)
  return { low: code, high: code }
}

/** One to three octal digits are a character, other digits a group. */
function readNumber(reader: EscapeReader, first: string, from: number): Escape {
  const rest = reader.text.slice(reader.at)
  if (/^[0-7]$/.test(first) && /^[0-7]{2}/.test(rest)) {
    const code = Number.parseInt(first + rest.slice(0, 2), 8)
    reader.skip(2)
    if (code > 0o377) throw tooLarge(reader, from)
    return { kind: 'code', code }
  }
  const second = /^\d/.exec(rest)?.[0] ?? ''
  reader.skip(second.length)
  return { kind: 'reference', number: Number(first + second) }
}

function tooLarge(reader: EscapeReader, from: number): Problem {
  return reader.fail(`octal escape value ${reader.text.slice(from, reader.at)} outside of range 0-0o377`, from)
}

function octal(reader: EscapeReader, digits: RegExp): number {
  const found = digits.exec(reader.text.slice(reader.at))![0]
  reader.skip(found.length)
  return found === '' ? 0 : Number.parseInt(found, 8)
}

function readCharacter(reader: EscapeReader, char: string, from: number): number {
  if (char === 'N') return named(reader, from)
  const size = HEX[char]
  if (size !== undefined) return hex(reader, size, from)
  const code = LETTERS[char]
  if (code !== undefined) return code
  if (/[A-Za-z0-9]/.test(char)) throw reader.fail(`bad escape \\${char}`, from)
  return char.codePointAt(0)!
}

/** \N{name}: only names that the table knows are told apart from mistakes. */
function named(reader: EscapeReader, from: number): number {
  if (!reader.accept('{')) throw reader.fail('missing {', reader.at)
  const name = reader.until('}', 'character name')
  const code = characterNamed(name)
  if (code === undefined) throw reader.fail(`undefined character name ${repr(name)}`, from)
  return code
}

function hex(reader: EscapeReader, size: number, from: number): number {
  const digits = /^[0-9A-Fa-f]*/.exec(reader.text.slice(reader.at, reader.at + size))![0]
  reader.skip(digits.length)
  const code = Number.parseInt(digits, 16)
  if (digits.length < size || code > 0x10ffff)
    throw reader.fail(`${digits.length < size ? 'incomplete' : 'bad'} escape ${reader.text.slice(from, reader.at)}`, from)
  return code
}
