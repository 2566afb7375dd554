/** CSV text → rows of fields. */
import { ModuleFailure } from '../api.ts'

export interface CsvOptions {
  readonly delimiter: string
  readonly skipSpace: boolean
  readonly strict: boolean
}

/** Empty lines are no rows. */
export function parseCsv(text: string, { delimiter, skipSpace, strict }: CsvOptions): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let field = ''
  let state: 'start' | 'plain' | 'quoted' | 'closed' = 'start'
  const endField = (): void => {
    row.push(field)
    field = ''
    state = 'start'
  }
  const endRow = (): void => {
    if (row.length > 0 || field !== '' || state !== 'start') {
      endField()
      rows.push(row)
    }
    row = []
  }
  for (let i = 0; i < text.length; i++) {
    const c = text[i]!
    if (state === 'quoted') {
      if (c !== '"') field += c
      else if (text[i + 1] === '"') field += text[++i]
      else state = 'closed'
    } else if (c === delimiter) endField()
    else if (c === '\n' || c === '\r') {
      if (c === '\r' && text[i + 1] === '\n') i++
      endRow()
    } else if (c === '"' && state === 'start') state = 'quoted'
    else if (c === ' ' && state === 'start' && skipSpace) continue
    else {
      if (state === 'closed' && strict) throw new ModuleFailure(`Unable to process file: '${delimiter}' expected after '"'`)
      field += c
      state = 'plain'
    }
  }
  if (state === 'quoted' && strict) throw new ModuleFailure('Unable to process file: unexpected end of data')
  endRow()
  return rows
}
