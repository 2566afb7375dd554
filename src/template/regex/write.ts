/** The parts of a Python regular expression → JavaScript's spelling of the same, for the `u` flag. */
import type { ClassName, Flags, ParsedRegex, RegexNode, SetItem } from './node.ts'

export interface Written {
  readonly source: string
  /** the same expression where it may not match nothing; its groups have numbers one higher */
  readonly advancing: string
  /** JavaScript's number of each Python group, from 1 */
  readonly numbers: readonly number[]
  readonly ignoreCase: boolean
}

/** The largest range whose letters are also written in the other case, where only a part of the pattern ignores case. */
const CASE_RANGE = 0x3000

const UNICODE: Readonly<Record<'d' | 's' | 'w', string>> = {
  d: '\\p{Nd}',
  s: '\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000',
  w: '\\p{L}\\p{N}_',
}
const ASCII: Readonly<Record<'d' | 's' | 'w', string>> = { d: '0-9', s: '\\t-\\r\\x20', w: 'A-Za-z0-9_' }

export function writeRegex(parsed: ParsedRegex): Written {
  const ignoreCase = parsed.flags.ignoreCase && !hasCaseSwitch(parsed.root, true)
  const writer = new Writer(ignoreCase, 0)
  const source = writer.node(parsed.root)
  const advancing = `(?=([\\s\\S]*))(?:${new Writer(ignoreCase, 1).node(parsed.root)})(?!\\1$)`
  return { source, advancing, numbers: writer.numbers, ignoreCase }
}

/** Does a part of it not have this case rule? */
function hasCaseSwitch(node: RegexNode, ignoreCase: boolean): boolean {
  if ('flags' in node) return node.flags.ignoreCase !== ignoreCase
  if (node.kind === 'sequence') return node.parts.some((part) => hasCaseSwitch(part, ignoreCase))
  if (node.kind === 'choice') return node.branches.some((branch) => hasCaseSwitch(branch, ignoreCase))
  return 'body' in node && hasCaseSwitch(node.body, ignoreCase)
}

class Writer {
  /** JavaScript's groups so far: Python's and those that stand for atomic groups */
  count: number
  readonly numbers: number[] = []
  /** does the whole expression ignore case by JavaScript's own flag? */
  readonly ignoreCase: boolean

  constructor(ignoreCase: boolean, count: number) {
    this.ignoreCase = ignoreCase
    this.count = count
  }

  node(node: RegexNode): string {
    switch (node.kind) {
      case 'char':
        return this.char(node.code, node.flags)
      case 'any':
        return node.flags.dotAll ? '[\\s\\S]' : '[^\\n]'
      case 'class':
        return `[${classBody(node.name, node.flags)}]`
      case 'set':
        return this.set(node.items, node.negated, node.flags)
      case 'anchor':
        return anchor(node.at, node.flags)
      case 'sequence':
        return node.parts.map((part) => (part.kind === 'choice' ? `(?:${this.node(part)})` : this.node(part))).join('')
      case 'choice':
        return node.branches.map((branch) => this.node(branch)).join('|')
      case 'group':
        this.numbers[node.number - 1] = ++this.count
        return `(${this.node(node.body)})`
      case 'atomic':
        return this.atomic(node.body)
      case 'look':
        return `(?${node.behind ? '<' : ''}${node.negated ? '!' : '='}${this.node(node.body)})`
      case 'reference':
        return `(?:\\${this.numbers[node.number - 1]!})`
      case 'repeat':
        return this.repeat(node)
    }
  }

  repeat(node: Extract<RegexNode, { kind: 'repeat' }>): string {
    if (node.how === 'possessive') return this.atomic({ ...node, how: 'greedy' })
    const inner = this.node(node.body)
    const simple =
      node.body.kind === 'char' ||
      node.body.kind === 'any' ||
      node.body.kind === 'class' ||
      node.body.kind === 'set' ||
      node.body.kind === 'group'
    return `${simple ? inner : `(?:${inner})`}${bounds(node.min, node.max)}${node.how === 'lazy' ? '?' : ''}`
  }

  /** JavaScript has no atomic groups; a lookahead never gives back, and the reference takes what it saw. */
  atomic(body: RegexNode): string {
    const number = ++this.count
    return `(?=(${this.node(body)}))\\${number}(?:)`
  }

