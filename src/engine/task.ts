/** Runs a task on a host: once, or once for each item of its loop, and puts the parts together. */
import { OMIT, Problem, type Raw, type RawVars, Template, type Value } from '../base/index.ts'
import type { TaskRef } from '../events/index.ts'
import type { Task } from '../playbook/index.ts'
import { type LayeredScope, mapLayer } from '../vars/index.ts'
import { attempt } from './attempt.ts'
import { filesOn, searchPath } from './files.ts'
import { carriedFacts } from './finish.ts'
import { KeywordReader } from './keywords.ts'
import { type Control, type Items, itemVariables, loopControl, loopItems } from './loop.ts'
import { isTrue, type Outcome, type Part, statusOf } from './outcome.ts'
import { brokenResult, explain, failureOf } from './problem.ts'
import type { Step } from './replay.ts'
import { shownResult } from './result.ts'
import type { PlayRun, Res } from './state.ts'
import { wait } from './wait.ts'

/** Runs it; events for items and retries go out on the way, the caller tells the result. `over`: variables that beat all others. */
export async function runTask(pr: PlayRun, task: Task, host: string, ref: TaskRef, over?: RawVars, step?: Step): Promise<Outcome> {
  const began = performance.now()
  pr.run.bus.emit({ kind: 'host-start', task: ref.id, host })
  const known = taskScope(pr, task, host)
  const scope = over?.size ? known.with(mapLayer(over)) : known
  let items: Items | undefined
  let loopError: unknown
  try {
    items = loopItems(task, scope, pr.run.templar)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (error.kind === 'undefined') loopError = error
    else return loopFailed(pr, task, scope, error)
  }
  if (!items) {
    const only = await attempt({ pr, task, host, ref, scope, local: new Map(), loopError, label: undefined, step })
    return single(only, began)
  }
  if (items.values.length === 0) return empty(began)
  return runItems({ pr, task, host, ref, scope, items, began, step })
}

/** The names the task sees on a host, with the files in its reach. */
export function taskScope(pr: PlayRun, task: Task, host: string): LayeredScope {
  const path = searchPath(task, pr.view.playbookDir)
  const files = filesOn(path, pr.run.readText)
  const search = mapLayer(new Map([['ansible_search_path', [...path]]]))
  return pr.run.variables.scope({ view: pr.view, host, task, files }).weakly(search)
}

const seconds = (began: number): number => (performance.now() - began) / 1000

function single(only: Part, began: number): Outcome {
  return {
    status: only.status,
    result: only.result,
    ignored: only.ignored,
    parts: [only],
    looped: false,
    noLog: only.noLog,
    runOnce: false,
    seconds: seconds(began),
  }
}

function empty(began: number): Outcome {
  const result: Res = new Map<string, Value>([
    ['changed', false],
    ['skipped', true],
    ['skipped_reason', 'No items in the list'],
    ['results', []],
  ])
  return { status: 'skipped', result, ignored: false, parts: [], looped: true, noLog: false, runOnce: false, seconds: seconds(began) }
}

const ignores = (pr: PlayRun, task: Task, scope: LayeredScope): boolean =>
  new KeywordReader(task.keywords, pr.run.templar, scope).bool(task.keywords.ignoreErrors, false, 'ignore_errors')

function loopFailed(pr: PlayRun, task: Task, scope: LayeredScope, error: unknown): Outcome {
  const ignored = task.keywords.ignoreErrors instanceof Template || ignores(pr, task, scope)
  return { status: 'failed', result: brokenResult(error), ignored, parts: [], looped: false, noLog: false, runOnce: false, seconds: 0 }
}

interface Looping {
  readonly pr: PlayRun
  readonly task: Task
  readonly host: string
  readonly ref: TaskRef
  readonly scope: LayeredScope
  readonly items: Items
  readonly began: number
  readonly step: Step | undefined
}

async function runItems(looping: Looping): Promise<Outcome> {
  const { pr, task, scope, items } = looping
  let control: Control
  try {
    control = loopControl(task.loop!, scope, pr.run.templar)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return loopFailed(pr, task, scope, error)
  }
  if (scope.has(control.loopVar)) warnInUse(looping, control.loopVar)
  const carried = new Map<string, Value>()
  const parts: Part[] = []
  for (let index = 0; index < items.values.length; index++) {
    if (index > 0 && control.pause > 0) await wait(control.pause, pr.run.signal)
    const { part, scope: seen } = await runItem(looping, control, index, carried)
    if (part.broken) return single(part, looping.began)
    parts.push(part)
    if (breaks(looping, seen)) break
  }
  return together(looping, parts)
}

function warnInUse({ pr, ref }: Looping, name: string): void {
  pr.run.bus.emit({
    kind: 'warning',
    text: `TASK: ${ref.name}: The loop variable '${name}' is already in use. You should set the \`loop_var\` value in the \`loop_control\` option for the task to something else to avoid variable collisions and unexpected behavior.`,
  })
}

