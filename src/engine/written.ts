/** A text that a module wants evaluated, and the task's arguments → whether a host had a say in it, which it must not: it would run here. */
import { type Raw, Template } from '../base/index.ts'
import type { Loop, Task } from '../playbook/index.ts'
import type { Templar } from '../template/index.ts'
import { type LayeredScope, mapLayer } from '../vars/index.ts'
import { isWrittenOut } from './loop.ts'

/** What people wrote as it stands is theirs; what came of a template is theirs unless something in it was told by a host. */
export function isFromHost(text: string, { action, loop }: Pick<Task, 'action' | 'loop'>, around: LayeredScope, templar: Templar): boolean {
  const scope = loop && isWrittenOut(loop) ? withOurItem(loop, around) : around
  const parts = action.args instanceof Template ? [action.args] : [...action.args.values()].flatMap(partsOf)
  if (parts.includes(text)) return false
  return parts.some((part) => {
    if (!(part instanceof Template)) return false
    const { value, fromHost } = templar.renderWithOrigin(part, scope)
    return fromHost && (value === text || (typeof value === 'object' && value !== null))
  })
}

/** The item of a loop that is written out is ours. */
function withOurItem({ control }: Loop, scope: LayeredScope): LayeredScope {
  const name = typeof control.loopVar === 'string' ? control.loopVar : 'item'
  const item = scope.get(name)
  return item === undefined ? scope : scope.with(mapLayer(new Map([[name, item]])))
}

/** Lists and dicts of arguments, one by one. */
function partsOf(raw: Raw): readonly Raw[] {
  if (Array.isArray(raw)) return raw.flatMap(partsOf)
  return raw instanceof Map ? [...raw.values()].flatMap(partsOf) : [raw]
}
