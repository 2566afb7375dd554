/** Makes a task ready to run: its module, its checked arguments, where and as whom; then runs it once, in time or as a job. */
import { join } from 'node:path'
import { OMIT, Template, type Value } from '../base/index.ts'
import { type Become, becomeMethods } from '../become/index.ts'
import type { Endpoint, Session } from '../connect/index.ts'
import type { Module, TaskInfo } from '../modules/index.ts'
import { canonicalNames, checkArgs } from '../params/index.ts'
import type { ModuleInfo, Task } from '../playbook/index.ts'
import type { LayeredScope } from '../vars/index.ts'
import { runModule } from './apply.ts'
import { becomeOf, endpointOf } from './connection.ts'
import { scopeThere } from './connection-variables.ts'
import { controllerOf } from './controller.ts'
import type { Detached } from './detached.ts'
import { hostOf } from './host.ts'
import { endedLate, jobOf, newJobId, pollJob, startedResult, startJob } from './jobs.ts'
import { named } from './keyword-check.ts'
import type { KeywordReader } from './keywords.ts'
import { moduleDefaults } from './module-defaults.ts'
import { isTrue } from './outcome.ts'
import type { Situation } from './request.ts'
import { failure, resultFromJson } from './result.ts'
import { rememberSecrets } from './secrets.ts'
import { setFact } from './set-fact.ts'
import { smallFact } from './small-fact.ts'
import type { Res } from './state.ts'

/** Gets everything ready that stays the same for each try, and returns what one try is. */
export function prepare(request: Situation, reader: KeywordReader, args: Map<string, Value>): () => Promise<Res> {
  const { pr, task, scope } = request
  const asyncSeconds = reader.number(task.async, 'async') ?? 0
  const refused = refusal(request, args, asyncSeconds)
  if (refused !== undefined) return async () => failure(refused)
  if (task.action.resolved === 'ansible.builtin.set_fact') return async () => setFact(args, pr.run.templar.native ?? false)
  const { file } = task.action
  const module = file === undefined ? pr.run.module(task.action.resolved) : pr.run.custom(task.action.name, file)
  if (!module) return async () => failure(`the module ${task.action.name} was not found`)
  const check = reader.bool(task.keywords.checkMode, pr.run.settings.check, 'check_mode')
  const diff = reader.bool(task.keywords.diff, pr.run.settings.diff, 'diff')
  const timeout = reader.number(task.keywords.timeout, 'timeout') ?? pr.run.settings.taskTimeout
  const poll = reader.number(task.poll, 'poll') ?? pr.run.settings.pollInterval ?? 15
  const {
    args: checked,
    problems,
    secrets,
    warnings,
  } = checkArgs(module.params, module.rules, args, module.name.replace(/^ansible\.builtin\./, ''), {
    openArgs: module.openArgs,
  })
  for (const secret of secrets) pr.run.secrets.add(secret)
  for (const text of warnings) pr.run.bus.emit({ kind: 'warning', text })
  if (problems[0]) {
    const lacks = Object.entries(module.params).some(([name, param]) => param.required && checked[name] === undefined)
    const message = (lacks ? module.missingWords : undefined) ?? problems[0].message
    return async () => failure(message)
  }
  const asked = targetOf(request, reader)
  const atHome = module.startsAtController === true && request.delegate !== undefined && asked.endpoint().kind === 'local'
  const situation = atHome ? { ...request, delegate: undefined } : request
  const there = atHome ? targetOf(situation, reader) : asked
  const target = module.takesEnvironment === false ? { ...there, env: new Map<string, string>() } : there
  const signals = [pr.run.signal]
  const how: Omit<Once, 'signal'> = { ...target, check, diff, args, asyncSeconds, poll, scope }
  if (asyncSeconds > 0 && !module.controllerOnly) return () => asJob(situation, module, checked, how)
  const limit = timeout
  return async () => {
    const clock = limit > 0 ? new AbortController() : undefined
    const timer = clock && setTimeout(() => clock.abort(new Error('timeout')), limit * 1000)
    const signal = clock ? AbortSignal.any([...signals, clock.signal]) : pr.run.signal
    try {
      const run = once(situation, module, checked, { ...how, signal })
      const result = await (clock ? Promise.race([run, aborted(clock.signal)]) : run)
      if (result !== undefined) return result
      void run.catch(() => undefined)
      return timedOut(task, limit)
    } catch (error) {
      if (clock?.signal.aborted && !pr.run.signal.aborted) return timedOut(task, limit)
      throw error
    } finally {
      clearTimeout(timer)
    }
  }
}

