/** import_tasks and import_role → the blocks that stand in their place. */
import { basename, dirname } from 'node:path'
import { type Raw, Template, type Value } from '../base/index.ts'
import { mistake } from './findings.ts'
import { inFile, within } from './level.ts'
import type { Level } from './loading.ts'
import type { Step } from './model.ts'
import { findTaskFile } from './paths.ts'
import { roleRequest } from './role-request.ts'
import { staticName, staticValue } from './static-names.ts'
import type { WrittenTask } from './written-task.ts'

/** import_tasks: the tasks of the file, as if they stood here in a block with the keywords of the import. */
export function importedTasks(written: WrittenTask, level: Level, handlers: boolean): readonly Step[] {
  const { session } = level.play
  const { action } = written
  refuseLoop(written, 'include_tasks')
  const outer = within(level, written.own, written.vars)
  const name = staticName(fileArgument(written), `the file of ${action.name}`, outer)
  const found = findTaskFile(name, level, handlers ? 'handlers' : 'tasks', true)
  if (!found.exists)
    throw mistake(`the task file '${name}' does not exist`, action.span, { kind: 'file', notes: [`looked for ${found.tried.join(', ')}`] })
  const circle = `${found.path}`
  if (level.importing.includes(circle) || found.path === level.file)
    throw mistake(`${basename(found.path)} imports itself, over and over`, action.span, { hint: 'include_tasks with a condition can end' })
  const list = session.read(found.path)
  if (!list || (list.kind === 'scalar' && list.value === null) || (list.kind === 'sequence' && list.items.length === 0)) {
    session.context.warn(`file ${found.path} is empty and had no tasks to include`)
    return []
  }
  if (list.kind !== 'sequence') throw mistake('a file of tasks must hold a list of tasks', list.span)
  const inner = inFile(outer, found.path, dirname(name), [...level.importing, circle])
  const blocks = session.make.blocks(list, inner, handlers)
  return handlers ? blocks.flatMap((block) => block.block) : blocks
}

/** import_role: the role's tasks stand here; its handlers join those of the play. */
export function importedRole(written: WrittenTask, level: Level, handlers: boolean): readonly Step[] {
  refuseAsHandler(written, handlers)
  refuseLoop(written, 'include_role')
  const { session } = level.play
  const outer = within(level, written.own, written.vars)
  const asked = roleRequest(written.action)
  const text = (raw: Raw | undefined, what: string): string | undefined => (raw === undefined ? undefined : staticName(raw, what, outer))
  const flag = (raw: Raw | undefined, what: string, fallback = true): boolean =>
    raw === undefined || raw === null ? fallback : isYes(staticValue(raw, what, outer))
  const request = {
    name: staticName(asked.name, `the role of ${written.action.name}`, outer),
    tasksFrom: text(asked.tasksFrom, 'tasks_from'),
    varsFrom: text(asked.varsFrom, 'vars_from'),
    defaultsFrom: text(asked.defaultsFrom, 'defaults_from'),
    handlersFrom: text(asked.handlersFrom, 'handlers_from'),
    public: flag(asked.public, 'public', session.context.privateRoleVars !== true),
    allowDuplicates: flag(asked.allowDuplicates, 'allow_duplicates'),
    rolespecValidate: flag(asked.rolespecValidate, 'rolespec_validate'),
  }
  const included = session.make.includedRole(request, { level: outer, vars: written.vars, static: true, at: written.action.span })
  if (!included) return []
  level.play.handlers.push(...included.handlers)
  return included.steps
}

const YES = new Set<Value>([true, 1, 'yes', 'true', 'on', '1', 'y', 't'])
const isYes = (value: Value): boolean => YES.has(typeof value === 'string' ? value.toLowerCase() : value)

export function refuseAsHandler({ action }: WrittenTask, handlers: boolean): void {
  if (handlers) throw mistake(`Using '${action.name}' as a handler is not supported.`, action.span)
}

function refuseLoop({ action, loop }: WrittenTask, instead: string): void {
  if (loop) throw mistake(`${action.name} cannot loop: it is put in its place before the run`, loop.span, { hint: `${instead} can loop` })
}

/** The file that import_tasks or include_tasks names. */
export function fileArgument({ action }: WrittenTask): Raw {
  const { args, name, span } = action
  if (args instanceof Template) throw mistake(`${name} must name its file here`, span)
  for (const key of args.keys())
    if (!['_raw_params', 'file', 'apply'].includes(key))
      throw mistake(`Invalid options for ${name}: ${key}`, span, { hint: "it has 'file' and 'apply'" })
  const file = args.get('_raw_params') || args.get('file')
  if (file === undefined || file === null || file === '') throw mistake(`No file specified for ${name}`, span)
  return file
}
