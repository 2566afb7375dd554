/** A result with long texts → the same result with those texts on disk, read anew whenever a task or a report asks for them. */
import { LateDict, type Value } from '../base/index.ts'
import { Hoard, type Spill } from '../connect/index.ts'
import type { Res } from './state.ts'

/** Characters from which on a text is long. */
export const LONG = 256 * 1024

/** What is written at one go. */
const PIECE = 512 * 1024

const WITH_LINES = ['stdout', 'stderr']

export function withoutLongTexts(res: Res, spill: Spill): Res {
  const long = [...res].filter(([, value]) => typeof value === 'string' && value.length >= LONG).map(([key]) => key)
  if (long.length === 0) return res
  const out = new LateDict<string, Value>()
  const recent = recents.get(spill) ?? new Recent()
  recents.set(spill, recent)
  const soon =
    <T extends Value>(read: () => T) =>
    (): T =>
      recent.get(read)
  for (const [key, value] of res) {
    if (!long.includes(key)) {
      out.set(key, value)
      continue
    }
    const text = soon(kept(value as string, spill))
    out.setLate(key, text)
    const all = `${key}_lines`
    if (WITH_LINES.includes(key) && !res.has(all))
      out.setLate(
        all,
        soon(() => lines(text())),
      )
  }
  return out
}

/** A copy of a result in which nothing long has been read. */
export const copied = (res: Res): Res => (res instanceof LateDict ? res.copy() : new Map(res))

/** Puts a text on disk; gives back how it is read. */
function kept(text: string, spill: Spill): () => string {
  // either spelling gives back every text as it was
  const encoding = /[^\0-\xff]/.test(text) ? 'utf16le' : 'latin1'
  const hoard = new Hoard(spill)
  for (let at = 0; at < text.length; at += PIECE) hoard.push(Buffer.from(text.slice(at, at + PIECE), encoding))
  hoard.settle()
  return () => hoard.text(encoding)
}

/** One for all results of a run, so that only one text is held. */
const recents = new WeakMap<Spill, Recent>()

/** What was read last, which is often read again at once; it is let go at the event loop's next turn. */
class Recent {
  #read: (() => Value) | undefined
  #value: Value | undefined

  get<T extends Value>(read: () => T): T {
    if (this.#read === read) return this.#value as T
    const value = read()
    if (this.#read === undefined) setImmediate(() => this.#forget())
    this.#read = read
    this.#value = value
    return value
  }

  #forget(): void {
    this.#read = undefined
    this.#value = undefined
  }
}

/** Lines as Python's splitlines() cuts them. */
export function lines(text: string): string[] {
  const out = text.split(/\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/)
  if (out.at(-1) === '') out.pop()
  return out
}