/** Why a module of the controller does not take what the task asks for. */
function refusal({ pr, task }: Situation, args: ReadonlyMap<string, Value>, asyncSeconds: number): string | undefined {
  const module = task.action.file === undefined ? pr.run.module(task.action.resolved) : undefined
  if (!module) return undefined
  if (asyncSeconds > 0 && module.takesAsync === false) return `This action (${task.action.name}) does not support async.`
  const known = module.optionsOfAction ? canonicalNames(module.params) : undefined
  const strange = known ? [...args.keys()].filter((name) => !known.has(name)) : []
  return strange.length > 0 ? `Invalid options for ${task.action.name}: ${strange.join(',')}` : undefined
}

/** async: starts a job, and waits for it unless poll is 0. */
async function asJob(
  request: Situation,
  module: Module,
  checked: Parameters<typeof runModule>[1],
  how: Omit<Once, 'signal'>,
): Promise<Res> {
  const { pr, ref } = request
  const jobId = newJobId()
  const root = asyncFolder(how.scope)
  let detached: Detached = { jobId, root, seconds: how.asyncSeconds }
  const started = new Promise<void>((resolve) => {
    detached = { ...detached, started: resolve, late: () => endedLate(pr.run, jobId) }
  })
  const key = { jobId, root, host: how.connected }
  const done = startJob(pr.run, key, () => once(request, module, checked, { ...how, signal: pr.run.signal, detached }))
  if (how.poll <= 0) {
    // the run may end, or its connection, as soon as this is told
    await Promise.race([started, done])
    return startedResult(detached)
  }
  return pollJob(pr, ref, request.host, jobId, { seconds: how.asyncSeconds, poll: how.poll })
}

/** The folder of a host's jobs. */
function asyncFolder(scope: LayeredScope): string {
  const said = scope.get('ansible_async_dir')
  return typeof said === 'string' ? said.replace(/(?<=.)\/+$/, '') : '~/.ansible_async'
}

function timedOut(task: Task, seconds: number): Res {
  const message = `The ${task.action.name} action failed to execute in the expected time frame (${seconds}) and was terminated`
  return failure(message, [['timedout', new Map<Value, Value>([['period', seconds]])]])
}

const aborted = (signal: AbortSignal): Promise<undefined> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined), { once: true }))

interface Target {
  readonly endpoint: () => Endpoint
  readonly become: Become | undefined
  readonly env: ReadonlyMap<string, string>
  readonly remoteUser: string | undefined
  readonly connected: string
}

/** Where the task runs and as whom: the variables of the delegated host decide where there is one. */
function targetOf(request: Situation, reader: KeywordReader): Target {
  const { pr, host, delegate } = request
  const connected = delegate ?? host
  const there = scopeThere(request)
  const variable = (name: string): Value | undefined => {
    const value = there.get(name)
    return value === OMIT ? undefined : value
  }
  const keywords = reader.connection()
  const known = pr.run.inventory.host(connected)
  const defaults = pr.run.settings.connection
  let found: Endpoint | undefined
  const endpoint = () => (found ??= endpointOf(connected, known === undefined || known.implicit, variable, keywords, defaults))
  const wanted = becomeOf(variable, keywords, defaults)
  const again = wanted && pr.run.settings.becomeSameUser ? { ...wanted, always: true } : wanted
  const become = again && isSame(request, again, remoteUser(variable, keywords.remoteUser), endpoint) ? undefined : again
  rememberSecrets(pr.run.secrets, variable, become)
  return {
    endpoint,
    become,
    env: named('environment', request.task, () => reader.environment((text) => pr.run.bus.emit({ kind: 'warning', text }))),
    remoteUser: remoteUser(variable, keywords.remoteUser),
    connected,
  }
}

/** Nobody becomes who they are already, unless the settings want it; a method that is none is told all the same. */
function isSame({ pr }: Situation, become: Become, user: string | undefined, endpoint: () => Endpoint): boolean {
  const { becomeSameUser, connection } = pr.run.settings
  if (becomeSameUser || !becomeMethods.includes(become.method)) return false
  const who = user ?? connection.remoteUser
  return who === undefined ? endpoint().kind === 'local' && become.user === connection.localUser : become.user === who
}

