/** A task that need not be run again → the secrets among its arguments, which are to be masked all the same. */
import { Problem, type Raw, Template, type Value } from '../base/index.ts'
import { canonicalNames } from '../params/index.ts'
import type { Task } from '../playbook/index.ts'
import { type LayeredScope, mapLayer } from '../vars/index.ts'
import { itemVariables, loopControl, loopItems } from './loop.ts'
import type { PlayRun } from './state.ts'
import { taskScope } from './task.ts'

export function learnSecrets(pr: PlayRun, task: Task, host: string): void {
  const secret = secretArguments(pr, task)
  if (secret.length === 0) return
  try {
    for (const scope of scopes(pr, task, host))
      for (const raw of secret) for (const text of textsOf(pr.run.templar.render(raw, scope))) pr.run.secrets.add(text)
  } catch (error) {
    // what cannot be rendered now is told nowhere
    if (!(error instanceof Problem)) throw error
  }
}

/** Arguments that the module calls secret, as they are written. */
function secretArguments({ run }: PlayRun, { action }: Task): Raw[] {
  const module = action.file === undefined ? run.module(action.resolved) : undefined
  if (!module || action.args instanceof Template) return []
  const names = canonicalNames(module.params)
  return [...action.args].flatMap(([name, raw]) => (module.params[names.get(name) ?? name]?.noLog ? [raw] : []))
}

/** What the task sees: of a loop, once for each item. */
function scopes(pr: PlayRun, task: Task, host: string): LayeredScope[] {
  const scope = taskScope(pr, task, host)
  const items = loopItems(task, scope, pr.run.templar)
  if (!items) return [scope]
  const control = loopControl(task.loop!, scope, pr.run.templar)
  return items.values.map((_, index) => scope.with(mapLayer(itemVariables(control, items.values, index))))
}

function textsOf(value: Value): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsOf)
  if (value instanceof Map) return [...value.values()].flatMap(textsOf)
  return typeof value === 'number' || typeof value === 'bigint' ? [String(value)] : []
}
