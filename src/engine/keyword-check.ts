/** Renders every keyword of a task before it runs, in Ansible's order, so that one that cannot be rendered or means nothing fails the task by its name. */
import { didYouMean, isFinished, Problem, type Raw, type Value } from '../base/index.ts'
import type { Task } from '../playbook/index.ts'
import { DEBUGGER_VALUES } from './debugger-values.ts'
import type { KeywordReader } from './keywords.ts'

type Kind = 'any' | 'bool' | 'number' | 'seconds'

type Field = readonly [name: string, kind: Kind, raw: (task: Task) => Raw | readonly Raw[] | undefined]

const CONNECTION: readonly Field[] = [
  ['become', 'bool', ({ keywords }) => keywords.become],
  ['become_method', 'any', ({ keywords }) => keywords.becomeMethod],
  ['become_user', 'any', ({ keywords }) => keywords.becomeUser],
  ['become_flags', 'any', ({ keywords }) => keywords.becomeFlags],
  ['become_exe', 'any', ({ keywords }) => keywords.becomeExe],
  ['check_mode', 'bool', ({ keywords }) => keywords.checkMode],
  ['diff', 'bool', ({ keywords }) => keywords.diff],
  ['remote_user', 'any', ({ keywords }) => keywords.remoteUser],
]

const FIRST: readonly Field[] = [
  ['delegate_facts', 'bool', ({ keywords }) => keywords.delegateFacts],
  ['notify', 'any', ({ keywords }) => keywords.notify],
  ['connection', 'any', ({ keywords }) => keywords.connection],
  ['port', 'number', ({ keywords }) => keywords.port],
  ['module_defaults', 'any', ({ keywords }) => keywords.moduleDefaults],
  ['run_once', 'bool', ({ keywords }) => keywords.runOnce],
  ['ignore_errors', 'bool', ({ keywords }) => keywords.ignoreErrors],
]

const THEN: readonly Field[] = [
  ['ignore_unreachable', 'bool', ({ keywords }) => keywords.ignoreUnreachable],
  ['any_errors_fatal', 'bool', ({ keywords }) => keywords.anyErrorsFatal],
  ['throttle', 'number', ({ keywords }) => keywords.throttle],
  ['timeout', 'number', ({ keywords }) => keywords.timeout],
  ['debugger', 'any', ({ keywords }) => keywords.debugger],
]

const LAST: readonly Field[] = [
  ['async_val', 'number', (task) => task.async],
  ['delay', 'seconds', (task) => task.delay],
  ['poll', 'number', (task) => task.poll],
  ['retries', 'number', (task) => task.retries],
]

/** Up to ignore_errors: while one of these fails, that keyword counts as it was written, and what is written as a template is true. */
export function checkUntilIgnored(reader: KeywordReader, task: Task): void {
  check([...CONNECTION, ...FIRST], reader, task)
}

/** The others. */
export function checkTheRest(reader: KeywordReader, task: Task): void {
  check(THEN, reader, task)
  checkDebugger(reader, task)
}

/** Those that Ansible renders after the arguments. */
export const checkAfterArguments = (reader: KeywordReader, task: Task): void => check(LAST, reader, task)

function check(fields: readonly Field[], reader: KeywordReader, task: Task): void {
  for (const [name, kind, of] of fields) {
    const raw = of(task)
    for (const one of Array.isArray(raw) ? (raw as readonly Raw[]) : [raw as Raw | undefined]) {
      if (one === undefined || typeof one === 'boolean' || typeof one === 'number') continue
      named(name, task, () => READ[kind](reader, one, name))
    }
  }
}

const READ: Readonly<Record<Kind, (reader: KeywordReader, raw: Raw, name: string) => unknown>> = {
  any: (reader, raw) => (isFinished(raw) ? undefined : reader.value(raw)),
  bool: (reader, raw, name) => reader.bool(raw, false, name),
  number: (reader, raw, name) => reader.number(raw, name),
  seconds: (reader, raw, name) => reader.seconds(raw, name),
}

/** In the words that playbooks look for. */
export function named<T>(name: string, task: Task, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof Problem) || error.kind !== 'undefined') throw error
    const { kind, span = task.span, hint, notes, cause } = error
    throw new Problem(`The field '${name}' has an invalid value, which includes an undefined variable.. ${error.message}`, {
      ...{ kind, span, hint, notes, cause },
    })
  }
}

/** The keyword has few values. */
function checkDebugger(reader: KeywordReader, { keywords, span }: Task): void {
  const value: Value | undefined = reader.value(keywords.debugger)
  if (value === undefined || value === null || DEBUGGER_VALUES.some((one) => one === value)) return
  throw new Problem(`'${String(value)}' is not a valid value for debugger. Must be one of ${DEBUGGER_VALUES.join(', ')}`, {
    ...{ kind: 'playbook', span, hint: didYouMean(String(value), DEBUGGER_VALUES) },
  })
}
