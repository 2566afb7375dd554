/** Outcomes as a journal keeps them, and back: what the run's state was made of; what nobody will read again is left out. */
import type { Json, JsonObject, Raw, Value } from '../base/index.ts'
import type { Spill } from '../connect/index.ts'
import type { Status } from '../events/index.ts'
import type { Task } from '../playbook/index.ts'
import { withoutLongTexts } from './large.ts'
import type { Include, Outcome, Part } from './outcome.ts'
import type { Res } from './state.ts'
import { NotKept, restored, stored } from './stored.ts'

type IsSecret = (text: string) => boolean

/** The record of an outcome. `again`: what came of it may not be kept, and is found out anew. */
export function keptOutcome(task: Task, outcome: Outcome, isSecret: IsSecret): JsonObject {
  try {
    const { status, ignored, looped, noLog, seconds, parts } = outcome
    const own = parts.length === 1 && parts[0]!.result === outcome.result
    if (own && status === 'skipped' && task.register === undefined) return SKIPPED
    return {
      st: status,
      ...(ignored ? { ig: 1 } : {}),
      ...(looped ? { lo: 1 } : {}),
      ...(noLog ? { nl: 1 } : {}),
      sec: Math.round(seconds * 1000) / 1000,
      ...(own ? { p: keptPart(task, parts[0]!, isSecret) } : { n: parts.length, r: keptResult(task, outcome, isSecret, looped) }),
    }
  } catch (error) {
    if (error instanceof NotKept) return again(outcome, outcome.parts)
    throw error
  }
}

/** Most steps of many runs. */
const SKIPPED: JsonObject = { st: 'skipped', sec: 0, p: { st: 'skipped', r: { changed: false, skipped: true } } }

/** The record of one item; `item` tells it from others, unless it may be a secret. */
export function keptItem(task: Task, part: Part, item: string, isSecret: IsSecret): JsonObject {
  try {
    return { it: part.noLog ? '' : item, ...keptPart(task, part, isSecret) }
  } catch (error) {
    if (error instanceof NotKept) return { it: '', ...again(part, [part]) }
    throw error
  }
}

const again = ({ status, ignored }: { status: Status; ignored: boolean }, parts: readonly Part[]): JsonObject => ({
  st: status,
  ...(ignored ? { ig: 1 } : {}),
  again: 1,
  nt: [...new Set(parts.flatMap(({ notify }) => notify))],
})

function keptPart(task: Task, part: Part, isSecret: IsSecret): JsonObject {
  const { status, ignored, notify, delegatedTo, delegateFacts, vars, cacheable, include, broken, label, noLog, diff } = part
  const some = (name: string, value: Json | undefined | false): JsonObject =>
    value === undefined || value === false ? {} : { [name]: value }
  return {
    st: status,
    r: keptResult(task, part, isSecret, false),
    ...some('ig', ignored),
    ...some('nt', notify.length > 0 && [...notify]),
    ...some('to', delegatedTo),
    ...some('df', delegateFacts),
    ...some('vh', vars?.fromHost),
    ...some('vt', vars?.texts && [...vars.texts].map((text) => stored(text, isSecret))),
    ...some('va', vars !== undefined),
    ...some('ca', cacheable),
    ...some('in', include && keptInclude(include, noLog, isSecret)),
    ...some('br', broken),
    ...some('la', label !== '' && !noLog && stored(label, isSecret)),
    ...some('nl', noLog),
    ...some('di', diff),
  }
}

/** What is asked for is plain JSON. */
function keptInclude({ target, vars, label }: Include, noLog: boolean, isSecret: IsSecret): Json {
  if (noLog || isSecret(JSON.stringify(target))) throw new NotKept()
  return {
    target: target as unknown as JsonObject,
    vars: stored(new Map<Raw, Raw>(vars), isSecret),
    ...(label === undefined ? {} : { label: stored(label, isSecret) }),
  }
}

/** What is registered, or told of a failure, is kept whole; of other results that which has effects. Under no_log no value is kept. */
function keptResult(
  task: Task,
  { result, noLog, status, include }: { result: Res; noLog: boolean; status: Status; include?: Include | undefined },
  isSecret: IsSecret,
  looped: boolean,
): Json {
  const isWhole = task.register !== undefined || status === 'failed' || status === 'unreachable' || include !== undefined || adds(result)
  const hasEffects = task.register !== undefined || EFFECTS.some((key) => result.has(key))
  if (noLog && hasEffects) throw new NotKept()
  const out = new Map<Raw, Raw>()
  for (const key of isWhole && !noLog ? result.keys() : noLog ? FLAGS : KEPT) {
    if (!result.has(key) || (looped && key === 'results')) continue
    out.set(key, result.get(key)!)
  }
  return stored(out, isSecret)
}

