/** Turns a block text (`|` or `>`) as it is mostly written into its value; undefined for what only the full parser reads. */

export interface BlockText {
  readonly value: string
  /** the offset behind its last visible character */
  readonly end: number
  /** the offset of the first line behind it */
  readonly next: number
}

const HEADER = /[|>]([-+]?) *(?:\n|$)/y

const SPACES = / */y

/** Reads the block text whose mark stands at `start` and belongs to something in `column`. */
export function readBlockText(text: string, start: number, column: number): BlockText | undefined {
  HEADER.lastIndex = start
  const header = HEADER.exec(text)
  if (!header) return undefined
  const block = linesOf(text, HEADER.lastIndex, column)
  if (!block || block.lines.length === 0) return undefined
  const { lines, blanks, next } = block
  const body = text[start] === '|' ? lines.join('\n') : folded(lines)
  if (header[1] === '+' && blanks > 0) return undefined
  return { value: header[1] === '-' ? body : `${body}\n`, end: start + text.slice(start, next).trimEnd().length, next }
}

interface Lines {
  /** without their indentation, and without the blank ones at the end */
  readonly lines: readonly string[]
  readonly blanks: number
  readonly next: number
}

function linesOf(text: string, from: number, column: number): Lines | undefined {
  const lines: string[] = []
  let indent = -1
  let blanks = 0
  let at = from
  while (at < text.length) {
    const found = text.indexOf('\n', at)
    const end = found === -1 ? text.length : found
    SPACES.lastIndex = at
    SPACES.test(text)
    const content = SPACES.lastIndex
    if (content === end) {
      // blank lines that are longer than the text's indentation are part of it
      if (indent === -1 || content - at > indent) return undefined
      blanks++
    } else {
      if (indent === -1) indent = content - at
      if (indent <= column) return undefined
      if (content - at < indent) {
        if (content - at > column) return undefined
        break
      }
      while (blanks > 0) {
        lines.push('')
        blanks--
      }
      lines.push(text.slice(at + indent, end))
    }
    if (found === -1) return undefined
    at = end + 1
  }
  return { lines, blanks, next: at }
}

/** Lines in a row become one, but for those that stand further in. */
function folded(lines: readonly string[]): string {
  let value = ''
  let separator = ''
  let wasDeeper = false
  for (const line of lines) {
    if (line.startsWith(' ')) {
      if (separator === ' ') separator = '\n'
      else if (!wasDeeper && separator === '\n') separator = '\n\n'
      value += separator + line
      separator = '\n'
      wasDeeper = true
    } else if (line === '') {
      if (separator === '\n') value += '\n'
      else separator = '\n'
    } else {
      value += separator + line
      separator = ' '
      wasDeeper = false
    }
  }
  return value
}
