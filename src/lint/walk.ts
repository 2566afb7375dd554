/** A play → all its tasks, those of includes among them whose names are written out. */
import type { Raw } from '../base/index.ts'
import {
  type Block,
  findIncludedFile,
  type LoadContext,
  loadIncludedFile,
  loadIncludedRole,
  type Play,
  type Role,
  type Step,
  type Task,
} from '../playbook/index.ts'

export interface Walked {
  readonly tasks: readonly Task[]
  readonly handlers: readonly Task[]
  readonly roles: readonly Role[]
  /** lists of steps that run one after the other, for what comes after an end */
  readonly lists: readonly (readonly Step[])[]
  /** an include whose name is known only when it runs */
  readonly isOpen: boolean
}

interface Found {
  readonly play: Play
  readonly context: LoadContext
  readonly tasks: Task[]
  readonly handlers: Task[]
  readonly roles: Set<Role>
  readonly lists: (readonly Step[])[]
  readonly seen: Set<string>
  isOpen: boolean
}

export function walkPlay(play: Play, context: LoadContext): Walked {
  const found: Found = {
    ...{ play, context, tasks: [], handlers: [], roles: new Set(), lists: [], seen: new Set(), isOpen: false },
  }
  for (const role of play.roles) addRole(role, found)
  handle(play.handlers, found)
  steps(play.steps, found)
  return { tasks: found.tasks, handlers: found.handlers, roles: [...found.roles], lists: found.lists, isOpen: found.isOpen }
}

function addRole(role: Role | undefined, found: Found): void {
  if (!role || found.roles.has(role)) return
  found.roles.add(role)
  for (const one of role.dependencies) addRole(one, found)
}

function handle(blocks: readonly Block[], found: Found): void {
  const collect = (step: Step): void => {
    if (step.kind === 'block') for (const one of [...step.block, ...step.rescue, ...step.always]) collect(one)
    else if (!step.implicit && !found.handlers.includes(step)) {
      found.handlers.push(step)
      task(step, found)
    }
  }
  for (const block of blocks) collect(block)
}

function steps(list: readonly Step[], found: Found): void {
  found.lists.push(list)
  for (const step of list) {
    if (step.kind === 'block') for (const part of [step.block, step.rescue, step.always]) steps(part, found)
    else if (!step.implicit) task(step, found)
  }
}

function task(one: Task, found: Found): void {
  found.tasks.push(one)
  addRole(one.role, found)
  const include = INCLUDES[one.action.resolved]
  if (!include) return
  try {
    if (!include(one, found)) found.isOpen = true
  } catch {
    // a file that is made while the play runs, or is not there at all: the run tells
    found.isOpen = true
  }
}

/** true: what the include brings has been walked. */
const INCLUDES: Readonly<Record<string, (one: Task, found: Found) => boolean>> = {
  'ansible.builtin.include_tasks': (one, found) => {
    const name = literal(argument(one, 'file') ?? argument(one, '_raw_params'))
    if (name === undefined) return false
    const { path, exists } = findIncludedFile(name, one)
    if (!exists) return false
    const key = `${path}\0${one.role?.name ?? ''}`
    if (found.seen.has(key)) return true
    found.seen.add(key)
    const included = loadIncludedFile(path, one, new Map())
    handle(included.handlers, found)
    for (const role of included.roles) addRole(role, found)
    steps(included.steps, found)
    return true
  },
  'ansible.builtin.include_role': (one, found) => {
    const name = literal(argument(one, 'name') ?? argument(one, 'role'))
    const from = argument(one, 'tasks_from')
    if (name === undefined || (from !== undefined && literal(from) === undefined)) return false
    const key = `role ${name}\0${literal(from) ?? ''}`
    if (found.seen.has(key)) return true
    found.seen.add(key)
    const [varsFrom, defaultsFrom, handlersFrom] = ['vars_from', 'defaults_from', 'handlers_from'].map((key) => literal(argument(one, key)))
    const request = { name, tasksFrom: literal(from), varsFrom, defaultsFrom, handlersFrom, public: false, allowDuplicates: true }
    const included = loadIncludedRole({ ...request, rolespecValidate: false }, one, new Map(), found.play, found.context)
    addRole(included.role, found)
    for (const role of included.roles) addRole(role, found)
    handle(included.handlers, found)
    steps(included.steps, found)
    return true
  },
}

export const argument = ({ action }: Task, name: string): Raw | undefined =>
  action.args instanceof Map ? action.args.get(name) : undefined

const literal = (raw: Raw | undefined): string | undefined => (typeof raw === 'string' ? raw : undefined)