const FLAGS = ['changed', 'failed', 'skipped', 'unreachable', 'failed_when_result'] as const
const EFFECTS = ['ansible_facts', 'ansible_stats', 'add_host', 'add_group'] as const
const KEPT = [...FLAGS, ...EFFECTS, '_ansible_facts_cacheable'] as const

/** changed_when of these is asked once more when they are applied, and sees all of the result. */
const adds = (result: Res): boolean => result.has('add_host') || result.has('add_group')

/** An outcome from its record; undefined where it is to be found out anew. */
export function restoredOutcome(record: JsonObject, items: ReadonlyMap<number, JsonObject>, spill: Spill): Outcome | undefined {
  if (record['again'] !== undefined) return undefined
  const parts: Part[] = []
  let result: Res
  if (record['p'] !== undefined) {
    parts.push(restoredPart(record['p'] as JsonObject, spill))
    result = parts[0]!.result
  } else {
    for (let i = 0; i < Number(record['n']); i++) {
      const item = items.get(i)
      if (item === undefined || item['again'] !== undefined) return undefined
      parts.push(restoredPart(item, spill))
    }
    const rest = restored(record['r']) as Res
    result = record['lo'] === undefined ? rest : new Map<string, Value>([['results', parts.map((part) => part.result)], ...rest])
  }
  return {
    status: record['st'] as Status,
    result,
    ignored: record['ig'] !== undefined,
    parts,
    looped: record['lo'] !== undefined,
    noLog: record['nl'] !== undefined,
    runOnce: false,
    seconds: Number(record['sec']),
  }
}

export function restoredPart(record: JsonObject, spill: Spill): Part {
  const result = withoutLongTexts(restored(record['r']) as Res, spill)
  const facts = result.get('ansible_facts')
  const values = facts instanceof Map ? new Map([...facts].map(([k, v]) => [String(k), v] as const)) : new Map<string, Value>()
  const texts = record['vt'] === undefined ? {} : { texts: new Set(record['vt'] as string[]) }
  return {
    status: record['st'] as Status,
    result,
    ignored: record['ig'] !== undefined,
    notify: (record['nt'] as string[] | undefined) ?? [],
    delegatedTo: record['to'] as string | undefined,
    delegateFacts: record['df'] !== undefined,
    label: (record['la'] as string | undefined) ?? '',
    noLog: record['nl'] !== undefined,
    diff: record['di'] !== undefined,
    ...(record['va'] === undefined ? {} : { vars: { values, fromHost: record['vh'] !== undefined, ...texts } }),
    ...(record['ca'] === undefined ? {} : { cacheable: true }),
    ...(record['br'] === undefined ? {} : { broken: true }),
    ...(record['in'] === undefined ? {} : { include: restoredInclude(record['in'] as JsonObject) }),
  }
}

const restoredInclude = ({ target, vars, label }: JsonObject): Include => ({
  target: target as unknown as Include['target'],
  vars: restored(vars) as Map<string, Raw>,
  label: label as string | undefined,
})

/** What was found out anew counts as it did the first time: whether it had changed something, and whom it had notified. */
export function asBefore<T extends Outcome | Part>(fresh: T, record: JsonObject): T {
  const wasDone = record['st'] === 'changed' || record['st'] === 'ok'
  if (!wasDone || (fresh.status !== 'ok' && fresh.status !== 'changed') || fresh.status === record['st']) return fresh
  return withChange(fresh, record['st'] === 'changed', (record['nt'] as string[] | undefined) ?? [])
}

function withChange<T extends Outcome | Part>(fresh: T, changed: boolean, notify: readonly string[]): T {
  fresh.result.set('changed', changed)
  const status: Status = changed ? 'changed' : 'ok'
  if (!('parts' in fresh)) return { ...fresh, status, notify }
  // the first of a loop's items stands for those that had changed something
  const parts = fresh.parts.map((part, i) => (i === 0 && part.status !== 'skipped' ? withChange(part, changed, notify) : part))
  return { ...fresh, status, parts }
}
