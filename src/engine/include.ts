/** Dynamic includes: what a task asks for, and the blocks it becomes. */
import { isOlder, OMIT, Problem, type Raw, type Value } from '../base/index.ts'
import type { TaskRef } from '../events/index.ts'
import { type Block, findIncludedFile, loadIncludedFile, loadIncludedRole, type RoleRequest, type Task } from '../playbook/index.ts'
import { rawRepr, type Templar } from '../template/index.ts'
import { asText, type LayeredScope } from '../vars/index.ts'
import { isYes } from './connection.ts'
import type { Include } from './outcome.ts'
import { saysYes } from './says-yes.ts'
import type { PlayRun, Res } from './state.ts'

const TASKS = new Set(['ansible.builtin.include_tasks', 'ansible.builtin.include'])
const ROLE = 'ansible.builtin.include_role'

export const isInclude = (task: Task): boolean => TASKS.has(task.action.resolved) || task.action.resolved === ROLE

/** The include a task stands for, rendered; undefined for all other tasks. */
export function includeOf(
  task: Task,
  scope: LayeredScope,
  templar: Templar,
  local: ReadonlyMap<string, Value>,
  label: string | undefined,
): Include | undefined {
  if (!isInclude(task)) return undefined
  const args = task.action.args instanceof Map ? task.action.args : new Map<string, Raw>()
  const value = (name: string): Value | undefined => {
    const raw = args.get(name)
    if (raw === undefined) return undefined
    const v = templar.render(raw, scope)
    return v === OMIT ? undefined : v
  }
  const vars = includeVariables(local)
  if (task.action.resolved !== ROLE) {
    const file = value('_raw_params') ?? value('file')
    if (file === undefined || file === null || file === '')
      throw new Problem('No file specified for include_tasks', { kind: 'playbook', span: task.action.span })
    return { target: { kind: 'tasks', file: String(file) }, vars, label }
  }
  return { target: { kind: 'role', request: roleRequest(value, task) }, vars, label }
}

/** What is registered of an include: what was asked for, as it is written. */
export function includeResult({ action }: Task, { target }: Include, isItem: boolean): Res {
  const args = action.args instanceof Map ? (action.args as ReadonlyMap<string, Raw>) : new Map<string, Raw>()
  const isFile = (name: string): boolean => target.kind === 'tasks' && (name === '_raw_params' || name === 'file')
  const others = [...args].filter(([name]) => !isFile(name)).map(([name, raw]) => [name, asText(raw)] as const)
  const asked = new Map<string, Value>([['include_args', new Map<Value, Value>(others)], ...(isItem ? [] : [['changed', false] as const])])
  return target.kind === 'tasks' ? new Map<string, Value>([['include', target.file], ...asked]) : asked
}

function roleRequest(value: (name: string) => Value | undefined, task: Task): RoleRequest {
  const name = value('name') ?? value('role') ?? value('_raw_params')
  if (name === undefined || name === null || name === '')
    throw new Problem("'name' is a required field for include_role", { kind: 'playbook', span: task.action.span })
  const text = (key: string) => (value(key) === undefined ? undefined : String(value(key)))
  return {
    name: String(name),
    tasksFrom: text('tasks_from'),
    varsFrom: text('vars_from'),
    defaultsFrom: text('defaults_from'),
    handlersFrom: text('handlers_from'),
    public: isYes(value('public') ?? false),
    allowDuplicates: isYes(value('allow_duplicates') ?? true),
    rolespecValidate: isYes(value('rolespec_validate') ?? true),
  }
}

/** The loop's variables, which the included tasks see; facts carried from item to item stay outside. */
function includeVariables(local: ReadonlyMap<string, Value>): ReadonlyMap<string, Raw> {
  const out = new Map<string, Raw>()
  const loopVar = local.get('ansible_loop_var')
  if (typeof loopVar !== 'string') return out
  for (const name of ['ansible_loop_var', loopVar, 'ansible_index_var', String(local.get('ansible_index_var') ?? ''), 'ansible_loop']) {
    const value = local.get(name)
    if (name && value !== undefined) out.set(name, value)
  }
  return out
}

/** One include as several hosts share it. */
export interface IncludedFile {
  readonly task: Task
  readonly include: Include
  /** what it is called in the output: the file's path, the role's name */
  readonly name: string
  readonly hosts: string[]
}

