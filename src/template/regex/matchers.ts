/** A parsed pattern → what finds it in text: JavaScript's own expression, or the machine that does as Python. */
import { type Attempt, type MachineMatch, runMachine } from './machine.ts'
import type { ParsedRegex, RegexNode } from './node.ts'
import { after, before, programOf } from './program.ts'
import type { Found } from './regex-types.ts'
import { writeRegex } from './write.ts'

export interface Matcher {
  /** the first match from a place on */
  search(text: string, from: number): Found | undefined
  /** a match that begins at a place */
  at(text: string, from: number, attempt: Attempt): Found | undefined
}

/** Tries place after place with the machine. */
export function ownMatcher(parsed: ParsedRegex): Matcher {
  const machine = once(() => programOf(parsed))
  const at = (text: string, from: number, attempt: Attempt): Found | undefined => {
    const hit = runMachine(machine(), text, from, attempt)
    return hit && foundBy(hit, text, from)
  }
  return {
    at,
    search(text, from) {
      for (let start = from; start <= text.length; start = after(text, start)) {
        const found = at(text, start, {})
        if (found) return found
      }
      return undefined
    },
  }
}

function foundBy(hit: MachineMatch, text: string, start: number): Found {
  const groups: (string | undefined)[] = []
  for (let index = 0; index < hit.places.length; index += 2) {
    const [from, to] = [hit.places[index]!, hit.places[index + 1]!]
    groups.push(from < 0 || to < 0 ? undefined : text.slice(from, to))
  }
  return { start, end: hit.end, text: text.slice(start, hit.end), groups }
}

/** Uses JavaScript's expression, and the machine where that runs out of memory. */
export function quickMatcher(root: RegexNode, slow: Matcher): Matcher {
  const source = once(() => writeRegex(root))
  const global = once(() => new RegExp(source(), 'gu'))
  const sticky = once(() => new RegExp(source(), 'uy'))
  const whole = once(() => new RegExp(`(?:${source()})$`, 'uy'))
  return {
    search: (text, from) => run(global(), text, from, () => slow.search(text, from)),
    at: (text, from, attempt) => run((attempt.whole ? whole : sticky)(), text, from, () => slow.at(text, from, attempt)),
  }
}

function run(expression: RegExp, text: string, from: number, instead: () => Found | undefined): Found | undefined {
  expression.lastIndex = from
  try {
    const hit = expression.exec(text)
    if (hit && hit[0] === '' && isInside(text, hit.index)) return instead()
    return hit ? { start: hit.index, end: hit.index + hit[0].length, text: hit[0], groups: hit.slice(1) } : undefined
  } catch (error) {
    if (error instanceof RangeError || error instanceof SyntaxError) return instead()
    throw error
  }
}

/** Is it between the two halves of one character? JavaScript finds nothing there as well. */
function isInside(text: string, at: number): boolean {
  return at > 0 && before(text, at + 1) === at - 1
}

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}
