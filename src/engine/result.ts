/** Shapes a module's result the way tasks read it, and the way events show it. */
import { Float, fromJson, type Json, type JsonObject, toExactJson, toJson, type Value } from '../base/index.ts'
import type { Result } from '../events/index.ts'
import type { Task } from '../playbook/index.ts'
import { copied, LONG, lines } from './large.ts'
import type { Res } from './state.ts'

/** JSON of a module as a result; text output gets its lines, but for what only the controller did. */
export function resultFromJson(json: JsonObject, onController = false): Res {
  const res = fromJson(json) as Res
  if (onController) return res
  addLines(res, 'stdout')
  addLines(res, 'stderr')
  return res
}

function addLines(res: Res, name: string): void {
  const text = res.get(name)
  // a long text gets them when they are asked for
  if (typeof text === 'string' && text.length < LONG && !res.has(`${name}_lines`)) res.set(`${name}_lines`, lines(text))
}

/** A failed result. */
export const failure = (message: string, more: Iterable<readonly [string, Value]> = []): Res =>
  new Map<string, Value>([['failed', true], ['msg', message], ['changed', false], ...more])

/** What is shown of a task's result in events: all of it, or under no_log nothing but the flags; diffs only where they were asked for. */
export function shownResult(task: Task, res: Res, noLog: boolean, diff: boolean): Result {
  if (noLog) return censored(res)
  const out: Record<string, Json | undefined> = toExactJson(withPlaces(res)) as Record<string, Json | undefined>
  if (!diff) delete out['diff']
  if (isSkipped(res) || neverRan(res)) return out
  if (task.action.resolved === 'ansible.builtin.debug') out['_ansible_verbose_always'] = true
  // all of a host's facts would bury what else -v shows
  if (FACTS.has(task.action.resolved) && res.get('unreachable') !== true) out['_ansible_verbose_override'] = true
  return out
}

const FACTS: ReadonlySet<string> = new Set(['ansible.builtin.gather_facts', 'ansible.builtin.setup'])

/** Messages with the places that belong to them. */
function withPlaces(res: Res): Res {
  const where = res.get('_ansible_where')
  const results = res.get('results')
  if (where === undefined && !Array.isArray(results)) return res
  const out = new Map(res)
  if (where !== undefined && out.delete('_ansible_where')) {
    // a traceback without further words: its last line is what people see
    if (res.has('msg')) out.set('msg', `${res.get('msg')}\n${where}`)
    else out.set('exception', `${String(res.get('exception')).trimEnd()} ${where}\n`)
  }
  if (Array.isArray(results))
    out.set(
      'results',
      results.map((r) => (r instanceof Map ? withPlaces(r as Res) : r)),
    )
  return out
}

/** A failure that no condition made: debug itself does not fail. */
const neverRan = (res: Res): boolean => res.get('failed') === true && !res.has('failed_when_result')

const isSkipped = (res: Res): boolean => res.get('skipped') === true

const CENSOR = "the output has been hidden due to the fact that 'no_log: true' was specified for this result"

/** What is shown under no_log: nothing but the flags. */
function censored(res: Res): Result {
  const out: Record<string, Json> = { censored: CENSOR }
  for (const key of ['changed', 'failed', 'skipped', 'attempts', 'retries']) {
    const value = res.get(key)
    if (value !== undefined) out[key] = toJson(value)
  }
  return out
}

/** A return code that is not zero. */
export function isNonZero(value: Value | undefined): boolean {
  if (value === undefined) return false
  const n = value instanceof Float ? value.value : value
  return n !== 0 && n !== '0'
}

/** A result without what only the engine needs, as `register` keeps it. */
export function registered(res: Res): Res {
  const out = copied(res)
  out.delete('invocation')
  for (const key of out.keys()) if (key.startsWith('_ansible_')) out.delete(key)
  const results = out.get('results')
  if (Array.isArray(results))
    out.set(
      'results',
      results.map((r) => (r instanceof Map ? registered(r as Res) : r)),
    )
  return out
}
