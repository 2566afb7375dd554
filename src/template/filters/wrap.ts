/** A line of text → lines of at most some width, as Python's textwrap does with its blanks kept. */

export interface WrapOptions {
  readonly width: number
  readonly breakLongWords: boolean
  readonly breakOnHyphens: boolean
}

const WORDS =
  /([ \t\n\v\f\r]+|(?<=[\w!"'&.,?])-{2,}(?=\w)|[^ \t\n\v\f\r]+?(?:-(?:(?<=[^\d\W_]{2}-)|(?<=[^\d\W_]-[^\d\W_]-))(?=[^\d\W_]-?[^\d\W_])|(?=[ \t\n\v\f\r]|$)|(?<=[\w!"'&.,?])(?=-{2,}\w)))/u
const BLANKS = /([ \t\n\v\f\r]+)/

export function wrapText(text: string, options: WrapOptions): string[] {
  const chunks = text
    .split(options.breakOnHyphens ? WORDS : BLANKS)
    .filter((chunk) => chunk !== undefined && chunk !== '')
    .reverse()
  const lines: string[] = []
  while (chunks.length > 0) {
    const line: string[] = []
    let length = 0
    if (lines.length > 0 && isBlank(chunks.at(-1)!)) chunks.pop()
    while (chunks.length > 0 && length + chunks.at(-1)!.length <= options.width) {
      length += chunks.at(-1)!.length
      line.push(chunks.pop()!)
    }
    if (chunks.length > 0 && chunks.at(-1)!.length > options.width) takeLong(chunks, line, length, options)
    if (line.length > 0 && isBlank(line.at(-1)!)) line.pop()
    if (line.length > 0) lines.push(line.join(''))
  }
  return lines
}

const isBlank = (chunk: string): boolean => chunk.trim() === ''

/** A word that fits on no line is cut, or has a line of its own. */
function takeLong(chunks: string[], line: string[], length: number, options: WrapOptions): void {
  const space = options.width < 1 ? 1 : options.width - length
  if (!options.breakLongWords) {
    if (line.length === 0) line.push(chunks.pop()!)
    return
  }
  const chunk = chunks.at(-1)!
  let end = space
  if (options.breakOnHyphens && chunk.length > space) {
    const hyphen = chunk.lastIndexOf('-', space - 1)
    if (hyphen > 0 && /[^-]/.test(chunk.slice(0, hyphen))) end = hyphen + 1
  }
  line.push(chunk.slice(0, end))
  chunks[chunks.length - 1] = chunk.slice(end)
}
