/** Lists of tasks and blocks as written → blocks and tasks with everything inherited; static imports are put in their place. */
import { basename, dirname } from 'node:path'
import { placeOf, type Raw, type Span, Template, type Value } from '../base/index.ts'
import { entry, type MappingNode, type Node } from '../documents/index.ts'
import { mistake } from './findings.ts'
import { over } from './inherit.ts'
import { inFile, within, withVars } from './level.ts'
import type { Level } from './loading.ts'
import type { Block, Step, Task } from './model.ts'
import { findTaskFile } from './paths.ts'
import { roleRequest } from './role-request.ts'
import { staticName, staticValue } from './static-names.ts'
import { checkKeywords, nodeOf, ownKeywords, rawOf, varsIn, whatIs } from './written.ts'
import { type Applied, engineAction, readTask, type WrittenTask } from './written-task.ts'

/** What a task keeps for includes at run time. */
export interface TaskContext {
  /** where the task stands, its own keywords not among the inherited ones */
  readonly level: Level
  readonly apply: Applied | undefined
}

/** A list of tasks and blocks as blocks: bare tasks in a row share an implicit one. */
export function blocksOf(list: Node | undefined, level: Level, handlers: boolean): Block[] {
  if (!list || isNothing(list)) return []
  const { findings } = level.play.session
  if (list.kind !== 'sequence') {
    findings.report(`a list of ${handlers ? 'handlers' : 'tasks'} must be here, not ${whatIs(list)}`, list.span)
    return []
  }
  const blocks: Block[] = []
  let bare: Node[] = []
  const close = (): void => {
    const steps = stepsOf(bare, level, handlers)
    if (steps.length > 0) blocks.push(implicitBlock(steps, level, bare[0]!.span))
    bare = []
  }
  for (const item of list.items) {
    if (!isBlock(item)) bare.push(item)
    else {
      close()
      const block = findings.attempt(() => blockOf(item, level, handlers))
      if (block) blocks.push(block)
    }
  }
  close()
  return blocks
}

const isNothing = (node: Node): boolean => node.kind === 'scalar' && node.value === null

const isBlock = (node: Node): node is MappingNode =>
  node.kind === 'mapping' && ['block', 'rescue', 'always'].some((name) => entry(node, name) !== undefined)

/** A block that nobody wrote. */
export function implicitBlock(steps: readonly Step[], level: Level, span: Span): Block {
  return {
    ...{ kind: 'block', name: undefined, span, keywords: level.keywords, block: steps, rescue: [], always: [], role: level.use?.role },
  }
}

function blockOf(node: MappingNode, level: Level, handlers: boolean): Block {
  const { session } = level.play
  checkKeywords(node, 'block', session)
  if (!entry(node, 'block')) {
    const key = entry(node, 'rescue')?.key ?? entry(node, 'always')?.key
    session.findings.report(`'${key?.value}' needs a 'block' beside it`, key?.span)
  }
  const own = session.once(node, 'own', () => ownKeywords(node, 'block', session))
  const inner = within(
    level,
    own,
    session.once(node, 'vars', () => varsIn(node, session)),
  )
  const part = (name: string): Step[] => {
    const list = nodeOf(node, name)
    return list?.kind === 'sequence' ? stepsOf(list.items, inner, handlers) : []
  }
  return {
    ...{ kind: 'block', name: rawOf(node, 'name', session) ?? undefined, span: node.span, keywords: inner.keywords },
    ...{ block: part('block'), rescue: part('rescue'), always: part('always'), role: level.use?.role },
  }
}

function stepsOf(nodes: readonly Node[], level: Level, handlers: boolean): Step[] {
  const { findings } = level.play.session
  return nodes.flatMap((node) => (isNothing(node) ? [] : (findings.attempt(() => stepOf(node, level, handlers)) ?? [])))
}

function stepOf(node: Node, level: Level, handlers: boolean): readonly Step[] {
  if (node.kind !== 'mapping') throw mistake(`a task must be a dict, not ${whatIs(node)}`, node.span)
  if (isBlock(node)) {
    if (handlers)
      throw mistake('a block cannot be a handler', node.span, { hint: 'put the tasks into a file and notify a handler that includes it' })
    return [blockOf(node, level, handlers)]
  }
  const { session } = level.play
  const { collections } = level.keywords
  const written = session.once(node, `task ${handlers} ${collections.join()}`, () =>
    session.findings.attempt(() => readTask(node, handlers, session, collections)),
  )
  if (!written) return []
  return STEPS[stepKind(written, level)](written, level, handlers)
}

type StepKind = 'import_tasks' | 'import_role' | 'include_tasks' | 'include_role' | 'meta' | 'module'

/** What becomes of a task; `include` of old is an import where its file can be told. */
function stepKind({ engine, loop, node, action }: WrittenTask, level: Level): StepKind {
  if (engine !== 'include') return engine ?? 'module'
  level.play.session.context.deprecated(`${placeOf(node.span)}: 'include' is import_tasks or include_tasks now`)
  const name = action.args instanceof Template ? undefined : action.args.get('_raw_params')
  const isStatic = typeof name === 'string' && !loop && !level.trail.some(({ dir, role }) => !role && dir.startsWith('/'))
  return isStatic ? 'import_tasks' : 'include_tasks'
}

