/** What module_defaults gives a task: the defaults of its groups, beaten by those of its module. */
import { join } from 'node:path'
import { isOmitted, type Raw, type Value } from '../base/index.ts'
import { actionGroup, groupName, type LoadContext, type Task } from '../playbook/index.ts'
import type { Scope, Templar } from '../template/index.ts'

export interface DefaultsLoad {
  readonly context: LoadContext
  /** its collections are looked in first */
  readonly playbookDir: string
}

const GROUP = 'group/'
/** stands for the task's own module, whichever of its names was written */
const MINE = ''

export function moduleDefaults(task: Task, scope: Scope, templar: Templar, load: DefaultsLoad): Map<string, Value> {
  const out = new Map<string, Value>()
  if (task.keywords.moduleDefaults.length === 0) return out
  const names = namesOf(task)
  const { [MINE]: mine, ...groups } = Object.fromEntries(merged(task, names, scope, templar))
  for (const [group, defaults] of Object.entries(groups)) if (holds(group, names, load)) add(defaults, out, scope, templar)
  if (mine !== undefined) add(mine, out, scope, templar)
  return out
}

/** Every name by which the task's module may be called. */
function namesOf({ action: { resolved, name, file } }: Task): ReadonlySet<string> {
  const short = resolved.slice(resolved.lastIndexOf('.') + 1)
  if (file !== undefined && !resolved.includes('.')) return new Set([resolved, name, `ansible.legacy.${resolved}`])
  return new Set([resolved, name, ...(resolved.startsWith('ansible.builtin.') ? [short, `ansible.legacy.${short}`] : [])])
}

/** The layers one over the other: what an inner one says of a module or a group replaces what an outer one said of it. */
function merged(task: Task, names: ReadonlySet<string>, scope: Scope, templar: Templar): Map<string, Raw> {
  const out = new Map<string, Raw>()
  for (const raw of task.keywords.moduleDefaults) {
    const layer = raw instanceof Map ? raw : templar.render(raw, scope)
    if (!(layer instanceof Map)) continue
    for (const [key, defaults] of layer) {
      const name = String(key)
      if (name.startsWith(GROUP)) out.set(GROUP + groupName(name.slice(GROUP.length)), defaults)
      else if (names.has(name)) out.set(MINE, defaults)
    }
  }
  return out
}

function holds(group: string, names: ReadonlySet<string>, { context, playbookDir }: DefaultsLoad): boolean {
  const actions = actionGroup(group.slice(GROUP.length), context, [join(playbookDir, 'collections')])?.actions
  return actions !== undefined && [...names].some((name) => actions.has(name))
}

function add(defaults: Raw, out: Map<string, Value>, scope: Scope, templar: Templar): void {
  const rendered = templar.render(defaults, scope)
  if (!(rendered instanceof Map)) return
  for (const [name, value] of rendered) if (!isOmitted(value)) out.set(String(name), value)
}
