/** Events → which hosts are busy, with what and for how long, in one line. */
import type { Event } from '../events/index.ts'

export class Busy {
  readonly #since = new Map<string, number>()
  #task = ''

  on(event: Event): void {
    if (event.kind === 'task-start') this.#task = event.task.name
    else if (event.kind === 'host-start') this.#since.set(event.host, event.at)
    else if (event.kind === 'result') this.#since.delete(event.host)
    else if (event.kind === 'included') for (const host of event.hosts) this.#since.delete(host)
    else if (event.kind === 'stats' || event.kind === 'play-start') this.#since.clear()
  }

  /** Hosts that are at it for `patience` milliseconds at least; empty where there are none. */
  line(now: number, patience: number, room: number): string {
    const hosts = [...this.#since].filter(([, since]) => now - since >= patience)
    if (hosts.length === 0) return ''
    const named = hosts.map(([host, since]) => `${host} ${elapsed(now - since)}`).join(', ')
    const text = `… ${this.#task}: ${named}`
    return text.length <= room ? text : `${text.slice(0, room - 1)}…`
  }
}

function elapsed(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000)
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${String(seconds % 60).padStart(2, '0')}s`
}
