/** Wraps text at blanks as Python's textwrap does: runs of blanks become one break, long words are cut. */
export function wrap(text: string, width: number): string {
  const lines: string[] = []
  let line = ''
  for (let word of text.replace(/\s/g, ' ').split(/(?<= )(?! )/)) {
    if (line !== '' && (line + word).trimEnd().length > width) {
      lines.push(line.trimEnd())
      line = ''
      word = word.trimStart()
    }
    while (word.trimEnd().length > width && line === '') {
      lines.push(word.slice(0, width))
      word = word.slice(width)
    }
    line += word
  }
  if (line.trimEnd() !== '') lines.push(line.trimEnd())
  return lines.join('\n')
}
