/** How a task is called in events: its rendered name with the role in front, and where it stands. */
import { placeOf, type Raw, Template } from '../base/index.ts'
import type { TaskRef } from '../events/index.ts'
import type { Task } from '../playbook/index.ts'
import { rawText } from '../template/index.ts'
import { saysYes } from './says-yes.ts'
import type { PlayRun } from './state.ts'
import { taskScope } from './task.ts'
import { writtenArgs } from './task-value.ts'

const INCLUDE_ROLE = 'ansible.builtin.include_role'

let serial = 0

/** A reference for one start of a task; the name is rendered with the variables of `host`. */
export function refOf(pr: PlayRun, task: Task, host: string | undefined): TaskRef {
  return {
    id: `${task.id}.${++serial}`,
    name: titleOf(pr, task, host),
    action: task.action.name,
    role: task.role?.name,
    place: placeOf(task.span),
    isHandler: task.isHandler,
    ...(saysYes(task.keywords.checkMode, pr.run.settings.check) ? { check: true } : {}),
    ...(pr.run.settings.tellArguments ? { args: argumentsOf(task) } : {}),
  }
}

/** `name=value` of every argument as written; nothing under no_log. */
function argumentsOf(task: Task): string | undefined {
  const { noLog } = task.keywords
  if (noLog !== undefined && noLog !== null && noLog !== false) return undefined
  return [...writtenArgs(task)].map(([name, value]) => `${name}=${rawText(value)}`).join(', ')
}

/** `role : name`, but for include_role, which is never called after the role it stands in; what cannot be rendered stays as it was written. */
export function titleOf(pr: PlayRun, task: Task, host: string | undefined): string {
  const name = renderedName(pr, task, host)
  return task.role && task.action.resolved !== INCLUDE_ROLE ? `${task.role.name} : ${name}` : name
}

function renderedName(pr: PlayRun, task: Task, host: string | undefined): string {
  // what is no text is no name
  if (!(task.name instanceof Template)) return typeof task.name === 'string' && task.name !== '' ? task.name : nameless(task)
  try {
    const scope = host === undefined ? pr.run.variables.scope({ view: pr.view, task }) : taskScope(pr, task, host)
    const value = pr.run.templar.render(task.name, scope, { strict: false })
    return typeof value === 'string' && value !== '' ? value : nameless(task)
  } catch {
    return task.name.text
  }
}

/** A task without a name is called after its action, an include_role after its role as well. */
function nameless({ action }: Task): string {
  const { args } = action
  if (action.resolved !== INCLUDE_ROLE || !(args instanceof Map)) return action.name
  const role: Raw | undefined = args.get('name') ?? args.get('role')
  if (role === undefined || role === null) return action.name
  return `${action.name} : ${role instanceof Template ? role.text : String(role)}`
}
