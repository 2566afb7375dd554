/** One execution of a task on a host, for one item: conditions, arguments, the module, until and retries, changed_when and failed_when. */
import { OMIT, type Raw, Template, type Value } from '../base/index.ts'
import type { Become } from '../become/index.ts'
import { ConnectionLost, type Endpoint, type Session, ShellDied } from '../connect/index.ts'
import type { TaskRef } from '../events/index.ts'
import type { Module, TaskInfo } from '../modules/index.ts'
import { checkArgs } from '../params/index.ts'
import type { Task } from '../playbook/index.ts'
import { injectable, type LayeredScope, mapLayer, namespaced } from '../vars/index.ts'
import { runModule } from './apply.ts'
import { renderArguments } from './arguments.ts'
import { becomeOf, endpointOf, isYes } from './connection.ts'
import { controllerOf } from './controller.ts'
import type { Detached } from './detached.ts'
import { hostOf } from './host.ts'
import { includeOf } from './include.ts'
import { jobOf, newJobId, pollJob, startedResult, startJob } from './jobs.ts'
import { KeywordReader } from './keywords.ts'
import { isTrue, type Part, statusOf } from './outcome.ts'
import { explain } from './problem.ts'
import { failure, isNonZero, resultFromJson, shownResult } from './result.ts'
import { rememberSecrets } from './secrets.ts'
import { setFact } from './set-fact.ts'
import { smallFact } from './small-fact.ts'
import type { PlayRun, Res } from './state.ts'
import { wait } from './wait.ts'

export interface AttemptRequest {
  readonly pr: PlayRun
  readonly task: Task
  readonly host: string
  readonly ref: TaskRef
  /** with the loop's item in it */
  readonly scope: LayeredScope
  /** item and carried facts, for the delegated host's scope */
  readonly local: ReadonlyMap<string, Value>
  /** the loop's list could not be rendered: an error unless the task is skipped */
  readonly loopError: unknown
  readonly label: string | undefined
}

/** Runs it; never throws for what the task did, only for an interrupted run. */
export async function attempt(request: AttemptRequest): Promise<Part> {
  const { pr, task, scope } = request
  const reader = new KeywordReader(task.keywords, pr.run.templar, scope)
  let noLog = false
  try {
    noLog = reader.bool(task.keywords.noLog, false)
    return await execute(request, reader, noLog)
  } catch (error) {
    if (pr.run.signal.aborted) throw error
    if (error instanceof ConnectionLost || error instanceof ShellDied) return unreachable(request, reader, error, noLog)
    return part(request, reader, failure(explain(error)), { noLog })
  }
}

async function execute(request: AttemptRequest, reader: KeywordReader, noLog: boolean): Promise<Part> {
  const { pr, task, scope } = request
  const { templar } = pr.run
  const delegate = delegatedHost(request, reader)
  const refused = falseCondition(task.keywords.when, request)
  if (refused !== undefined) return part(request, reader, skipped(refused), { noLog, delegate })
  if (request.loopError !== undefined) throw request.loopError
  const include = includeOf(task, scope, templar, request.local, request.label)
  if (include) return { ...part(request, reader, new Map<string, Value>([['changed', false]]), { noLog, delegate }), include }

  const args = renderArguments(task, scope, templar)
  const retries = reader.number(task.retries, 'retries')
  const tries = 1 + (retries === undefined ? (task.until ? 3 : 0) : Math.max(0, retries))
  const delay = reader.number(task.delay, 'delay') ?? 5
  const action = prepare(request, reader, args, delegate)
  let now = scope
  let result: Res = new Map()
  for (let n = 1; n <= tries; n++) {
    result = await action()
    now = task.register === undefined ? scope : withResult(scope, task.register, result)
    if (!result.has('failed')) result.set('failed', isNonZero(result.get('rc')))
    if (tries > 1) result.set('attempts', n)
    if (!result.has('changed')) result.set('changed', false)
    now = withFacts(now, task, result)
    if (!isTrue(result, 'skipped')) judge(request, now, result)
    if (tries === 1 || isTrue(result, 'unreachable')) break
    if (task.until ? allHold(task.until, request, now) : !isTrue(result, 'failed')) break
    if (n === tries) {
      result.set('attempts', tries - 1)
      result.set('failed', true)
      break
    }
    pr.run.bus.emit({
      kind: 'retry',
      task: request.ref,
      host: request.host,
      left: tries - n,
      result: shownResult(task, new Map([...result, ['retries', tries]]), noLog, false),
      label: request.label,
    })
    await wait(delay < 0 ? 1 : delay, pr.run.signal)
  }
  return part(request, reader, result, { noLog, delegate })
}

