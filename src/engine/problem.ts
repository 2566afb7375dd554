/** Puts an error of rendering or running into the words of a failed result. */
import { Problem, type ProblemKind, Problems, placeOf } from '../base/index.ts'

/** What these tell is Ansible's own text; what hosts and files said belongs to the others. */
const OF_TEMPLATES: ReadonlySet<ProblemKind> = new Set<ProblemKind>(['template', 'undefined', 'syntax'])

/** The message with its place and hint, on one line each. */
export function explain(error: unknown): string {
  if (error instanceof Problems) return error.problems.map(explain).join('\n')
  if (!(error instanceof Problem)) return error instanceof Error ? `Unexpected failure: ${error.message}` : String(error)
  const lines = [error.message]
  if (error.span) lines.push(`at ${placeOf(error.span)}`)
  if (!OF_TEMPLATES.has(error.kind)) lines.push(...error.notes)
  if (error.hint) lines.push(error.hint)
  return lines.join('\n')
}
