/** The environment of a pipeline (GitHub, GitLab) → what its reports may write to. */
import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { drawProblem, Problem, Problems, placeOf } from '../base/index.ts'
import type { Secrets } from '../events/index.ts'
import { annotation, type CiOptions } from '../report/index.ts'

interface Around {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** The folder of the checkout. */
export const rootOf = ({ cwd, env }: Pick<Around, 'cwd' | 'env'>): string => env['GITHUB_WORKSPACE'] || env['CI_PROJECT_DIR'] || cwd

/** What ends a run before it begins, at its places in the checkout. */
export function problemAnnotations(error: unknown, around: Around): string {
  const problems = error instanceof Problems ? error.problems : error instanceof Problem ? [error] : []
  return problems
    .map((problem) => {
      const place = problem.span && placeOf(problem.span)
      return annotation({ kind: 'error', place, title: problem.message.split('\n')[0]!, text: drawProblem(problem) }, rootOf(around))
    })
    .join('')
}

export function pipelineOf(around: Around, secrets: Secrets): CiOptions {
  const { cwd, env } = around
  return {
    isRunner: env['GITHUB_ACTIONS'] === 'true',
    root: rootOf(around),
    secretsSince: (count) => secrets.since(count),
    append: (variable, text) => {
      const file = env[variable]
      if (file) appendFileSync(file, text)
    },
    write: (name, text) => writeFileSync(join(env['CI_PROJECT_DIR'] || cwd, name), text),
    seconds: () => Math.floor(Date.now() / 1000),
  }
}
