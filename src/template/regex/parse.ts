/** Python regular expression text → its parts, with Python's rules and Python's complaints. */
import { later, Problem } from '../../base/index.ts'
import { repr } from '../python/index.ts'
import { readClassEscape, readEscape } from './escapes.ts'
import type { Flags, ParsedRegex, RegexNode, Repeat, SetItem, Width } from './node.ts'
import { widthOf } from './node.ts'
import { regexProblem } from './problem.ts'

const MAX_REPEAT = 4294967295
const FLAG_LETTERS: ReadonlyMap<string, keyof Flags | 'unicode' | 'locale'> = new Map<string, keyof Flags | 'unicode' | 'locale'>([
  ['i', 'ignoreCase'],
  ['m', 'multiline'],
  ['s', 'dotAll'],
  ['x', 'verbose'],
  ['a', 'ascii'],
  ['u', 'unicode'],
  ['L', 'locale'],
])
const LETTER = /\p{L}/u
const IDENTIFIER = later(() => /^[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}]*$/u)

export function parseRegex(pattern: string, flags: Flags): ParsedRegex {
  return new Reader(pattern).whole(flags)
}

type Group = { readonly node: RegexNode } | { readonly flags: Flags } | undefined

class Reader {
  at = 0
  groups = 0
  private depth = 0
  /** how many groups there were where the outermost lookbehind began */
  lookbehindGroups: number | undefined
  variableLookbehind = false
  globals: Flags | undefined
  readonly names = new Map<string, number>()
  readonly widths = new Map<number, Width>()
  /** groups that conditions ask for, and where */
  readonly asked = new Map<number, number>()
  readonly text: string
  /** where a last backslash stands that has nothing behind it */
  private readonly dangling: number

  constructor(pattern: string) {
    this.text = pattern
    const slashes = /\\*$/.exec(pattern)![0].length
    this.dangling = slashes % 2 === 1 ? pattern.length - 1 : -1
    this.checkDangling()
  }

  whole(flags: Flags): ParsedRegex {
    this.globals = flags
    const root = this.choice(flags, 0)
    if (this.at < this.text.length) throw this.fail('unbalanced parenthesis', this.at)
    for (const [number, position] of this.asked) if (number > this.groups) throw this.fail(`invalid group reference ${number}`, position)
    if (this.variableLookbehind) throw new Problem('look-behind requires fixed-width pattern', { kind: 'template' })
    return { root, groups: this.groups, names: this.names }
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
    this.checkDangling()
    return char
  }

  /** The next character, or a backslash with the character behind it. */
  private takeToken(): string | undefined {
    const char = this.take()
    return char === '\\' ? char + this.take() : char
  }

  accept(char: string): boolean {
    if (this.text[this.at] !== char) return false
    this.at++
    this.checkDangling()
    return true
  }

  skip(count: number): void {
    this.at += count
    this.checkDangling()
  }

