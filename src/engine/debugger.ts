/** The task debugger: a person looks at what a task did, changes its arguments and variables, and has it done again, goes on or ends the run. */
import { asWritten, isFinished, own, type Raw, type RawVars, Template, type Value } from '../base/index.ts'
import type { TaskRef } from '../events/index.ts'
import type { Task } from '../playbook/index.ts'
import { asText, mapLayer } from '../vars/index.ts'
import { renderArguments } from './arguments.ts'
import { DebugLanguage } from './debug-language.ts'
import { HostObject, ResultObject, TaskObject } from './debug-objects.ts'
import { Ended } from './ended.ts'
import type { Outcome } from './outcome.ts'
import type { PlayRun } from './state.ts'
import { taskScope } from './task.ts'
import { taskFields } from './task-value.ts'

export interface DebugRequest {
  readonly pr: PlayRun
  /** the task as the playbook has it */
  readonly written: Task
  /** the task as it was done last */
  readonly task: Task
  readonly host: string
  readonly ref: TaskRef
  readonly outcome: Outcome
  /** variables that were set in the debugger before */
  readonly vars: RawVars
}

/** The task to be done again, with variables that beat all others. */
export interface Redo {
  readonly task: Task
  readonly vars: RawVars
}

const INTERRUPTED = 99

/** Asks until the person goes on or wants the task redone; throws Ended where the run is to end. */
export async function debugTask(request: DebugRequest): Promise<'continue' | Redo> {
  const { pr, host, ref, task } = request
  const session = new Session(request)
  const prompt = `[${host}] ${task.isHandler ? 'HANDLER' : 'TASK'}: ${ref.name} (debug)> `
  for (let last = ''; ; ) {
    const line = (await pr.run.readLine(prompt)) ?? 'EOF'
    const given = line.trim() || last
    last = given === 'EOF' ? '' : given
    const next = session.obey(given)
    if (next !== undefined) return next
  }
}

type Next = 'continue' | Redo | undefined

interface Command {
  readonly about: string
  readonly run: (session: Session, argument: string) => Next
}

const quit: Command = { about: 'Quit', run: (session) => session.quit() }
const goOn: Command = { about: 'Continue to next result', run: () => 'continue' }
const redo: Command = {
  about: 'Schedule task for re-execution. The re-execution may not be the next result',
  run: (session) => session.redo(),
}
const update: Command = {
  about: 'Recreate the task from what the playbook says, with the variables as they are now',
  run: (session) => session.update(),
}
const print: Command = { about: 'Pretty Print', run: (session, argument) => session.print(argument) }
const help: Command = {
  about: 'List available commands with "help" or detailed help with "help cmd".',
  run: (session, argument) => session.help(argument),
}

const COMMANDS: Readonly<Record<string, Command>> = {
  ...{ EOF: quit, c: goOn, continue: goOn, h: help, help, p: print, pprint: print },
  ...{ q: quit, quit, r: redo, redo, u: update, update_task: update },
}

class Session {
  readonly #request: DebugRequest
  readonly #task: TaskObject
  readonly #language: DebugLanguage
  readonly #known: ReadonlyMap<Value, Value>
  #vars: Map<Value, Value> | undefined
  #varsBefore: ReadonlyMap<Value, Value> = new Map()
  /** arguments as they were before the person changed them */
  #argsBefore: ReadonlyMap<Value, Value>
  #isRendered: boolean

  constructor(request: DebugRequest) {
    const { pr, task, host, ref, outcome } = request
    this.#request = request
    const fields = taskFields(pr, task, host, ref, outcome)
    this.#known = new Map(fields)
    this.#isRendered = !outcome.looped && outcome.parts.at(-1)?.args !== undefined
    this.#task = new TaskObject(`${task.isHandler ? 'HANDLER' : 'TASK'}: ${ref.name}`, ref.name, fields)
    this.#argsBefore = new Map(this.#task.args)
    const names: Readonly<Record<string, () => Value>> = {
      task: () => this.#task,
      task_vars: () => this.#taskVars(),
      host: () => new HostObject(host),
      result: () => new ResultObject(outcome),
    }
    this.#language = new DebugLanguage(pr.run.templar, (name) => own(names, name)?.())
  }

  obey(line: string): Next {
    if (line === '') return undefined
    const text = line.replace(/^\?/, 'help ')
    const name = /^\w+/.exec(text)?.[0] ?? ''
    const command = own(COMMANDS, name)
    if (command) return command.run(this, text.slice(name.length).trim())
    this.#tell(() => this.#language.execute(line))
    return undefined
  }

  quit(): never {
    this.#say('User interrupted execution')
    throw new Ended(INTERRUPTED)
  }

  print(expression: string): undefined {
    this.#tell(() => this.#language.pretty(expression))
  }

  help(topic: string): undefined {
    const command = own(COMMANDS, topic)
    if (topic !== '') this.#say(command ? command.about : `*** No help on ${topic}`)
    else {
      const heading = 'Documented commands (type help <topic>):'
      this.#say(`\n${heading}\n${'='.repeat(heading.length)}\n${Object.keys(COMMANDS).join('  ')}\n`)
    }
  }

