/** Words mistakes in regular expressions as Python's `re` does. */
import { Problem } from '../../base/index.ts'

/** A mistake at a place of the pattern; with more than one line the line and column are told too. Places count characters. */
export function regexProblem(message: string, pattern: string, offset: number): Problem {
  const before = pattern.slice(0, offset)
  const position = [...before].length
  const line = before.split('\n').length
  const column = position - [...before.slice(0, before.lastIndexOf('\n') + 1)].length + 1
  const place = pattern.includes('\n') ? ` (line ${line}, column ${column})` : ''
  return new Problem(`${message} at position ${position}${place}`, { kind: 'template' })
}