const STEPS: Readonly<Record<StepKind, (written: WrittenTask, level: Level, handlers: boolean) => readonly Step[]>> = {
  module: (written, level, handlers) => [taskOf(written, level, handlers)],
  meta(written, level, handlers) {
    const verb = written.action.args instanceof Template ? undefined : written.action.args.get('_raw_params')
    if (verb === 'end_role' && (handlers || !level.use))
      throw mistake(`end_role cannot be used ${handlers ? 'by a handler' : 'outside of a role'}`, written.action.span)
    return [taskOf(written, level, handlers)]
  },
  include_tasks(written, level, handlers) {
    fileArgument(written)
    return [taskOf(written, level, handlers)]
  },
  include_role(written, level, handlers) {
    refuseAsHandler(written, handlers)
    roleRequest(written.action)
    return [taskOf(written, level, handlers)]
  },
  import_tasks: importedTasks,
  import_role: importedRole,
}

function refuseAsHandler({ action }: WrittenTask, handlers: boolean): void {
  if (handlers) throw mistake(`${action.name} cannot be a handler`, action.span)
}

function refuseLoop({ action, loop }: WrittenTask, instead: string): void {
  if (loop) throw mistake(`${action.name} cannot loop: it is put in its place before the run`, loop.span, { hint: `${instead} can loop` })
}

/** The file that import_tasks or include_tasks names. */
function fileArgument({ action }: WrittenTask): Raw {
  const { args, name, span } = action
  if (args instanceof Template) throw mistake(`${name} must name its file here`, span)
  for (const key of args.keys())
    if (!['_raw_params', 'file', 'apply'].includes(key))
      throw mistake(`${name} has no parameter '${key}'`, span, { hint: "it has 'file' and 'apply'" })
  const file = args.get('_raw_params') || args.get('file')
  if (file === undefined || file === null || file === '') throw mistake(`${name} names no file`, span)
  return file
}

/** import_tasks: the tasks of the file, as if they stood here in a block with the keywords of the import. */
function importedTasks(written: WrittenTask, level: Level, handlers: boolean): readonly Step[] {
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
  if (!list || isNothing(list) || (list.kind === 'sequence' && list.items.length === 0)) {
    session.context.warn(`file ${found.path} is empty and had no tasks to include`)
    return []
  }
  if (list.kind !== 'sequence') throw mistake('a file of tasks must hold a list of tasks', list.span)
  const inner = inFile(outer, found.path, dirname(name), [...level.importing, circle])
  const blocks = blocksOf(list, inner, handlers)
  return handlers ? blocks.flatMap((block) => block.block) : blocks
}

/** import_role: the role's tasks stand here; its handlers join those of the play. */
function importedRole(written: WrittenTask, level: Level, handlers: boolean): readonly Step[] {
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

let lastId = 0

/** A task with all that it inherits. */
export function taskOf(written: WrittenTask, level: Level, handler: boolean): Task {
  const isInclude = written.engine === 'include_tasks' || written.engine === 'include_role' || written.engine === 'include'
  const context: TaskContext = { level, apply: written.apply }
  return {
    kind: 'task',
    id: ++lastId,
    name: written.name,
    span: written.node.span,
    action: written.action,
    keywords: over(written.own, level.keywords),
    vars: withVars(written.vars, level.vars),
    includeVars: isInclude ? withVars(written.vars, level.includeVars) : level.includeVars,
    loop: written.loop,
    register: written.register,
    until: written.until,
    retries: written.retries,
    delay: written.delay,
    changedWhen: written.changedWhen,
    failedWhen: written.failedWhen,
    async: written.async,
    poll: written.poll,
    listen: handler ? topics(written.listen ?? [], level) : undefined,
    isHandler: handler,
    ...standing(level, context),
    implicit: false,
  }
}

/** A handler in a role also listens to its topics with the role's name before them. */
function topics(listen: readonly Raw[], { use }: Level): readonly Raw[] {
  if (!use) return listen
  const { name, collection } = use.role
  const names = collection ? [name, name.slice(collection.length + 1)] : [name]
  return [...listen, ...listen.flatMap((topic) => (typeof topic === 'string' ? names.map((role) => `${role} : ${topic}`) : []))]
}

const standing = (level: Level, context: TaskContext) => ({
  role: level.use?.role,
  roleParents: level.use?.parents.map((parent) => parent.role),
  file: level.file,
  fileChain: level.fileChain,
  context,
})

/** A task that nobody wrote: a meta task or the check of a role's arguments. */
export function implicitTask(name: string | undefined, action: string, args: ReadonlyMap<string, Raw>, level: Level, span: Span): Task {
  const resolved = engineAction(action) ? `ansible.builtin.${engineAction(action)}` : action
  const nothing = { loop: undefined, register: undefined, until: undefined, retries: undefined, delay: undefined, changedWhen: undefined }
  return {
    ...nothing,
    ...{ failedWhen: undefined, async: undefined, poll: undefined, listen: undefined, isHandler: false },
    kind: 'task',
    id: ++lastId,
    name,
    span,
    action: { name: action, resolved, span, args },
    keywords: level.keywords,
    vars: level.vars,
    includeVars: level.includeVars,
    ...standing(level, { level, apply: undefined }),
    implicit: resolved === 'ansible.builtin.meta',
  }
}
