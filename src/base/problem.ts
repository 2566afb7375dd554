/** What is wrong, where, and what may help: the one error type that reaches people. */
import type { Span } from './source.ts'

/** The kinds decide the exit code (cli) and nothing else. */
export type ProblemKind =
  | 'usage' // a wrong option or argument
  | 'config' // ansible.cfg, environment
  | 'syntax' // YAML or template syntax
  | 'playbook' // a wrong keyword, module, role, include
  | 'inventory'
  | 'template' // evaluation failed
  | 'undefined' // an undefined variable was used
  | 'vault'
  | 'parameter' // a module's argument
  | 'connection' // the host cannot be reached
  | 'file' // a file that is missing or unreadable
  | 'run' // what only shows while a play runs
  | 'internal'

export type Hint = string | (() => string | undefined)

export interface ProblemDetails {
  readonly kind: ProblemKind
  readonly span?: Span | undefined
  /** one sentence that tells what to do, such as “did you mean …”; a function where it is only worked out when somebody reads it */
  readonly hint?: Hint | undefined
  /** further lines, one fact each */
  readonly notes?: readonly string[] | undefined
  readonly cause?: unknown
}

export class Problem extends Error {
  readonly kind: ProblemKind
  readonly span: Span | undefined
  #hint: Hint | undefined
  readonly notes: readonly string[]

  constructor(message: string, details: ProblemDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.name = 'Problem'
    this.kind = details.kind
    this.span = details.span
    this.#hint = details.hint
    this.notes = details.notes ?? []
  }

  get hint(): string | undefined {
    if (typeof this.#hint === 'function') this.#hint = this.#hint()
    return this.#hint
  }
}

/** Several problems found together; a playbook with five mistakes shows five. */
export class Problems extends Error {
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[]) {
    super(problems.map((p) => p.message).join('\n'))
    this.name = 'Problems'
    this.problems = problems
  }
}

/** Runs `work`, adds a span to a Problem that has none, and throws it on. */
export function locating<T>(at: Span | undefined, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw located(error, at)
  }
}

/** The same problem with a place, unless it has one already; other errors come back as they are. */
export function located(error: unknown, at: Span | undefined): unknown {
  if (!(error instanceof Problem) || error.span || !at) return error
  return new Problem(error.message, { kind: error.kind, span: at, hint: () => error.hint, notes: error.notes, cause: error.cause })
}
