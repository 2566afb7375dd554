/** The linear strategy: every host does a task before any host goes on to the next. */
import pLimit from 'p-limit'
import { OMIT, Problem, type Raw } from '../base/index.ts'
import type { TaskRef } from '../events/index.ts'
import type { Block, Task } from '../playbook/index.ts'
import { concrete } from './action.ts'
import { conclude } from './conclude.ts'
import { handlerTasks, unmark } from './handlers.ts'
import { groupIncludes, type IncludedFile, isInclude, loadInclude, tellIncluded } from './include.ts'
import { KeywordReader } from './keywords.ts'
import { isOnceForAll, runMeta, verbOf } from './meta.ts'
import { type Outcome, truthy } from './outcome.ts'
import { explain } from './problem.ts'
import { refOf } from './refs.ts'
import type { PlayRun } from './state.ts'
import { taggedBlocks } from './tags.ts'
import { taskScope } from './task.ts'
import { flatten, type HostWalk, isMeta, type Verdict } from './walk.ts'

/** Runs a batch to its end; true when the play must be broken off (max_fail_percentage). */
export async function linear(pr: PlayRun, steps: readonly Block[], setup: Task | undefined): Promise<boolean> {
  const order = [...(setup ? [setup] : []), ...flatten(steps)]
  const lane = new Lane(pr, order)
  while (!pr.run.signal.aborted) {
    const left = pr.batch.filter((h) => !pr.run.unreachable.has(h))
    const picked = lane.next(left.map((h) => pr.walks.get(h)!))
    if (picked.length === 0) return lane.broken
    if (await lane.round(picked, left)) return true
  }
  return false
}

interface Done {
  readonly walk: HostWalk
  readonly outcome: Outcome
  /** run_once: what came of it is everybody's */
  readonly forAll: boolean
}

class Lane {
  readonly #pr: PlayRun
  readonly #order: Task[]
  /** too many hosts have failed: no batch follows this one */
  broken = false
  #at = 0

  constructor(pr: PlayRun, order: Task[]) {
    this.#pr = pr
    this.#order = order
  }

  /** The walks whose next task is the first in the play's order. */
  next(walks: readonly HostWalk[]): HostWalk[] {
    const waiting = new Map<HostWalk, Task>()
    for (const walk of walks) {
      const task = walk.peek()
      if (task) waiting.set(walk, task)
    }
    if (waiting.size === 0) return []
    const wanted = new Set(waiting.values())
    const current = this.#find(wanted)
    const picked = [...waiting].filter(([, task]) => task === current).map(([walk]) => walk)
    if (isMeta(current, 'flush_handlers')) this.#order.splice(this.#at, 0, ...handlerTasks(this.#pr))
    return picked
  }

