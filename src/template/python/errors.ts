/** Python's exceptions as the template language raises them; the rim of the room turns them into Problems with a place. */

import type { Hint } from '../../base/index.ts'

/** Which rules the rim follows for the message: Python's own classes, and Ansible's errors for filters and lookups. */
export type PyErrorType =
  | 'TypeError'
  | 'ValueError'
  | 'KeyError'
  | 'IndexError'
  | 'AttributeError'
  | 'ZeroDivisionError'
  | 'OverflowError'
  | 'UndefinedError' // jinja2's, and AnsibleUndefinedVariable
  | 'SecurityError'
  | 'AnsibleFilterError' // also AnsibleError: the message is shown as it is
  | 'AnsibleLookupError'
  | 'TemplateSyntaxError' // raised while running, such as an unknown filter
  | 'TemplateRuntimeError' // jinja2's FilterArgumentError is one
  | 'TemplateNotFound'
  | 'RecursionError'
  | 'AssertionError'
  | 'RuntimeError'
  | 'UnicodeError'

/** An exception on its way through a template. */
export class PyError extends Error {
  constructor(
    readonly type: PyErrorType,
    message: string,
    details: { readonly cause?: unknown; readonly hint?: Hint | undefined; readonly notes?: readonly string[] } = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.name = 'PyError'
    this.#hint = details.hint
    this.notes = details.notes ?? []
  }
  #hint: Hint | undefined
  /** further lines, one fact each */
  readonly notes: readonly string[]

  /** “did you mean …”, where a near name exists; worked out when somebody reads it */
  get hint(): string | undefined {
    if (typeof this.#hint === 'function') this.#hint = this.#hint()
    return this.#hint
  }
}

export const typeError = (message: string): PyError => new PyError('TypeError', message)
export const valueError = (message: string): PyError => new PyError('ValueError', message)
/** AnsibleFilterError: its message reaches people unchanged. (AnsibleFilterTypeError is a `typeError`.) */
export const filterError = (message: string, cause?: unknown): PyError => new PyError('AnsibleFilterError', message, { cause })
export const lookupError = (message: string, cause?: unknown): PyError => new PyError('AnsibleLookupError', message, { cause })
export const undefinedError = (message: string, hint?: Hint, notes: readonly string[] = []): PyError =>
  new PyError('UndefinedError', message, { hint, notes })

/** Is it a Python exception of one of these classes? Without classes: any. */
export function isPyError(error: unknown, ...types: PyErrorType[]): error is PyError {
  return error instanceof PyError && (types.length === 0 || types.includes(error.type))
}
