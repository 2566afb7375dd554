/** Renders the arguments of a task and puts module_defaults under them. */
import { asWritten, isOmitted, Problem, type Raw, Template, type Value } from '../base/index.ts'
import type { Task } from '../playbook/index.ts'
import { isValueError, rawText, type Scope, type Templar } from '../template/index.ts'
import { type DefaultsLoad, moduleDefaults } from './module-defaults.ts'

/** The arguments as the module is given them; what was omitted is left out. */
export function renderArguments(task: Task, scope: Scope, templar: Templar, load: DefaultsLoad): Map<string, Value> {
  const own = inWordsOfFields(task, () => ownArguments(task, scope, templar))
  warnOfMarks(task, load)
  const all = new Map<string, Value>()
  for (const [name, value] of moduleDefaults(task, scope, templar, load)) all.set(name, value)
  for (const [name, value] of own) {
    if (isOmitted(value)) all.delete(name)
    else all.set(name, withoutOmitted(value))
  }
  return all
}

/** Arguments that are conditions by themselves, where template marks are as much too much as in `when`. */
const CONDITIONS: Readonly<Record<string, string>> = { 'ansible.builtin.assert': 'that' }

function warnOfMarks({ action }: Task, load: DefaultsLoad): void {
  const name = CONDITIONS[action.resolved]
  const given = name !== undefined && action.args instanceof Map ? (action.args as ReadonlyMap<string, Raw>).get(name) : undefined
  for (const one of Array.isArray(given) ? given : [])
    if (one instanceof Template)
      load.context.warn(`conditional statements should not include jinja2 templating delimiters such as {{ }} or {% %}. Found: ${one.text}`)
}

/** In the words that playbooks look for. */
function inWordsOfFields<T>(task: Task, render: () => T): T {
  try {
    return render()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { kind, span, hint, notes, cause } = error
    const said = told(error, task)
    throw said === undefined ? error : new Problem(`${said}.. ${error.message}`, { kind, span, hint, notes, cause })
  }
}

function told(error: Problem, { action }: Task): string | undefined {
  if (error.kind === 'undefined') return 'The task includes an option with an undefined variable'
  if (!isValueError(error)) return undefined
  const value = rawText(action.args instanceof Template ? action.args : new Map(action.args))
  return `the field 'args' has an invalid value (${value}), and could not be converted to dict`
}

/** A dict without the members that an expression left out, and so the dicts in its lists; a list keeps its members, with the placeholder's text. */
function withoutOmitted(value: Value): Value {
  if (!holdsOmitted(value)) return value
  if (Array.isArray(value)) return value.map((item) => (item instanceof Map ? withoutOmitted(item) : item))
  if (!(value instanceof Map)) return value
  return new Map([...value].filter(([, item]) => !isOmitted(item)).map(([key, item]) => [key, withoutOmitted(item)]))
}

function holdsOmitted(value: Value): boolean {
  if (Array.isArray(value)) return value.some(holdsOmitted)
  if (!(value instanceof Map)) return isOmitted(value)
  for (const item of value.values()) if (holdsOmitted(item)) return true
  return false
}

function ownArguments(task: Task, scope: Scope, templar: Templar): Map<string, Value> {
  const { args } = task.action
  const out = new Map<string, Value>()
  if (args instanceof Template) {
    const whole = templar.render(args, scope)
    if (!(whole instanceof Map))
      throw new Problem(`invalid or malformed argument: '${String(whole)}'`, { kind: 'playbook', span: args.span })
    for (const [name, value] of whole) out.set(String(name), value)
    return out
  }
  const spread = args.get('_variable_params')
  if (spread !== undefined) {
    const whole = templar.render(spread, scope)
    if (!(whole instanceof Map))
      throw new Problem(`invalid or malformed argument: '${String(whole)}'`, { kind: 'playbook', span: task.action.span })
    for (const [name, value] of whole) out.set(String(name), value)
  }
  const isNamed = task.action.resolved === 'ansible.builtin.set_fact'
  for (const [name, raw] of args) {
    if (name === '_variable_params') continue
    out.set(isNamed ? String(templar.render(asWritten(name) as Raw, scope)) : name, templar.render(raw, scope))
  }
  return out
}
