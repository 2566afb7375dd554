/** One play: its prompts, its hosts in batches, its fact gathering, its strategy. */
import { dirname } from 'node:path'
import { didYouMean, Float, OMIT, own, Problem, placeOf, type Raw, type RawVars, Template, type Value } from '../base/index.ts'
import type { Block, Play, Task } from '../playbook/index.ts'
import { type PlayView, reservedNames } from '../vars/index.ts'
import { isYes } from './connection.ts'
import { type FieldKind, fieldValue } from './field-values.ts'
import { filesOn } from './files.ts'
import { flushingAlways } from './forced.ts'
import { free } from './free.ts'
import { setupTask, wantsFacts } from './gathering.ts'
import { anyNotified, handlerTasks, isNotified } from './handlers.ts'
import { placeOfKeyword } from './keyword-place.ts'
import { linear } from './linear.ts'
import { askVariables } from './prompts.ts'
import { playKey } from './replay.ts'
import { saysYes } from './says-yes.ts'
import { startAt } from './start-at.ts'
import type { PlayRun, Run } from './state.ts'
import { taggedBlocks } from './tags.ts'
import { HostWalk } from './walk.ts'

/** What a play leaves behind: may later plays start? */
export interface PlayEnd {
  readonly broken: boolean
}

let serial = 0

export async function runPlay(run: Run, play: Play): Promise<PlayEnd> {
  const asked = await askVariables(run, play)
  const header = new PlayHeader(run, play, asked)
  header.warnOfNames()
  const hosts = header.hosts()
  for (const host of run.everUnreachable) run.unreachable.add(host)
  const before = { failed: run.failed.size, dark: run.unreachable.size }
  const ordered = header.ordered(hosts)
  const batches = header.batches(run.replay?.order(playKey(play), ordered) ?? ordered)
  if (batches.length === 0) {
    emitStart(run, play, header, hosts)
    run.bus.emit({ kind: 'no-hosts', reason: 'matched' })
    return { broken: false }
  }
  for (const batch of batches) {
    const pr = header.start(batch, hosts)
    emitStart(run, play, header, batch)
    readVarsFiles(pr)
    const broken = await runBatch(pr)
    if (broken) return { broken: true }
    if (pr.endPlay) return { broken: false }
    const lost = run.failed.size + run.unreachable.size - before.failed - before.dark
    if (lost === batch.length) return { broken: true }
    for (const host of run.unreachable) run.everUnreachable.add(host)
    before.failed = run.failed.size
    before.dark = run.unreachable.size
  }
  return { broken: false }
}

/** Files of variables that are not there are told before anything is done. */
function readVarsFiles(pr: PlayRun): void {
  if (pr.play.varsFiles.length > 0) for (const host of pr.batch) pr.run.variables.scope({ view: pr.view, host })
}

function emitStart(run: Run, play: Play, header: PlayHeader, hosts: readonly string[]): void {
  run.bus.emit({
    kind: 'play-start',
    id: `play.${++serial}`,
    name: header.name,
    hosts,
    check: header.checks,
    strategy: header.strategy,
    place: placeOf(play.span),
  })
}

type Included = Pick<PlayRun, 'publicRoles' | 'roleNames'>

const NOTHING: Included = { publicRoles: [], roleNames: [] }

/** The play's own keywords, rendered with what is known before its hosts are. */
class PlayHeader {
  readonly name: string
  readonly strategy: string
  /** its tasks only look */
  readonly checks: boolean
  readonly #run: Run
  readonly #play: Play
  readonly #vars: readonly RawVars[]

  constructor(run: Run, play: Play, asked: RawVars) {
    this.#run = run
    this.#play = play
    this.#vars = [...(asked.size > 0 ? [asked] : []), play.vars]
    const hosts = this.#pattern()
    const name = this.#name(play.name)
    this.name =
      name === undefined || name === null || name === '' ? (Array.isArray(hosts) ? hosts.join(',') : String(hosts)) : run.templar.text(name)
    this.#check()
    this.strategy = this.#strategy()
    this.checks = saysYes(play.keywords.checkMode, run.settings.check)
  }

