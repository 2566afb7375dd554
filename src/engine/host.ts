/** The host of a task as its module sees it: looks, facts, waiting, the connection. */
import { Problem, type Value } from '../base/index.ts'
import { ConnectionLost, type Session } from '../connect/index.ts'
import {
  type Change,
  type Controller,
  type Done,
  type Host,
  type Module,
  ModuleFailure,
  ModuleMissing,
  type Result,
  type TaskInfo,
} from '../modules/index.ts'
import { checkArgs } from '../params/index.ts'
import { type Output, sh, textOf } from '../remote/index.ts'
import type { ApplyContext } from './apply.ts'
import { wait } from './wait.ts'

export interface HostParts {
  readonly name: string
  readonly verbosity: number
  readonly context: ApplyContext
  readonly controller: Controller
  readonly task: TaskInfo
  readonly fact: (name: string, look: Host['look']) => Promise<Value | undefined>
  readonly module: (name: string) => Module | undefined
  /** what module_defaults says of a module */
  readonly defaults: (name: string) => ReadonlyMap<string, Value>
  readonly job: Host['job']
}

export function hostOf(parts: HostParts): Host {
  const { context } = parts
  const look: Host['look'] = async (script, options = {}) => {
    const session = await context.session()
    const env = options.env ? new Map([...context.env, ...options.env]) : context.env
    const output = await session.run(script, {
      ...options,
      env,
      become: context.become,
      signal: context.signal,
      onOutput: context.onOutput,
    })
    if (output.code !== 0 && options.onFailure !== 'tell') throw lookFailure(output)
    return output
  }
  const host: Host = {
    name: parts.name,
    check: context.check,
    diff: context.diff,
    verbosity: parts.verbosity,
    look,
    read: async (path) => (await context.session()).get(path, { become: context.become, signal: context.signal }),
    fact: (name) => parts.fact(name, look),
    sleep: (seconds) => wait(seconds, context.signal),
    now: () => new Date(),
    reconnect: (options) => reconnect(context.session, options.connectTimeoutSeconds),
    leave: async (user) => (await context.session()).leave(user),
    job: parts.job,
    controller: parts.controller,
    task: parts.task,
    call: (name, args, options) => {
      const given = options?.withDefaults ? new Map([...parts.defaults(name), ...args]) : args
      return callModule(name, given, host, parts.module)
    },
  }
  return host
}

function lookFailure(output: Output): ModuleFailure {
  const stderr = textOf(output.stderr)
  return new ModuleFailure(stderr.trim() || `a look at the host ended with status ${output.code}`, {
    rc: output.code,
    stdout: textOf(output.stdout),
    stderr,
  })
}

async function reconnect(session: () => Promise<Session>, seconds: number): Promise<void> {
  const until = Date.now() + seconds * 1000
  for (;;) {
    try {
      const open = await session()
      await open.reset()
      const output = await (await session()).run(sh`:`, { timeoutSeconds: Math.max(1, seconds) })
      if (output.code === 0) return
    } catch (error) {
      if (!(error instanceof ConnectionLost) && !(error instanceof Problem)) throw error
      if (Date.now() >= until) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

async function* callModule(
  name: string,
  given: ReadonlyMap<string, Value>,
  host: Host,
  find: (name: string) => Module | undefined,
): AsyncGenerator<Change, Result, Done> {
  const module = find(name)
  if (!module) throw new ModuleMissing(`the module ${name} was not found`)
  const { args, problems } = checkArgs(module.params, module.rules, given, module.name, { openArgs: module.openArgs })
  if (problems[0]) throw new ModuleFailure(problems[0].message)
  return yield* module.run(args, { ...host, task: { ...host.task, rawArgs: given } })
}
