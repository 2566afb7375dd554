/** Puts an error of rendering or running into the words of a failed result. */
import { Problem, type ProblemKind, Problems, placeOf } from '../base/index.ts'
import { failure } from './result.ts'
import type { Res } from './state.ts'

/** What these tell is Ansible's own text; what hosts and files said belongs to the others. */
const OF_TEMPLATES: ReadonlySet<ProblemKind> = new Set<ProblemKind>(['template', 'undefined', 'syntax'])

/**
 * A failed result. What Ansible tells of a template without a place is registered without one, since playbooks compare it; people see the place all
 * the same (`shownResult`).
 */
export function failureOf(error: unknown): Res {
  if (!(error instanceof Problem) || error.kind === 'undefined' || !OF_TEMPLATES.has(error.kind)) return failure(explain(error))
  const where = explain(error).slice(error.message.length + 1)
  return failure(error.message, where === '' ? [] : [['_ansible_where', where]])
}

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
