/** What follows from an outcome: the recap's numbers, variables, facts, hosts and groups, notifications, the event. */
import { asWritten, Float, type Raw, type RawVars, Template, type Value } from '../base/index.ts'
import type { TaskRef } from '../events/index.ts'
import type { Task } from '../playbook/index.ts'
import { notify } from './handlers.ts'
import { isInclude } from './include.ts'
import { applyInventory } from './inventory.ts'
import { isTrue, type Outcome, type Part } from './outcome.ts'
import { registered, shownResult } from './result.ts'
import type { PlayRun } from './state.ts'
import { taskFields } from './task-value.ts'

/** Applies an outcome to the play; tells what the host's walk must know. */
export function settle(
  pr: PlayRun,
  task: Task,
  host: string,
  outcome: Outcome,
  ref: TaskRef,
  runOnce: boolean,
): { failed: boolean; unreachable: boolean } {
  const { status, ignored } = outcome
  const failed = status === 'failed' && !ignored
  const unreachable = status === 'unreachable' && !ignored
  if (status === 'failed') settleFailure(pr, task, host, outcome, ref, runOnce)
  else if (status === 'unreachable') settleUnreachable(pr, host, ignored)
  else if (status === 'skipped') pr.run.stats.count(host, 'skipped')
  else settleOk(pr, task, host, outcome, runOnce)
  const done = status === 'ok' || status === 'changed'
  // add_host and group_by know only now whether anything changed
  if (isInclude(task) && done) tellInclude(pr, task, host, outcome, ref)
  else tell(pr, task, host, done ? { ...outcome, status: isTrue(outcome.result, 'changed') ? 'changed' : 'ok' } : outcome, ref)
  if (task.register !== undefined) register(pr, task, host, outcome, runOnce)
  if (task.role && (status === 'ok' || status === 'changed' || status === 'failed')) ranRole(pr, task, host)
  return { failed, unreachable }
}

function settleFailure(pr: PlayRun, task: Task, host: string, outcome: Outcome, ref: TaskRef, runOnce: boolean): void {
  const { stats } = pr.run
  if (outcome.ignored) {
    stats.count(host, 'ok')
    stats.count(host, 'ignored')
    if (isTrue(outcome.result, 'changed')) stats.count(host, 'changed')
    return
  }
  const rescuable = pr.walks.get(host)?.rescuable ?? false
  if (!rescuable) {
    pr.removed.add(host)
    stats.count(host, 'failures')
    return
  }
  stats.count(host, 'rescued')
  const seen: [string, Value][] = [
    ['ansible_failed_task', taskFields(pr, task, host, ref, outcome)],
    ['ansible_failed_result', registered(outcome.result)],
  ]
  for (const target of runOnce ? hostsOfPlay(pr) : [host])
    for (const [name, value] of seen) pr.run.variables.setFact(target, name, value, true)
}

function settleUnreachable(pr: PlayRun, host: string, ignored: boolean): void {
  if (ignored) {
    pr.run.stats.count(host, 'ok')
    pr.run.stats.count(host, 'ignored')
    return
  }
  pr.run.unreachable.add(host)
  pr.removed.add(host)
  pr.run.stats.count(host, 'unreachable')
}

function settleOk(pr: PlayRun, task: Task, host: string, outcome: Outcome, runOnce: boolean): void {
  const walk = pr.walks.get(host)
  for (const part of outcome.parts) {
    if (part.status === 'skipped') continue
    applyInventory(pr, task, host, part, outcome)
    if (isTrue(outcome.result, 'changed') && walk) notify(pr, walk, part.notify, task)
    applyFacts(pr, task, host, part, runOnce)
    applyStats(pr, host, part, runOnce)
  }
  if (isInclude(task)) return
  pr.run.stats.count(host, 'ok')
  if (isTrue(outcome.result, 'changed')) pr.run.stats.count(host, 'changed')
}

/** Every host of the batch that can be reached. */
const hostsOfPlay = (pr: PlayRun): string[] => pr.batch.filter((h) => !pr.run.unreachable.has(h))

function applyFacts(pr: PlayRun, task: Task, host: string, part: Part, runOnce: boolean): void {
  const facts = part.result.get('ansible_facts')
  if (!(facts instanceof Map) || task.action.resolved === 'ansible.builtin.debug') return
  const { variables } = pr.run
  const targets = part.delegatedTo !== undefined && part.delegateFacts ? [part.delegatedTo] : runOnce ? hostsOfPlay(pr) : [host]
  const named = new Map([...facts].map(([k, v]) => [String(k), v] as const))
  for (const target of targets) {
    if (task.action.resolved === 'ansible.builtin.include_vars') variables.setIncluded(target, written(part, named))
    else if (task.action.resolved === 'ansible.builtin.set_fact') {
      if (part.cacheable) variables.addFacts(target, named)
      for (const [name, value] of written(part, named)) {
        variables.setFact(target, name, value, part.vars?.fromHost ?? false, writtenFact(task, name), part.vars?.texts)
      }
    } else variables.addFacts(target, gathered(task, named))
  }
}

