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
  for (const [key, value] of res) {
    if (!long.includes(key)) {
      out.set(key, value)
      continue
    }
    const text = kept(value as string, spill)
    out.setLate(key, text)
    const all = `${key}_lines`
    if (WITH_LINES.includes(key) && !res.has(all))
      out.setLate(
        all,
        remembering(() => lines(text())),
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
  return remembering(() => hoard.all().toString(encoding), text)
}

/** What was made is at hand as long as there is memory to spare. */
function remembering<T extends Value>(make: () => T, first?: T): () => T {
  let known = first === undefined ? undefined : new WeakRef({ value: first })
  return () => {
    const held = known?.deref() ?? { value: make() }
    known = new WeakRef(held)
    return held.value
  }
}

/** Lines as Python's splitlines() cuts them. */
export function lines(text: string): string[] {
  const out = text.split(/\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/)
  if (out.at(-1) === '') out.pop()
  return out
}
