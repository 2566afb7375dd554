/** A text with a name and places in it: offsets are kept, lines and columns are counted only when asked for. */

/** A text that people can be pointed into: a file, a flag's value, a variable. */
export interface Source {
  /** what to call it in messages, a path where there is one */
  readonly name: string
  readonly text: string
}

/** A half-open range of UTF-16 offsets in a source. */
export interface Span {
  readonly source: Source
  readonly start: number
  readonly end: number
}

/** A place as people count: line and column start at 1. */
export interface Position {
  readonly line: number
  readonly column: number
}

export function span(source: Source, start: number, end: number = start): Span {
  return { source, start, end }
}

/** Counts the line and the column of an offset. */
export function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, Math.max(0, Math.min(offset, text.length)))
  const lastBreak = before.lastIndexOf('\n')
  let line = 1
  for (let i = before.indexOf('\n'); i !== -1; i = before.indexOf('\n', i + 1)) line++
  return { line, column: before.length - lastBreak }
}

/** `file:line:column` of a span's start. */
export function placeOf(at: Span): string {
  const { line, column } = positionAt(at.source.text, at.start)
  return `${at.source.name}:${line}:${column}`
}
