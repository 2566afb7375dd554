/** A task as playbooks see it in ansible_failed_task, and people in the debugger: every keyword by its name. */
import { randomUUID } from 'node:crypto'
import { Float, OMIT, Problem, type Raw, Template, type Value } from '../base/index.ts'
import type { TaskRef } from '../events/index.ts'
import type { Loop, Task } from '../playbook/index.ts'
import { asText } from '../vars/index.ts'
import { isYes } from './connection.ts'
import { KeywordReader } from './keywords.ts'
import type { Outcome } from './outcome.ts'
import type { PlayRun } from './state.ts'
import { taskScope } from './task.ts'

/** The keywords of a task on a host: rendered where the task got so far, as they were written otherwise. */
export function taskFields(pr: PlayRun, task: Task, host: string, ref: TaskRef, outcome: Outcome): Map<Value, Value> {
  const args = outcome.looped ? undefined : outcome.parts.at(-1)?.args
  const read = args === undefined ? unrendered : renderer(pr, task, host)
  const { keywords: k } = task
  const { settings } = pr.run
  const { connection } = settings
  const inRole = task.role === undefined ? '' : `${task.role.name} : `
  const conditions = (list: readonly Raw[] | undefined): Value => (list ?? []).map(asText)
  const number = (raw: Raw | undefined, fallback: Value): Value => (raw === undefined ? fallback : read(raw))
  const flag = (raw: Raw | undefined, fallback: Value): Value => {
    const value = raw === undefined ? fallback : read(raw)
    return args === undefined || value === null ? value : isYes(value)
  }
  const text = (raw: Raw | undefined, fallback: Value | undefined = undefined): Value =>
    raw === undefined ? (fallback ?? null) : read(raw)
  const seconds = number(task.async, 0)
  return new Map<Value, Value>([
    ['action', task.action.name],
    ['any_errors_fatal', flag(k.anyErrorsFatal, settings.anyErrorsFatal)],
    ['args', new Map(args ?? writtenArgs(task))],
    ['async', seconds],
    ['async_val', seconds],
    ['become', flag(k.become, connection.become)],
    ['become_exe', text(k.becomeExe, connection.becomeExe)],
    ['become_flags', text(k.becomeFlags, connection.becomeFlags)],
    ['become_method', text(k.becomeMethod, connection.becomeMethod)],
    ['become_user', text(k.becomeUser)],
    ['changed_when', conditions(task.changedWhen)],
    ['check_mode', flag(k.checkMode, settings.check)],
    ['collections', [...k.collections]],
    ['connection', text(k.connection, connection.connection)],
    ['debugger', text(k.debugger)],
    ['delay', args === undefined ? number(task.delay, 5) : asFloat(number(task.delay, 5))],
    ['delegate_facts', flag(k.delegateFacts, null)],
    ['delegate_to', text(k.delegateTo)],
    ['diff', flag(k.diff, settings.diff)],
    ['environment', environment(pr, task, host, args !== undefined)],
    ['failed_when', conditions(task.failedWhen)],
    ['finalized', true],
    ['ignore_errors', flag(k.ignoreErrors, null)],
    ['ignore_unreachable', flag(k.ignoreUnreachable, null)],
    ['loop', task.loop === undefined ? null : asText(task.loop.value)],
    ['loop_control', task.loop === undefined ? defaultControl() : controlFields(task.loop)],
    ['loop_with', task.loop === undefined || task.loop.with === 'loop' ? null : task.loop.with],
    ['module_defaults', k.moduleDefaults.map((raw) => fullNames(asText(raw)))],
    ['name', task.name === undefined || task.name === null ? '' : ref.name.slice(inRole.length)],
    ['no_log', flag(k.noLog, settings.noLog ?? false)],
    ['notify', k.notify.length === 0 ? null : k.notify.flatMap((raw) => spread(read(raw)))],
    ['poll', number(task.poll, settings.pollInterval ?? 15)],
    ['port', number(k.port, null)],
    ['register', task.register ?? null],
    ['remote_user', text(k.remoteUser, connection.remoteUser)],
    ['retries', number(task.retries, null)],
    ['run_once', flag(k.runOnce, null)],
    ['squashed', true],
    ['tags', ownFirst(k.tags, task.own?.tags).flatMap((raw) => spread(read(raw)))],
    ['throttle', number(k.throttle, 0)],
    ['timeout', number(k.timeout, settings.taskTimeout)],
    ['until', conditions(task.until)],
    ['uuid', randomUUID()],
    ['vars', new Map([...(task.own?.vars ?? [])].map(([name, raw]) => [name, asText(raw)] as const))],
    ['when', conditions(k.when)],
  ])
}

const ownFirst = (all: readonly Raw[], own: readonly Raw[] = []): readonly Raw[] => [...own, ...all.filter((tag) => !own.includes(tag))]

const spread = (value: Value): readonly Value[] => (Array.isArray(value) ? value : [value])

const asFloat = (value: Value): Value => (typeof value === 'number' ? new Float(value) : value)

const unrendered = (raw: Raw): Value => asText(raw)

/** What cannot be rendered stays as it was written. */
function renderer(pr: PlayRun, task: Task, host: string): (raw: Raw) => Value {
  const scope = taskScope(pr, task, host)
  return (raw) => {
    try {
      const value = pr.run.templar.render(raw, scope)
      return value === OMIT ? null : value
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      return asText(raw)
    }
  }
}

/** The arguments before they are rendered. */
export function writtenArgs({ action }: Task): ReadonlyMap<string, Value> {
  const { args } = action
  if (args instanceof Template) return new Map([['_variable_params', asText(args)]])
  return new Map([...args].map(([name, raw]) => [name, asText(raw)]))
}

/** One dict once it has been rendered, else one for each level. */
function environment(pr: PlayRun, task: Task, host: string, isRendered: boolean): Value {
  const { environment: layers } = task.keywords
  if (layers.length === 0) return []
  if (!isRendered) return layers.map(asText)
  try {
    return [new Map<Value, Value>(new KeywordReader(task.keywords, pr.run.templar, taskScope(pr, task, host)).environment())]
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return layers.map(asText)
  }
}

const defaultControl = (): Value =>
  new Map<Value, Value>([
    ['break_when', []],
    ['extended', null],
    ['extended_allitems', true],
    ['finalized', true],
    ['index_var', null],
    ['label', null],
    ['loop_var', 'item'],
    ['pause', new Float(0)],
    ['squashed', false],
    ['uuid', randomUUID()],
  ])

function controlFields({ control }: Loop): Value {
  const said: readonly (readonly [string, Raw | undefined])[] = [
    ['break_when', control.breakWhen && [...control.breakWhen]],
    ['extended', control.extended],
    ['extended_allitems', control.extendedAllitems],
    ['index_var', control.indexVar],
    ['label', control.label],
    ['loop_var', control.loopVar],
    ['pause', control.pause],
  ]
  const out = new Map(defaultControl() as Map<Value, Value>)
  for (const [name, raw] of said) if (raw !== undefined) out.set(name, asText(raw))
  return out
}

/** module_defaults go by full names. */
function fullNames(layer: Value): Value {
  if (!(layer instanceof Map)) return layer
  return new Map([...layer].map(([name, value]) => [/[./]/.test(String(name)) ? name : `ansible.builtin.${String(name)}`, value]))
}
