/** Handlers of a play → those that nothing notifies. */
import { placeOf, type Raw, Template } from '../base/index.ts'
import type { Task } from '../playbook/index.ts'
import { type Finding, finding } from './findings.ts'
import type { Walked } from './walk.ts'

/** A role's handler is used where any of the plays with that role notifies it. */
export function unusedHandlers(plays: readonly Walked[]): Finding[] {
  const used = new Set<string>()
  const unused = new Map<string, Finding>()
  for (const { tasks, handlers, isOpen } of plays) {
    const notified = [...tasks, ...handlers].flatMap(({ keywords }) => keywords.notify).map(patternOf)
    const topics = new Set(handlers.flatMap(namesOf))
    for (const handler of handlers) {
      // what is included under a name that is not known yet may notify anything
      const isUsed = isOpen || isInclude(handler) || namesOf(handler).some((name) => notified.some((pattern) => meets(pattern, name)))
      if (isUsed) used.add(placeOf(handler.span))
      else unused.set(placeOf(handler.span), told(handler, notified, topics))
    }
  }
  return [...unused].filter(([place]) => !used.has(place)).map(([, found]) => found)
}

const told = (handler: Task, notified: readonly Pattern[], topics: ReadonlySet<string>): Finding =>
  finding('unused-handler', `nothing notifies the handler '${textOf(handler.name)}'`, handler.span, hintFor(notified, topics))

const isInclude = ({ action, name }: Task): boolean => /include_|import_/.test(action.resolved) || name === undefined

/** A template stands for any text. */
type Pattern = RegExp

function patternOf(raw: Raw): Pattern {
  const parts = textOf(raw).split(/\{\{.*?\}\}/s)
  return new RegExp(`^${parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*')}$`, 's')
}

/** A handler whose own name is a template may be meant by any notification. */
const meets = (pattern: Pattern, name: string): boolean => (name.includes('{{') ? true : pattern.test(name))

function namesOf(handler: Task): string[] {
  const name = textOf(handler.name)
  const inRole = handler.role ? [`${handler.role.name} : ${name}`] : []
  return [name, ...inRole, ...(handler.listen ?? []).flatMap((one) => (Array.isArray(one) ? one.map(textOf) : [textOf(one)]))]
}

const textOf = (raw: Raw | undefined): string => (raw instanceof Template ? raw.text : String(raw ?? ''))

/** A notification that meets no handler is probably the one that was meant. */
function hintFor(notified: readonly Pattern[], topics: ReadonlySet<string>): string | undefined {
  const lost = notified.find((pattern) => ![...topics].some((name) => pattern.test(name)))
  return lost ? `a task notifies '${lost.source.slice(1, -1).replace(/\\(.)/g, '$1')}', and no handler has that name` : undefined
}
