/** Splits a line into words as a POSIX shell would: quotes, backslashes, and `#` ends the line even inside a word. */

export interface Word {
  readonly text: string
  /** where it starts in the line */
  readonly start: number
}

/** Undefined when a quote is not closed. */
export function splitWords(line: string): Word[] | undefined {
  const words: Word[] = []
  let text = ''
  let start = -1
  let i = 0
  const end = (): void => {
    if (start !== -1) words.push({ text, start })
    text = ''
    start = -1
  }
  while (i < line.length) {
    const c = line[i]!
    if (c === '#') break
    if (/\s/.test(c)) {
      end()
      i++
      continue
    }
    if (start === -1) start = i
    if (c === "'" || c === '"') {
      const quoted = readQuoted(line, i)
      if (!quoted) return undefined
      text += quoted.text
      i = quoted.end
    } else if (c === '\\') {
      if (i + 1 >= line.length) return undefined
      text += line[i + 1]
      i += 2
    } else {
      text += c
      i++
    }
  }
  end()
  return words
}

/** Inside double quotes a backslash only escapes itself and the quote. */
function readQuoted(line: string, open: number): { readonly text: string; readonly end: number } | undefined {
  const quote = line[open]!
  let text = ''
  for (let i = open + 1; i < line.length; i++) {
    const c = line[i]!
    if (c === quote) return { text, end: i + 1 }
    if (c === '\\' && quote === '"' && (line[i + 1] === '"' || line[i + 1] === '\\')) text += line[++i]
    else text += c
  }
  return undefined
}
