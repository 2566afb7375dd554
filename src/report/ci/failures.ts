/** Failed results → one entry for each task and message, with the hosts that it happened on. */
import type { Event, TaskRef } from '../../events/index.ts'

export interface Failure {
  readonly task: TaskRef
  readonly message: string
  readonly isUnreachable: boolean
  readonly hosts: string[]
}

export class Failures {
  readonly #entries = new Map<string, Failure>()

  on(event: Event): void {
    if (event.kind !== 'result' || event.ignored || (event.status !== 'failed' && event.status !== 'unreachable')) return
    const message = messageOf(event)
    const key = `${event.task.place ?? ''}\0${event.task.name}\0${message}`
    const known = this.#entries.get(key)
    if (known) known.hosts.push(event.host)
    else this.#entries.set(key, { task: event.task, message, isUnreachable: event.status === 'unreachable', hosts: [event.host] })
  }

  all(): readonly Failure[] {
    return [...this.#entries.values()]
  }
}

function messageOf({ result }: Extract<Event, { kind: 'result' }>): string {
  const texts = [result['msg'], result['stderr'], result['exception'] ?? result['module_stderr'], result['censored']]
  const said = texts.filter((text): text is string => typeof text === 'string' && text.trim() !== '').map((text) => text.trim())
  return said.length > 0 ? [...new Set(said)].join('\n') : 'failed'
}

/** `node1`, or `node1, node2 and 7 more`. */
export function hostsText(hosts: readonly string[], most = 5): string {
  const named = hosts.slice(0, most).join(', ')
  return hosts.length > most ? `${named} and ${hosts.length - most} more` : named
}

export interface Place {
  readonly path: string
  readonly line: number
  readonly column: number
}

/** `file:line:column` → its parts, the path as seen from a folder; undefined for files outside of it. */
export function placeWithin(place: string | undefined, folder: string): Place | undefined {
  const [, path = '', line = '', column = ''] = /^(.+):(\d+):(\d+)$/.exec(place ?? '') ?? []
  const root = folder.endsWith('/') ? folder : `${folder}/`
  if (!path.startsWith(root)) return undefined
  return { path: path.slice(root.length), line: Number(line), column: Number(column) }
}
