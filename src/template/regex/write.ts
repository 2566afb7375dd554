/** The parts of a plain Python regular expression → JavaScript's spelling of the same, for the `u` flag. */
import { FOREIGN_CAPITALS } from './cases.ts'
import { type CharacterTest, characterTest } from './characters.ts'
import { type AnchorName, type CharacterNode, type ClassName, childrenOf, type Flags, type NodeOf, type RegexNode } from './node.ts'

const UNICODE: Readonly<Record<'d' | 's' | 'w', string>> = {
  d: '\\p{Nd}',
  s: '\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000',
  w: '\\p{L}\\p{N}_',
}
const ASCII: Readonly<Record<'d' | 's' | 'w', string>> = { d: '0-9', s: '\\t-\\r\\x20', w: 'A-Za-z0-9_' }

export function writeRegex(node: RegexNode): string {
  switch (node.kind) {
    case 'char':
      return node.flags.ignoreCase ? `[${caseless(node)}]` : escapeCode(node.code)
    case 'any':
      return node.flags.dotAll ? '[\\s\\S]' : '[^\\n]'
    case 'class':
      return `[${classBody(node.name, node.flags)}]`
    case 'set':
      return `[${node.negated ? '^' : ''}${node.flags.ignoreCase ? caselessSet(node) : setBody(node)}]`
    case 'anchor':
      return anchor(node.at, node.flags)
    case 'choice':
      return `(?:${node.branches.map(writeRegex).join('|')})`
    case 'group':
      return `(${writeRegex(node.body)})`
    case 'look':
      return `(?${node.behind ? '<' : ''}${node.negated ? '!' : '='}${writeRegex(node.body)})`
    case 'repeat':
      return repeat(node)
    default:
      return childrenOf(node).map(writeRegex).join('')
  }
}

function repeat({ body, min, max, how }: NodeOf<'repeat'>): string {
  return `(?:${writeRegex(body)})${bounds(min, max)}${how === 'lazy' ? '?' : ''}`
}

function bounds(min: number, max: number): string {
  if (min === 0 && max === Number.POSITIVE_INFINITY) return '*'
  if (min === 1 && max === Number.POSITIVE_INFINITY) return '+'
  if (min === 0 && max === 1) return '?'
  if (max === Number.POSITIVE_INFINITY) return `{${min},}`
  return min === max ? `{${min}}` : `{${min},${max}}`
}

/** Members of a set of ASCII characters in both cases, and the classes among them. */
function caselessSet(node: NodeOf<'set'>): string {
  const classes = node.items.flatMap((item) => ('name' in item ? [classInSet(item.name, node.flags)] : []))
  const others = node.items.filter((item) => !('name' in item))
  return (others.length > 0 ? caseless({ ...node, negated: false, items: others }) : '') + classes.join('')
}

function caseless(node: CharacterNode): string {
  const test: CharacterTest = characterTest(node)
  const codes = [...Array(128).keys(), ...FOREIGN_CAPITALS]
  return codes.filter(test).map(escapeCode).join('')
}

function setBody({ items, flags }: NodeOf<'set'>): string {
  return items
    .map((item) => {
      if ('name' in item) return classInSet(item.name, flags)
      return item.low === item.high ? escapeCode(item.low) : `${escapeCode(item.low)}-${escapeCode(item.high)}`
    })
    .join('')
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

function anchor(at: AnchorName, flags: Flags): string {
  if (at === 'A') return '^'
  if (at === 'Z') return '$'
  if (at === '^') return flags.multiline ? '(?:^|(?<=\\n))' : '^'
  if (at === '$') return flags.multiline ? '(?=\\n|$)' : '(?=\\n?$)'
  const word = `[${(flags.ascii ? ASCII : UNICODE).w}]`
  return at === 'b'
    ? `(?:(?<=${word})(?!${word})|(?<!${word})(?=${word}))`
    : `(?:(?<=${word})(?=${word})|(?<!${word})(?!${word})(?:(?=[\\s\\S])|(?<=[\\s\\S])))`
}
