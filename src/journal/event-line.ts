/** Events → their lines in a journal, without what is too long to be told again and with each task written out once; and back. */
import type { Json, JsonObject } from '../base/index.ts'
import type { Event, Result, TaskRef } from '../events/index.ts'

/** What only passes by, or is told at length elsewhere. */
const PASSING: ReadonlySet<Event['kind']> = new Set(['verbose', 'host-output', 'async-poll'])

/** The lines of one attempt: `t` stands for a task whose start has been told. */
export function eventLines(): (event: Event) => string | undefined {
  const started = new Map<string, string>()
  return (event) => {
    if (PASSING.has(event.kind)) return undefined
    if (event.kind === 'task-start') started.set(event.task.id, event.task.name)
    else if ('task' in event && typeof event.task === 'object' && started.get(event.task.id) === event.task.name) {
      return JSON.stringify({ ...slim(event), task: undefined, t: event.task.id })
    }
    return JSON.stringify(slim(event))
  }
}

const LONGEST = 64 * 1024

/** Facts fill pages; long texts wait elsewhere and are not fetched for this. */
function slim<T extends object>(event: T): T {
  if (!('result' in event)) return event
  const result = event.result as Result
  let out: Record<string, Json | undefined> | undefined
  for (const key of Object.keys(result)) {
    const isFar = Object.getOwnPropertyDescriptor(result, key)?.get !== undefined
    const value = isFar ? LEFT_OUT : result[key]
    const isFacts = key === 'ansible_facts' && result['_ansible_verbose_override'] === true
    const isLong = typeof value === 'string' && value.length > LONGEST
    if (!isFar && !isFacts && !isLong) continue
    out ??= Object.defineProperties({}, Object.getOwnPropertyDescriptors(result)) as Record<string, Json | undefined>
    const short = isLong ? `${(value as string).slice(0, LONGEST)}… ${LEFT_OUT}` : value
    Object.defineProperty(out, key, { value: isFacts ? undefined : short, enumerable: true })
  }
  return out === undefined ? event : { ...event, result: out }
}

const LEFT_OUT = '(too long to be kept in the journal)'

/** Records of lines → events. */
export function* eventsIn(records: Iterable<unknown>): Generator<Event> {
  const tasks = new Map<string, TaskRef>()
  for (const record of records) {
    const { t, ...rest } = record as JsonObject
    const event = (t === undefined ? record : { ...rest, task: tasks.get(String(t)) }) as Event
    if (event.kind === 'task-start') tasks.set(event.task.id, event.task)
    yield event
  }
}
