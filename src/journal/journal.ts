/** One run's journal: its events and its steps go into files of its own folder, from which it can be retold and gone on with. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Bus, Event, Secrets } from '../events/index.ts'
import { eventLines, eventsIn } from './event-line.ts'
import { type End, makeFolder, newRunId, prune, type RunFile, stateOf, thisProcess, writeRun } from './folder.ts'
import { type HeldBus, heldBus } from './held.ts'
import { type Change, changesIn, hashOf } from './inputs.ts'
import { LineFile, recordsOf } from './lines.ts'
import { scrub } from './scrub.ts'
import { StepLog } from './steps.ts'

export interface JournalOptions {
  /** the folder of all runs */
  readonly root: string
  /** how many of them are kept */
  readonly keep: number
  readonly argv: readonly string[]
  /** something was left out of it */
  readonly hidesSecrets: boolean
  readonly cwd: string
  readonly version: string
  readonly secrets: Secrets
  readonly now: () => number
  readonly warn: (text: string) => void
}

/** What goes on with an earlier attempt. */
export interface Earlier {
  readonly folder: string
  readonly run: RunFile
}

type Extra =
  | { readonly k: 'input'; readonly p: string; readonly x: string }
  | { readonly k: 'order'; readonly p: string; readonly hosts: readonly string[] }

/** Seconds between two looks for secrets that were written before they were known to be some. */
const SCRUB_EVERY = 1000

export class Journal {
  readonly steps: StepLog
  readonly #options: JournalOptions
  readonly #inputs = new Map<string, string>()
  readonly #orders = new Map<string, readonly string[]>()
  /** lines of before the run's start, or for nobody where no journal can be kept */
  readonly #early: string[] = []
  #run: RunFile
  #folder: string | undefined
  #steps: LineFile | undefined
  #events: LineFile | undefined
  #bus: HeldBus | undefined
  readonly #eventLine = eventLines()
  #hosts: End['hosts'] = {}
  #isOver = false
  #secretsSeen = 0
  #scrubbed = 0

