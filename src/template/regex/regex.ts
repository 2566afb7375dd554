/** Python regular expressions that can search, match, find all and substitute in text, compiled once and kept. */
import { parseRegex } from './parse.ts'
import type { Found, PyRegex, RegexOptions } from './regex-types.ts'
import { expandTemplate, parseTemplate } from './replacement.ts'
import { writeRegex } from './write.ts'

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
  const written = writeRegex(parsed)
  const flags = written.ignoreCase ? 'iu' : 'u'
  const lazily = (source: string, extra: string) => once(() => new RegExp(source, flags + extra))
  const global = lazily(written.source, 'g')
  const sticky = lazily(written.source, 'y')
  const whole = lazily(`(?:${written.source})$`, 'y')
  const advancing = lazily(written.advancing, 'y')
  const run = (expression: RegExp, text: string, from: number, shift: number): Found | undefined => {
    expression.lastIndex = from
    const hit = expression.exec(text)
    if (!hit) return undefined
    const groups = written.numbers.map((number) => hit[number + shift])
    return { start: hit.index, end: hit.index + hit[0].length, text: hit[0], groups }
  }
  return {
    pattern,
    groups: parsed.groups,
    names: parsed.names,
    search: (text, from = 0) => run(global(), text, from, 0),
    match: (text) => run(sticky(), text, 0, 0),
    fullmatch: (text) => run(whole(), text, 0, 0),
    *all(text) {
      let from = 0
      let mustAdvance = false
      while (from <= text.length) {
        let found: Found | undefined = mustAdvance ? run(advancing(), text, from, 1) : run(global(), text, from, 0)
        if (!found && mustAdvance) {
          const next = from + ((text.codePointAt(from) ?? 0) > 0xffff ? 2 : 1)
          if (next > text.length) return
          found = run(global(), text, next, 0)
        }
        if (!found) return
        yield found
        mustAdvance = found.start === found.end
        from = found.end
      }
    },
  }
}

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

export type { Found, PyRegex, RegexOptions } from './regex-types.ts'
