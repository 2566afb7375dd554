/** The free strategies: every host goes its own way as fast as it can; host_pinned keeps `forks` hosts at work to their end. */
import pLimit from 'p-limit'
import { Problem } from '../base/index.ts'
import type { TaskRef } from '../events/index.ts'
import type { Block, Task } from '../playbook/index.ts'
import { concrete } from './action.ts'
import { conclude } from './conclude.ts'
import { unmark } from './handlers.ts'
import { groupIncludes, isInclude, loadInclude, tellIncluded } from './include.ts'
import { KeywordReader } from './keywords.ts'
import { runMeta } from './meta.ts'
import type { Outcome } from './outcome.ts'
import { explain } from './problem.ts'
import { refOf } from './refs.ts'
import type { PlayRun } from './state.ts'
import { taggedBlocks } from './tags.ts'
import { taskScope } from './task.ts'
import type { HostWalk, Verdict } from './walk.ts'

/** Runs a batch to its end. `pinned`: a host keeps its place among the forks until it is through. */
export async function free(pr: PlayRun, pinned: boolean): Promise<boolean> {
  const throttles = new Map<Task, ReturnType<typeof pLimit>>()
  const forks = pLimit(pr.run.settings.forks)
  const warned = new Set<Task>()
  const refs = new Map<number, TaskRef>()
  const perTask = <T>(work: () => Promise<T>): Promise<T> => (pinned ? work() : forks(work))
  const walks = pr.batch.map((h) => pr.walks.get(h)!)
  await allOf(walks, (walk, wake) => {
    const way = () => host(pr, walk, { perTask, throttles, warned, refs, wake })
    return pinned ? forks(way) : way()
  })
  return false
}

/** Sends every host on its way, and those that are woken after their end once more. */
function allOf(walks: readonly HostWalk[], go: (walk: HostWalk, wake: () => void) => Promise<void>): Promise<void> {
  const going = new Set<HostWalk>()
  return new Promise((resolve, reject) => {
    const start = (walk: HostWalk) => {
      going.add(walk)
      go(walk, wake).then(() => {
        going.delete(walk)
        if (going.size === 0) resolve()
      }, reject)
    }
    const wake = () => {
      for (const walk of walks) if (!going.has(walk) && walk.peek()) start(walk)
    }
    for (const walk of walks) start(walk)
    if (walks.length === 0) resolve()
  })
}

interface Means {
  readonly perTask: <T>(work: () => Promise<T>) => Promise<T>
  readonly throttles: Map<Task, ReturnType<typeof pLimit>>
  readonly warned: Set<Task>
  readonly refs: Map<number, TaskRef>
  /** sets the hosts going again that have something to do after all: their errors were cleared */
  readonly wake: () => void
}

/** One host's way to its end. */
async function host(pr: PlayRun, walk: HostWalk, means: Means): Promise<void> {
  for (;;) {
    if (pr.run.signal.aborted) throw pr.run.signal.reason
    if (pr.run.unreachable.has(walk.host)) return
    const task = walk.peek()
    if (!task) {
      if (walk.failed) {
        pr.run.failed.add(walk.host)
        pr.removed.add(walk.host)
      }
      return
    }
    walk.finish(await step(pr, walk, task, means))
  }
}

async function step(pr: PlayRun, walk: HostWalk, written: Task, means: Means): Promise<Verdict> {
  const task = concrete(pr, written, walk.host)
  const { role } = task
  if (role && !role.allowDuplicates && !task.isHandler && pr.roleDone.get(role.same ?? role)?.has(walk.host)) return { failed: false }
  if (task.isHandler) unmark(pr, task, walk.host, false)
  if (task.action.resolved === 'ansible.builtin.meta') {
    const verdict = await runMeta(pr, walk, task, started(pr, task, walk, means))
    means.wake()
    return verdict
  }
  refuse(pr, task, walk, means)
  const ref = started(pr, task, walk, means)
  const { outcome, failed, unreachable } = await throttled(pr, task, walk, means, () => conclude(pr, task, walk.host, ref, false))
  if (unreachable) return { failed: false }
  if (failed) return { failed: true }
  return isInclude(task) ? include(pr, task, walk, outcome, ref) : { failed: false }
}

/** The task's one start, which all hosts share. */
function started(pr: PlayRun, task: Task, walk: HostWalk, { refs }: Means): TaskRef {
  const known = refs.get(task.id)
  if (known) return known
  const ref = refOf(pr, task, walk.host)
  refs.set(task.id, ref)
  if (!task.implicit) pr.run.bus.emit({ kind: 'task-start', task: ref })
  return ref
}

/** What these strategies cannot do is told, as Ansible does. */
function refuse(pr: PlayRun, task: Task, walk: HostWalk, { warned }: Means): void {
  if (pr.run.module(task.action.resolved)?.bypassHostLoop) {
    throw new Problem(
      `The '${task.action.name}' module bypasses the host loop, which is currently not supported in the free strategy and would instead execute for every host in the inventory list.`,
      { kind: 'playbook', span: task.action.span },
    )
  }
  if (warned.has(task) || task.keywords.runOnce === undefined) return
  warned.add(task)
  const reader = new KeywordReader(task.keywords, pr.run.templar, taskScope(pr, task, walk.host))
  if (!reader.bool(task.keywords.runOnce, false, 'run_once')) return
  pr.run.bus.emit({
    kind: 'warning',
    text: 'Using run_once with the free strategy is not currently supported. This task will still be executed for every host in the inventory list.',
  })
}

function throttled<T>(pr: PlayRun, task: Task, walk: HostWalk, means: Means, work: () => Promise<T>): Promise<T> {
  if (task.keywords.throttle === undefined) return means.perTask(work)
  let limit = means.throttles.get(task)
  if (!limit) {
    const reader = new KeywordReader(task.keywords, pr.run.templar, taskScope(pr, task, walk.host))
    const width = reader.throttle()
    limit = pLimit(width > 0 ? width : pr.run.settings.forks)
    means.throttles.set(task, limit)
  }
  return limit(() => means.perTask(work))
}

function include(pr: PlayRun, task: Task, walk: HostWalk, outcome: Outcome, ref: TaskRef): Verdict {
  const includes = outcome.parts.flatMap((p) => (p.include ? [p.include] : []))
  const inserted: Block[] = []
  for (const file of groupIncludes(task, [{ host: walk.host, includes }])) {
    try {
      inserted.push(...taggedBlocks(loadInclude(file, pr), pr))
    } catch (error) {
      if (!(error instanceof Problem) || error.kind !== 'file') throw error
      pr.run.stats.count(walk.host, 'failures')
      pr.run.bus.emit({
        kind: 'result',
        task: ref,
        host: walk.host,
        status: 'failed',
        result: { failed: true, reason: explain(error) },
        ignored: false,
        looped: false,
        seconds: 0,
      })
      return { failed: true }
    }
    tellIncluded(pr, file, ref)
  }
  return { failed: false, inserted }
}
