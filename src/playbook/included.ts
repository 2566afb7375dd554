/** include_tasks and include_role at run time → the blocks, and handlers, that they bring. */
import { dirname } from 'node:path'
import type { RawVars } from '../base/index.ts'
import type { LoadContext, RoleRequest } from './api.ts'
import { mistake } from './findings.ts'
import { inFile, within, withVars } from './level.ts'
import type { Level } from './loading.ts'
import type { Block, Play, Role, Task } from './model.ts'
import { type Found, findTaskFile } from './paths.ts'
import type { TaskContext } from './tasks.ts'

/** The tasks of a file; they inherit what surrounds the include and what its `apply` says, not the include's own keywords. */
export function loadIncludedTasks(path: string, from: Task, itemVars: RawVars, _context: LoadContext): Block[] {
  const level = levelOf(from, itemVars)
  const { session } = level.play
  const list = session.read(path)
  if (list && list.kind === 'mapping') throw mistake('a file of tasks must hold a list of tasks', list.span)
  const blocks = session.make.blocks(list, inFile(level, path, dirname(path), []), from.isHandler)
  session.findings.settle()
  return blocks
}

/** A role's tasks and handlers, seen from the task that includes it. */
export function loadIncludedRole(
  request: RoleRequest,
  from: Task,
  itemVars: RawVars,
  _play: Play,
  _context: LoadContext,
): { role: Role; steps: Block[]; handlers: Block[] } {
  const level = levelOf(from, itemVars)
  const { session } = level.play
  const own = from.vars[0] && from.vars[0] === from.includeVars[0] ? from.vars[0] : new Map()
  const included = session.make.includedRole(request, { level, vars: new Map([...own, ...itemVars]), static: false, at: from.action.span })
  session.findings.settle()
  return included!
}

/** Where the file of an include_tasks is looked for, and whether it is there. */
export function findIncludedFile(name: string, from: Task): Found {
  return findTaskFile(name, contextOf(from).level, from.isHandler ? 'handlers' : 'tasks', false)
}

/** What included tasks inherit. */
function levelOf(from: Task, itemVars: RawVars): Level {
  const { level, apply } = contextOf(from)
  const vars = withVars(itemVars, from.includeVars)
  const outer = { ...level, includeVars: vars, importing: [] }
  return apply ? within(outer, apply.own, apply.vars) : outer
}

const contextOf = (task: Task): TaskContext => task.context as TaskContext
