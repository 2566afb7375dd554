/** Python regular expressions that can search, match, find all and substitute in text, compiled once and kept. */
import { type Matcher, ownMatcher, quickMatcher } from './matchers.ts'
import { parseRegex } from './parse.ts'
import { isPlain } from './plain.ts'
import { after } from './program.ts'
import type { Found, PyRegex, RegexOptions } from './regex-types.ts'
import { expandTemplate, parseTemplate } from './replacement.ts'

const KEPT = 500
const kept = new Map<string, PyRegex>()

/** Compiles a pattern; mistakes are Problems in Python's words. */
export function compileRegex(pattern: string, options: RegexOptions = {}): PyRegex {
  const key = `${options.ignoreCase ? 'i' : ''}${options.multiline ? 'm' : ''}${options.dotAll ? 's' : ''}${options.ascii ? 'a' : ''}/${pattern}`
  const known = kept.get(key)
  if (known) return known
  if (kept.size >= KEPT) kept.clear()
  const made = build(pattern, options)
  kept.set(key, made)
  return made
}

/** re.sub: \1, \g<name> and the like in the replacement; `count` 0 means all. */
export function substitute(regex: PyRegex, replacement: string, text: string, count = 0): { text: string; count: number } {
  const template = parseTemplate(replacement, regex)
  let out = ''
  let last = 0
  let done = 0
  for (const found of regex.all(text)) {
    out += text.slice(last, found.start) + expandTemplate(template, found)
    last = found.end
    done++
    if (count > 0 && done >= count) break
  }
  return { text: out + text.slice(last), count: done }
}

/** re.split: the texts between the matches, with the groups in between. */
export function splitBy(regex: PyRegex, text: string, limit = 0): (string | undefined)[] {
  const out: (string | undefined)[] = []
  let last = 0
  let done = 0
  for (const found of regex.all(text)) {
    out.push(text.slice(last, found.start), ...found.groups)
    last = found.end
    done++
    if (limit > 0 && done >= limit) break
  }
  return [...out, text.slice(last)]
}

/** re.escape: a backslash before everything that could mean something. */
export function escapeRegex(text: string): string {
  return text.replace(/[\t\n\v\f\r #$&()*+\-.?[\\\]^{|}~]/g, '\\$&')
}

function build(pattern: string, options: RegexOptions): PyRegex {
  const parsed = parseRegex(pattern, {
    ignoreCase: options.ignoreCase ?? false,
    multiline: options.multiline ?? false,
    dotAll: options.dotAll ?? false,
    verbose: false,
    ascii: options.ascii ?? false,
  })
  const slow = ownMatcher(parsed)
  const quick = isPlain(parsed.root) ? quickMatcher(parsed.root, slow) : slow
  return {
    pattern,
    groups: parsed.groups,
    names: parsed.names,
    search: (text, from = 0) => quick.search(text, from),
    match: (text) => quick.at(text, 0, { whole: false }),
    fullmatch: (text) => quick.at(text, 0, { whole: true }),
    *all(text) {
      let from = 0
      let mustAdvance = false
      while (from <= text.length) {
        const found: Found | undefined = mustAdvance ? advanced(quick, slow, text, from) : quick.search(text, from)
        if (!found) return
        yield found
        mustAdvance = found.start === found.end
        from = found.end
      }
    },
  }
}

/** The next match after one that took nothing: at the same place it must take something. */
function advanced(quick: Matcher, slow: Matcher, text: string, from: number): Found | undefined {
  const here = slow.at(text, from, { mustAdvance: true })
  if (here) return here
  const next = after(text, from)
  return next > text.length ? undefined : quick.search(text, next)
}

export type { Found, PyRegex, RegexOptions } from './regex-types.ts'
