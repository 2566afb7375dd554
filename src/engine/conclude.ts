/** Runs a task on a host and settles what came of it; where the debugger is wanted, again and again until a person lets it go on. */
import { own, Problem, type RawVars } from '../base/index.ts'
import type { TaskRef } from '../events/index.ts'
import type { Task } from '../playbook/index.ts'
import { debugTask } from './debugger.ts'
import type { DEBUGGER_VALUES } from './debugger-values.ts'
import { settle } from './effects.ts'
import { KeywordReader } from './keywords.ts'
import { learnSecrets } from './learn.ts'
import { isTrue, type Outcome } from './outcome.ts'
import { Step } from './replay.ts'
import type { PlayRun } from './state.ts'
import { runTask, taskScope } from './task.ts'

export interface Concluded {
  readonly outcome: Outcome
  readonly failed: boolean
  readonly unreachable: boolean
}

export async function conclude(pr: PlayRun, written: Task, host: string, ref: TaskRef, runOnce: boolean): Promise<Concluded> {
  const step = pr.run.replay && new Step(pr, written, host, runOnce)
  const known = step?.known(pr.walks.get(host)?.rescuable ?? false)
  if (known) {
    learnSecrets(pr, written, host)
    return { outcome: known, ...pr.run.replay!.quietly(() => settle(pr, written, host, known, ref, runOnce)) }
  }
  let task = written
  let vars: RawVars = new Map()
  for (;;) {
    const ran = await runTask(pr, task, host, ref, vars, step)
    const outcome = step?.found(ran) ?? ran
    while (pr.run.gate.isClosed) await pr.run.gate.pass()
    const settled = settle(pr, task, host, outcome, ref, runOnce)
    if (!wantsDebugger(pr, task, host, outcome)) {
      step?.done(outcome)
      return { outcome, ...settled }
    }
    const next = await pr.run.gate.alone(() => debugTask({ pr, written, task, host, ref, outcome, vars }))
    if (next === 'continue') {
      step?.done(outcome)
      return { outcome, ...settled }
    }
    undo(pr, host, outcome)
    ;({ task, vars } = next)
  }
}

type When = (outcome: Outcome, forgiven: boolean, globally: boolean) => boolean

const isBad: When = ({ status }, forgiven) => (status === 'failed' && !forgiven) || status === 'unreachable'

/** When each value of the keyword opens the debugger; where it says nothing, the setting or the strategy decides. */
const WANTED: Readonly<Record<(typeof DEBUGGER_VALUES)[number] | '', When>> = {
  '': (outcome, forgiven, globally) => globally && isBad(outcome, forgiven, globally),
  always: () => true,
  never: () => false,
  on_failed: ({ status }, forgiven, globally) => (status === 'failed' && !forgiven) || (globally && status === 'unreachable'),
  on_unreachable: (outcome, forgiven, globally) => outcome.status === 'unreachable' || (globally && isBad(outcome, forgiven, globally)),
  on_skipped: (outcome, forgiven, globally) => outcome.status === 'skipped' || (globally && isBad(outcome, forgiven, globally)),
}

function wantsDebugger(pr: PlayRun, task: Task, host: string, outcome: Outcome): boolean {
  if (task.keywords.debugger === undefined && !pr.debugging) return false
  const forgiven = outcome.ignored && pr.run.settings.debuggerIgnoresErrors !== false
  return (own(WANTED, debuggerOf(pr, task, host)) ?? WANTED[''])(outcome, forgiven, pr.debugging)
}

function debuggerOf(pr: PlayRun, task: Task, host: string): string {
  const { debugger: raw } = task.keywords
  if (raw === undefined || typeof raw === 'string') return raw ?? ''
  try {
    return String(new KeywordReader(task.keywords, pr.run.templar, taskScope(pr, task, host)).value(raw) ?? '')
  } catch (error) {
    if (error instanceof Problem) return ''
    throw error
  }
}

/**
 * Takes back what a result did to the recap, so that the task can be done again. As in ansible-core, a host that could not be reached stays out of
 * the tasks that follow, and one that failed is no longer among the play's hosts.
 */
function undo({ run }: PlayRun, host: string, { status, result }: Outcome): void {
  run.failed.clear()
  if (status === 'failed') run.stats.uncount(host, 'failures')
  if (status === 'unreachable') run.stats.uncount(host, 'unreachable')
  if (status === 'skipped') run.stats.uncount(host, 'skipped')
  if (isTrue(result, 'changed')) run.stats.uncount(host, 'changed')
  run.stats.uncount(host, 'ok')
}