async function runItem(
  { pr, task, host, ref, scope, items, step }: Looping,
  control: Control,
  index: number,
  carried: Map<string, Value>,
): Promise<{ part: Part; scope: LayeredScope }> {
  const variables = itemVariables(control, items.values, index)
  const local = new Map([...carried, ...variables])
  const told = mapLayer(local, (name) => (carried.has(name) ? true : items.fromHost))
  const mine = scope.with({ ...told, written: (name) => (name === control.loopVar ? items.written?.[index] : undefined) })
  const known = step?.item(index, items.values[index]!)
  if (known) {
    keepCarried(task, known, mine, carried)
    return { part: known, scope: scope.with(mapLayer(new Map([...carried, ...variables]), true)) }
  }
  const part = await attempt({ pr, task, host, ref, scope: mine, local, loopError: undefined, label: undefined, step, index })
  if (part.broken) return { part, scope: mine }
  for (const [name, value] of variables) part.result.set(name, value)
  keepCarried(task, part, mine, carried)
  let label: string
  try {
    label = labelOf({ pr, task, scope: mine, control }, part)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const ignored = ignores(pr, task, mine)
    return { part: { ...part, status: 'failed', ignored, result: failureOf(error), include: undefined, broken: true }, scope: mine }
  }
  const status = statusOf(part.result)
  // a label that cannot be rendered has made the item fail
  const ignored = status === part.status ? part.ignored : ignores(pr, task, mine)
  const found: Part = {
    ...part,
    status,
    ignored,
    label,
    include: status === part.status && part.include ? { ...part.include, label: part.noLog ? HIDDEN : label } : undefined,
  }
  const named = step?.itemDone(index, items.values[index]!, found) ?? found
  await pr.run.gate.pass()
  if (!named.include) tellItem(pr, task, ref, host, named)
  return { part: named, scope: scope.with(mapLayer(new Map([...carried, ...variables]), true)) }
}

/** What the next items see of one. */
function keepCarried(task: Task, { result }: Part, scope: LayeredScope, carried: Map<string, Value>): void {
  if (task.register !== undefined) carried.set(task.register, result)
  for (const [name, value] of carriedFacts(task, result, scope.get('ansible_facts'))) carried.set(name, value)
}

/** What stands for an included item that is not to be shown. */
const HIDDEN = '(censored due to no_log)'

/** loop_control.break_when: all of its conditions hold after an item. */
function breaks({ pr, task }: Looping, scope: LayeredScope): boolean {
  const conditions = task.loop?.control.breakWhen ?? []
  return conditions.length > 0 && conditions.every((condition) => pr.run.templar.condition(condition, scope))
}

function labelOf({ pr, task, scope, control }: { pr: PlayRun; task: Task; scope: LayeredScope; control: Control }, part: Part): string {
  const { label } = task.loop!.control
  const raw = isNothing(label) ? undefined : label
  try {
    const withResult = task.register === undefined ? scope : scope.with(mapLayer(new Map([[task.register, part.result]]), true))
    const value =
      raw === undefined && IDENTIFIER.test(control.loopVar)
        ? scope.get(control.loopVar)
        : pr.run.templar.render(raw ?? new Template(`{{${control.loopVar}}}`), withResult)
    if (value === undefined || value === OMIT) return ''
    part.result.set('_ansible_item_label', value)
    return pr.run.templar.text(value)
  } catch (error) {
    if (!(error instanceof Problem) || error.kind !== 'undefined') throw error
    part.result.set('failed', true)
    part.result.set('msg', `Failed to template loop_control.label: ${explain(error)}`)
    // the item is looked for under the usual name, which debug's results do not show
    const item = task.action.resolved === 'ansible.builtin.debug' ? undefined : part.result.get('item')
    return pr.run.templar.text(item ?? null)
  }
}

/** What is none as the name of an item is shown as the expression that it makes. */
const IDENTIFIER = /^[\p{L}_][\p{L}\p{N}_]*$/u

const isNothing = (raw: Raw | undefined): boolean => raw === undefined || raw === null || raw === false || raw === '' || raw === 0

function tellItem(pr: PlayRun, task: Task, ref: TaskRef, host: string, part: Part): void {
  pr.run.bus.emit({
    kind: 'item',
    task: ref,
    host,
    status: statusOf(part.result),
    label: part.noLog ? 'None' : part.label,
    result: shownResult(task, part.result, part.noLog, part.diff),
    ignored: part.ignored,
    delegatedTo: part.delegatedTo,
  })
}

/** The loop's own result: changed if any item changed, failed if any failed, skipped if all were. */
function together({ began }: Looping, parts: readonly Part[]): Outcome {
  const some = (key: string) => parts.some((p) => isTrue(p.result, key))
  const result: Res = new Map<string, Value>([['results', parts.map((p) => p.result)]])
  const skipped = parts.every((p) => isTrue(p.result, 'skipped'))
  result.set('skipped', skipped)
  result.set('changed', some('changed'))
  const failed = parts.filter((p) => statusOf(p.result) === 'failed')
  const dark = parts.filter((p) => statusOf(p.result) === 'unreachable')
  if (failed.length > 0) result.set('failed', true)
  result.set('msg', skipped ? 'All items skipped' : failed.length > 0 ? 'One or more items failed' : 'All items completed')
  if (dark.length > 0) result.set('unreachable', true)
  const status = statusOf(result)
  const bad = status === 'unreachable' ? dark : failed
  return {
    status,
    result,
    ignored: bad.length > 0 && bad.every((p) => p.ignored),
    parts,
    looped: true,
    noLog: parts.some((p) => p.noLog),
    runOnce: false,
    seconds: seconds(began),
  }
}
