/** What a task says and where it stands → the task of the model; and the tasks and blocks that nobody wrote. */
import type { Raw, Span } from '../base/index.ts'
import { over } from './inherit.ts'
import { withVars } from './level.ts'
import type { Level } from './loading.ts'
import type { Block, Keywords, Role, Step, Task } from './model.ts'
import { type Applied, engineAction, type WrittenTask } from './written-task.ts'

/** What a task keeps for includes at run time. */
export interface TaskContext {
  /** where the task stands, its own keywords not among the inherited ones */
  readonly level: Level
  readonly apply: Applied | undefined
}

/** A block that nobody wrote. */
export function implicitBlock(steps: readonly Step[], level: Level, span: Span): Block {
  const { keywords, use } = level
  return { kind: 'block', name: undefined, span, keywords, block: steps, rescue: NO_STEPS, always: NO_STEPS, role: use?.role }
}

const NO_STEPS: readonly Step[] = []

let lastId = 0

/** A task with all that it inherits. */
export function taskOf(written: WrittenTask, level: Level, handler: boolean): Task {
  const isInclude = written.engine === 'include_tasks' || written.engine === 'include_role' || written.engine === 'include'
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
    role: level.use?.role,
    roleParents: rolesAbove(level),
    file: level.file,
    fileChain: level.fileChain,
    context: { level, apply: written.apply } satisfies TaskContext,
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

const rolesAbove = ({ use }: Level): readonly Role[] | undefined =>
  use?.parents.length === 0 ? NO_ROLES : use?.parents.map((parent) => parent.role)

const NO_ROLES: readonly Role[] = []

/** A task that nobody wrote: a meta task or the check of a role's arguments. */
export function implicitTask(
  name: string | undefined,
  action: string,
  args: ReadonlyMap<string, Raw>,
  level: Level,
  span: Span,
  keywords: Keywords = level.keywords,
): Task {
  const resolved = engineAction(action) ? `ansible.builtin.${engineAction(action)}` : action
  return {
    kind: 'task',
    id: ++lastId,
    name,
    span,
    action: { name: action, resolved, span, args },
    keywords,
    vars: level.vars,
    includeVars: level.includeVars,
    loop: undefined,
    register: undefined,
    until: undefined,
    retries: undefined,
    delay: undefined,
    changedWhen: undefined,
    failedWhen: undefined,
    async: undefined,
    poll: undefined,
    listen: undefined,
    isHandler: false,
    role: level.use?.role,
    roleParents: rolesAbove(level),
    file: level.file,
    fileChain: level.fileChain,
    context: { level, apply: undefined } satisfies TaskContext,
    implicit: resolved === 'ansible.builtin.meta',
  }
}

/** The keywords around a task, without its own; undefined for tasks that stand nowhere. */
export const inheritedKeywords = (task: Task): Keywords | undefined => (task.context as TaskContext | undefined)?.level.keywords
