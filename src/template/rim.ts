/** Turns what goes wrong in a template into a Problem with Ansible's words and the place in the source. */
import { located, Problem, type Source, type Span, span } from '../base/index.ts'
import { PyError, type PyErrorType } from './python/errors.ts'
import { TemplateSyntaxError } from './syntax/problem.ts'

/** The template that was rendered, for messages. */
export interface Origin {
  /** the text as messages quote it */
  readonly text: string
  /** where it stands */
  readonly span: Span | undefined
}

/** The error as a Problem; `at` is the offset in the template's text where it happened. */
export function toProblem(error: unknown, origin: Origin, at: number): unknown {
  if (error instanceof Problem) return located(error, placeIn(origin, at))
  if (error instanceof TemplateSyntaxError) return syntaxProblem(error, origin)
  if (error instanceof Error && isOverflow(error)) {
    return new Problem(`recursive loop detected in template string: ${origin.text}`, { kind: 'template', span: origin.span, cause: error })
  }
  if (error instanceof RangeError) {
    return new Problem(`the template makes something too large: ${error.message}`, {
      kind: 'template',
      span: placeIn(origin, at),
      cause: error,
    })
  }
  if (!(error instanceof PyError)) return error
  const details = { span: placeIn(origin, at), hint: () => error.hint, notes: error.notes, cause: error }
  if (error.type === 'TypeError' && error.message.includes('AnsibleUndefined')) {
    return new Problem(`${NAMELESS(origin.text)}${error.message}. ${error.message}`, { kind: 'undefined', ...details })
  }
  if (error.type === 'UndefinedError') return new Problem(error.message, { kind: 'undefined', ...details })
  return new Problem(messageOf(error, origin.text), { kind: 'template', ...details })
}

/** Has the stack run out? Regular expressions that are first used then cannot be read: that is told as a mistake in them. None is used here. */
function isOverflow(error: Error): boolean {
  const { message } = error
  if (error instanceof RangeError) return message.includes('call stack')
  return (
    error instanceof SyntaxError &&
    message.startsWith('Invalid regular expression') &&
    (message.includes('Stack overflow') || message.includes('call stack size'))
  )
}

/** Did Python's ValueError lead to it? The reference tells then which of a task's fields could not be had. */
export function isValueError(problem: Problem): boolean {
  const { cause } = problem
  if (cause instanceof Problem) return isValueError(cause)
  return cause instanceof PyError && (cause.type === 'ValueError' || cause.type === 'UnicodeError')
}

/** Classes whose errors a template lets through; all others become an AnsibleError. */
const LET_THROUGH: ReadonlySet<PyErrorType> = new Set([
  'ValueError',
  'KeyError',
  'IndexError',
  'ZeroDivisionError',
  'OverflowError',
  'AnsibleLookupError',
  'TemplateNotFound',
  'TemplateSyntaxError',
])

/** The class under whose name the template module tells an error. */
export function errorClass(problem: Problem): string {
  const { cause } = problem
  if (cause instanceof Problem) return errorClass(cause)
  if (problem.kind === 'undefined') return 'AnsibleUndefinedVariable'
  return cause instanceof PyError && LET_THROUGH.has(cause.type) ? cause.type : 'AnsibleError'
}

/** Classes of Python's own that are no mistake of a template to the reference: it has no words for them, only their traceback. */
const UNEXPECTED: ReadonlySet<string> = new Set(['KeyError', 'IndexError', 'ZeroDivisionError', 'OverflowError'])

/** Python's error of a dict that does not have a key. */
export const keyError = (key: string): Error => new PyError('KeyError', key)

export interface Unexpected {
  readonly type: string
  readonly message: string
}

/** The exception that went through a template unnoticed; undefined where the template tells of it itself. */
export function unexpectedError(error: unknown): Unexpected | undefined {
  if (error instanceof Problem) return unexpectedError(error.cause)
  return error instanceof PyError && UNEXPECTED.has(error.type) ? { type: error.type, message: error.message } : undefined
}

/** The exception of Python's own that is behind a template's failure. */
export function pythonCause(error: unknown): Unexpected | undefined {
  if (error instanceof Problem) return pythonCause(error.cause)
  return error instanceof PyError ? { type: error.type, message: error.message } : undefined
}

/** What Ansible says where an undefined value met an operation of Python's own. */
const NAMELESS = (text: string): string =>
  `Unable to look up a name or access an attribute in template string (${text}).\nMake sure your variable name does not contain invalid characters like '-': `

function syntaxProblem(error: TemplateSyntaxError, origin: Origin): Problem {
  const { message } = error
  const text = `template error while templating string: ${message}. String: ${origin.text}. ${message}`
  return new Problem(text, { kind: 'syntax', span: placeIn(origin, error.offset), cause: error })
}

function messageOf(error: PyError, text: string): string {
  const { message } = error
  if (error.type === 'TypeError') return `Unexpected templating type error occurred on (${text}): ${message}. ${message}`
  return message
}

/** A place in the source for an offset in the template: exact where the text stands in the source as it is, else the whole template. */
export function placeIn({ span: whole, text }: Origin, at: number): Span | undefined {
  if (!whole) return undefined
  const source: Source = whole.source
  const stands = source.text.slice(whole.start, whole.end)
  const from = stands.indexOf(text.trimEnd())
  return from === -1 ? whole : span(source, whole.start + from + at, whole.end)
}