/** Puts equal includes of a task's hosts together, in the order in which they came. */
export function groupIncludes(
  task: Task,
  perHost: readonly { readonly host: string; readonly includes: readonly Include[] }[],
): IncludedFile[] {
  const out: IncludedFile[] = []
  for (const { host, includes } of perHost) {
    let from = 0
    for (const include of includes) {
      const name = include.target.kind === 'tasks' ? findIncludedFile(include.target.file, task).path : include.target.request.name
      const at = out.findIndex((f, i) => i >= from && f.name === name && !f.hosts.includes(host) && same(f.include, include))
      if (at >= 0) {
        out[at]!.hosts.push(host)
        from = at + 1
      } else {
        out.push({ task, include, name, hosts: [host] })
        from = out.length
      }
    }
  }
  return out
}

const same = (a: Include, b: Include): boolean => fingerprint(a) === fingerprint(b)

const prints = new WeakMap<Include, string>()

/** A text that is equal for equal includes. */
function fingerprint(include: Include): string {
  let print = prints.get(include)
  if (print === undefined) {
    print = JSON.stringify([include.target, plain(new Map(include.vars))])
    prints.set(include, print)
  }
  return print
}

function plain(raw: Raw): unknown {
  if (raw instanceof Map) return { map: [...raw].map(([k, v]) => [plain(k), plain(v)]) }
  if (Array.isArray(raw)) return raw.map(plain)
  return typeof raw === 'bigint' ? `${raw}n` : raw
}

/** Loads the blocks of an include. New handlers of a role join the play's. Throws Problems for what is wrong in the files. */
export function loadInclude(file: IncludedFile, pr: PlayRun): readonly Block[] {
  const { target, vars } = file.include
  if (target.kind === 'tasks') return gained(pr, loadIncludedFile(file.name, file.task, vars))
  const loaded = loadIncludedRole(target.request, file.task, vars, pr.play, pr.run.load)
  return gained(pr, { ...loaded, roles: [...new Set([...loaded.roles, loaded.role])] })
}

/** What an include brings besides its tasks: roles that the play sees from now on, handlers. */
function gained(pr: PlayRun, { steps, roles, handlers }: ReturnType<typeof loadIncludedFile>): readonly Block[] {
  for (const { name } of roles) pr.roleNames.push(name)
  pr.publicRoles.push(...roles.filter((role) => role.public && !pr.publicRoles.includes(role) && !pr.play.roles.includes(role)))
  addHandlers(pr, handlers)
  return steps
}

/** The latest of one name is the one that is notified: a role's handlers go to the end each time it is included. */
function addHandlers(pr: PlayRun, blocks: readonly Block[]): void {
  const print = (block: Block) => block.block.map((h) => `${h.span.source.name}:${h.span.start}`).join(',')
  const again = new Set(blocks.map(print))
  const waiting = (block: Block) => block.block.some((h) => h.kind === 'task' && (pr.notified.get(h.id)?.size ?? 0) > 0)
  pr.handlers = [...pr.handlers.filter((b) => !again.has(print(b)) || waiting(b)), ...blocks]
}

/** An include's arguments and the loop's variables, as Python would print them. */
function askedOf(include: Include, task: Task): string {
  const { vars, target } = include
  const args = target.kind === 'tasks' ? (includeResult(task, include, true).get('include_args') ?? null) : new Map<Raw, Raw>()
  const name = String(vars.get('ansible_loop_var') ?? '')
  const first: [Raw, Raw][] = vars.has(name) ? [[name, vars.get(name)!]] : []
  const label: [Raw, Raw][] = include.label === undefined || vars.size === 0 ? [] : [['_ansible_item_label', include.label]]
  return `args=${rawRepr(args)} vars=${rawRepr(new Map<Raw, Raw>([...first, ...vars, ...label]))}`
}

/** Tells what came in and counts it for its hosts; before 2.17 roles were neither counted nor shown. */
export function tellIncluded(pr: PlayRun, { name, hosts, include, task: written }: IncludedFile, task: TaskRef): void {
  const quiet = include.target.kind === 'role' && isOlder(pr.run.settings.compatVersion, '2.17')
  if (!quiet) for (const host of hosts) pr.run.stats.count(host, 'ok')
  // what is under no_log has no variables to tell
  const asked = pr.run.settings.tellArguments && !saysYes(written.keywords.noLog, false) ? { asked: askedOf(include, written) } : {}
  pr.run.bus.emit({ kind: 'included', task, file: name, hosts, label: include.label, ...asked, ...(quiet ? { quiet } : {}) })
}
