/** What a task says and where it stands → the task of the model; and the tasks and blocks that nobody wrote. */
import type { Raw, Span } from '../base/index.ts'
import { over } from './inherit.ts'
import { withVars } from './level.ts'
import type { Level } from './loading.ts'
import type { Block, Keywords, Step, Task } from './model.ts'
import { type Applied, engineAction, type WrittenTask } from './written-task.ts'

/** What a task keeps for includes at run time. */
export interface TaskContext {
  /** where the task stands, its own keywords not among the inherited ones */
  readonly level: Level
  readonly apply: Applied | undefined
}

/** A block that nobody wrote. */
export function implicitBlock(steps: readonly Step[], level: Level, span: Span): Block {
  return {
    ...{ kind: 'block', name: undefined, span, keywords: level.keywords, block: steps, rescue: [], always: [], role: level.use?.role },
  }
}

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
    own: { vars: written.vars, tags: written.own.tags ?? [] },
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

/** The keywords around a task, without its own; undefined for tasks that stand nowhere. */
export const inheritedKeywords = (task: Task): Keywords | undefined => (task.context as TaskContext | undefined)?.level.keywords