  private checkDangling(): void {
    if (this.at === this.dangling) throw this.fail('bad escape (end of pattern)', this.at)
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
      const from = this.at
      this.take()
      if (flags.verbose && this.isNoise(char)) continue
      const bounds = this.bounds(char, from)
      if (bounds) this.repeat(parts, bounds, from)
      else if (char !== '(') parts.push(this.atom(char, flags, from))
      else {
        const made = this.parenthesis(flags, from, first && parts.length === 0)
        if (made === undefined) continue
        if ('node' in made) parts.push(made.node)
        else flags = made.flags
      }
    }
    return [{ kind: 'sequence', parts }, flags]
  }

  /** Blanks and comments of a verbose pattern. */
  private isNoise(char: string): boolean {
    if (/[ \t\n\r\v\f]/.test(char)) return true
    if (char !== '#') return false
    for (let next = this.takeToken(); next !== undefined && next !== '\n'; next = this.takeToken());
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
    if (found.number > this.groups) throw this.fail(`invalid group reference ${found.number}`, from + 1)
    return this.reference(found.number, flags, from)
  }

  private reference(number: number, flags: Flags, from: number): RegexNode {
    const width = this.widths.get(number)
    if (!width) throw this.fail('cannot refer to an open group', from)
    this.checkLookbehind(number)
    return { kind: 'reference', number, width, flags }
  }

  private checkLookbehind(number: number): void {
    if (this.lookbehindGroups === undefined) return
    if (!this.widths.has(number)) throw this.fail('cannot refer to an open group', this.at)
    if (number > this.lookbehindGroups) throw this.fail('cannot refer to group defined in the same lookbehind subpattern', this.at)
  }

  set(flags: Flags, from: number): RegexNode {
    const negated = this.accept('^')
    const items: SetItem[] = []
    for (let started = false; ; started = true) {
      const itemAt = this.at
      const char = this.take()
      if (char === undefined) throw this.fail('unterminated character set', from)
      if (char === ']' && started) break
      const low = this.setItem(char, itemAt)
      const lowText = char === '\\' ? this.text.slice(itemAt, itemAt + 2) : char
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
      const high = this.setItem(next, highAt)
      const highText = next === '\\' ? this.text.slice(highAt, highAt + 2) : next
      if ('name' in low || 'name' in high || high.low < low.low) {
        throw this.fail(`bad character range ${lowText}-${highText}`, this.at - lowText.length - 1 - highText.length)
      }
      items.push({ low: low.low, high: high.low })
    }
    return { kind: 'set', negated, items, flags }
  }

  private setItem(char: string, from: number): SetItem {
    if (char === '\\') return readClassEscape(this, from)
    const code = char.codePointAt(0)!
    return { low: code, high: code }
  }

  private repeat(parts: RegexNode[], [min, max]: Width, from: number): void {
    const last = parts.at(-1)
    if (last === undefined || last.kind === 'anchor') throw this.fail('nothing to repeat', from)
    if (last.kind === 'repeat') throw this.fail('multiple repeat', from)
    const how: Repeat = this.accept('?') ? 'lazy' : this.accept('+') ? 'possessive' : 'greedy'
    parts[parts.length - 1] = { kind: 'repeat', body: last, min, max, how }
  }

  /** How often `*`, `+`, `?` or braces with numbers repeat; other braces are text. */
  private bounds(char: string, from: number): Width | undefined {
    const known = BOUNDS.get(char)
    if (known || char !== '{') return known
    BRACES.lastIndex = this.at
    const found = BRACES.exec(this.text)
    if (!found || found[0] === '}') return undefined
    this.skip(found[0].length)
    const [low, comma, high] = [found[1], found[2], found[3]]
    const min = low ? Number(low) : 0
    const max = high ? Number(high) : comma ? Number.POSITIVE_INFINITY : min
    if (min >= MAX_REPEAT || (high && max >= MAX_REPEAT)) throw new Problem('the repetition number is too large', { kind: 'template' })
    if (max < min) throw this.fail('min repeat greater than max repeat', from + 1)
    return [min, max]
  }

  /** What an opening parenthesis begins: a part, new flags for the rest, or nothing (a comment). */
  parenthesis(flags: Flags, from: number, atStart: boolean): Group {
    if (!this.accept('?')) return { node: this.capture(flags, from, undefined) }
    const char = this.take()
    if (char === undefined) throw this.fail('unexpected end of pattern', this.at)
    if (char === '-' || FLAG_LETTERS.has(char)) return this.inlineFlags(flags, from, char, atStart)
    const read = GROUPS.get(char)
    if (!read) throw this.fail(`unknown extension ?${char === '\\' ? char + this.take() : char}`, from + 1)
    return read(this, flags, from)
  }

  comment(from: number): undefined {
    for (;;) {
      if (this.at >= this.text.length) throw this.fail('missing ), unterminated comment', from)
      if (this.takeToken() === ')') return
    }
  }

  lookbehind(flags: Flags, from: number): { node: RegexNode } {
    const char = this.takeToken()
    if (char === undefined) throw this.fail('unexpected end of pattern', this.at)
    if (char !== '=' && char !== '!') throw this.fail(`unknown extension ?<${char}`, from + 1)
    const outer = this.lookbehindGroups
    this.lookbehindGroups ??= this.groups
    const { node } = this.look(flags, from, true, char === '!')
    this.lookbehindGroups = outer
    return { node }
  }

  look(flags: Flags, from: number, behind: boolean, negated: boolean): { node: RegexNode } {
    const body = this.plain(flags, from)
    const [low, high] = widthOf(body)
    if (behind && low !== high) this.variableLookbehind = true
    return { node: { kind: 'look', behind, negated, body } }
  }

  /** (?P<name>…), (?P=name). */
  pythonGroup(flags: Flags, from: number): { node: RegexNode } {
    if (this.accept('<')) {
      const at = this.at
      const name = this.groupName('>')
      return { node: this.capture(flags, from, { name, at }) }
    }
    if (this.accept('=')) {
      const at = this.at
      return { node: this.reference(this.numberOf(this.groupName(')'), at), flags, at) }
    }
    const char = this.takeToken()
    if (char === undefined) throw this.fail('unexpected end of pattern', this.at)
    throw this.fail(`unknown extension ?P${char}`, from + 1)
  }

  private numberOf(name: string, at: number): number {
    const number = this.names.get(name)
    if (number === undefined) throw this.fail(`unknown group name ${repr(name)}`, at)
    return number
  }

  private groupName(end: string): string {
    const from = this.at
    const name = this.until(end, 'group name')
    if (!IDENTIFIER().test(name)) throw this.fail(`bad character in group name ${repr(name)}`, from)
    return name
  }

  /** The text up to `end`, which is taken as well. */
  until(end: string, what: string): string {
    const from = this.at
    for (;;) {
      const before = this.at
      const token = this.takeToken()
      const name = this.text.slice(from, token === undefined ? this.at : before)
      if (token !== undefined && token !== end) continue
      if (name === '') throw this.fail(`missing ${what}`, from)
      if (token === undefined) throw this.fail(`missing ${end}, unterminated name`, from)
      return name
    }
  }

  /** (?(1)then|otherwise). */
  conditional(flags: Flags, from: number): { node: RegexNode } {
    const at = this.at
    const number = this.condition(this.until(')', 'group name'), at)
    this.checkLookbehind(number)
    if (++this.depth > MOST_NESTED) throw this.fail('groups nested too deeply', from)
    const [then] = this.sequence(flags, false)
    let otherwise: RegexNode = { kind: 'sequence', parts: [] }
    if (this.accept('|')) {
      otherwise = this.sequence(flags, false)[0]
      if (this.peek() === '|') throw this.fail('conditional backref with more than two branches', this.at)
    }
    this.depth--
    if (!this.accept(')')) throw this.fail('missing ), unterminated subpattern', from)
    return { node: { kind: 'conditional', number, then, otherwise } }
  }

  private condition(name: string, at: number): number {
    if (IDENTIFIER().test(name)) return this.numberOf(name, at)
    if (!/^[ \t]*\+?\d+(?:_\d+)*[ \t]*$/.test(name)) throw this.fail(`bad character in group name ${repr(name)}`, at)
    const number = Number(name.replaceAll('_', ''))
    if (number === 0) throw this.fail('bad group number', at)
    if (number >= MOST_GROUPS) throw this.fail(`invalid group reference ${number}`, at)
    if (!this.asked.has(number)) this.asked.set(number, at)
    return number
  }

  capture(flags: Flags, from: number, named: { name: string; at: number } | undefined): RegexNode {
    const number = ++this.groups
    if (named) {
      const former = this.names.get(named.name)
      if (former !== undefined) {
        throw this.fail(`redefinition of group name ${repr(named.name)} as group ${number}; was group ${former}`, named.at)
      }
      this.names.set(named.name, number)
    }
    const body = this.plain(flags, from)
    this.widths.set(number, widthOf(body))
    return { kind: 'group', number, body }
  }

  /** The rest of a group, up to its closing parenthesis. */
  plain(flags: Flags, from: number): RegexNode {
    if (++this.depth > MOST_NESTED) throw this.fail('groups nested too deeply', from)
    const body = this.choice(flags, 1)
    this.depth--
    if (!this.accept(')')) throw this.fail('missing ), unterminated subpattern', from)
    return { kind: 'sequence', parts: [body] }
  }

  inlineFlags(flags: Flags, from: number, first: string, atStart: boolean): { node: RegexNode } | { flags: Flags } {
    const on = new Set<string>()
    const off = new Set<string>()
    let char: string = first
    if (char !== '-') char = this.flagsOn(char, on)
    if (char === ')') return this.globalFlags(flags, from, on, atStart)
    if (char === '-') this.flagsOff(off)
    if ([...on].some((letter) => off.has(letter))) throw this.fail('bad inline flags: flag turned on and off', this.at - 1)
    return { node: this.plain(switched(flags, on, off), from) }
  }

  /** Takes flag letters into `on`, and returns the character that ended them. */
  private flagsOn(first: string, on: Set<string>): string {
    let char: string | undefined = first
    for (;;) {
      if (char === 'L') throw this.fail("bad inline flags: cannot use 'L' flag with a str pattern", this.at)
      on.add(char)
      if (on.has('a') && on.has('u')) throw this.fail("bad inline flags: flags 'a', 'u' and 'L' are incompatible", this.at)
      char = this.takeToken()
      if (char === undefined) throw this.fail('missing -, : or )', this.at)
      if (char === ')' || char === '-' || char === ':') return char
      if (!FLAG_LETTERS.has(char)) throw this.fail(isAlpha(char) ? 'unknown flag' : 'missing -, : or )', this.at - char.length)
    }
  }

  private flagsOff(off: Set<string>): void {
    let char = this.takeToken()
    if (char === undefined) throw this.fail('missing flag', this.at)
    if (!FLAG_LETTERS.has(char)) throw this.fail(isAlpha(char) ? 'unknown flag' : 'missing flag', this.at - char.length)
    while (char !== ':') {
      if ('auL'.includes(char)) throw this.fail("bad inline flags: cannot turn off flags 'a', 'u' and 'L'", this.at)
      off.add(char)
      char = this.takeToken()
      if (char === undefined) throw this.fail('missing :', this.at)
      if (char !== ':' && !FLAG_LETTERS.has(char)) throw this.fail(isAlpha(char) ? 'unknown flag' : 'missing :', this.at - char.length)
    }
  }

  private globalFlags(flags: Flags, from: number, on: ReadonlySet<string>, atStart: boolean): { flags: Flags } {
    this.globals = switched(this.globals ?? flags, on, NO_FLAGS)
    if (!atStart) throw this.fail('global flags not at the start of the expression', from)
    return { flags: this.globals }
  }
}