/** The host a task is delegated to; undefined where it is not. */
function delegatedHost(request: AttemptRequest, reader: KeywordReader): string | undefined {
  const { delegateTo } = request.task.keywords
  if (delegateTo === undefined) return undefined
  const value = reader.value(delegateTo)
  return value === undefined || value === null || value === '' ? undefined : String(value)
}

/** The first condition that does not hold. */
function falseCondition(when: readonly Raw[], { pr, scope }: AttemptRequest): Raw | undefined {
  return when.find((condition) => !pr.run.templar.condition(condition, scope))
}

function allHold(conditions: readonly Raw[], { pr }: AttemptRequest, scope: LayeredScope): boolean {
  return conditions.every((c) => pr.run.templar.condition(c, scope))
}

function skipped(condition: Raw): Res {
  return new Map<string, Value>([
    ['changed', false],
    ['skipped', true],
    ['skip_reason', 'Conditional result was False'],
    ['false_condition', condition instanceof Template ? condition.text : (condition as Value)],
  ])
}

const withResult = (scope: LayeredScope, name: string, result: Res): LayeredScope => scope.with(mapLayer(new Map([[name, result]]), true))

/** Facts that the module told are visible to changed_when, failed_when and until. */
function withFacts(scope: LayeredScope, task: Task, result: Res): LayeredScope {
  const facts = result.get('ansible_facts')
  if (!(facts instanceof Map) || task.action.resolved === 'ansible.builtin.debug') return scope
  const named = new Map([...facts].map(([k, v]) => [String(k), v] as const))
  return scope.with(mapLayer(named, true))
}

/** changed_when and failed_when. */
function judge(request: AttemptRequest, scope: LayeredScope, result: Res): void {
  const { task } = request
  let what = 'changed'
  try {
    if (task.changedWhen?.length) result.set('changed', allHold(task.changedWhen, request, scope))
    what = 'failed'
    if (task.failedWhen?.length) {
      const failed = allHold(task.failedWhen, request, scope)
      result.set('failed_when_result', failed)
      result.set('failed', failed)
    }
  } catch (error) {
    result.set('failed', true)
    result.set(`${what}_when_result`, explain(error))
  }
}

