/** Python regular expression text → its parts, with Python's rules and Python's complaints. */
import { Problem } from '../../base/index.ts'
import { readClassEscape, readEscape } from './escapes.ts'
import type { Flags, ParsedRegex, RegexNode, Repeat, SetItem } from './node.ts'
import { widthOf } from './node.ts'
import { regexProblem } from './problem.ts'

const MAX_REPEAT = 4294967295
const FLAG_LETTERS: Readonly<Record<string, keyof Flags | 'unicode' | 'locale'>> = {
  i: 'ignoreCase',
  m: 'multiline',
  s: 'dotAll',
  x: 'verbose',
  a: 'ascii',
  u: 'unicode',
  L: 'locale',
}
const IDENTIFIER = /^[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}_]*$/u

export function parseRegex(pattern: string, flags: Flags): ParsedRegex {
  try {
    return new Reader(pattern).whole(flags)
  } catch (restart) {
    if (restart instanceof VerboseFound) return new Reader(pattern).whole({ ...flags, verbose: true })
    throw restart
  }
}

/** Thrown when a global (?x) turns up: the text is then read again as verbose from its start. */
class VerboseFound extends Error {}

class Reader {
  at = 0
  groups = 0
  lookbehind = 0
  globals: Flags | undefined
  readonly names = new Map<string, number>()
  readonly open = new Set<number>()
  readonly widths = new Map<number, readonly [number, number]>()
  readonly text: string

  constructor(pattern: string) {
    this.text = pattern
  }

  whole(flags: Flags): ParsedRegex {
    this.globals = flags
    const root = this.choice(flags, 0)
    if (this.at < this.text.length) throw this.fail('unbalanced parenthesis', this.at)
    return { root, groups: this.groups, names: this.names, flags: this.globals }
  }

  fail(message: string, position: number): Problem {
    return regexProblem(message, this.text, position)
  }

  /** The next code point as text, not taken. */
  peek(): string | undefined {
    const code = this.text.codePointAt(this.at)
    return code === undefined ? undefined : String.fromCodePoint(code)
  }

  take(): string | undefined {
    const char = this.peek()
    if (char !== undefined) this.at += char.length
    return char
  }

  accept(char: string): boolean {
    if (this.text[this.at] !== char) return false
    this.at++
    return true
  }

  choice(flags: Flags, depth: number): RegexNode {
    const branches: RegexNode[] = []
    let current = flags
    do {
      const [branch, after] = this.sequence(current, depth === 0 && branches.length === 0)
      current = after
      branches.push(branch)
    } while (this.accept('|'))
    return branches.length === 1 ? branches[0]! : { kind: 'choice', branches }
  }

  sequence(start: Flags, first: boolean): [RegexNode, Flags] {
    const parts: RegexNode[] = []
    let flags = start
    for (let char = this.peek(); char !== undefined && char !== '|' && char !== ')'; char = this.peek()) {
      if (flags.verbose && this.skipVerbose(char)) continue
      const from = this.at
      this.take()
      if (isRepeat(char, this.text, this.at)) {
        this.repeat(parts, char, from)
        continue
      }
      if (char === '(') {
        const made = this.parenthesis(flags, from, first && parts.length === 0)
        if (made === undefined) continue
        if ('node' in made) parts.push(made.node)
        else flags = made.flags
        continue
      }
      parts.push(this.atom(char, flags, from))
    }
    return [{ kind: 'sequence', parts }, flags]
  }

  skipVerbose(char: string): boolean {
    if (/[ \t\n\r\v\f]/.test(char)) {
      this.at++
      return true
    }
    if (char !== '#') return false
    const end = this.text.indexOf('\n', this.at)
    this.at = end === -1 ? this.text.length : end + 1
    return true
  }

  atom(char: string, flags: Flags, from: number): RegexNode {
    if (char === '.') return { kind: 'any', flags }
    if (char === '^' || char === '$') return { kind: 'anchor', at: char, flags }
    if (char === '[') return this.set(flags, from)
    if (char !== '\\') return { kind: 'char', code: char.codePointAt(0)!, flags }
    const found = readEscape(this, from)
    if (found.kind === 'code') return { kind: 'char', code: found.code, flags }
    if (found.kind === 'class') return { kind: 'class', name: found.name, flags }
    if (found.kind === 'anchor') return { kind: 'anchor', at: found.at, flags }
    return this.reference(found.number, from, `invalid group reference ${found.number}`, 1)
  }

  reference(number: number, from: number, message: string, shift: number): RegexNode {
    if (number > this.groups) throw this.fail(message, from + shift)
    if (this.open.has(number)) throw this.fail('cannot refer to an open group', from)
    if (this.lookbehind > 0 && !this.widths.has(number)) throw this.fail('cannot refer to an open group', from)
    return { kind: 'reference', number }
  }