  #strategy(): string {
    const said = this.#value(this.#play.strategy, 'strategy')
    const name = said === undefined || said === null ? this.#run.settings.strategy : this.#run.templar.text(said)
    return name.replace(/^ansible\.(builtin|legacy)\./, '')
  }

  /** What is no boolean or number where one must be ends the run before the play begins. */
  #check(): void {
    const play = this.#play
    const fields: readonly (readonly [name: string, kind: FieldKind, raw: Raw | undefined])[] = [
      ['gather_facts', 'bool', play.gatherFacts],
      ['gather_timeout', 'int', play.gatherTimeout],
      ['force_handlers', 'bool', play.forceHandlers],
      ['max_fail_percentage', 'percent', play.maxFailPercentage],
    ]
    for (const [name, kind, raw] of fields) {
      const value = this.#value(raw, name)
      if (value !== undefined && value !== null) fieldValue(kind, name, raw!, value, this.#run.templar)
    }
  }

  /** Variables that are called like keywords. */
  warnOfNames(): void {
    for (const name of reservedNames(this.#scope().listed())) this.#run.load.warn(`Found variable using reserved name: ${name}`)
  }

  #scope() {
    return this.#run.variables.scope({ view: this.#view([], [], new Set()) })
  }

  #value(raw: Raw | undefined, field: string): Value | undefined {
    if (raw === undefined) return undefined
    const value = this.#rendered(raw, field)
    return value === OMIT ? undefined : value
  }

  #rendered(raw: Raw, field: string): Value {
    try {
      return this.#run.templar.render(raw, this.#scope())
    } catch (error) {
      if (!(error instanceof Problem) || error.kind !== 'undefined') throw error
      const { span, hint } = error
      throw new Problem(`The field '${field}' has an invalid value, which includes an undefined variable.. ${error.message}`, {
        ...{ kind: 'playbook', span, hint },
      })
    }
  }

  /** A name that cannot be rendered stays as it was written. */
  #name(raw: Raw | undefined): Value | undefined {
    try {
      return this.#value(raw, 'name')
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      return raw instanceof Template ? raw.text : undefined
    }
  }

  #pattern(): string | string[] {
    const value = this.#value(this.#play.hosts, 'hosts')
    if (Array.isArray(value)) return value.map(String)
    if (value === null || value === undefined || value === '') {
      throw new Problem("the field 'hosts' is required but was not set", { kind: 'playbook', span: this.#play.span })
    }
    return String(value)
  }

  /** The hosts as the inventory has them. */
  hosts(): string[] {
    const run = this.#run
    const warn = (text: string) => run.bus.emit({ kind: 'warning', text })
    return [...run.inventory.match(this.#pattern(), { limit: run.settings.limit, warn })]
  }

  /** The hosts in the order in which they do their tasks. */
  ordered(hosts: readonly string[]): string[] {
    return ordered([...hosts], this.#value(this.#play.order, 'order'), this.#play)
  }

  /** Hosts cut by `serial`: numbers and percentages, the last one again and again. */
  batches(hosts: readonly string[]): string[][] {
    const sizes = this.#play.serial.flatMap((raw) => {
      const value = this.#value(raw, 'serial')
      return Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]
    })
    const out: string[][] = []
    let at = 0
    for (let i = 0; at < hosts.length; i++) {
      const size = sizes.length === 0 ? 0 : batchSize(sizes[Math.min(i, sizes.length - 1)]!, hosts.length, this.#play)
      if (size <= 0) {
        out.push(hosts.slice(at))
        break
      }
      out.push(hosts.slice(at, at + size))
      at += size
    }
    return out
  }

  #view(batch: readonly string[], all: readonly string[], removed: Set<string>, included: Included = NOTHING): PlayView {
    const run = this.#run
    const play = this.#play
    const playbookDir = dirname(play.path)
    return {
      play,
      name: this.name ?? '',
      playbookDir,
      vars: this.#vars,
      hostsAll: () => all,
      batch: () => batch,
      removed,
      roles: () => (included.publicRoles.length === 0 ? play.roles : [...play.roles, ...included.publicRoles]),
      includedRoles: () => included.roleNames,
      failedHosts: () => batch.filter((h) => run.failed.has(h)),
      files: filesOn([playbookDir], run.readText),
    }
  }

  start(batch: readonly string[], all: readonly string[]): PlayRun {
    const run = this.#run
    const play = this.#play
    const removed = new Set(batch.filter((h) => run.failed.has(h) || run.unreachable.has(h)))
    const included: Included = { publicRoles: [], roleNames: [] }
    const percentage = this.#value(play.maxFailPercentage, 'max_fail_percentage') ?? null
    return {
      run,
      play,
      view: this.#view(batch, all, removed, included),
      batch,
      removed,
      walks: new Map(),
      ...included,
      handlers: [...play.handlers],
      notified: new Map(),
      handlerNames: new Map(),
      roleRan: new Map(),
      roleDone: new Map(),
      forceHandlers: isYes(this.#value(play.forceHandlers, 'force_handlers') ?? run.settings.forceHandlers),
      maxFailPercentage:
        percentage === null
          ? run.settings.maxFailPercentage
          : fieldValue('percent', 'max_fail_percentage', play.maxFailPercentage!, percentage, run.templar),
      endPlay: false,
      strategy: this.strategy,
      debugging: this.strategy === 'debug' || run.settings.debugger === true,
    }
  }
}

const ORDERS: Readonly<Record<string, (hosts: string[]) => string[]>> = {
  inventory: (hosts) => hosts,
  reverse_inventory: (hosts) => hosts.reverse(),
  sorted: (hosts) => hosts.sort(),
  reverse_sorted: (hosts) => hosts.sort().reverse(),
  shuffle: (hosts) => {
    for (let i = hosts.length - 1; i > 0; i--) {
      const j = Math.floor(Math.random() * (i + 1))
      ;[hosts[i], hosts[j]] = [hosts[j]!, hosts[i]!]
    }
    return hosts
  },
}

function ordered(hosts: string[], order: Value | undefined, play: Play): string[] {
  if (order === undefined || order === null || order === '') return hosts
  const sort = own(ORDERS, String(order))
  if (!sort)
    throw new Problem(`Invalid 'order' specified for inventory hosts: ${String(order)}`, {
      ...{ kind: 'usage', span: placeOfKeyword(play.span, 'order') },
      hint: didYouMean(String(order), Object.keys(ORDERS)),
    })
  return sort(hosts)
}

/** A number of hosts, or a share of all of them (at least one). */
function batchSize(size: Value, total: number, play: Play): number {
  const text = String(size instanceof Float ? Math.trunc(size.value) : size).trim()
  if (text.endsWith('%')) return Math.max(1, Math.floor((Number.parseFloat(text) / 100) * total))
  const n = Number(text)
  if (!Number.isInteger(n))
    throw new Problem(`'${text}' is no number of hosts for serial`, {
      kind: 'playbook',
      span: placeOfKeyword(play.span, 'serial', text),
      hint: 'give a number or a percentage',
    })
  return n
}

async function runBatch(pr: PlayRun): Promise<boolean> {
  const { run } = pr
  const tagged = taggedBlocks(pr.play.steps, pr)
  const steps = pr.forceHandlers ? flushingAlways(tagged) : tagged
  const setup = setupTask(pr)
  for (const host of pr.batch) {
    const walk: HostWalk = new HostWalk(host, {
      setup: () => (setup && wantsFacts(pr, host) ? setup : undefined),
      steps,
      handlers: () => handlerTasks(pr),
      isNotified: (handler) => isNotified(pr, handler, host),
      anyNotified: () => anyNotified(pr, walk),
    })
    pr.walks.set(host, walk)
    if (run.failed.has(host)) walk.end(true)
  }
  // who fails in this batch is counted anew; who failed before is counted again at its end
  const carried = [...run.failed]
  run.failed.clear()
  startAt(pr, setup)
  const broken = await strategyOf(pr)(pr, steps, setup)
  const lost = [...carried.filter((h) => !pr.walks.has(h)), ...[...pr.walks].filter(([, w]) => w.failed).map(([h]) => h)]
  for (const host of lost) run.failed.add(host)
  run.code = run.unreachable.size > 0 ? 4 : lost.length > 0 || broken ? 2 : 0
  return broken
}

type Strategy = (pr: PlayRun, steps: readonly Block[], setup: Task | undefined) => Promise<boolean>

const STRATEGIES: Readonly<Record<string, Strategy>> = {
  linear,
  debug: linear,
  free: (pr) => free(pr, false),
  host_pinned: (pr) => free(pr, true),
}

function strategyOf({ strategy, play }: PlayRun): Strategy {
  const known = own(STRATEGIES, strategy)
  if (known) return known
  throw new Problem(`Invalid play strategy specified: ${strategy}`, {
    ...{ kind: 'run', span: placeOfKeyword(play.span, 'strategy') },
    hint: didYouMean(strategy, Object.keys(STRATEGIES)) ?? `known are ${Object.keys(STRATEGIES).join(', ')}`,
  })
}