/** Python gives up at about this depth, too. */
const MOST_NESTED = 500
const MOST_GROUPS = 1073741823
const NO_FLAGS: ReadonlySet<string> = new Set()
const BRACES = /(\d*)(,?)(\d*)\}/y
const BOUNDS: ReadonlyMap<string, Width> = new Map<string, Width>([
  ['*', [0, Number.POSITIVE_INFINITY]],
  ['+', [1, Number.POSITIVE_INFINITY]],
  ['?', [0, 1]],
])

/** What stands behind `(?`. */
const GROUPS: ReadonlyMap<string, (reader: Reader, flags: Flags, from: number) => Group> = new Map<
  string,
  (reader: Reader, flags: Flags, from: number) => Group
>([
  ['P', (reader, flags, from) => reader.pythonGroup(flags, from)],
  [':', (reader, flags, from) => ({ node: reader.plain(flags, from) })],
  ['#', (reader, _, from) => reader.comment(from)],
  ['>', (reader, flags, from) => ({ node: { kind: 'atomic', body: reader.plain(flags, from) } })],
  ['=', (reader, flags, from) => reader.look(flags, from, false, false)],
  ['!', (reader, flags, from) => reader.look(flags, from, false, true)],
  ['<', (reader, flags, from) => reader.lookbehind(flags, from)],
  ['(', (reader, flags, from) => reader.conditional(flags, from)],
])

const isAlpha = (token: string): boolean => [...token].every((char) => LETTER.test(char))

function switched(flags: Flags, on: ReadonlySet<string>, off: ReadonlySet<string>): Flags {
  const next: Record<keyof Flags, boolean> = { ...flags }
  for (const [letter, flag] of FLAG_LETTERS) {
    if (flag === 'unicode') next.ascii &&= !on.has(letter)
    else if (flag !== 'locale') next[flag] = (next[flag] || on.has(letter)) && !off.has(letter)
  }
  return next
}
