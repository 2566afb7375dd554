/** Turns a module's result into what the engine hands on: status, notifications, where it ran, what is to be kept. */
import { OMIT, type Raw, Template, type Value } from '../base/index.ts'
import type { Task } from '../playbook/index.ts'
import type { Rendered } from '../template/index.ts'
import { injectable, type LayeredScope, namespaced } from '../vars/index.ts'
import { isYes } from './connection.ts'
import { scopeThere } from './connection-variables.ts'
import type { KeywordReader } from './keywords.ts'
import { isTrue, type Part, statusOf } from './outcome.ts'
import type { Situation } from './request.ts'
import type { PlayRun, Res } from './state.ts'

/** Turns a result into what the engine hands on. */
export function part(request: Situation, reader: KeywordReader, result: Res, noLog: boolean): Part {
  const { task, pr, delegate } = request
  const status = statusOf(result)
  const notify = status === 'changed' || status === 'ok' ? safely(() => reader.notify(), []) : []
  const ignored =
    status === 'failed'
      ? safely(() => reader.bool(task.keywords.ignoreErrors, false, 'ignore_errors'), false)
      : status === 'unreachable' &&
        safely(() => reader.bool(task.keywords.ignoreUnreachable, pr.run.settings.ignoreUnreachable, 'ignore_unreachable'), false)
  const diff = safely(() => reader.bool(task.keywords.diff, pr.run.settings.diff, 'diff'), false)
  const delegateFacts = safely(() => reader.bool(task.keywords.delegateFacts, false, 'delegate_facts'), false)
  return {
    status,
    result,
    ignored,
    notify,
    delegatedTo: delegate,
    delegateFacts,
    label: request.label ?? '',
    noLog,
    diff,
    ...kept(request, result),
  }
}

/** Where a delegated task ran, for the output. */
export function tellDelegate(request: Situation, result: Res): void {
  const { delegate } = request
  if (delegate === undefined || isTrue(result, 'unreachable')) return
  const there = scopeThere(request)
  const out = new Map<Value, Value>([['ansible_delegated_host', delegate]])
  for (const name of ['ansible_host', 'ansible_port', 'ansible_user', 'ansible_connection']) {
    const value = safely(() => there.get(name), undefined)
    if (value !== undefined && value !== OMIT) out.set(name, value)
  }
  result.set('_ansible_delegated_vars', out)
}

/** set_fact and include_vars: what is to be kept, as it was written. */
function kept({ task, scope, pr }: Situation, result: Res): Pick<Part, 'vars' | 'cacheable'> {
  const facts = result.get('ansible_facts')
  if (!(facts instanceof Map)) return {}
  const values = new Map([...facts].map(([k, v]) => [String(k), v] as const))
  if (task.action.resolved === 'ansible.builtin.set_fact') {
    const cacheable = isYes(result.get('_ansible_facts_cacheable') ?? false)
    const { fromHost, texts } = rendered(task, scope, pr)
    return { vars: { values, fromHost, texts }, cacheable }
  }
  return task.action.resolved === 'ansible.builtin.include_vars' ? { vars: { values, fromHost: false } } : {}
}

/** Did a host's words go into the arguments, and which of their texts are text for good? */
function rendered(task: Task, scope: LayeredScope, pr: PlayRun): Rendered {
  const { args } = task.action
  const raw: Raw = args instanceof Template ? args : new Map(args)
  return pr.run.templar.renderWithOrigin(raw, scope)
}

function safely<T>(work: () => T, otherwise: T): T {
  try {
    return work()
  } catch {
    return otherwise
  }
}

/** What the task's facts add to the variables of the loop's next items; `known` are the facts so far. */
export function carriedFacts(task: Task, result: Res, known: Value | undefined): ReadonlyMap<string, Value> {
  const facts = result.get('ansible_facts')
  if (!(facts instanceof Map) || task.action.resolved === 'ansible.builtin.debug') return new Map()
  const named = new Map([...facts].map(([k, v]) => [String(k), v] as const))
  if (task.action.resolved === 'ansible.builtin.set_fact' || task.action.resolved === 'ansible.builtin.include_vars') return named
  const before = known instanceof Map ? known : new Map<Value, Value>()
  return new Map([...injectable(named), ['ansible_facts', new Map([...before, ...namespaced(named)]) as Value]])
}
