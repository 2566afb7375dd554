/** Draws a problem: message, place, the lines around it with a marker, notes and hint. */
import { type Problem, Problems } from './problem.ts'
import { positionAt, type Span } from './source.ts'

/** The lines around a span, with line numbers and a caret under its start. */
export function codeFrame(at: Span, around = 2): string {
  const { text } = at.source
  const { line, column } = positionAt(text, at.start)
  const lines = text.split('\n')
  const first = Math.max(1, line - around)
  const last = Math.min(lines.length, line + around)
  const width = String(last).length
  const out: string[] = []
  for (let n = first; n <= last; n++) {
    const body = (lines[n - 1] ?? '').replace(/\r$/, '')
    out.push(`${n === line ? '>' : ' '} ${String(n).padStart(width)} | ${body}`.trimEnd())
    if (n === line) {
      const indent = body.slice(0, column - 1).replace(/[^\t]/g, ' ')
      const length = Math.max(1, Math.min(at.end - at.start, body.length - column + 1))
      out.push(`  ${' '.repeat(width)} | ${indent}${'^'.repeat(length)}`)
    }
  }
  return out.join('\n')
}

/** A problem as text for a person: what, where, the frame, notes, hint. */
export function drawProblem(problem: Problem): string {
  const out = [problem.message]
  if (problem.span) {
    const { line, column } = positionAt(problem.span.source.text, problem.span.start)
    out.push(`  at ${problem.span.source.name}:${line}:${column}`, codeFrame(problem.span))
  }
  for (const note of problem.notes) out.push(`  note: ${note}`)
  if (problem.hint) out.push(`  hint: ${problem.hint}`)
  return out.join('\n')
}

export function drawProblems(error: Problem | Problems): string {
  return error instanceof Problems ? error.problems.map(drawProblem).join('\n\n') : drawProblem(error)
}
