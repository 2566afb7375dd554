/** A result → what is worth reading of it: the message, the diff, and of failures everything. */
import type { Json } from '../../base/index.ts'
import type { Event, Result } from '../../events/index.ts'
import { isDebug, visible } from '../dump.ts'
import { pythonJson } from '../python-json.ts'
import { drawDiffs } from '../unified.ts'
import { frameAt, type ReadSource } from './frames.ts'
import { type ItemNote, LETTERS, type Letter, type Note } from './model.ts'

type Told = Extract<Event, { kind: 'result' | 'item' }>

/** Longer texts are cut: the page is to be read, and a thousand hosts may have one each. */
const LONGEST = 20_000

export const letterOf = ({ status, ignored }: Told): Letter => (status === 'failed' && ignored ? LETTERS.ignored : LETTERS[status])

/** undefined where a status says everything. */
export function noteOf(event: Told, items: readonly ItemNote[], read: ReadSource): Note | undefined {
  const { result, status, task } = event
  const trouble = status === 'failed' || status === 'unreachable'
  const message = trouble || status === 'changed' || isDebug(task.action) ? messageOf(result) : undefined
  const note: Note = {
    message: message ?? (status === 'skipped' ? textOf(result['skip_reason'] ?? result['skipped_reason']) : undefined),
    result: trouble || isDebug(task.action) ? restOf(result, task.action, items.length > 0) : undefined,
    diff: status === 'changed' || result['changed'] === true ? diffOf(result) : undefined,
    // under no_log, the lines of the playbook may be what is not to be seen
    ...(trouble && result['censored'] === undefined ? frameAt(message, task.place, read) : {}),
    delegatedTo: event.delegatedTo === event.host ? undefined : event.delegatedTo,
    items: items.length > 0 ? items : undefined,
  }
  const said = Object.fromEntries(Object.entries(note).filter(([, value]) => value !== undefined && value !== ''))
  return Object.keys(said).length > 0 ? said : undefined
}

/** What is told of an item of a loop. */
export function itemNoteOf(event: Extract<Event, { kind: 'item' }>, read: ReadSource): ItemNote {
  return { ...noteOf(event, [], read), label: cut(event.label), letter: letterOf(event) }
}

function messageOf(result: Result): string | undefined {
  const parts = [textOf(result['msg']), textOf(result['exception']), textOf(result['module_stderr'])]
  return parts.filter((part) => part !== undefined && part !== '').join('\n') || undefined
}

const ELSEWHERE: ReadonlySet<string> = new Set([
  'changed',
  'msg',
  'exception',
  'module_stderr',
  'diff',
  'stdout_lines',
  'stderr_lines',
  'start',
  'end',
  'delta',
])

/** All that was returned but what is told elsewhere or differs from host to host by chance; lists of lines are the texts once more. */
function restOf(result: Result, action: string, hasItems: boolean): string | undefined {
  const rest = Object.fromEntries(
    Object.entries(visible(result, action, 0)).filter(
      ([key, value]) => value !== '' && !ELSEWHERE.has(key) && !(hasItems && key === 'results'),
    ),
  )
  return Object.keys(rest).length === 0 ? undefined : cut(pythonJson(rest as Json, 2))
}

function diffOf(result: Result): string | undefined {
  const text = drawDiffs(result['diff'], (_role, part) => part).trimEnd()
  return text === '' ? undefined : cut(text)
}

const textOf = (json: Json | undefined): string | undefined =>
  json === undefined || json === null ? undefined : cut(typeof json === 'string' ? json : pythonJson(json, 2))

const cut = (text: string): string =>
  text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}\n… (${text.length - LONGEST} more characters)`
