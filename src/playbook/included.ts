/** include_tasks and include_role at run time → the blocks, and handlers, that they bring. */
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { RawVars } from '../base/index.ts'
import type { LoadContext, RoleRequest } from './api.ts'
import type { TaskContext } from './built.ts'
import { mistake } from './findings.ts'
import { inFile, within, withVars } from './level.ts'
import type { Level } from './loading.ts'
import type { Block, Play, Role, Task } from './model.ts'
import { type Found, findTaskFile } from './paths.ts'

/** What an include brings at run time. */
export interface Included {
  readonly steps: Block[]
  /** handlers of roles that what is included imports or is */
  readonly handlers: Block[]
  /** roles imported by what is included: public ones are seen play-wide from then on */
  readonly roles: Role[]
}

/** The tasks of a file; they inherit what surrounds the include and what its `apply` says, not the include's own keywords. */
export function loadIncludedFile(path: string, from: Task, itemVars: RawVars): Included {
  const level = levelOf(from, itemVars)
  const { session } = level.play
  return bringing(level, () => {
    if (!existsSync(path))
      throw mistake(`Could not find or access '${path}' on the Ansible Controller.`, from.action.span, { kind: 'file' })
    const list = session.findings.attempt(() => session.read(path))
    return { steps: session.make.blocks(list, inFile(level, path, dirname(path), []), from.isHandler), handlers: [] }
  })
}

/** The same, its tasks alone. */
export function loadIncludedTasks(path: string, from: Task, itemVars: RawVars, _context: LoadContext): Block[] {
  return loadIncludedFile(path, from, itemVars).steps
}

/** A role's tasks and handlers, seen from the task that includes it. */
export function loadIncludedRole(
  request: RoleRequest,
  from: Task,
  itemVars: RawVars,
  _play: Play,
  _context: LoadContext,
): Included & { role: Role } {
  const level = levelOf(from, itemVars)
  const own = from.vars[0] && from.vars[0] === from.includeVars[0] ? from.vars[0] : new Map()
  const inclusion = { level, vars: new Map([...own, ...itemVars]), static: false, at: from.action.span }
  const { privateRoleVars } = level.play.session.context
  const args = from.action.args
  const open = privateRoleVars !== undefined && !(args instanceof Map && args.has('public')) ? !privateRoleVars : request.public
  let role: Role | undefined
  const included = bringing(level, () => {
    const found = level.play.session.make.includedRole({ ...request, public: open }, inclusion)
    role = found?.role
    return found ?? { steps: [], handlers: [] }
  })
  return { ...included, role: role! }
}

/**
 * Adds the handlers and roles that the play gained meanwhile. Throws what was wrong: one Problem, of kind 'file' where a file or a role is missing
 * (which fails the task, no more), or several Problems.
 */
function bringing({ play }: Level, load: () => Omit<Included, 'roles'>): Included {
  const before = { handlers: play.handlers.length, roles: play.roles.length }
  const { steps, handlers } = load()
  play.session.found.clear()
  play.session.findings.settle(true)
  return { steps, handlers: [...play.handlers.slice(before.handlers), ...handlers], roles: play.roles.slice(before.roles) }
}

/** Where the file of an include_tasks is looked for, and whether it is there. */
export function findIncludedFile(name: string, from: Task): Found {
  return findTaskFile(name, contextOf(from).level, from.isHandler ? 'handlers' : 'tasks', false)
}

/** Includes within includes; Ansible itself gives up earlier. */
const DEEPEST = 400

/** What included tasks inherit. */
function levelOf(from: Task, itemVars: RawVars): Level {
  const { level, apply } = contextOf(from)
  const vars = withVars(itemVars, from.includeVars)
  if (level.includes >= DEEPEST)
    throw mistake(`${DEEPEST} includes lead into one another`, from.action.span, { hint: 'is there a condition that ends them?' })
  const outer = { ...level, includeVars: vars, importing: [], includes: level.includes + 1 }
  return apply ? within(outer, apply.own, apply.vars) : outer
}

const contextOf = (task: Task): TaskContext => task.context as TaskContext