  set(flags: Flags, from: number): RegexNode {
    const negated = this.accept('^')
    const items: SetItem[] = []
    for (let started = false; ; started = true) {
      const itemAt = this.at
      const char = this.take()
      if (char === undefined) throw this.fail('unterminated character set', from)
      if (char === ']' && started) break
      const low = char === '\\' ? readClassEscape(this, itemAt) : { low: char.codePointAt(0)!, high: char.codePointAt(0)! }
      if (!this.accept('-')) {
        items.push(low)
        continue
      }
      const highAt = this.at
      const next = this.take()
      if (next === undefined) throw this.fail('unterminated character set', from)
      if (next === ']') {
        items.push(low, { low: 45, high: 45 })
        break
      }
      const high = next === '\\' ? readClassEscape(this, highAt) : { low: next.codePointAt(0)!, high: next.codePointAt(0)! }
      const written = this.text.slice(itemAt, this.at)
      if ('name' in low || 'name' in high || high.low < low.low) throw this.fail(`bad character range ${written}`, itemAt)
      items.push({ low: low.low, high: high.low })
    }
    return { kind: 'set', negated, items, flags }
  }

  repeat(parts: RegexNode[], char: string, from: number): void {
    const [min, max] = char === '{' ? this.braces(from) : BOUNDS[char]!
    const last = parts.at(-1)
    if (last === undefined || last.kind === 'anchor') throw this.fail('nothing to repeat', from)
    if (last.kind === 'repeat') throw this.fail('multiple repeat', from)
    const how: Repeat = this.accept('?') ? 'lazy' : this.accept('+') ? 'possessive' : 'greedy'
    parts[parts.length - 1] = { kind: 'repeat', body: last, min, max, how }
  }

