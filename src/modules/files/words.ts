/** Splits a command line into words as a POSIX shell's quoting has it, without running or expanding anything (Python's shlex.split). */
import { ModuleFailure } from '../api.ts'

export function splitWords(text: string): string[] {
  const words: string[] = []
  let word: string | undefined
  for (let i = 0; i < text.length; i++) {
    const c = text[i]!
    if (c === "'") {
      const end = text.indexOf("'", i + 1)
      if (end === -1) throw new ModuleFailure('No closing quotation')
      word = (word ?? '') + text.slice(i + 1, end)
      i = end
    } else if (c === '"') {
      const [inside, end] = doubleQuoted(text, i + 1)
      word = (word ?? '') + inside
      i = end
    } else if (c === '\\') {
      if (i + 1 >= text.length) throw new ModuleFailure('No escaped character')
      word = (word ?? '') + text[++i]!
    } else if (/[ \t\r\n]/.test(c)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else word = (word ?? '') + c
  }
  if (word !== undefined) words.push(word)
  return words
}

/** The text up to the closing quote, and where that stands. A backslash escapes the quote and itself only. */
function doubleQuoted(text: string, start: number): [string, number] {
  let out = ''
  for (let i = start; i < text.length; i++) {
    const c = text[i]!
    if (c === '"') return [out, i]
    if (c === '\\' && (text[i + 1] === '"' || text[i + 1] === '\\')) out += text[++i]!
    else out += c
  }
  throw new ModuleFailure('No closing quotation')
}