/** Gets everything ready that stays the same for each try, and returns what one try is. */
function prepare(
  request: AttemptRequest,
  reader: KeywordReader,
  args: Map<string, Value>,
  delegate: string | undefined,
): () => Promise<Res> {
  const { pr, task, scope } = request
  if (task.action.resolved === 'ansible.builtin.set_fact') return async () => setFact(args)
  const { file } = task.action
  const module = file === undefined ? pr.run.module(task.action.resolved) : pr.run.custom(task.action.name, file)
  if (!module) return async () => failure(`the module ${task.action.name} was not found`)
  const check = reader.bool(task.keywords.checkMode, pr.run.settings.check)
  const diff = reader.bool(task.keywords.diff, pr.run.settings.diff)
  const timeout = reader.number(task.keywords.timeout, 'timeout') ?? pr.run.settings.taskTimeout
  const asyncSeconds = reader.number(task.async, 'async') ?? 0
  const poll = reader.number(task.poll, 'poll') ?? 15
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
    const { message } = problems[0]
    return async () => failure(message)
  }
  const there = targetOf(request, reader, delegate)
  const target = module.takesEnvironment === false ? { ...there, env: new Map<string, string>() } : there
  const signals = [pr.run.signal]
  const how: Omit<Once, 'signal'> = { ...target, check, diff, args, asyncSeconds, poll, scope }
  if (asyncSeconds > 0 && !check && !module.controllerOnly) return () => asJob(request, module, checked, how)
  const limit = timeout
  return async () => {
    const clock = limit > 0 ? new AbortController() : undefined
    const timer = clock && setTimeout(() => clock.abort(new Error('timeout')), limit * 1000)
    const signal = clock ? AbortSignal.any([...signals, clock.signal]) : pr.run.signal
    try {
      const run = once(request, module, checked, { ...how, signal })
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

/** async: starts a job, and waits for it unless poll is 0. */
async function asJob(
  request: AttemptRequest,
  module: Module,
  checked: Parameters<typeof runModule>[1],
  how: Omit<Once, 'signal'>,
): Promise<Res> {
  const { pr, ref } = request
  const jobId = newJobId()
  const detached = { jobId, seconds: how.asyncSeconds }
  startJob(pr.run, jobId, how.connected, () => once(request, module, checked, { ...how, signal: pr.run.signal, detached }))
  if (how.poll <= 0) return startedResult(jobId)
  return pollJob(pr, ref, request.host, jobId, { seconds: how.asyncSeconds, poll: how.poll })
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
function targetOf(request: AttemptRequest, reader: KeywordReader, delegate: string | undefined): Target {
  const { pr, task, host, scope, local } = request
  const connected = delegate ?? host
  const there =
    delegate === undefined
      ? scope
      : pr.run.variables.scope({
          view: pr.view,
          host: delegate,
          task,
          local: mapLayer(new Map<string, Value>([...local, ['inventory_hostname', host]])),
          ...(scope.files ? { files: scope.files } : {}),
        })
  const variable = (name: string): Value | undefined => {
    const value = there.get(name)
    return value === OMIT ? undefined : value
  }
  const keywords = reader.connection()
  const known = pr.run.inventory.host(connected)
  const defaults = pr.run.settings.connection
  const endpoint = () => endpointOf(connected, known === undefined || known.implicit, variable, keywords, defaults)
  const become = becomeOf(variable, keywords, defaults)
  rememberSecrets(pr.run.secrets, variable, become)
  return { endpoint, become, env: reader.environment(), remoteUser: remoteUser(variable, keywords.remoteUser), connected }
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

/** One run of the module. */
async function once(request: AttemptRequest, module: Module, checked: Parameters<typeof runModule>[1], how: Once): Promise<Res> {
  const { pr, task } = request
  const { run } = pr
  const context = {
    check: how.check,
    diff: how.diff,
    session: (): Promise<Session> => run.pool.session(how.endpoint()),
    become: how.become,
    env: how.env,
    signal: how.signal,
    detached: how.detached,
  }
  const info: TaskInfo = {
    name: request.ref.name,
    action: task.action.name,
    environment: how.env,
    becomeUser: how.become?.user,
    remoteUser: how.remoteUser,
    rawArgs: how.args,
    async: how.asyncSeconds,
    poll: how.poll,
  }
  const files = how.scope.files!
  const host = hostOf({
    name: how.connected,
    verbosity: run.settings.verbosity,
    context,
    controller: controllerOf({ run, scope: how.scope, files, playbookDir: pr.view.playbookDir, where: task.action.span }),
    task: info,
    fact: (name, look) => smallFact(run, how.connected, name, look),
    module: run.module,
    job: (id) => jobOf(run, how.connected, id),
  })
  const result = resultFromJson(await runModule(module, checked, host, context))
  if (run.settings.verbosity >= 3 && !result.has('invocation'))
    result.set('invocation', new Map([['module_args', new Map(how.args) as Value]]))
  return result
}

interface Finish {
  readonly noLog: boolean
  readonly delegate?: string | undefined
}

/** Turns a result into what the engine hands on. */
function part(request: AttemptRequest, reader: KeywordReader, result: Res, { noLog, delegate }: Finish): Part {
  const { task, pr } = request
  const status = statusOf(result)
  const notify = status === 'changed' || status === 'ok' ? safely(() => reader.notify(), []) : []
  const ignored =
    status === 'failed'
      ? safely(() => reader.bool(task.keywords.ignoreErrors, false), false)
      : status === 'unreachable' && safely(() => reader.bool(task.keywords.ignoreUnreachable, pr.run.settings.ignoreUnreachable), false)
  const diff = safely(() => reader.bool(task.keywords.diff, pr.run.settings.diff), false)
  const delegateFacts = safely(() => reader.bool(task.keywords.delegateFacts, false), false)
  if (delegate !== undefined) result.set('_ansible_delegated_vars', delegatedVars(request, delegate))
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
function delegatedVars({ pr, task, host, local }: AttemptRequest, delegate: string): Value {
  const there = pr.run.variables.scope({
    view: pr.view,
    host: delegate,
    task,
    local: mapLayer(new Map([...local, ['inventory_hostname', host]])),
  })
  const address = safely(() => there.get('ansible_host'), undefined)
  const out = new Map<Value, Value>([['ansible_delegated_host', delegate]])
  if (address !== undefined && address !== OMIT) out.set('ansible_host', address)
  return out
}

/** set_fact and include_vars: what is to be kept, as it was written. */
function kept({ task, scope, pr }: AttemptRequest, result: Res): Pick<Part, 'vars' | 'cacheable'> {
  const facts = result.get('ansible_facts')
  if (!(facts instanceof Map)) return {}
  const values = new Map([...facts].map(([k, v]) => [String(k), v] as const))
  if (task.action.resolved === 'ansible.builtin.set_fact') {
    const cacheable = isYes(result.get('_ansible_facts_cacheable') ?? false)
    return { vars: { values, fromHost: fromHost(task, scope, pr) }, cacheable }
  }
  return task.action.resolved === 'ansible.builtin.include_vars' ? { vars: { values, fromHost: false } } : {}
}

/** Did a host's words go into the arguments? */
function fromHost(task: Task, scope: LayeredScope, pr: PlayRun): boolean {
  const { args } = task.action
  const raw: Raw = args instanceof Template ? args : new Map(args)
  return pr.run.templar.renderWithOrigin(raw, scope).fromHost
}

function unreachable(request: AttemptRequest, reader: KeywordReader, error: ConnectionLost | ShellDied, noLog: boolean): Part {
  const result: Res = new Map<string, Value>([
    ['unreachable', true],
    ['msg', [error.message, ...error.notes, ...(error.hint ? [error.hint] : [])].join('\n')],
    ['changed', false],
  ])
  return part(request, reader, result, { noLog, delegate: safely(() => delegatedHost(request, reader), undefined) })
}

function safely<T>(work: () => T, otherwise: T): T {
  try {
    return work()
  } catch {
    return otherwise
  }
}

/** What the task's facts add to the variables of the loop's next items. */
export function carriedFacts(task: Task, result: Res): ReadonlyMap<string, Value> {
  const facts = result.get('ansible_facts')
  if (!(facts instanceof Map) || task.action.resolved === 'ansible.builtin.debug') return new Map()
  const named = new Map([...facts].map(([k, v]) => [String(k), v] as const))
  if (task.action.resolved === 'ansible.builtin.set_fact' || task.action.resolved === 'ansible.builtin.include_vars') return named
  return new Map([...injectable(named), ['ansible_facts', namespaced(named) as Value]])
}
