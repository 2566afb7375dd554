/** Lists of steps → tasks that can never run: behind a sure end, or under a condition that is never true. */
import { Template } from '../base/index.ts'
import type { Step, Task } from '../playbook/index.ts'
import { type Finding, finding } from './findings.ts'
import { argument, type Walked } from './walk.ts'

export function unreachableTasks({ lists, tasks, handlers }: Walked): Finding[] {
  return [...lists.flatMap(behindEnds), ...[...tasks, ...handlers].flatMap(neverTrue)]
}

/** Only the first that is not reached: the others follow from it. */
function behindEnds(list: readonly Step[]): Finding[] {
  const end = list.findIndex((step) => step.kind === 'task' && !step.implicit && isEnd(step))
  const next = list.slice(end + 1).find((step) => step.kind === 'block' || !step.implicit)
  if (end === -1 || next === undefined) return []
  const hint = `line ${lineOf(list[end] as Task)} ends it for every host`
  return [finding('unreachable', 'this is never reached', next.span, hint)]
}

const lineOf = ({ span }: Task): number => span.source.text.slice(0, span.start).split('\n').length

/** Tags choose tasks: an end that is left out ends nothing, but then nor does a run without tags reach what follows. */
const isEnd = (task: Task): boolean =>
  task.keywords.when.length === 0 &&
  task.keywords.tags.length === 0 &&
  task.loop === undefined &&
  (ENDS[task.action.resolved]?.(task) ?? false)

const ENDS: Readonly<Record<string, (task: Task) => boolean>> = {
  'ansible.builtin.meta': (task) => ['end_play', 'end_host', 'end_batch'].includes(String(argument(task, '_raw_params'))),
  'ansible.builtin.fail': ({ keywords, failedWhen }) => keywords.ignoreErrors === undefined && failedWhen === undefined,
}

function neverTrue(task: Task): Finding[] {
  const never = task.keywords.when.find((one) => one === false || (one instanceof Template && /^\s*(?:false|False)\s*$/.test(one.text)))
  if (never === undefined) return []
  return [
    finding('unreachable', 'this never runs: its condition is false', never instanceof Template ? (never.span ?? task.span) : task.span),
  ]
}
