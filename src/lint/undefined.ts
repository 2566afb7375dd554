/** Templates of tasks and variables → names that nothing defines. */
import { didYouMean, type Raw, type Span, Template } from '../base/index.ts'
import type { Condition, Play, Task } from '../playbook/index.ts'
import { namesUsed } from '../template/index.ts'
import { type Finding, finding } from './findings.ts'
import type { Walked } from './walk.ts'

/** What the engine knows without anybody's word: facts and connection variables begin with `ansible_`. */
const KNOWN = /^(?:ansible_|hostvars$|vars$|groups$|group_names$|inventory_|playbook_dir$|play_hosts$|role_|omit$|environment$|template_)/

export function undefinedVariables(play: Play, { tasks, handlers, roles }: Walked, defined: ReadonlySet<string>): Finding[] {
  const told = new Set<string>()
  const out: Finding[] = []
  const look = (templates: readonly Used[], guards: ReadonlySet<string>): void => {
    for (const { template, bare } of templates) {
      for (const name of namesUsed(template.text, bare).needed) {
        if (KNOWN.test(name) || defined.has(name) || guards.has(name)) continue
        const span = spanOf(name, template)
        const key = `${name}\0${span?.source.name}\0${span?.start}`
        if (told.has(key)) continue
        told.add(key)
        out.push(finding('undefined', `nothing defines the variable '${name}'`, span, didYouMean(name, defined)))
      }
    }
  }
  for (const task of new Set([...tasks, ...handlers])) {
    const templates = ofTask(task)
    look(templates, guardsOf(templates))
  }
  for (const value of play.vars.values()) look(templatesIn(value), new Set())
  for (const role of roles) {
    for (const vars of [...role.defaults(), ...role.vars()]) for (const value of vars.values()) look(templatesIn(value), new Set())
  }
  return out
}

interface Used {
  readonly template: Template
  /** an expression without marks */
  readonly bare: boolean
}

/** What one part of a task asks after, another may use: `when: x is defined`. */
const guardsOf = (templates: readonly Used[]): Set<string> =>
  new Set(templates.flatMap(({ template, bare }) => [...namesUsed(template.text, bare).guarded]))

function ofTask(task: Task): Used[] {
  const { keywords, action } = task
  const conditions = [...keywords.when, ...(task.until ?? []), ...(task.changedWhen ?? []), ...(task.failedWhen ?? [])]
  const values: (Raw | undefined)[] = [
    action.args instanceof Template ? action.args : (action.args as Raw),
    ...[task.name, task.loop?.value, task.retries, task.delay, keywords.delegateTo, keywords.become, keywords.becomeUser],
    ...[...keywords.environment, ...keywords.notify],
    ...task.vars.flatMap((vars) => [...vars.values()]),
  ]
  return [...conditions.flatMap(bareOf), ...barePlaces(task), ...values.flatMap((value) => (value === undefined ? [] : templatesIn(value)))]
}

const bareOf = (condition: Condition): Used[] => (condition instanceof Template ? [{ template: condition, bare: true }] : [])

/** Arguments that are expressions: assert's `that`, debug's `var`. */
function barePlaces({ action }: Task): Used[] {
  const name = BARE[action.resolved]
  const raw = name !== undefined && action.args instanceof Map ? action.args.get(name) : undefined
  const list = Array.isArray(raw) ? raw : raw === undefined ? [] : [raw]
  return list.flatMap((one: Raw) => (typeof one === 'string' ? [{ template: new Template(one, action.span), bare: true }] : []))
}

const BARE: Readonly<Record<string, string>> = { 'ansible.builtin.assert': 'that', 'ansible.builtin.debug': 'var' }

function templatesIn(raw: Raw): Used[] {
  if (raw instanceof Template) return [{ template: raw, bare: false }]
  if (Array.isArray(raw)) return raw.flatMap(templatesIn)
  return raw instanceof Map ? [...raw.values()].flatMap((value) => templatesIn(value as Raw)) : []
}

/** The name itself within the template's text. */
function spanOf(name: string, { span, text }: Template): Span | undefined {
  if (!span) return undefined
  // folded and quoted texts are longer in the file
  const at = span.source.text.slice(span.start, span.start + text.length * 2 + 100).search(new RegExp(`(?<![\\w.'"])${name}(?!\\w)`))
  return at === -1 ? span : { source: span.source, start: span.start + at, end: span.start + at + name.length }
}
