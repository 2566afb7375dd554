/** Handlers: which ones a notification means, and who has notified them. */
import { didYouMean, Problem, type Raw, type Span, Template } from '../base/index.ts'
import type { Task } from '../playbook/index.ts'
import { placeOfKeyword } from './keyword-place.ts'
import type { PlayRun } from './state.ts'
import type { HostWalk } from './walk.ts'

/** All handlers in the order in which they run. */
export const handlerTasks = (pr: PlayRun): Task[] => pr.handlers.flatMap((b) => b.block.filter((s) => s.kind === 'task'))

/** The handlers a notification means: the one of that name that was defined last, and all that listen. */
export function handlersFor(pr: PlayRun, notification: string): Task[] {
  const all = [...pr.handlers].reverse().flatMap((b) => b.block.filter((s) => s.kind === 'task'))
  const out: Task[] = []
  const named = all.find((h) => namesOf(pr, h).includes(notification))
  if (named) out.push(named)
  const seen = new Set<string>()
  for (const handler of all) {
    // topics are never rendered
    if (!(handler.listen ?? []).some((topic) => asWritten(topic) === notification)) continue
    const name = nameOf(pr, handler)
    if (name !== undefined && seen.has(name)) continue
    if (name !== undefined) seen.add(name)
    if (!out.includes(handler)) out.push(handler)
  }
  return out
}

/** A handler's own name, and with its role's in front. */
function namesOf(pr: PlayRun, handler: Task): string[] {
  const name = nameOf(pr, handler)
  if (name === undefined) return []
  return handler.role ? [name, `${handler.role.name} : ${name}`] : [name]
}

/** A handler's name with its role in front, where no host is at hand. */
function titleWithoutHost(pr: PlayRun, handler: Task): string {
  const name = nameOf(pr, handler) ?? (handler.name ? asWritten(handler.name) : handler.action.name)
  return handler.role ? `${handler.role.name} : ${name}` : name
}

/** The rendered name; undefined where there is none or where it cannot be rendered without a host. */
function nameOf(pr: PlayRun, handler: Task): string | undefined {
  if (pr.handlerNames.has(handler.id)) return pr.handlerNames.get(handler.id)
  let name: string | undefined
  try {
    name = handler.name === undefined || handler.name === null ? undefined : rendered(pr, handler, handler.name)[0]
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (!handler.listen?.length) {
      pr.run.bus.emit({
        kind: 'warning',
        text: `Handler '${asWritten(handler.name)}' is unusable because it has no listen topics and the name could not be templated (host-specific variables are not supported in handler names). The error: ${error.message}`,
      })
    }
  }
  pr.handlerNames.set(handler.id, name)
  return name
}

const asWritten = (raw: Raw | undefined): string =>
  raw !== null && typeof raw === 'object' && 'text' in raw ? String(raw.text) : String(raw)

function rendered(pr: PlayRun, handler: Task, raw: Raw): string[] {
  if (typeof raw === 'string') return [raw]
  const value = pr.run.templar.render(raw, pr.run.variables.scope({ view: pr.view, task: handler }))
  return Array.isArray(value) ? value.map(String) : [String(value)]
}

/** Saves a host's notifications; inside handlers they take effect at once. An unknown one is an error or a warning, as configured. */
export function notify(pr: PlayRun, walk: HostWalk, notifications: readonly string[], by: Task): void {
  for (const notification of notifications) {
    const handlers = handlersFor(pr, notification)
    if (handlers.length === 0) unknown(pr, notification, by)
    else if (walk.inHandlers) for (const handler of handlers) mark(pr, walk.host, handler)
    else walk.notifications.add(notification)
    for (const handler of handlers) {
      const name = nameOf(pr, handler) ?? notification
      pr.run.bus.emit({ kind: 'verbose', level: 2, text: `Notification for handler ${name} has been saved.` })
    }
  }
}

function unknown(pr: PlayRun, notification: string, { keywords, span }: Task): void {
  const text = `The requested handler '${notification}' was not found in either the main handlers list nor in the listening handlers list`
  if (pr.run.settings.errorOnMissingHandler)
    throw new Problem(text, {
      kind: 'run',
      span: placeIn(keywords.notify) ?? placeOfKeyword(span, 'notify', notification),
      hint: didYouMean(notification, known(pr)),
    })
  pr.run.bus.emit({ kind: 'warning', text })
}

/** Where the notification stands, as far as that can be told. */
const placeIn = (notify: readonly Raw[]): Span | undefined => notify.find((raw) => raw instanceof Template)?.span

const known = (pr: PlayRun): string[] =>
  handlerTasks(pr).flatMap((handler) => [nameOf(pr, handler), ...(handler.listen ?? [])].filter((name) => typeof name === 'string'))

/** At a flush: turns the notifications saved so far into notified handlers. */
export function resolveNotifications(pr: PlayRun, walk: HostWalk): void {
  for (const notification of walk.notifications) for (const handler of handlersFor(pr, notification)) mark(pr, walk.host, handler)
  walk.notifications.clear()
}

function mark(pr: PlayRun, host: string, handler: Task): void {
  const hosts = pr.notified.get(handler.id) ?? new Set()
  pr.notified.set(handler.id, hosts)
  if (hosts.has(host)) return
  hosts.add(host)
  pr.run.bus.emit({ kind: 'notified', handler: titleWithoutHost(pr, handler), host })
}

export const isNotified = (pr: PlayRun, handler: Task, host: string): boolean => pr.notified.get(handler.id)?.has(host) ?? false

/** The handler is being run on a host; `all`: it runs once for everybody. */
export function unmark(pr: PlayRun, handler: Task, host: string, all: boolean): void {
  if (all) pr.notified.get(handler.id)?.clear()
  else pr.notified.get(handler.id)?.delete(host)
}

export const anyNotified = (pr: PlayRun, walk: HostWalk): boolean =>
  walk.notifications.size > 0 || [...pr.notified.values()].some((h) => h.size > 0)
