/** Errors → what is said of them on standard error, and the exit code they end the program with. */
import { drawProblem, Problem, type ProblemKind, Problems } from '../base/index.ts'
import type { Terminal } from './terminal.ts'

/** Ends the program with a code, its message already said. */
export class Exit extends Error {
  constructor(readonly code: number) {
    super(`exit ${code}`)
  }
}

const CODES: Readonly<Record<ProblemKind, number>> = {
  usage: 5,
  config: 5,
  syntax: 4,
  playbook: 4,
  parameter: 4,
  inventory: 1,
  template: 1,
  undefined: 1,
  vault: 1,
  connection: 1,
  file: 1,
  run: 1,
  internal: 250,
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof Exit) return error.code
  if (error instanceof Problem) return CODES[error.kind]
  if (error instanceof Problems) return Math.max(1, ...error.problems.map((problem) => CODES[problem.kind]).filter((code) => code !== 250))
  return 250
}

export function tellError(error: unknown, { err, colour, env }: Terminal): void {
  if (error instanceof Exit) return
  const red = (text: string): string => (colour ? `\u001b[0;31m${text}\u001b[0m` : text)
  const problems = error instanceof Problems ? error.problems : error instanceof Problem ? [error] : undefined
  if (problems) err(`${problems.map((problem) => red(`ERROR! ${drawProblem(problem)}`)).join('\n\n')}\n`)
  else {
    const unexpected = error instanceof Error ? error : new Error(String(error))
    err(`${red(`ERROR! Unexpected Exception, this is probably a bug: ${unexpected.message}`)}\n`)
    if (env['ANSIBLE_DEBUG'] || env['TSSPRAY_DEBUG']) err(`${unexpected.stack ?? ''}\n`)
    else err('to see where it comes from, set TSSPRAY_DEBUG=1\n')
  }
}
