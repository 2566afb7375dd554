/** CSV text → rows, by the rules of Python's `excel` dialect. */

export function parseCsv(text: string, delimiter: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let field = ''
  let quoted = false
  let started = false
  const endField = (): void => {
    row.push(field)
    field = ''
    started = false
  }
  const endRow = (): void => {
    if (row.length > 0 || started || field !== '') endField()
    rows.push(row)
    row = []
  }
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!
    if (quoted) {
      if (char !== '"') field += char
      else if (text[i + 1] === '"') field += text[++i]
      else quoted = false
    } else if (char === '"' && field === '' && !started) quoted = started = true
    else if (char === delimiter) endField()
    else if (char === '\n' || char === '\r') {
      if (char === '\r' && text[i + 1] === '\n') i++
      endRow()
    } else {
      field += char
      started = true
    }
    if (char === delimiter && !quoted && i === text.length - 1) started = true
  }
  if (started || field !== '' || row.length > 0) endRow()
  return rows
}