/** A fact as it stands in the task; words of the form name=value are in no class of their own. */
function writtenFact({ action }: Task, name: string): Raw | undefined {
  return action.args instanceof Map && !action.words ? (action.args as ReadonlyMap<string, Raw>).get(name) : undefined
}

/** Texts with template marks are templates again, unless a host's words are in them. */
function written(part: Part, named: ReadonlyMap<string, Value>): RawVars {
  if (part.vars?.fromHost) return named
  return new Map([...named].map(([k, v]) => [k, asWritten(v)]))
}

function gathered(task: Task, facts: ReadonlyMap<string, Value>): ReadonlyMap<string, Value> {
  const { resolved } = task.action
  if (resolved !== 'ansible.builtin.setup' && resolved !== 'ansible.builtin.gather_facts') return facts
  return new Map<string, Value>([...facts, ['_ansible_facts_gathered', true]])
}

function applyStats(pr: PlayRun, host: string, part: Part, runOnce: boolean): void {
  const stats = part.result.get('ansible_stats')
  if (!(stats instanceof Map)) return
  const data = stats.get('data')
  if (!(data instanceof Map)) return
  const perHost = stats.get('per_host') !== false
  const named = new Map([...data].map(([k, v]) => [String(k), v] as const))
  const targets = perHost ? (runOnce ? hostsOfPlay(pr) : [host]) : [undefined]
  for (const target of targets) pr.run.stats.custom(target, named, stats.get('aggregate') === true, add)
}

/** Adds as set_stats aggregates: numbers and texts are added, lists joined, dicts merged. */
function add(a: Value, b: Value): Value {
  if (typeof a === 'number' && typeof b === 'number') return a + b
  if (a instanceof Float || b instanceof Float)
    return new Float(Number(a instanceof Float ? a.value : a) + Number(b instanceof Float ? b.value : b))
  if (Array.isArray(a) && Array.isArray(b)) return [...a, ...b]
  if (a instanceof Map && b instanceof Map) return new Map([...a, ...b])
  if (typeof a === 'string' && typeof b === 'string') return a + b
  return b
}

/** Files of the controller are no host's words, nor are facts that a task made of its own. */
function isHostsWord({ action: { resolved } }: Task, { parts }: Outcome): boolean {
  if (resolved === 'ansible.builtin.include_vars') return false
  return resolved !== 'ansible.builtin.set_fact' || parts.length === 0 || parts.some(({ vars }) => vars?.fromHost ?? true)
}

function register(pr: PlayRun, task: Task, host: string, outcome: Outcome, runOnce: boolean): void {
  const kept = registered(outcome.result)
  const told = isHostsWord(task, outcome)
  for (const target of runOnce ? hostsOfPlay(pr) : [host]) pr.run.variables.setFact(target, task.register!, kept, told)
}

function ranRole(pr: PlayRun, task: Task, host: string): void {
  const hosts = pr.roleRan.get(task.role!.same ?? task.role!) ?? new Set()
  hosts.add(host)
  pr.roleRan.set(task.role!.same ?? task.role!, hosts)
}

/** One that could not be rendered is told as it is written. */
const delegateOf = (task: Task, part: Part | undefined): string | undefined =>
  part?.broken ? (part.delegatedTo ?? writtenDelegate(task)) : part?.delegatedTo

/** A loop as a whole has the keyword as it is written: each item may be for another host. */
function writtenDelegate({ keywords: { delegateTo } }: Task): string | undefined {
  if (delegateTo === undefined || delegateTo === null || delegateTo === '') return undefined
  return delegateTo instanceof Template ? delegateTo.text : String(delegateTo)
}

/** What a host answered to an include, for those who keep every result. */
function tellInclude(pr: PlayRun, task: Task, host: string, { result, noLog, looped }: Outcome, ref: TaskRef): void {
  pr.run.bus.emit({ kind: 'include-result', task: ref, host, status: 'ok', result: shownResult(task, result, noLog, false), looped })
}

function tell(pr: PlayRun, task: Task, host: string, outcome: Outcome, ref: TaskRef): void {
  const warnings = outcome.result.get('warnings')
  if (Array.isArray(warnings) && !pr.run.settings.hideModuleWarnings)
    for (const text of warnings) pr.run.bus.emit({ kind: 'warning', text: String(text) })
  pr.run.bus.emit({
    kind: 'result',
    task: ref,
    host,
    status: outcome.status,
    result: shownResult(task, outcome.result, outcome.noLog, outcome.parts[0]?.diff ?? false),
    ignored: outcome.ignored,
    // under no_log a loop's results are hidden, and it looks like a plain task
    looped: outcome.looped && outcome.parts.length > 0 && !outcome.noLog,
    delegatedTo: outcome.looped ? writtenDelegate(task) : delegateOf(task, outcome.parts[0]),
    seconds: outcome.seconds,
  })
}
