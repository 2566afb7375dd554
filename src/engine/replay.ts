/** Steps that were done before the run was gone on with → their outcomes; and what is done now, for another time. */
import { createHash } from 'node:crypto'
import { type JsonObject, type Raw, type Span, Template, type Value } from '../base/index.ts'
import type { Play, Playbook, Task } from '../playbook/index.ts'
import { asBefore, keptItem, keptOutcome, restoredOutcome, restoredPart } from './kept.ts'
import type { Outcome, Part } from './outcome.ts'
import type { PlayRun } from './state.ts'
import type { Changing, StepStore } from './step-store.ts'
import { NotKept, stored } from './stored.ts'

/** One step on one host. */
export class Step implements Changing {
  readonly #pr: PlayRun
  readonly #task: Task
  readonly #host: string
  readonly #key: string
  readonly #isSecret: (text: string) => boolean
  /** what is known of it, where its values are found out anew */
  #before: JsonObject | undefined
  #items: ReadonlyMap<number, JsonObject> = NO_ITEMS
  #changes: ReadonlySet<number> = NO_CHANGES

  constructor(pr: PlayRun, task: Task, host: string, runOnce: boolean) {
    this.#pr = pr
    this.#task = task
    this.#host = runOnce ? FOR_ALL : host
    this.#key = `${playKey(pr.play)} ${taskKey(pr.play, task)}`
    const { secrets } = pr.run
    this.#isSecret = (text) => secrets.mask(text) !== text
  }

  get #steps(): StepStore {
    return this.#pr.run.replay!.steps
  }

  /** What came of it before; undefined where the host must do it. `rescuable`: a failure would be caught, and was. */
  known(rescuable: boolean): Outcome | undefined {
    const taken = this.#steps.take(this.#host, this.#key)
    if (!taken) {
      const { items, changes } = this.#steps.begun(this.#host, this.#key)
      this.#items = items
      this.#changes = changes
      return undefined
    }
    const { record, items } = taken
    const isBad = (record['st'] === 'failed' && !rescuable) || record['st'] === 'unreachable'
    this.#items = items
    if (isBad && record['ig'] === undefined) {
      this.#drop(taken)
      return undefined
    }
    const outcome = restoredOutcome(record, items, this.#pr.run.spill)
    if (!outcome) this.#before = record
    return outcome
  }

  /** Where others had failed with this host, they go another way now, too. */
  #drop(taken: { readonly record: JsonObject }): void {
    this.#steps.drop(this.#host, taken)
    const fatal = this.#task.keywords.anyErrorsFatal ?? this.#pr.run.settings.anyErrorsFatal
    if (this.#host === FOR_ALL || (fatal !== false && fatal !== null)) for (const host of this.#pr.batch) this.#steps.drop(host)
  }

  /** What came of an item before. */
  item(index: number, value: Value): Part | undefined {
    const record = this.#items.get(index)
    if (record === undefined || record['again'] !== undefined || !this.#isItem(record, value)) return undefined
    // a failure is tried again, but for one that the task as a whole had put up with
    if (this.#before === undefined && (record['st'] === 'failed' || record['st'] === 'unreachable')) return undefined
    // it belongs to this attempt, too
    if (this.#before === undefined) this.#steps.item(this.#host, this.#key, index, record)
    return restoredPart(record, this.#pr.run.spill)
  }

  /** An item's own effects, and what is kept of them. */
  itemDone(index: number, value: Value, part: Part): Part {
    const record = this.#items.get(index)
    const told = record?.['again'] !== undefined ? asBefore(part, record) : part
    if (this.#before === undefined)
      this.#steps.item(this.#host, this.#key, index, keptItem(this.#task, told, this.#itemKey(value), this.#isSecret))
    return told
  }

  changes(index: number): void {
    if (this.#before === undefined) this.#steps.change(this.#host, this.#key, index)
  }

  wasChanging(index: number): boolean {
    return this.#changes.has(index)
  }

  /** The outcome with what it was the first time. */
  found(outcome: Outcome): Outcome {
    return this.#before === undefined || outcome.looped ? outcome : asBefore(outcome, this.#before)
  }

  done(outcome: Outcome): void {
    if (this.#before === undefined) this.#steps.done(this.#host, this.#key, keptOutcome(this.#task, outcome, this.#isSecret))
  }

  #isItem({ it }: JsonObject, value: Value): boolean {
    return it === '' || it === this.#itemKey(value)
  }

  #itemKey(value: Value): string {
    try {
      return short(JSON.stringify(stored(value, () => false)))
    } catch (error) {
      if (error instanceof NotKept) return ''
      throw error
    }
  }
}

const NO_ITEMS: ReadonlyMap<number, JsonObject> = new Map()
const NO_CHANGES: ReadonlySet<number> = new Set()

/** What is done by one host for all is known whoever does it. */
const FOR_ALL = '(all)'

const short = (text: string): string => createHash('sha1').update(text).digest('base64url').slice(0, 12)

const playKeys = new WeakMap<Play, string>()

/** Names plays, the same ones alike in each attempt. */
export function namePlays(playbooks: readonly Playbook[]): void {
  const seen = new Map<string, number>()
  for (const play of playbooks.flatMap(({ plays }) => plays)) {
    const text = short(JSON.stringify([play.path, written(play.name), written(play.hosts)]))
    const count = seen.get(text) ?? 0
    seen.set(text, count + 1)
    playKeys.set(play, `${text}.${count}`)
  }
}

export const playKey = (play: Play): string => playKeys.get(play) ?? ''

const written = (raw: Raw | undefined): unknown =>
  raw instanceof Template ? raw.text : Array.isArray(raw) ? raw.map(written) : String(raw)

const taskKeys = new WeakMap<Task, string>()
const textKeys = new WeakMap<Span, string>()

/** A task by its file and its text: it stays the same when it moves in the file, and becomes another when its text changes. */
function taskKey(play: Play, task: Task): string {
  let key = taskKeys.get(task)
  if (key === undefined) {
    key = newTaskKey(play, task)
    taskKeys.set(task, key)
  }
  return key
}

function newTaskKey(play: Play, { span, action, isHandler, role }: Task): string {
  // the gathering of facts stands nowhere
  if (span === play.span) return action.resolved
  let key = textKeys.get(span)
  if (key === undefined) {
    key = short(JSON.stringify([span.source.name, span.source.text.slice(span.start, span.end), isHandler, role?.name]))
    textKeys.set(span, key)
  }
  return `${key} ${action.resolved}`
}