  constructor(options: JournalOptions, earlier?: Earlier) {
    this.#options = options
    const { argv, hidesSecrets, cwd, version } = options
    this.#run = earlier?.run ?? {
      ...{ format: 1, id: newRunId(new Date(options.now())), version, argv, hidesSecrets, cwd },
      ...{ started: options.now(), resumed: [], playbooks: [], process: thisProcess() },
    }
    this.#folder = earlier?.folder
    const lines = { add: (line: string) => this.#addStep(line), flush: () => this.#steps?.flush() }
    this.steps = new StepLog(lines, earlier && this.#recalled(earlier.folder))
  }

  get id(): string {
    return this.#run.id
  }

  /** Files that are no longer what they were when the run read them. */
  changedInputs(): Change[] {
    return changesIn(this.#inputs)
  }

  /** The bus that the run talks to. */
  over(bus: Bus): Bus {
    this.#bus = heldBus(bus, () => this.steps.isReplaying)
    bus.keep((event) => this.#hear(event))
    return this.#bus
  }

  readonly quietly = <T>(work: () => T): T => (this.#bus ? this.#bus.quietly(work) : work())

  /** The hosts as they were taken before, as long as they are the same ones. */
  readonly order = (play: string, hosts: readonly string[]): readonly string[] => {
    const known = this.#orders.get(play)
    if (known && known.length === hosts.length && hosts.every((host) => known.includes(host))) return known
    this.#addExtra({ k: 'order', p: play, hosts })
    return hosts
  }

  readonly onRead = (path: string, text: string): void => {
    const x = hashOf(text)
    if (this.#inputs.get(path) === x) return
    this.#inputs.set(path, x)
    this.#addExtra({ k: 'input', p: path, x })
  }

  /** Nothing more comes; `code` where the run has not told its end itself. */
  close(code = 1): void {
    if (this.#folder === undefined) return
    if (!this.#isOver) this.#end({ at: this.#options.now(), code, interrupted: false, hosts: this.#hosts })
    this.#steps?.close()
    this.#events?.close()
    this.#folder = undefined
  }

  *#recalled(folder: string): Generator<unknown> {
    for (const record of recordsOf(join(folder, STEPS))) {
      const extra = record as Extra
      if (extra.k === 'input') this.#inputs.set(extra.p, extra.x)
      else if (extra.k === 'order') this.#orders.set(extra.p, extra.hosts)
      else yield record
    }
  }

  #addExtra(extra: Extra): void {
    this.#addStep(JSON.stringify(extra))
  }

  #addStep(line: string): void {
    if (this.#steps) this.#steps.add(line)
    else if (!this.#isOver) this.#early.push(line)
  }

  #hear(event: Event): void {
    if (event.kind === 'run-start') this.#start(event.playbooks)
    if (event.kind === 'stats') this.#hosts = event.hosts
    const line = this.#events && this.#eventLine(event)
    if (line !== undefined) this.#events!.add(line)
    if (event.kind === 'run-end') this.#end({ at: event.at, code: event.code, interrupted: event.interrupted, hosts: this.#hosts })
    else if (event.at - this.#scrubbed >= SCRUB_EVERY) this.#scrub(event.at)
  }

  /** From here on there is something to keep. */
  #start(playbooks: readonly string[]): void {
    const { root, keep, now, warn } = this.#options
    try {
      const isNew = this.#folder === undefined
      this.#folder ??= makeFolder(root, this.#run.id)
      const resumed = isNew ? [] : [...this.#run.resumed, now()]
      this.#run = { ...this.#run, playbooks, resumed, process: thisProcess(), end: undefined }
      this.#write()
      this.#steps = new LineFile(join(this.#folder, STEPS))
      this.#events = new LineFile(join(this.#folder, EVENTS))
      if (isNew) prune(root, keep)
    } catch (error) {
      warn(`no journal is kept of this run: ${(error as Error).message}`)
      this.#steps = undefined
      this.#isOver = true
      this.#folder = undefined
    }
    for (const line of this.#early.splice(0)) this.#steps?.add(line)
    if (this.#run.resumed.length > 0 && this.#steps) this.#tellResumed()
    this.#scrubbed = now()
    process.once('exit', () => this.#flush())
  }

  #tellResumed(): void {
    const { found, hosts } = this.steps
    const count = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`
    this.#bus?.emit({ kind: 'say', text: `resuming run ${this.id}: ${count(found, 'step')} on ${count(hosts, 'host')} done before` })
  }

  #flush(): void {
    this.#steps?.flush()
    this.#events?.flush()
  }

  #end(end: End): void {
    this.#isOver = true
    if (this.#folder === undefined) return
    this.#flush()
    this.#scrub(end.at)
    const failed = this.#steps?.failed ?? this.#events?.failed
    if (failed !== undefined) this.#options.warn(`the journal of this run has gaps: ${failed}`)
    this.#run = { ...this.#run, end }
    this.#write()
    // nothing is left to be done, so nobody needs the values
    if (stateOf(this.#run) !== 'ok') return
    this.#steps?.close()
    rmSync(join(this.#folder, STEPS), { force: true })
  }

  #write(): void {
    const { secrets } = this.#options
    const argv = this.#run.argv.map((word) => secrets.mask(word))
    const hidesSecrets = this.#run.hidesSecrets || argv.some((word, i) => word !== this.#run.argv[i])
    this.#run = { ...this.#run, argv, hidesSecrets }
    writeRun(this.#folder!, this.#run)
  }

  /** What has turned out to be a secret after it was written goes. */
  #scrub(at: number): void {
    this.#scrubbed = at
    const { secrets } = this.#options
    const fresh = secrets.since(this.#secretsSeen)
    if (fresh.length === 0) return
    this.#secretsSeen += fresh.length
    if (this.#steps) scrub(this.#steps, fresh, secrets)
    if (this.#events) scrub(this.#events, fresh, secrets)
    this.#write()
  }
}

const STEPS = 'steps.jsonl'
const EVENTS = 'events.jsonl'

/** The events of a run as they were told, those of each attempt after the other. */
export function* eventsOf(folder: string): Generator<Event> {
  yield* eventsIn(recordsOf(join(folder, EVENTS)))
}
