/** add_host and group_by: what a result asks for becomes part of the inventory; only then is it known whether anything changed. */
import { asWritten, type RawVars, type Value } from '../base/index.ts'
import type { Condition, Task } from '../playbook/index.ts'
import { mapLayer } from '../vars/index.ts'
import { isTrue, type Outcome, type Part } from './outcome.ts'
import type { PlayRun, Res } from './state.ts'
import { taskScope } from './task.ts'

/** add_host and group_by. */
export function applyInventory(pr: PlayRun, task: Task, host: string, part: Part, outcome: Outcome): void {
  const added = part.result.get('add_host')
  const grouped = part.result.get('add_group')
  let changed: boolean | undefined
  if (added instanceof Map) changed = addHost(pr, added as Res)
  else if (typeof grouped === 'string') changed = addGroup(pr, host, grouped, part.result.get('parent_groups'))
  if (changed === undefined) return
  part.result.set('changed', changed)
  judgeAgain(pr, task, host, part.result)
  if (outcome.looped)
    outcome.result.set(
      'changed',
      outcome.parts.some((p) => isTrue(p.result, 'changed')),
    )
}

/** changed_when and failed_when, now that it is known whether anything changed. */
function judgeAgain(pr: PlayRun, task: Task, host: string, result: Res): void {
  if (!task.changedWhen?.length && !task.failedWhen?.length) return
  const seen = new Map<string, Value>(task.register === undefined ? [] : [[task.register, result]])
  const loopVar = result.get('ansible_loop_var')
  if (typeof loopVar === 'string') seen.set(loopVar, result.get(loopVar) ?? null)
  const scope = taskScope(pr, task, host).with(mapLayer(seen, true))
  const hold = (conditions: readonly Condition[]) => conditions.every((condition) => pr.run.templar.condition(condition, scope))
  if (task.changedWhen?.length) result.set('changed', hold(task.changedWhen))
  if (!task.failedWhen?.length) return
  const failed = hold(task.failedWhen)
  result.set('failed', failed)
  result.set('failed_when_result', failed)
}

function addHost(pr: PlayRun, info: Res): boolean {
  const name = String(info.get('host_name'))
  const groups = info.get('groups')
  const vars = info.get('host_vars')
  const written: RawVars = vars instanceof Map ? new Map([...vars].map(([k, v]) => [String(k), asWritten(v)])) : new Map()
  return pr.run.inventory.addHost(name, Array.isArray(groups) ? groups.map(String) : [], written)
}

function addGroup(pr: PlayRun, host: string, group: string, parents: Value | undefined): boolean {
  const { inventory } = pr.run
  const names = Array.isArray(parents) ? parents.map(String) : ['all']
  const fresh = inventory.addGroup(
    group,
    names.filter((n) => n !== 'all'),
  )
  const member = inventory.hostsOf(group).includes(host)
  return (!member && inventory.addHostToGroup(host, group)) || fresh
}
