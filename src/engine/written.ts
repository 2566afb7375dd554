/** A text that a module wants evaluated, and the task's arguments → whether a host had a say in it, which it must not: it would run here. */
import { type Raw, Template } from '../base/index.ts'
import type { Task } from '../playbook/index.ts'
import type { Scope, Templar } from '../template/index.ts'

/** What people wrote as it stands is theirs; what came of a template is theirs unless something in it was told by a host. */
export function isFromHost(text: string, { action }: Task, scope: Scope, templar: Templar): boolean {
  const parts = action.args instanceof Template ? [action.args] : [...action.args.values()].flatMap(partsOf)
  if (parts.includes(text)) return false
  return parts.some((part) => {
    if (!(part instanceof Template)) return false
    const { value, fromHost } = templar.renderWithOrigin(part, scope)
    return fromHost && (value === text || (typeof value === 'object' && value !== null))
  })
}

/** Lists and dicts of arguments, one by one. */
function partsOf(raw: Raw): readonly Raw[] {
  if (Array.isArray(raw)) return raw.flatMap(partsOf)
  return raw instanceof Map ? [...raw.values()].flatMap(partsOf) : [raw]
}
