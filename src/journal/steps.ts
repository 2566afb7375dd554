/** The steps that a run has done, by host and step: what an earlier attempt wrote is given back once each, what is done now is written. */
import type { JsonObject } from '../base/index.ts'

/** Where lines of steps go. */
export interface StepLines {
  add(line: string): void
  flush(): void
}

interface Begun {
  readonly items: Map<number, JsonObject>
  readonly changes: Set<number>
}

interface Known {
  readonly number: number
  readonly record: JsonObject
  readonly items: ReadonlyMap<number, JsonObject>
}

type Line =
  | { readonly k: 'done'; readonly h: string; readonly s: string; readonly o: JsonObject }
  | { readonly k: 'item'; readonly h: string; readonly s: string; readonly i: number; readonly o: JsonObject }
  /** a change of an item is about to be made */
  | { readonly k: 'change'; readonly h: string; readonly s: string; readonly i: number }
  /** lines that no longer hold, counted among those of steps that are done */
  | { readonly k: 'void'; readonly h: string; readonly n: readonly number[] }

/** What had failed is tried again, unless something put up with it. */
const isDone = ({ st, ig }: JsonObject): boolean => ig !== undefined || (st !== 'failed' && st !== 'unreachable')

const NOTHING: Begun = { items: new Map(), changes: new Set() }

/** What one step is known by: two texts that have no line break. */
const keyOf = (host: string, step: string): string => `${host}\n${step}`

export class StepLog {
  readonly #lines: StepLines
  /** host → step → what is known of it, in order */
  readonly #known = new Map<string, Map<string, Known[]>>()
  readonly #begun = new Map<string, Begun>()
  readonly #hosts = new Set<string>()
  #count = 0
  #left = 0
  /** steps that need not be done again */
  found = 0

  constructor(lines: StepLines, earlier: Iterable<unknown> = []) {
    this.#lines = lines
    for (const line of earlier) this.#learn(line as Line)
    this.found = [...this.#known.values()].flatMap((steps) => [...steps.values()].flat()).filter(({ record }) => isDone(record)).length
  }

  get hosts(): number {
    return this.#hosts.size
  }

  /** Something is left that was done before. */
  get isReplaying(): boolean {
    return this.#left > 0
  }

  /** What came of the step on the host when it was done before; undefined where it was not. */
  take(host: string, step: string): { readonly record: JsonObject; readonly items: ReadonlyMap<number, JsonObject> } | undefined {
    const known = this.#known.get(host)?.get(step)?.shift()
    if (known) this.#left--
    return known
  }

  /** What a step that was cut off had come to: items that were done, and those of which a change had begun. */
  begun(host: string, step: string): { readonly items: ReadonlyMap<number, JsonObject>; readonly changes: ReadonlySet<number> } {
    const key = keyOf(host, step)
    const begun = this.#begun.get(key) ?? NOTHING
    this.#begun.delete(key)
    return begun
  }

  /** A step is done anew, and what the host did after it no longer holds. */
  drop(host: string, taken?: { readonly record: JsonObject }): void {
    const rest = [...(this.#known.get(host)?.values() ?? [])].flat()
    this.#left -= rest.length
    this.#known.delete(host)
    for (const key of this.#begun.keys()) if (key.startsWith(`${host}\n`)) this.#begun.delete(key)
    const numbers = [...(taken ? [taken as Known] : []), ...rest].map(({ number }) => number)
    if (numbers.length > 0) this.#write({ k: 'void', h: host, n: numbers })
  }

  done(host: string, step: string, record: JsonObject): void {
    this.#count++
    this.#write({ k: 'done', h: host, s: step, o: record })
  }

  item(host: string, step: string, index: number, record: JsonObject): void {
    this.#write({ k: 'item', h: host, s: step, i: index, o: record })
  }

  /** Is in the file before the change is made. */
  change(host: string, step: string, index: number): void {
    this.#write({ k: 'change', h: host, s: step, i: index })
    this.#lines.flush()
  }

  #write(line: Line): void {
    this.#lines.add(JSON.stringify(line))
  }

  #learn(line: Line): void {
    if (line.k === 'void') this.#forget(line.h, new Set(line.n))
    else if (line.k === 'done') this.#learnDone(line)
    else if (line.k === 'item') this.#beginning(line).items.set(line.i, line.o)
    else if (line.k === 'change') this.#beginning(line).changes.add(line.i)
  }

  #learnDone({ h, s, o }: Line & { k: 'done' }): void {
    const items = this.#begun.get(keyOf(h, s))?.items ?? new Map()
    this.#begun.delete(keyOf(h, s))
    const steps = this.#known.get(h) ?? new Map<string, Known[]>()
    this.#known.set(h, steps)
    const all = steps.get(s) ?? []
    steps.set(s, all)
    all.push({ number: this.#count++, record: o, items })
    this.#hosts.add(h)
    this.#left++
  }

  #beginning({ h, s }: { readonly h: string; readonly s: string }): Begun {
    const key = keyOf(h, s)
    const begun = this.#begun.get(key) ?? { items: new Map(), changes: new Set() }
    this.#begun.set(key, begun)
    return begun
  }

  #forget(host: string, numbers: ReadonlySet<number>): void {
    for (const key of this.#begun.keys()) if (key.startsWith(`${host}\n`)) this.#begun.delete(key)
    for (const [step, all] of this.#known.get(host) ?? []) {
      const kept = all.filter(({ number }) => !numbers.has(number))
      this.#left -= all.length - kept.length
      this.#known.get(host)!.set(step, kept)
    }
  }
}
