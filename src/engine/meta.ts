/** The meta actions: what each verb does to the host it is meant for, or to all of them. */
import { isOlder, own, Problem, type Raw } from '../base/index.ts'
import type { TaskRef } from '../events/index.ts'
import type { Task } from '../playbook/index.ts'
import { becomeOf, endpointOf } from './connection.ts'
import { resolveNotifications } from './handlers.ts'
import { KeywordReader } from './keywords.ts'
import type { PlayRun } from './state.ts'
import { taskScope } from './task.ts'
import type { HostWalk, Verdict } from './walk.ts'

export const verbOf = (task: Task): string => {
  const { args } = task.action
  return args instanceof Map ? String(args.get('_raw_params') ?? '') : ''
}

/** Verbs that are carried out host by host; the others once for all. */
const PER_HOST = new Set(['noop', 'reset_connection', 'end_host', 'role_complete', 'flush_handlers', 'end_role'])

export const isOnceForAll = (verb: string): boolean => !PER_HOST.has(verb)

type Verb = (pr: PlayRun, walk: HostWalk, task: Task) => Verdict | Promise<Verdict>

const done: Verdict = { failed: false }

const VERBS: Readonly<Record<string, Verb>> = {
  noop: () => done,
  flush_handlers: (pr, walk, task) => {
    if (walk.inHandlers) throw new Problem('flush_handlers cannot be used as a handler', { kind: 'run', span: task.span })
    resolveNotifications(pr, walk)
    return { failed: false, flush: true }
  },
  refresh_inventory: async (pr) => {
    await pr.run.inventory.refresh()
    pr.run.variables.forgetFiles()
    return done
  },
  clear_facts: (pr) => {
    for (const host of pr.batch) pr.run.variables.clearFacts(host)
    return done
  },
  clear_host_errors: (pr) => {
    for (const host of pr.batch) {
      pr.run.failed.delete(host)
      pr.run.unreachable.delete(host)
      pr.walks.get(host)?.clearErrors()
    }
    return done
  },
  end_batch: (pr) => {
    endAll(pr)
    return done
  },
  end_play: (pr) => {
    endAll(pr)
    pr.endPlay = true
    return done
  },
  end_host: (_pr, walk) => {
    walk.end(false)
    return done
  },
  end_role: () => ({ failed: false, endRole: true }),
  role_complete: (pr, walk, task) => {
    if (task.role && pr.roleRan.get(task.role.same ?? task.role)?.has(walk.host)) {
      const hosts = pr.roleDone.get(task.role.same ?? task.role) ?? new Set()
      hosts.add(walk.host)
      pr.roleDone.set(task.role.same ?? task.role, hosts)
    }
    return done
  },
  reset_connection: async (pr, walk, task) => {
    const scope = taskScope(pr, task, walk.host)
    const reader = new KeywordReader(task.keywords, pr.run.templar, scope)
    const variable = (name: string) => scope.get(name)
    const defaults = pr.run.settings.connection
    const endpoint = endpointOf(walk.host, pr.run.inventory.host(walk.host)?.implicit ?? true, variable, reader.connection(), defaults)
    becomeOf(variable, reader.connection(), defaults)
    await (await pr.run.pool.session(endpoint)).reset()
    return done
  },
}

function endAll(pr: PlayRun): void {
  for (const [host, walk] of pr.walks) if (!pr.run.unreachable.has(host)) walk.end(false)
}

/** Carries out a meta task for a host (or, for some verbs, for all) and tells the walk what to do. */
export async function runMeta(pr: PlayRun, walk: HostWalk, task: Task, ref: TaskRef): Promise<Verdict> {
  const verb = verbOf(task)
  const action = own(VERBS, verb)
  if (!action) throw new Problem(`invalid meta action requested: ${verb}`, { kind: 'run', span: task.action.span })
  if (task.keywords.when.length > 0 && ignoresWhen(verb, pr.run.settings.compatVersion)) {
    pr.run.bus.emit({ kind: 'warning', text: `${verb} task does not support when conditional` })
  } else if (!task.implicit && !holds(pr, walk, task)) {
    skip(pr, walk, verb, ref)
    return done
  }
  if (!task.implicit) pr.run.bus.emit({ kind: 'verbose', level: 2, text: `META: ${own(MESSAGES, verb)?.(walk.host, task) ?? verb}` })
  return action(pr, walk, task)
}

const NO_WHEN = new Set(['noop', 'refresh_inventory', 'reset_connection'])

const ignoresWhen = (verb: string, release: string): boolean => NO_WHEN.has(verb) || (verb === 'flush_handlers' && isOlder(release, '2.14'))

const MESSAGES: Readonly<Record<string, (host: string, task: Task) => string>> = {
  flush_handlers: (host) => `triggered running handlers for ${host}`,
  end_host: (host) => `ending play for ${host}`,
  end_role: (host, task) => `ending role ${task.role?.name} for ${host}`,
  refresh_inventory: () => 'inventory successfully refreshed',
  clear_facts: () => 'facts cleared',
  clear_host_errors: () => 'cleared host errors',
  end_batch: () => 'ending batch',
  end_play: () => 'ending play',
  reset_connection: () => 'reset connection',
}

function holds(pr: PlayRun, walk: HostWalk, task: Task): boolean {
  if (task.keywords.when.length === 0) return true
  const scope = taskScope(pr, task, walk.host)
  return task.keywords.when.every((condition: Raw) => pr.run.templar.condition(condition, scope))
}

const OTHERWISE: Readonly<Record<string, (host: string) => string>> = {
  flush_handlers: (host) => `, not running handlers for ${host}`,
  clear_facts: (host) => `, not clearing facts and fact cache for ${host}`,
  clear_host_errors: (host) => `, not clearing host error state for ${host}`,
  end_batch: () => ', continuing current batch',
  end_play: () => ', continuing play',
  end_host: (host) => `, continuing execution for ${host}`,
  end_role: () => ', continuing role',
}

function skip(pr: PlayRun, walk: HostWalk, verb: string, ref: TaskRef): void {
  const reason = `${verb} conditional evaluated to False${OTHERWISE[verb]?.(walk.host) ?? ''}`
  pr.run.bus.emit({ kind: 'verbose', level: 2, text: `META: ${reason}` })
  pr.run.bus.emit({
    kind: 'result',
    task: ref,
    host: walk.host,
    status: 'skipped',
    result: { msg: verb, skipped: true, skip_reason: reason },
    ignored: false,
    looped: false,
    seconds: 0,
  })
}
