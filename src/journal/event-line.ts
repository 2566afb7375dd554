/** An event → its line in a journal: without what is too long to be told again. */
import type { Json } from '../base/index.ts'
import type { Event, Result } from '../events/index.ts'

/** What only passes by, or is told at length elsewhere. */
const PASSING: ReadonlySet<Event['kind']> = new Set(['verbose', 'host-output', 'async-poll'])

export function eventLine(event: Event): string | undefined {
  if (PASSING.has(event.kind)) return undefined
  return JSON.stringify('result' in event ? { ...event, result: slim(event.result) } : event)
}

const LONGEST = 64 * 1024

/** Facts fill pages; long texts wait elsewhere and are not fetched for this. */
function slim(result: Result): Result {
  const out: Record<string, Json | undefined> = {}
  for (const key of Object.keys(result)) {
    if (key === 'ansible_facts' && result['_ansible_verbose_override'] === true) continue
    const isFar = Object.getOwnPropertyDescriptor(result, key)?.get !== undefined
    const value = isFar ? LEFT_OUT : result[key]
    out[key] = typeof value === 'string' && value.length > LONGEST ? `${value.slice(0, LONGEST)}… ${LEFT_OUT}` : value
  }
  return out
}

const LEFT_OUT = '(too long to be kept in the journal)'