  /** Renders the arguments of the playbook's task anew. */
  update(): undefined {
    const { pr, written, host } = this.#request
    this.#tell(() => {
      const scope = taskScope(pr, written, host).with(mapLayer(this.#changedVars()))
      const args = renderArguments(written, scope, pr.run.templar, { context: pr.run.load, playbookDir: pr.view.playbookDir })
      this.#task.args = new Map(args)
      this.#argsBefore = new Map(args)
      this.#isRendered = true
      return undefined
    })
  }

  redo(): Redo {
    return { task: this.#changedTask(), vars: this.#changedVars() }
  }

  /** Says what the work gives, or what is wrong as Python's interpreter has it. */
  #tell(work: () => string | undefined): void {
    const text = this.#language.guarded(work)
    if (text !== undefined) this.#say(text)
  }

  #say(text: string): void {
    this.#request.pr.run.bus.emit({ kind: 'say', text })
  }

  /** Every variable as it was written, with what was set here. */
  #taskVars(): Map<Value, Value> {
    if (!this.#vars) {
      const { pr, task, host, vars } = this.#request
      const scope = taskScope(pr, task, host).with(mapLayer(vars))
      const entries = [...scope.names()].map((name) => [name, asValue(scope.raw(name))] as const)
      this.#vars = new Map(entries)
      this.#varsBefore = new Map(this.#vars)
    }
    return this.#vars
  }

  #changedVars(): RawVars {
    const out = new Map(this.#request.vars)
    for (const [name, value] of this.#vars ?? []) if (value !== this.#varsBefore.get(name)) out.set(String(name), asWritten(value))
    return out
  }

  #changedTask(): Task {
    const { task } = this.#request
    const changed = Object.entries(FIELDS).reduce((made, [name, put]) => {
      const value = this.#task.fields.get(name)
      return value === undefined || value === this.#known.get(name) ? made : put(made, value)
    }, task)
    const { args } = this.#task
    const isSame = args.size === this.#argsBefore.size && [...args].every(([name, value]) => value === this.#argsBefore.get(name))
    if (isSame && !this.#isRendered) return changed
    return {
      ...changed,
      action: { ...changed.action, args: new Map([...args].map(([name, value]) => [String(name), this.#argument(name, value)])) },
    }
  }

  /** What the person did not touch stays what it is: data where it has been rendered, a template where it has not. */
  #argument(name: Value, value: Value): Raw {
    if (value !== this.#argsBefore.get(name)) return asWritten(value)
    if (this.#isRendered) return value
    const { args } = this.#request.task.action
    return args instanceof Template ? value : (args.get(String(name)) ?? value)
  }
}

const asValue = (raw: Raw | undefined): Value => (raw === undefined ? null : isFinished(raw) ? (raw as Value) : asText(raw))

/** Keywords of the task that may be set in the debugger. */
const FIELDS: Readonly<Record<string, (task: Task, value: Value) => Task>> = {
  name: (task, value) => ({ ...task, name: asWritten(value) }),
  register: (task, value) => ({ ...task, register: value === null ? undefined : String(value) }),
  retries: (task, value) => ({ ...task, retries: asWritten(value) }),
  delay: (task, value) => ({ ...task, delay: asWritten(value) }),
  async_val: (task, value) => ({ ...task, async: asWritten(value) }),
  poll: (task, value) => ({ ...task, poll: asWritten(value) }),
  vars: (task, value) => (value instanceof Map ? { ...task, vars: [namedVars(value), ...task.vars] } : task),
  when: (task, value) => ({ ...task, keywords: { ...task.keywords, when: conditions(value) } }),
  changed_when: (task, value) => ({ ...task, changedWhen: conditions(value) }),
  failed_when: (task, value) => ({ ...task, failedWhen: conditions(value) }),
  until: (task, value) => ({ ...task, until: conditions(value) }),
  environment: (task, value) => ({
    ...task,
    keywords: { ...task.keywords, environment: (Array.isArray(value) ? value : [value]).map((one) => asWritten(one)) },
  }),
  ...keyword('become', 'become'),
  ...keyword('become_user', 'becomeUser'),
  ...keyword('become_method', 'becomeMethod'),
  ...keyword('become_exe', 'becomeExe'),
  ...keyword('become_flags', 'becomeFlags'),
  ...keyword('check_mode', 'checkMode'),
  ...keyword('connection', 'connection'),
  ...keyword('debugger', 'debugger'),
  ...keyword('delegate_to', 'delegateTo'),
  ...keyword('delegate_facts', 'delegateFacts'),
  ...keyword('diff', 'diff'),
  ...keyword('ignore_errors', 'ignoreErrors'),
  ...keyword('ignore_unreachable', 'ignoreUnreachable'),
  ...keyword('no_log', 'noLog'),
  ...keyword('port', 'port'),
  ...keyword('remote_user', 'remoteUser'),
  ...keyword('timeout', 'timeout'),
}

function keyword(name: string, to: keyof Task['keywords']): Readonly<Record<string, (task: Task, value: Value) => Task>> {
  return { [name]: (task, value) => ({ ...task, keywords: { ...task.keywords, [to]: value === null ? undefined : asWritten(value) } }) }
}

const namedVars = (vars: ReadonlyMap<Value, Value>): RawVars => new Map([...vars].map(([name, value]) => [String(name), asWritten(value)]))

const conditions = (value: Value): NonNullable<Task['until']> =>
  (Array.isArray(value) ? value : value === null ? [] : [value]).map((one) => (typeof one === 'string' ? new Template(one) : one))