  char(code: number, flags: Flags): string {
    const cases = this.ignoreCase || !flags.ignoreCase ? [code] : casesOf(code)
    return cases.length === 1 ? escapeCode(code) : `[${cases.map(escapeCode).join('')}]`
  }

  set(items: readonly SetItem[], negated: boolean, flags: Flags): string {
    const body = items.map((item) => ('name' in item ? classInSet(item.name, flags) : this.range(item.low, item.high, flags))).join('')
    return `[${negated ? '^' : ''}${body}]`
  }

  range(low: number, high: number, flags: Flags): string {
    const written = low === high ? escapeCode(low) : `${escapeCode(low)}-${escapeCode(high)}`
    if (this.ignoreCase || !flags.ignoreCase || high - low > CASE_RANGE) return written
    const others: string[] = []
    for (let code = low; code <= high; code++) others.push(...casesOf(code).slice(1).map(escapeCode))
    return written + others.join('')
  }
}

function bounds(min: number, max: number): string {
  if (min === 0 && max === Number.POSITIVE_INFINITY) return '*'
  if (min === 1 && max === Number.POSITIVE_INFINITY) return '+'
  if (min === 0 && max === 1) return '?'
  if (max === Number.POSITIVE_INFINITY) return `{${min},}`
  return min === max ? `{${min}}` : `{${min},${max}}`
}

/** The code point and its other cases, of one code point each. */
function casesOf(code: number): number[] {
  const char = String.fromCodePoint(code)
  const others = [char.toLowerCase(), char.toUpperCase()].filter((other) => other !== char && [...other].length === 1)
  return [code, ...others.map((other) => other.codePointAt(0)!)]
}

function escapeCode(code: number): string {
  if ((code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95)
    return String.fromCharCode(code)
  return `\\u{${code.toString(16)}}`
}

function classBody(name: ClassName, flags: Flags): string {
  const lower = name.toLowerCase() as 'd' | 's' | 'w'
  const body = (flags.ascii ? ASCII : UNICODE)[lower]
  return name === lower ? body : `^${body}`
}

/** A class among other members of a set; a negated one is told by its complement. */
function classInSet(name: ClassName, flags: Flags): string {
  return (flags.ascii ? ASCII_IN_SET : UNICODE_IN_SET)[name]
}

const UNICODE_IN_SET: Readonly<Record<ClassName, string>> = {
  d: UNICODE.d,
  s: UNICODE.s,
  w: UNICODE.w,
  D: '\\P{Nd}',
  S: '\\0-\\x08\\x0e-\\x1b\\x21-\\x84\\x86-\\x9f\\xa1-\\u167f\\u1681-\\u1fff\\u200b-\\u2027\\u202a-\\u202e\\u2030-\\u205e\\u2060-\\u2fff\\u3001-\\u{10ffff}',
  W: '\\p{M}\\p{S}\\p{Z}\\p{C}\\p{Pd}\\p{Ps}\\p{Pe}\\p{Pi}\\p{Pf}\\p{Po}\\u203f\\u2040\\u2054\\ufe33\\ufe34\\ufe4d-\\ufe4f\\uff3f',
}
const ASCII_IN_SET: Readonly<Record<ClassName, string>> = {
  d: ASCII.d,
  s: ASCII.s,
  w: ASCII.w,
  D: '\\0-\\x2f\\x3a-\\u{10ffff}',
  S: '\\0-\\x08\\x0e-\\x1f\\x21-\\u{10ffff}',
  W: '\\0-\\x2f\\x3a-\\x40\\x5b-\\x5e\\x60\\x7b-\\u{10ffff}',
}

function anchor(at: '^' | '$' | 'A' | 'Z' | 'b' | 'B', flags: Flags): string {
  if (at === 'A') return '^'
  if (at === 'Z') return '$'
  if (at === '^') return flags.multiline ? '(?:^|(?<=\\n))' : '^'
  if (at === '$') return flags.multiline ? '(?=\\n|$)' : '(?=\\n?$)'
  const word = `[${(flags.ascii ? ASCII : UNICODE).w}]`
  return at === 'b'
    ? `(?:(?<=${word})(?!${word})|(?<!${word})(?=${word}))`
    : `(?:(?<=${word})(?=${word})|(?<!${word})(?!${word})(?:(?=[\\s\\S])|(?<=[\\s\\S])))`
}