function remoteUser(variable: (name: string) => Value | undefined, keyword: Value | undefined): string | undefined {
  const value = variable('ansible_user') ?? variable('ansible_ssh_user') ?? keyword
  return value === undefined || value === null ? undefined : String(value)
}

interface Once extends Target {
  readonly check: boolean
  readonly diff: boolean
  readonly signal: AbortSignal
  readonly args: Map<string, Value>
  readonly asyncSeconds: number
  readonly poll: number
  readonly scope: LayeredScope
  readonly detached?: Detached | undefined
}

/** Did a host's words go into an argument? */
function isFromHost({ pr, task, scope }: Situation, argument: string): boolean {
  const { args } = task.action
  const raw = args instanceof Template ? args : args.get(argument)
  return raw instanceof Template && pr.run.templar.renderWithOrigin(raw, scope).fromHost
}

/** The arguments as -vvv tells them: without what is secret. */
function toldArguments({ params, censored = [] }: Module, args: ReadonlyMap<string, Value>): Value {
  const names = canonicalNames(params)
  const told = (given: string, value: Value): Value => {
    const name = names.get(given) ?? given
    if (censored.includes(name)) return `CENSORED: ${name} is a no_log parameter`
    return params[name]?.noLog ? 'VALUE_SPECIFIED_IN_NO_LOG_PARAMETER' : value
  }
  return new Map([...args].map(([name, value]) => [name, told(name, value)]))
}

/** A module that another one calls: one of the user's own goes first, unless the name says whose it is. */
function calledModule({ pr, task }: Situation, name: string): { readonly module: Module; readonly info: ModuleInfo } | undefined {
  const { run, view } = pr
  const info: ModuleInfo | undefined = name.startsWith('ansible.builtin.')
    ? { resolved: name, freeForm: false, parameters: undefined, openArgs: true }
    : run.load.module(name, task.keywords.collections, [join(view.playbookDir, 'library')])
  const module = info?.file === undefined ? info && run.module(info.resolved) : run.custom(name, info.file)
  return info && module && { module, info }
}

/** One run of the module. */
async function once(request: Situation, module: Module, checked: Parameters<typeof runModule>[1], how: Once): Promise<Res> {
  const { pr, task } = request
  const { run } = pr
  const context = {
    check: how.check,
    diff: how.diff,
    maxDiff: run.settings.maxDiff,
    session: (): Promise<Session> => run.pool.session(how.endpoint()),
    become: how.become,
    env: how.env,
    signal: how.signal,
    detached: how.detached,
    onChange: () => request.step?.changes(request.index ?? 0),
  }
  const info: TaskInfo = {
    name: request.ref.name,
    jobsFolder: asyncFolder(how.scope),
    action: task.action.name,
    environment: how.env,
    becomeUser: how.become?.user,
    remoteUser: how.remoteUser,
    ...(request.delegate === undefined ? {} : { delegate: request.delegate, there: (name: string) => scopeThere(request).get(name) }),
    rawArgs: how.args,
    fromHost: (argument) => isFromHost(request, argument),
    async: how.asyncSeconds,
    poll: how.poll,
  }
  const files = how.scope.files!
  const host = hostOf({
    name: how.connected,
    verbosity: run.settings.verbosity,
    context,
    controller: controllerOf({ run, scope: how.scope, files, playbookDir: pr.view.playbookDir, where: task.action.span, task }),
    task: info,
    fact: (name, look) => smallFact(run, how.connected, name, look),
    module: (name) => calledModule(request, name)?.module,
    defaults: (name) => {
      const called = calledModule(request, name)
      if (!called) return new Map()
      const { info } = called
      const action = { ...task.action, name, resolved: info.resolved, file: info.file }
      return moduleDefaults({ ...task, action }, how.scope, run.templar, { context: run.load, playbookDir: pr.view.playbookDir })
    },
    job: (id) => jobOf(run, { jobId: id, root: asyncFolder(how.scope), host: how.connected }),
  })
  const result = resultFromJson(await runModule(module, checked, host, context), module.controllerOnly)
  // the run was cut off in the middle of the change, which is in place now
  if (request.step?.wasChanging(request.index ?? 0) && !isTrue(result, 'failed')) result.set('changed', true)
  if (run.settings.verbosity >= 3 && !result.has('invocation'))
    result.set('invocation', new Map([['module_args', toldArguments(module, how.args)]]))
  return result
}
