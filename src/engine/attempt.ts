/** One execution of a task on a host, for one item: conditions, arguments, the module, until and retries, changed_when and failed_when. */
import { Problem, type Raw, Template, type Value } from '../base/index.ts'
import { ConnectionLost, ShellDied } from '../connect/index.ts'
import { findModule } from '../modules/index.ts'
import { inheritedKeywords, type Task } from '../playbook/index.ts'
import { type LayeredScope, mapLayer } from '../vars/index.ts'
import { renderArguments } from './arguments.ts'
import { connectionVariables } from './connection-variables.ts'
import { part, tellDelegate } from './finish.ts'
import { includeOf, includeResult } from './include.ts'
import { checkAfterArguments, checkTheRest, checkUntilIgnored } from './keyword-check.ts'
import { KeywordReader } from './keywords.ts'
import { withoutLongTexts } from './large.ts'
import { prepare } from './once.ts'
import { isTrue, type Part } from './outcome.ts'
import { brokenResult, explain, failureOf, unexpectedFailure } from './problem.ts'
import type { AttemptRequest, Situation } from './request.ts'
import { isNonZero, shownResult } from './result.ts'
import type { Res } from './state.ts'
import { wait } from './wait.ts'

/** Runs it; never throws for what the task did, only for an interrupted run. */
export async function attempt(request: AttemptRequest): Promise<Part> {
  const { pr, task, scope } = request
  let situation: Situation = { ...request, bare: scope, delegate: undefined }
  let reader = new KeywordReader(task.keywords, pr.run.templar, scope, inheritedKeywords(task))
  // hidden as long as it is not known whether it is to be hidden
  let noLog = isText(task.keywords.noLog)
  const progress: Progress = { rendered: true }
  try {
    noLog = reader.bool(task.keywords.noLog, pr.run.settings.noLog ?? false, 'no_log')
    situation = { ...situation, delegate: delegatedHost(request, reader) }
    progress.rendered = false
    situation = { ...situation, scope: scope.weakly(connectionVariables(situation, reader)) }
    reader = new KeywordReader(task.keywords, pr.run.templar, situation.scope, inheritedKeywords(task))
    return await execute(situation, reader, noLog, progress)
  } catch (error) {
    if (pr.run.signal.aborted) throw error
    if (error instanceof ShellDied) return part(situation, reader, failureOf(error), noLog)
    return error instanceof ConnectionLost
      ? part(situation, reader, unreachable(error), noLog)
      : {
          ...part(situation, reader, brokenResult(error), noLog),
          broken: true,
          ...asWrittenFor(task, progress),
        }
  }
}

interface Progress {
  /** the keywords up to ignore_errors have been rendered */
  rendered: boolean
}

async function execute(request: Situation, reader: KeywordReader, noLog: boolean, progress: Progress): Promise<Part> {
  const { pr, task, scope } = request
  const { templar } = pr.run
  const refused = falseCondition(task.keywords.when, request)
  if (refused !== undefined) return part(request, reader, skipped(refused), noLog)
  if (request.loopError !== undefined) throw request.loopError
  const include = includeOf(task, scope, templar, request.local, request.label)
  if (include) return { ...part(request, reader, includeResult(task, include, request.local.has('ansible_loop_var')), noLog), include }

  checkUntilIgnored(reader, task)
  progress.rendered = true
  checkTheRest(reader, task)
  let args: ReturnType<typeof renderArguments>
  try {
    args = renderArguments(task, scope, templar, { context: pr.run.load, playbookDir: pr.view.playbookDir })
  } catch (error) {
    const failed = unexpectedFailure(error, 'arguments')
    if (failed) return part(request, reader, failed, noLog)
    throw error
  }
  checkAfterArguments(reader, task)
  const retries = reader.number(task.retries, 'retries')
  const tries = 1 + (retries === undefined ? (task.until ? 3 : 0) : Math.max(0, retries))
  const delay = reader.seconds(task.delay, 'delay') ?? 5
  const action = prepare(request, reader, args)
  let now = scope
  let result: Res = new Map()
  for (let n = 1; n <= tries; n++) {
    result = withoutLongTexts(await tried(action, request), pr.run.spill)
    now = task.register === undefined ? scope : withResult(scope, task.register, result)
    if (!result.has('failed')) result.set('failed', isNonZero(result.get('rc')))
    if (tries > 1) result.set('attempts', n)
    if (!result.has('changed') && !tripped.has(result)) result.set('changed', false)
    now = withFacts(now, task, result)
    if (!isTrue(result, 'skipped')) judge(request, now, result)
    if (tries === 1 || isTrue(result, 'unreachable')) break
    if (task.until ? allHold(task.until, request, now) : !isTrue(result, 'failed')) break
    if (n === tries) {
      result.set('attempts', tries - 1)
      result.set('failed', true)
      break
    }
    await pr.run.gate.pass()
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
  tellDelegate(request, result)
  return { ...part(request, reader, result, noLog), args }
}

/** As long as ignore_errors has not been rendered, and for a loop's items, what is written as a template counts as true. */
const asWrittenFor = ({ keywords, loop }: Task, { rendered }: Progress): Partial<Part> =>
  isText(keywords.ignoreErrors) && (!rendered || loop !== undefined) ? { ignored: true } : {}

const isText = (raw: Raw | undefined): boolean => raw instanceof Template || (typeof raw === 'string' && raw !== '')

/** The host a task is delegated to; undefined where it is not. */
function delegatedHost(request: AttemptRequest, reader: KeywordReader): string | undefined {
  const { delegateTo } = request.task.keywords
  if (delegateTo === undefined || delegateTo === null || delegateTo === '') return undefined
  const value = reader.value(delegateTo)
  if (value === undefined) return undefined
  if (value !== null && value !== '') return String(value)
  const text = delegateTo instanceof Template ? delegateTo.text : ''
  throw new Problem(`Empty hostname produced from delegate_to: "${text}"`, { kind: 'playbook' })
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

/** One try; what goes wrong in the module is its result. */
/** Failures that are no module's result. */
const tripped = new WeakSet<Res>()

async function tried(action: () => Promise<Res>, { pr, task }: Situation): Promise<Res> {
  try {
    return await action()
  } catch (error) {
    if (pr.run.signal.aborted || error instanceof ConnectionLost) throw error
    const failed = failureOf(error)
    // what an action of the controller trips over itself says nothing of a change
    if (error instanceof Problem && findModule(task.action.resolved)?.controllerOnly && failed.delete('changed')) tripped.add(failed)
    return failed
  }
}

const unreachable = (error: ConnectionLost): Res =>
  new Map<string, Value>([
    ['unreachable', true],
    ['msg', [error.message, ...error.notes, ...(error.hint ? [error.hint] : [])].join('\n')],
    ['changed', false],
  ])
