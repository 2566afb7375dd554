/** Events → what a run comes to, kept small while they come in. */
import type { Event, TaskRef } from '../../events/index.ts'
import { taskKey } from '../task-key.ts'
import type { ReadSource } from './frames.ts'
import type { ItemNote, Message, Note, PlayRow, RunReport, TaskRow } from './model.ts'
import { itemNoteOf, letterOf, noteOf } from './notes.ts'

type Of<K extends Event['kind']> = Event extends infer E ? (E extends { kind: infer Kinds } ? (K extends Kinds ? E : never) : never) : never

/** The events of a whole run, or of what there is of one; `read` gives the text of a playbook's file. */
export function eventsToReport(events: Iterable<Event>, read: ReadSource = () => undefined): RunReport {
  const collector = new ReportCollector(read)
  for (const event of events) collector.add(event)
  return collector.report()
}

export class ReportCollector {
  readonly #read: ReadSource
  readonly #files = new Map<string, string | undefined>()
  readonly #hosts = new Map<string, number>()
  readonly #plays: PlayRow[] = []
  readonly #tasks: TaskRow[] = []
  /** the last row of each task, and the hosts that are in it */
  readonly #rows = new Map<string, { readonly row: TaskRow; readonly hosts: Set<number> }>()
  readonly #notes = new Map<string, number>()
  readonly #items = new Map<string, ItemNote[]>()
  readonly #begun = new Map<string, number>()
  readonly #recap = new Map<number, readonly number[]>()
  readonly #messages = new Map<string, { kind: Message['kind']; text: string; count: number }>()
  #run: Of<'run-start'> | undefined
  #end: Of<'run-end'> | undefined
  #first: number | undefined
  #last = 0

  constructor(read: ReadSource) {
    this.#read = (path) => {
      if (!this.#files.has(path)) this.#files.set(path, read(path))
      return this.#files.get(path)
    }
  }

  add(event: Event): void {
    this.#first ??= event.at
    this.#last = Math.max(this.#last, event.at)
    const take = this.#takers[event.kind] as ((event: Event) => void) | undefined
    take?.(event)
  }

  report(): RunReport {
    const start = this.#start()
    return {
      version: this.#run?.version ?? '',
      playbooks: this.#run?.playbooks ?? [],
      start,
      took: Math.max(0, this.#last - start),
      code: this.#end?.code,
      interrupted: this.#end?.interrupted ?? false,
      check: this.#run?.check ?? false,
      diff: this.#run?.diff ?? false,
      hosts: [...this.#hosts.keys()],
      plays: this.#plays,
      tasks: this.#tasks.filter((task) => task.hosts.length > 0),
      notes: [...this.#notes.keys()].map((text) => JSON.parse(text) as Note),
      recap: [...this.#hosts.values()].map((host) => this.#recap.get(host) ?? null),
      messages: [...this.#messages.values()],
    }
  }

  readonly #takers: { readonly [K in Event['kind']]?: (event: Of<K>) => void } = {
    'run-start': (e) => {
      this.#run = e
    },
    'run-end': (e) => {
      this.#end = e
    },
    'play-start': (e) => {
      const { name, place, strategy } = e
      this.#plays.push({ name, place, strategy, hosts: e.hosts.map((host) => this.#host(host)), at: this.#since(e.at) })
      this.#rows.clear()
    },
    'task-start': (e) => void this.#row(e.task, undefined, e.at),
    'host-start': (e) => void this.#begun.set(`${e.task}\0${e.host}`, e.at),
    item: (e) => {
      const key = `${e.task.id}\0${e.host}`
      const items = this.#items.get(key) ?? []
      if (items.length === 0) this.#items.set(key, items)
      // items that went as they should are counted by the task's own result
      if (e.status !== 'skipped' && (e.status !== 'ok' || e.result['_ansible_verbose_always'] === true))
        items.push(itemNoteOf(e, this.#read))
    },
    result: (e) => this.#result(e),
    stats: (e) => {
      for (const [host, s] of Object.entries(e.hosts)) {
        this.#recap.set(this.#host(host), [s.ok, s.changed, s.unreachable, s.failures, s.skipped, s.rescued, s.ignored])
      }
    },
    warning: (e) => this.#message('warning', e.text),
    deprecation: (e) => this.#message('deprecation', e.text),
    error: (e) => this.#message('error', e.text),
  }

  #result(e: Of<'result'>): void {
    const host = this.#host(e.host)
    const key = `${e.task.id}\0${e.host}`
    const began = this.#begun.get(key) ?? e.at - Math.round(e.seconds * 1000)
    const row = this.#row(e.task, host, began)
    const note = noteOf(e, this.#items.get(key) ?? [], this.#read)
    this.#begun.delete(key)
    this.#items.delete(key)
    row.hosts.push(host)
    row.letters += letterOf(e)
    row.from.push(this.#since(began) - row.at)
    row.took.push(Math.max(0, e.at - began))
    row.notes.push(note ? this.#note(note) : -1)
  }

  /** A host comes into a row once: a task that is run again has a row of its own. */
  #row(ref: TaskRef, host: number | undefined, at: number): TaskRow {
    const key = `${taskKey(ref)}\0${ref.name}`
    let entry = this.#rows.get(key)
    if (!entry || (host !== undefined && entry.hosts.has(host))) {
      const { name, role, action, place, isHandler } = ref
      const row: TaskRow = {
        ...{ play: Math.max(0, this.#plays.length - 1), name, role, action, place, isHandler, at: this.#since(at) },
        ...{ hosts: [], letters: '', from: [], took: [], notes: [] },
      }
      entry = { row, hosts: new Set() }
      this.#rows.set(key, entry)
      this.#tasks.push(row)
    }
    if (host !== undefined) entry.hosts.add(host)
    return entry.row
  }

  #note(note: Note): number {
    const text = JSON.stringify(note)
    const index = this.#notes.get(text) ?? this.#notes.size
    this.#notes.set(text, index)
    return index
  }

  #host(name: string): number {
    const index = this.#hosts.get(name) ?? this.#hosts.size
    this.#hosts.set(name, index)
    return index
  }

  #message(kind: Message['kind'], text: string): void {
    const known = this.#messages.get(kind + text)
    if (known) known.count++
    else this.#messages.set(kind + text, { kind, text, count: 1 })
  }

  #start(): number {
    return this.#run?.at ?? this.#first ?? 0
  }

  #since(at: number): number {
    return Math.round(at - this.#start())
  }
}
