/** Masks secrets wherever they would appear: texts that were sealed or marked no_log, in any string of an event. */
import { BigNumber, Float, type Json, type JsonObject } from '../base/index.ts'
import type { Event } from './events.ts'

export const MASK = '********'

/**
 * The secrets of a run. Short ones (under four characters) are left alone: masking them would ruin the output without hiding anything.
 * What was sealed may be shown by a debug task, which is there to show it; passwords never are.
 */
export class Secrets {
  readonly #passwords = new Texts()
  readonly #all = new Texts()
  /** most events are masked alike for the screen and for what is kept */
  #last: { readonly event: Event; readonly masked: Event } | undefined

  /** A password, or a value under no_log. */
  add(secret: string): void {
    this.#last = undefined
    this.#passwords.add(secret)
    this.#all.add(secret)
  }

  /** A text that was opened from a vault. */
  addSealed(secret: string): void {
    this.#last = undefined
    this.#all.add(secret)
  }

  /** The text with every secret replaced. */
  mask(text: string): string {
    return this.#all.mask(text)
  }

  /** The secrets that have become known after the first `count`. */
  since(count: number): readonly string[] {
    return this.#all.since(count)
  }

  /** What everybody who listens gets to see of an event. */
  maskEvent(event: Event): Event {
    if (isDebug(event)) return this.#passwords.maskEvent(event)
    const masked = this.#all.maskEvent(event)
    this.#last = { event, masked }
    return masked
  }

  /** The event without any secret, for what is kept: journal, reports, logs. */
  maskAll(event: Event): Event {
    return this.#last?.event === event ? this.#last.masked : this.#all.maskEvent(event)
  }
}

const isDebug = (event: Event): boolean =>
  (event.kind === 'result' || event.kind === 'item') && event.result['_ansible_verbose_always'] === true

/** What makes an event what it is, and cannot be hidden: a password that happens to be `failed` or a host's name must not change what is told. */
const FRAME = new Set(['kind', 'status', 'id', 'host', 'hosts', 'delegatedTo', 'action', 'place', 'stream', 'strategy'])

const isObject = (json: Json): json is JsonObject =>
  typeof json === 'object' && json !== null && !Array.isArray(json) && !(json instanceof Float) && !(json instanceof BigNumber)

class Texts {
  readonly #texts = new Set<string>()
  #pattern: RegExp | undefined

  add(secret: string): void {
    const text = secret.trim()
    if (text.length < 4 || this.#texts.has(text)) return
    this.#texts.add(text)
    for (const line of text.split('\n')) if (line.trim().length >= 4) this.#texts.add(line.trim())
    this.#pattern = undefined
  }

  since(count: number): readonly string[] {
    return count >= this.#texts.size ? [] : [...this.#texts].slice(count)
  }

  mask(text: string): string {
    if (this.#texts.size === 0) return text
    this.#pattern ??= new RegExp(
      [...this.#texts]
        .sort((a, b) => b.length - a.length)
        .map((t) => t.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
        .join('|'),
      'g',
    )
    return text.replace(this.#pattern, MASK)
  }

  maskEvent(event: Event): Event {
    return this.#texts.size === 0 ? event : (this.#frame(event as unknown as JsonObject) as unknown as Event)
  }

  /** An event or its task: what it is stays, what it says is masked. */
  #frame(json: JsonObject): JsonObject {
    const masked = (name: string, value: Json): Json =>
      FRAME.has(name) ? value : name === 'task' && isObject(value) ? this.#frame(value) : this.#walk(value)
    return members(json, masked)
  }

  #walk(json: Json): Json {
    if (typeof json === 'string') return this.mask(json)
    if (json === null || typeof json !== 'object' || json instanceof Float || json instanceof BigNumber) return json
    if (Array.isArray(json)) return json.map((j) => this.#walk(j))
    return members(
      json as JsonObject,
      (_, value) => this.#walk(value),
      (name) => this.mask(name),
    )
  }
}

/** An object with other members; one that is fetched when it is read stays so. */
function members(json: JsonObject, change: (name: string, value: Json) => Json, rename = (name: string) => name): JsonObject {
  const out: { [name: string]: Json | undefined } = {}
  for (const name of Object.keys(json)) {
    const fetch = Object.getOwnPropertyDescriptor(json, name)?.get
    const get = fetch && ((): Json => change(name, fetch.call(json) as Json))
    const value = fetch === undefined ? json[name] : undefined
    if (get) Object.defineProperty(out, rename(name), { enumerable: true, configurable: true, get })
    else out[rename(name)] = value === undefined ? value : change(name, value)
  }
  return out
}
