/** Writes a text in one of YAML's styles, folded at the page's width. */
import { isBreak, isPrintable } from './yaml-analyze.ts'
import type { YamlPage } from './yaml-page.ts'

export function writePlain(page: YamlPage, chars: readonly string[], mayFold: boolean, indent: number, inFlow: boolean): void {
  if (!page.whitespace && (chars.length > 0 || inFlow)) page.put(' ')
  writeLines(page, chars, indent, (i, afterSpace) => mayFold && !afterSpace && page.isPastWidth() && chars[i + 1] !== ' ')
  page.whitespace = false
  page.indention = false
}

export function writeSingle(page: YamlPage, chars: readonly string[], mayFold: boolean, indent: number): void {
  page.indicator("'", true)
  const last = chars.length - 1
  const fold = (i: number, afterSpace: boolean): boolean =>
    mayFold && !afterSpace && page.isPastWidth() && i !== 0 && i !== last && chars[i + 1] !== ' '
  if (writeLines(page, chars, indent, fold, "'")) page.newLine(indent)
  page.indicator("'", false)
  page.whitespace = false
  page.indention = false
}

/** Words and line breaks of plain and single-quoted texts; true where it ends with a break. */
function writeLines(
  page: YamlPage,
  chars: readonly string[],
  indent: number,
  shouldFold: (index: number, afterSpace: boolean) => boolean,
  doubled?: string,
): boolean {
  let afterSpace = false
  let afterBreak = false
  for (let i = 0; i < chars.length; i++) {
    const char = chars[i]!
    if (char === ' ') {
      if (shouldFold(i, afterSpace)) page.newLine(indent)
      else page.put(' ')
      afterSpace = true
    } else if (isBreak(char)) {
      if (!afterBreak && char === '\n') page.putBreak()
      page.putBreak(char)
      page.indention = true
      afterBreak = true
    } else {
      if (afterBreak) page.newLine(indent)
      page.put(char === doubled ? char + char : char)
      page.indention = false
      afterSpace = false
      afterBreak = false
    }
  }
  return afterBreak
}

const SHORT: Readonly<Record<string, string>> = {
  '\0': '0',
  '\x07': 'a',
  '\b': 'b',
  '\t': 't',
  '\n': 'n',
  '\v': 'v',
  '\f': 'f',
  '\r': 'r',
  '\x1b': 'e',
  '"': '"',
  '\\': '\\',
  '\x85': 'N',
  '\xa0': '_',
  '\u2028': 'L',
  '\u2029': 'P',
}

export function writeDouble(page: YamlPage, chars: readonly string[], mayFold: boolean, indent: number, allowUnicode: boolean): void {
  page.indicator('"', true)
  const last = chars.length - 1
  let afterSpace = false
  for (let i = 0; i <= last; i++) {
    const char = chars[i]!
    if (!isPrintable(char) || (!allowUnicode && char > '\x7e') || isBreak(char) || char === '"' || char === '\\') {
      page.put(escaped(char))
      afterSpace = false
    } else if (char !== ' ') {
      page.put(char, 1)
      afterSpace = false
    } else {
      if (mayFold && !afterSpace && page.isPastWidth() && i !== 0 && i !== last) {
        page.newLine(indent)
        if (chars[i + 1] === ' ') page.put('\\')
      } else page.put(' ')
      afterSpace = true
    }
  }
  page.indicator('"', false)
  page.whitespace = false
  page.indention = false
}

function escaped(char: string): string {
  const short = SHORT[char]
  if (short !== undefined) return `\\${short}`
  const code = char.codePointAt(0)!
  const hex = code.toString(16).toUpperCase()
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`
}

export function writeLiteral(page: YamlPage, chars: readonly string[], indent: number): void {
  blockHead(page, '|', chars)
  let afterBreak = true
  for (const char of chars) {
    if (isBreak(char)) {
      page.putBreak(char)
      page.indention = true
      afterBreak = true
    } else {
      if (afterBreak) page.newLine(indent)
      page.put(char)
      page.indention = false
      afterBreak = false
    }
  }
}

/** Lines that are too long go on in the next one; line ends of the text are written twice, but for those before blanks. */
export function writeFolded(page: YamlPage, chars: readonly string[], indent: number): void {
  blockHead(page, '>', chars)
  let afterBreak = true
  let leadingBlanks = true
  for (const [i, char] of chars.entries()) {
    if (isBreak(char)) {
      if (!afterBreak && !leadingBlanks && char === '\n') {
        const next = chars.slice(i).find((one) => !isBreak(one))
        if (next !== undefined && next !== ' ' && next !== '\t') page.putBreak()
      }
      page.putBreak(char)
      page.indention = true
      afterBreak = true
      continue
    }
    if (afterBreak) {
      page.newLine(indent)
      leadingBlanks = char === ' ' || char === '\t'
    }
    if (!afterBreak && char === ' ' && chars[i + 1] !== ' ' && page.isPastWidth()) page.newLine(indent)
    else page.put(char, 1)
    page.indention = false
    afterBreak = false
  }
}

/** The sign of a block text, and how it begins and ends. */
function blockHead(page: YamlPage, sign: string, chars: readonly string[]): void {
  page.indicator(sign, true)
  if (chars[0] === ' ' || isBreak(chars[0])) page.indicator(String(page.bestIndent), false)
  if (!isBreak(chars.at(-1))) page.indicator('-', false)
  else if (chars.length === 1 || isBreak(chars.at(-2))) page.indicator('+', false)
  page.putBreak()
  page.indention = true
  page.whitespace = true
}
