/** Turns a quoted text as it is mostly written into its value; undefined for what only the full parser reads. */

export interface QuotedText {
  readonly value: string
  /** the offset behind its closing quote */
  readonly end: number
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '"': '"',
  '\\': '\\',
  '/': '/',
  ' ': ' ',
  '0': '\0',
  e: '\x1b',
}

/** Reads the quoted text that begins at `start`; its later lines may stand anywhere. */
export function readQuotedText(text: string, start: number): QuotedText | undefined {
  const quote = text[start]!
  const end = quote === "'" ? closingSingle(text, start + 1) : closingDouble(text, start + 1)
  if (end === undefined) return undefined
  const inner = text.slice(start + 1, end)
  const lines = inner.includes('\n') ? foldedLines(inner) : inner
  const value = lines === undefined ? undefined : quote === "'" ? lines.replaceAll("''", "'") : unescaped(lines)
  return value === undefined ? undefined : { value, end: end + 1 }
}

function closingSingle(text: string, from: number): number | undefined {
  for (let at = text.indexOf("'", from); at !== -1; at = text.indexOf("'", at + 2)) if (text[at + 1] !== "'") return at
  return undefined
}

function closingDouble(text: string, from: number): number | undefined {
  for (let at = from; ; ) {
    const quote = text.indexOf('"', at)
    if (quote === -1) return undefined
    const backslash = text.lastIndexOf('\\', quote - 1)
    if (backslash < at) return quote
    // from the first backslash on, each takes the character behind it away
    at = text.indexOf('\\', at) + 2
  }
}

/** One line break is a blank, more are one less; blanks around them do not count. */
function foldedLines(inner: string): string | undefined {
  const lines = inner.split('\n')
  // a line that ends in a backslash, and one that may end the document
  if (lines.some((line) => line.endsWith('\\') || line.startsWith('---'))) return undefined
  let value = lines[0]!.replace(/ +$/, '')
  let breaks = 0
  for (const [i, line] of lines.entries()) {
    if (i === 0) continue
    breaks++
    const isLast = i === lines.length - 1
    const text = isLast ? line.replace(/^ +/, '') : line.replace(/^ +| +$/g, '')
    if (text === '' && !isLast) continue
    value += (breaks === 1 ? ' ' : '\n'.repeat(breaks - 1)) + text
    breaks = 0
  }
  return value
}

function unescaped(text: string): string | undefined {
  if (!text.includes('\\')) return text
  let isKnown = true
  const value = text.replace(/\\([\s\S])/g, (_, letter: string) => {
    const meant = ESCAPES[letter]
    if (meant === undefined) isKnown = false
    return meant ?? ''
  })
  return isKnown ? value : undefined
}