  #find(wanted: ReadonlySet<Task>): Task {
    for (let turn = 0; turn < 2; turn++) {
      while (this.#at < this.#order.length) {
        const task = this.#order[this.#at++]!
        if (wanted.has(task)) return task
      }
      this.#at = 0
    }
    const [first] = wanted
    return first!
  }

  /** One task on the hosts that are at it; true when the play is broken off. */
  async round(picked: readonly HostWalk[], left: readonly string[]): Promise<boolean> {
    const pr = this.#pr
    const task = picked[0]!.peek()!
    const hosts = this.#withoutDoneRoles(picked, task)
    if (hosts.length === 0) return false
    if (task.action.resolved === 'ansible.builtin.meta') return this.#meta(hosts, task, left)
    const first = hosts[0]!
    const module = pr.run.module(concrete(pr, task, first.host).action.resolved)
    const chosen = module?.bypassHostLoop ? [first] : this.#chosen(task, hosts)
    const alone = module?.bypassHostLoop === true || this.#runsOnce(task, chosen.at(-1)!)
    const ref = refOf(pr, task, first.host)
    const said = pr.run.stepping ? await this.#step(ref) : 'yes'
    if (said === 'nobody') return true
    if (said === 'no') {
      // a handler that was passed over is still notified, and is asked about again at the next flush
      for (const walk of hosts) walk.finish({ failed: false })
      return false
    }
    pr.run.bus.emit({ kind: 'task-start', task: ref })
    const done = await this.#run(chosen, task, ref, alone)
    const fatal = this.#fatal(task, alone)
    const failedNames = done.filter((d) => d.outcome.status === 'failed').map((d) => d.walk.host)
    const verdicts = this.#verdicts(hosts, done)
    if (alone && task.isHandler) unmark(pr, task, first.host, true)
    const loadFailed = this.#include(task, done, verdicts, ref)
    for (const [walk, verdict] of verdicts) {
      if (walk.ended) continue
      walk.finish(verdict)
      if (verdict.failed && failedNames.includes(walk.host)) this.#lostIfOver(walk)
    }
    for (const host of loadFailed) {
      const walk = pr.walks.get(host)
      if (walk) this.#lostIfOver(walk)
    }
    return this.#judge(fatal, [...failedNames, ...loadFailed], done, left)
  }

  /** A task of a role that the host has been through already is passed over without a word. */
  #withoutDoneRoles(picked: readonly HostWalk[], task: Task): HostWalk[] {
    const { role } = task
    if (!role || role.allowDuplicates || task.isHandler) return [...picked]
    const done = this.#pr.roleDone.get(role.same ?? role)
    return picked.filter((walk) => {
      if (!done?.has(walk.host)) return true
      walk.finish({ failed: false })
      return false
    })
  }

  #reader(task: Task, walk: HostWalk): KeywordReader {
    return new KeywordReader(task.keywords, this.#pr.run.templar, taskScope(this.#pr, task, walk.host))
  }

  /** The hosts that do the task: up to the first for which run_once holds. */
  #chosen(task: Task, hosts: readonly HostWalk[]): readonly HostWalk[] {
    const { runOnce } = task.keywords
    if (runOnce === undefined || runOnce === false) return hosts
    const last = hosts.findIndex((walk) => this.#runsOnce(task, walk))
    return last < 0 ? hosts : hosts.slice(0, last + 1)
  }

  /** This strategy takes run_once by Python's truth, which any text but the empty one has; the task itself fails where it is no boolean. */
  #runsOnce(task: Task, walk: HostWalk): boolean {
    const { runOnce } = task.keywords
    if (runOnce === undefined || typeof runOnce === 'boolean') return runOnce ?? false
    const value = this.#pr.run.templar.render(runOnce, taskScope(this.#pr, task, walk.host))
    return value === OMIT || truthy(value)
  }

  /** Is what came of a host everybody's? By then run_once is a boolean, if it can be one. */
  #holdsForAll(task: Task, walk: HostWalk): boolean {
    const { runOnce } = task.keywords
    if (runOnce === undefined || typeof runOnce === 'boolean') return runOnce ?? false
    try {
      return this.#reader(task, walk).bool(runOnce, false, 'run_once')
    } catch (error) {
      if (error instanceof Problem) return true
      throw error
    }
  }

  /** This strategy looks at the keywords as they are written: any template is true. */
  #fatal({ keywords }: Task, runOnce: boolean): boolean {
    const fatal = keywords.anyErrorsFatal ?? this.#pr.run.settings.anyErrorsFatal
    return (runOnce || isSaid(fatal)) && !isSaid(keywords.ignoreErrors)
  }

  /** --step: asks whether the task is to be done. */
  async #step(ref: TaskRef): Promise<'yes' | 'no' | 'nobody'> {
    const { run } = this.#pr
    const question = `Perform task: ${ref.isHandler ? 'HANDLER' : 'TASK'}: ${ref.name} (N)o/(y)es/(c)ontinue: `
    const line = await run.readLine(question)
    if (line === undefined) {
      run.bus.emit({ kind: 'error', text: `there is nobody to answer: ${question.trim()}` })
      return 'nobody'
    }
    run.bus.emit({ kind: 'banner', text: question })
    const answer = line.toLowerCase()
    if (answer === 'c' || answer === 'continue') run.stepping = false
    return ['y', 'yes', 'c', 'continue'].includes(answer) ? 'yes' : 'no'
  }

  async #run(hosts: readonly HostWalk[], task: Task, ref: TaskRef, alone: boolean): Promise<Done[]> {
    const pr = this.#pr
    const limit = pLimit(this.#width(task, hosts[0]!, alone))
    return Promise.all(
      hosts.map((walk) =>
        limit(async () => {
          if (pr.run.signal.aborted) throw pr.run.signal.reason
          const forAll = this.#holdsForAll(task, walk)
          if (task.isHandler) unmark(pr, task, walk.host, alone)
          walk.take()
          const mine = concrete(pr, task, walk.host)
          const { outcome } = await conclude(pr, mine, walk.host, ref, forAll)
          return { walk, outcome, forAll }
        }),
      ),
    )
  }

  /** forks, or less where the task is throttled. */
  #width(task: Task, walk: HostWalk, runOnce: boolean): number {
    const { forks } = this.#pr.run.settings
    if (task.keywords.throttle === undefined || runOnce) return forks
    const throttle = this.#reader(task, walk).throttle()
    return throttle > 0 ? Math.min(throttle, forks) : forks
  }

  /** What each walk is told; after run_once all hosts share the one outcome. */
  #verdicts(hosts: readonly HostWalk[], done: readonly Done[]): Map<HostWalk, Verdict> {
    const out = new Map<HostWalk, Verdict>()
    for (const walk of hosts) out.set(walk, { failed: false })
    for (const { walk, outcome, forAll } of done) {
      if (outcome.status !== 'failed' || outcome.ignored) continue
      for (const other of forAll ? this.#reachable() : [walk]) out.set(other, { failed: true })
    }
    return out
  }

  #reachable(): HostWalk[] {
    return [...this.#pr.walks.values()].filter(({ host }) => !this.#pr.run.unreachable.has(host))
  }

  /** Carries out the includes; names the hosts for which one could not be loaded. */
  #include(task: Task, done: readonly Done[], verdicts: Map<HostWalk, Verdict>, ref: TaskRef): string[] {
    if (!isInclude(task)) return []
    const wanted = done.map(({ walk, outcome }) => ({
      host: walk.host,
      includes: outcome.parts.flatMap((p) => (p.include ? [p.include] : [])),
    }))
    const inserted = new Map<string, Block[]>()
    const added: Task[] = []
    const failed: string[] = []
    for (const file of groupIncludes(task, wanted)) {
      const blocks = this.#load(file, ref, verdicts)
      if (!blocks) {
        failed.push(...file.hosts)
        continue
      }
      added.push(...flatten(blocks))
      for (const host of file.hosts) inserted.set(host, [...(inserted.get(host) ?? []), ...blocks])
    }
    this.#order.splice(this.#at, 0, ...added)
    for (const [walk, verdict] of verdicts) {
      const blocks = inserted.get(walk.host)
      if (blocks && !failed.includes(walk.host)) verdicts.set(walk, { ...verdict, inserted: blocks })
    }
    return [...new Set(failed)]
  }

  #load(file: IncludedFile, ref: TaskRef, verdicts: Map<HostWalk, Verdict>): readonly Block[] | undefined {
    const pr = this.#pr
    try {
      const blocks = taggedBlocks(loadInclude(file, pr), pr)
      tellIncluded(pr, file, ref)
      return blocks
    } catch (error) {
      if (!(error instanceof Problem) || error.kind !== 'file') throw error
      const { target } = file.include
      for (const host of file.hosts) {
        pr.run.stats.count(host, 'failures')
        pr.run.bus.emit({
          kind: 'result',
          task: ref,
          host,
          status: 'failed',
          result: { changed: false, ...(target.kind === 'tasks' ? { include: target.file } : {}), failed: true, reason: explain(error) },
          ignored: false,
          looped: false,
          seconds: 0,
        })
        for (const walk of verdicts.keys()) if (walk.host === host) verdicts.set(walk, { failed: true })
      }
      return undefined
    }
  }

  async #meta(hosts: readonly HostWalk[], task: Task, left: readonly string[]): Promise<boolean> {
    const pr = this.#pr
    const once = isOnceForAll(verbOf(task))
    for (const walk of once ? hosts.slice(0, 1) : hosts) {
      const ref = refOf(pr, task, walk.host)
      if (!task.implicit) pr.run.bus.emit({ kind: 'task-start', task: ref })
      if (task.isHandler) unmark(pr, task, walk.host, once)
      const verdict = await runMeta(pr, walk, task, ref)
      if (!walk.ended) walk.finish(verdict)
    }
    if (once) for (const walk of hosts.slice(1)) if (!walk.ended) walk.finish({ failed: false })
    return this.#judge(false, [], [], left)
  }

  /** any_errors_fatal and max_fail_percentage. */
  #judge(fatal: boolean, failed: readonly string[], done: readonly Done[], left: readonly string[]): boolean {
    const pr = this.#pr
    const dark = done.some((d) => d.outcome.status === 'unreachable')
    if (fatal && (failed.length > 0 || dark)) this.#failOthers(left, failed)
    if (pr.maxFailPercentage !== undefined && done.length > 0 && pr.run.failed.size / pr.batch.length > pr.maxFailPercentage / 100) {
      this.#failOthers(left, failed)
      pr.run.bus.emit({ kind: 'no-hosts', reason: 'remaining' })
      this.broken = true
    }
    // hosts that are being rescued go on
    if (!this.broken || pr.run.failed.size < left.length) return false
    pr.run.bus.emit({ kind: 'no-hosts', reason: 'remaining' })
    return true
  }

  /** Nothing is left to rescue the host: it has failed for good. */
  #lostIfOver(walk: HostWalk): void {
    if (walk.peek() === undefined && walk.failed) this.#lost(walk.host)
  }

  #lost(host: string): void {
    this.#pr.run.failed.add(host)
    this.#pr.removed.add(host)
  }

  #failOthers(left: readonly string[], failed: readonly string[]): void {
    const pr = this.#pr
    for (const host of left) {
      if (failed.includes(host)) continue
      pr.run.failed.add(host)
      pr.removed.add(host)
      pr.walks.get(host)?.fail()
    }
  }
}

const isSaid = (raw: Raw | undefined): boolean => raw !== undefined && raw !== null && raw !== false && raw !== '' && raw !== 0
