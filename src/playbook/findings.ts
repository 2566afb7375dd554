/** Collects everything that is wrong while loading goes on, so that it can be shown together. */
import { Problem, type ProblemDetails, Problems, placeOf, type Span } from '../base/index.ts'

export interface Findings {
  /** notes a mistake and goes on */
  report(message: string, at: Span | undefined, details?: Partial<ProblemDetails>): void
  /** what `work` gives; undefined where it throws a Problem, which is noted */
  attempt<T>(work: () => T): T | undefined
  /** throws everything noted, each mistake once; with `alone`, a single one as it is */
  settle(alone?: boolean): void
}

export function createFindings(): Findings {
  const found = new Map<string, Problem>()
  const add = (problem: Problem): void => {
    const key = `${problem.span ? placeOf(problem.span) : ''}\0${problem.message}`
    if (!found.has(key)) found.set(key, problem)
  }
  return {
    report: (message, at, details) => add(mistake(message, at, details)),
    attempt(work) {
      try {
        return work()
      } catch (error) {
        if (error instanceof Problem) add(error)
        else if (error instanceof Problems) error.problems.forEach(add)
        else throw error
        return undefined
      }
    },
    settle(alone = false) {
      const problems = [...found.values()]
      found.clear()
      if (alone && problems.length === 1) throw problems[0]
      if (problems.length > 0) throw new Problems(problems)
    },
  }
}

/** A mistake in a playbook. */
export function mistake(message: string, at: Span | undefined, details: Partial<ProblemDetails> = {}): Problem {
  return new Problem(message, { kind: 'playbook', span: at, ...details })
}
