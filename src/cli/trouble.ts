/** Errors → what is said of them on standard error, and the exit code they end the program with. */
import type { ChalkInstance } from 'chalk'
import { drawProblem, Problem, type ProblemKind, Problems } from '../base/index.ts'
import { Exit } from './exit.ts'
import type { Terminal } from './terminal.ts'

export { Exit }

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

export async function tellError(error: unknown, { err, colour, env }: Terminal): Promise<void> {
  if (error instanceof Exit) return
  const { Chalk } = await import('chalk')
  const chalk = new Chalk({ level: colour ? 1 : 0 })
  const problems = error instanceof Problems ? error.problems : error instanceof Problem ? [error] : undefined
  if (problems) err(`${problems.map((problem) => painted(drawProblem(problem), chalk)).join('\n\n')}\n`)
  else {
    const unexpected = error instanceof Error ? error : new Error(String(error))
    err(`${chalk.red(`ERROR! Unexpected Exception, this is probably a bug: ${unexpected.message}`)}\n`)
    if (env['ANSIBLE_DEBUG'] || env['TSSPRAY_DEBUG']) err(`${unexpected.stack ?? ''}\n`)
    else err('to see where it comes from, set TSSPRAY_DEBUG=1\n')
  }
}

/** The message red, its line in the file plain and marked, what surrounds it dim, the hint in a colour of its own. */
function painted(problem: string, chalk: ChalkInstance): string {
  const lines = problem.split('\n')
  const from = lines.findIndex((line) => PARTS.some(([pattern]) => pattern.test(line)))
  return lines
    .map((line, i) => {
      if (from === -1 || i < from) return chalk.red(i === 0 ? `ERROR! ${line}` : line)
      const part = PARTS.find(([pattern]) => pattern.test(line))
      return part ? part[1](chalk, line) : line
    })
    .join('\n')
}

/** The lines that follow a message, by how they begin. */
const PARTS: readonly (readonly [RegExp, (chalk: ChalkInstance, line: string) => string])[] = [
  [/^ {2}at /, (chalk, line) => chalk.dim(line)],
  [/^ {2} *\| +\^+$/, (chalk, line) => chalk.red.bold(line)],
  [/^ {2} *\d+ \|/, (chalk, line) => chalk.dim(line)],
  [/^> *\d+ \|/, (chalk, line) => chalk.bold(line)],
  [/^ {2}note: /, (chalk, line) => chalk.dim(line)],
  [/^ {2}hint: /, (chalk, line) => chalk.cyan(line)],
]
