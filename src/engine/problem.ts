/** Puts an error of rendering or running into the words of a failed result. */
import { Problem, type ProblemKind, Problems, placeOf, type Value } from '../base/index.ts'
import { unexpectedError } from '../template/index.ts'
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

/** What the reference knows of an exception that no template tells of: in arguments its traceback alone, elsewhere a few words, too. */
export function unexpectedFailure(error: unknown, where: 'arguments' | 'elsewhere'): Res | undefined {
  const found = unexpectedError(error)
  if (!found) return undefined
  const result: Res = new Map<string, Value>([
    ['failed', true],
    ['exception', `Traceback (most recent call last):\n${found.type}: ${found.message}\n`],
  ])
  if (where === 'arguments') result.set('changed', false)
  else result.set('msg', `Unexpected failure during module execution: ${found.message}`).set('stdout', '')
  if (error instanceof Problem && error.span) result.set('_ansible_where', `at ${placeOf(error.span)}`)
  return result
}

/** The result of a task that came to nothing: it never ran, and says nothing of changes. */
export function brokenResult(error: unknown): Res {
  const result = unexpectedFailure(error, 'elsewhere') ?? failureOf(error)
  result.delete('changed')
  return result
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