  braces(from: number): readonly [number, number] {
    const found = /^(\d*)(,?)(\d*)\}/.exec(this.text.slice(this.at))!
    this.at += found[0].length
    const min = found[1] ? Number(found[1]) : 0
    const max = found[3] ? Number(found[3]) : found[2] ? Number.POSITIVE_INFINITY : min
    if (min >= MAX_REPEAT || (found[3] && max >= MAX_REPEAT)) throw new Problem('the repetition number is too large', { kind: 'template' })
    if (max < min) throw this.fail('min repeat greater than max repeat', from + 1)
    return [min, max]
  }

  /** What an opening parenthesis begins: a part, new flags for the rest, or nothing (a comment). */
  parenthesis(flags: Flags, from: number, atStart: boolean): { node: RegexNode } | { flags: Flags } | undefined {
    if (!this.accept('?')) return { node: this.capture(flags, from, undefined) }
    const char = this.take()
    if (char === undefined) throw this.fail('unexpected end of pattern', this.at)
    if (char === 'P') return this.pythonGroup(flags, from)
    if (char === ':') return { node: this.plain(flags, from) }
    if (char === '#') return this.comment(from)
    if (char === '>') return { node: { kind: 'atomic', body: this.plain(flags, from) } }
    if (char === '=' || char === '!') return { node: this.look(flags, from, false, char === '!') }
    if (char === '<') return this.lookbehindGroup(flags, from)
    if (char === '(') throw new Problem('conditional groups in regular expressions, (?(…)…), are not supported', { kind: 'template' })
    if (char === '-' || char in FLAG_LETTERS) return this.inlineFlags(flags, from, char, atStart)
    throw this.fail(`unknown extension ?${char}`, from + 1)
  }

  comment(from: number): undefined {
    const end = this.text.indexOf(')', this.at)
    if (end === -1) throw this.fail('missing ), unterminated comment', from)
    this.at = end + 1
  }

  lookbehindGroup(flags: Flags, from: number): { node: RegexNode } {
    const char = this.take()
    if (char === undefined) throw this.fail('unexpected end of pattern', this.at)
    if (char !== '=' && char !== '!') throw this.fail(`unknown extension ?<${char}`, from + 1)
    return { node: this.look(flags, from, true, char === '!') }
  }

  look(flags: Flags, from: number, behind: boolean, negated: boolean): RegexNode {
    if (behind) this.lookbehind++
    const body = this.plain(flags, from)
    if (behind) this.lookbehind--
    const [low, high] = widthOf(body)
    if (behind && low !== high) throw new Problem('look-behind requires fixed-width pattern', { kind: 'template' })
    return { kind: 'look', behind, negated, body }
  }

  /** (?P<name>…), (?P=name). */
  pythonGroup(flags: Flags, from: number): { node: RegexNode } {
    if (this.accept('<')) {
      const at = this.at
      const name = this.name('>', 'group name')
      return { node: this.capture(flags, from, { name, at }) }
    }
    if (this.accept('=')) {
      const at = this.at
      const name = this.name(')', 'group name')
      const number = this.names.get(name)
      if (number === undefined) throw this.fail(`unknown group name '${name}'`, at)
      return { node: this.reference(number, at, '', 0) }
    }
    const char = this.take()
    if (char === undefined) throw this.fail('unexpected end of pattern', this.at)
    throw this.fail(`unknown extension ?P${char}`, from + 1)
  }

  name(end: string, what: string): string {
    const from = this.at
    const stop = this.text.indexOf(end, from)
    const name = stop === -1 ? this.text.slice(from) : this.text.slice(from, stop)
    if (name === '') throw this.fail(`missing ${what}`, from)
    if (stop === -1) throw this.fail(`missing ${end}, unterminated name`, from)
    if (!IDENTIFIER.test(name)) throw this.fail(`bad character in group name '${name}'`, from)
    this.at = stop + 1
    return name
  }

  capture(flags: Flags, from: number, named: { name: string; at: number } | undefined): RegexNode {
    const number = ++this.groups
    if (named) {
      const former = this.names.get(named.name)
      if (former !== undefined) {
        throw this.fail(`redefinition of group name '${named.name}' as group ${number}; was group ${former}`, named.at)
      }
      this.names.set(named.name, number)
    }
    this.open.add(number)
    const body = this.plain(flags, from)
    this.open.delete(number)
    this.widths.set(number, widthOf(body))
    return { kind: 'group', number, body }
  }

  /** The rest of a group, up to its closing parenthesis. */
  plain(flags: Flags, from: number): RegexNode {
    const body = this.choice(flags, 1)
    if (!this.accept(')')) throw this.fail('missing ), unterminated subpattern', from)
    return { kind: 'sequence', parts: [body] }
  }

  inlineFlags(flags: Flags, from: number, first: string, atStart: boolean): { node: RegexNode } | { flags: Flags } | undefined {
    const on: (keyof Flags)[] = []
    const off: (keyof Flags)[] = []
    let into = on
    let char: string | undefined = first
    if (char !== '-') char = this.flagLetters(char, on)
    if (char === ')') return this.globalFlags(flags, from, on, atStart)
    if (char === '-') {
      into = off
      const next = this.take()
      if (next === undefined) throw this.fail('missing flag', this.at)
      if (!(next in FLAG_LETTERS)) throw this.fail(/\p{L}/u.test(next) ? 'unknown flag' : 'missing flag', this.at - next.length)
      char = this.flagLetters(next, into)
      if (char !== ':') throw this.fail('missing :', this.at - (char?.length ?? 0))
    }
    if (char !== ':') throw this.fail('missing -, : or )', this.at - (char?.length ?? 0))
    return { node: this.plain(switched(flags, on, off), from) }
  }

  /** Takes flag letters into `into`, and returns the character that ended them. */
  flagLetters(first: string, into: (keyof Flags)[]): string | undefined {
    let char: string | undefined = first
    while (true) {
      const flag = FLAG_LETTERS[char]
      if (flag === undefined) throw this.fail('unknown flag', this.at - char.length)
      if (flag === 'locale') throw this.fail("bad inline flags: cannot use 'L' flag with a str pattern", this.at)
      if (flag !== 'unicode') into.push(flag)
      char = this.take()
      if (char === undefined) throw this.fail('missing -, : or )', this.at)
      if (char === ')' || char === '-' || char === ':') return char
      if (!(char in FLAG_LETTERS)) throw this.fail(/\p{L}/u.test(char) ? 'unknown flag' : 'missing -, : or )', this.at - char.length)
    }
  }

  globalFlags(flags: Flags, from: number, on: readonly (keyof Flags)[], atStart: boolean): { flags: Flags } {
    if (!atStart) throw this.fail('global flags not at the start of the expression', from)
    if (on.includes('verbose') && !this.globals!.verbose) throw new VerboseFound()
    this.globals = switched(flags, on, [])
    return { flags: this.globals }
  }
}

const BOUNDS: Readonly<Record<string, readonly [number, number]>> = {
  '*': [0, Number.POSITIVE_INFINITY],
  '+': [1, Number.POSITIVE_INFINITY],
  '?': [0, 1],
}

/** Is it `*`, `+`, `?` or braces with numbers? Other braces are text. */
function isRepeat(char: string, text: string, after: number): boolean {
  if (char in BOUNDS) return true
  return char === '{' && /^(?:\d+(?:,\d*)?|,\d*)\}/.test(text.slice(after, after + 40))
}

function switched(flags: Flags, on: readonly (keyof Flags)[], off: readonly (keyof Flags)[]): Flags {
  const next: Record<keyof Flags, boolean> = { ...flags }
  for (const flag of on) next[flag] = true
  for (const flag of off) next[flag] = false
  return next
}
