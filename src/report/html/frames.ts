/** Where a failure comes from → the lines of the file around it. */
import { codeFrame, type Span } from '../../base/index.ts'

/** The text of a file; undefined where it cannot be read. */
export type ReadSource = (path: string) => string | undefined

interface Framed {
  readonly place: string
  readonly frame?: string
}

/** A place in the message itself is nearer than the task's. */
export function frameAt(message: string | undefined, place: string | undefined, read: ReadSource): Framed | undefined {
  const told = /^at (.+:\d+:\d+)$/m.exec(message ?? '')?.[1] ?? place
  if (told === undefined) return undefined
  const [, path = '', line = '', column = ''] = /^(.+):(\d+):(\d+)$/.exec(told) ?? []
  const text = path === '' ? undefined : read(path)
  if (text === undefined) return { place: told }
  const at = spanAt(path, text, Number(line), Number(column))
  return at ? { place: told, frame: codeFrame(at) } : { place: told }
}

/** One character at a line and a column; undefined where the file is shorter by now. */
export function spanAt(path: string, text: string, line: number, column: number): Span | undefined {
  const lines = text.split('\n')
  if (line < 1 || line > lines.length) return undefined
  const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0) + Math.max(0, column - 1)
  return { source: { name: path, text }, start, end: start + 1 }
}
