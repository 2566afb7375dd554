/** The methods of str. */
import { Float, LazyDict, Tuple, type Value } from '../../base/index.ts'
import { bind, signature } from '../arguments.ts'
import { type FieldSource, firstArgument, formatText } from '../python/format.ts'
import {
  characters,
  dictSet,
  indexOf,
  isInteger,
  iterate,
  PyError,
  plainOf,
  repr,
  str,
  subscript,
  textLength,
  typeError,
  typeName,
  valueError,
} from '../python/index.ts'
import { encode } from './encoding.ts'
import { integerArgument, type Method, type Methods, positional, range } from './method.ts'
import { NUMBER_ATTRIBUTES } from './scalars.ts'

type StrMethod = Method<string>

const test = (name: string, claim: (text: string) => boolean): [string, StrMethod] => [
  name,
  positional(`str.${name}`, 0, 0, (self) => claim(self)),
]
const change = (name: string, turn: (text: string) => string): [string, StrMethod] => [
  name,
  positional(`str.${name}`, 0, 0, (self) => turn(self)),
]

export const STR_METHODS: Methods<string> = new Map<string, StrMethod>([
  change('lower', (s) => s.toLowerCase()),
  change('upper', (s) => s.toUpperCase()),
  change('casefold', (s) => s.toLowerCase().replaceAll('ß', 'ss').replaceAll('ς', 'σ')),
  change('capitalize', (s) => {
    const [first = '', ...rest] = characters(s)
    return titleCase(first) + rest.join('').toLowerCase()
  }),
  change('title', (s) =>
    s.replace(/(\p{L}|\p{M})+/gu, (word) => titleCase(characters(word)[0]!) + characters(word).slice(1).join('').toLowerCase()),
  ),
  change('swapcase', (s) =>
    characters(s)
      .map((c) => (c === c.toUpperCase() ? c.toLowerCase() : c.toUpperCase()))
      .join(''),
  ),
  test('isalnum', (s) => /^[\p{L}\p{N}]+$/u.test(s)),
  test('isalpha', (s) => /^\p{L}+$/u.test(s)),
  test('isascii', (s) => /^[\x00-\x7f]*$/.test(s)),
  test('isdecimal', (s) => /^\p{Nd}+$/u.test(s)),
  test('isdigit', (s) => /^[\p{Nd}²³¹⁰⁴-⁹₀-₉①-⑨⑴-⑼⒈-⒐]+$/u.test(s)),
  test('isnumeric', (s) => /^\p{N}+$/u.test(s)),
  test('isidentifier', (s) => /^[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}_]*$/u.test(s)),
  test('islower', (s) => s !== s.toUpperCase() && s === s.toLowerCase()),
  test('isupper', (s) => s !== s.toLowerCase() && s === s.toUpperCase()),
  test('isspace', (s) => /^[\s\x1c-\x1f\x85]+$/.test(s) && !s.includes('\ufeff')),
  test('isprintable', (s) => !repr(s.replaceAll('\\', '').replaceAll("'", '')).includes('\\')),
  test('istitle', (s) => /\p{L}/u.test(s) && s === titled(s)),
  ['strip', stripping('strip', true, true)],
  ['lstrip', stripping('lstrip', true, false)],
  ['rstrip', stripping('rstrip', false, true)],
  ['split', splitting('split', splitFromLeft)],
  ['rsplit', splitting('rsplit', splitFromRight)],
  ['splitlines', splitlines],
  ['partition', positional('partition', 1, 1, (self, [sep]) => partition(self, separator(sep!), self.indexOf(str(sep!)), [self, '', '']))],
  [
    'rpartition',
    positional('rpartition', 1, 1, (self, [sep]) => partition(self, separator(sep!), self.lastIndexOf(str(sep!)), ['', '', self])),
  ],
  ['join', positional('join', 1, 1, (self, [items]) => joined(self, items!))],
  ['replace', replace],
  [
    'removeprefix',
    positional('removeprefix', 1, 1, (self, [p]) => (self.startsWith(text(p!, 'removeprefix')) ? self.slice(str(p!).length) : self)),
  ],
  [
    'removesuffix',
    positional('removesuffix', 1, 1, (self, [p]) =>
      text(p!, 'removesuffix') !== '' && self.endsWith(str(p!)) ? self.slice(0, -str(p!).length) : self,
    ),
  ],
  ['startswith', affix('startswith', (self, part) => self.startsWith(part))],
  ['endswith', affix('endswith', (self, part) => self.endsWith(part))],
  ['find', seeking('find', (self, part) => self.indexOf(part), false)],
  ['rfind', seeking('rfind', (self, part) => self.lastIndexOf(part), false)],
  ['index', seeking('index', (self, part) => self.indexOf(part), true)],
  ['rindex', seeking('rindex', (self, part) => self.lastIndexOf(part), true)],
  ['count', atLeastOne('count', (self, [part, ...bounds]) => count(between(self, bounds), text(part!, 'count')))],
  ['center', padding('center', (missing, width) => Math.floor(missing / 2) + (missing & width & 1))],
  ['ljust', padding('ljust', () => 0)],
  ['rjust', padding('rjust', (missing) => missing)],
  ['zfill', positional('zfill', 1, 1, (self, [width]) => zfill(self, integerArgument(width, 0)))],
  ['expandtabs', expandtabs],
  ['format', (self, args, kwargs) => format(self, args, (name) => kwargs.get(name))],
  ['format_map', positional('format_map', 1, 1, (self, [map]) => format(self, [], (name) => subscript(map!, name)))],
  ['encode', encodeMethod],
  ['translate', positional('translate', 1, 1, (self, [table]) => translate(self, table!))],
  ['maketrans', positional('maketrans', 1, 3, (_, args) => maketrans(args))],
  ['__len__', positional('__len__', 0, 0, (self) => textLength(self))],
  ['__contains__', positional('__contains__', 1, 1, (self, [part]) => self.includes(text(part!, '__contains__')))],
])

const titleCase = (char: string): string => (char === 'ß' ? 'Ss' : char.toUpperCase())
const titled = (s: string): string =>
  s.replace(/\p{L}+/gu, (word) => titleCase(characters(word)[0]!) + characters(word).slice(1).join('').toLowerCase())

function text(value: Value, method: string): string {
  if (typeof value !== 'string') throw typeError(`${method}() argument must be str, not ${typeName(value)}`)
  return value
}

const SPACE = '[\\s\\x1c-\\x1f\\x85]'
const LEADING = new RegExp(`^${SPACE}+`)
const TRAILING = new RegExp(`${SPACE}+$`)

function stripping(name: string, left: boolean, right: boolean): StrMethod {
  return positional(name, 0, 1, (self, [chars]) => {
    if (chars === undefined || chars === null) {
      const start = left ? self.replace(LEADING, '') : self
      return right ? trimEnd(start) : start
    }
    if (typeof chars !== 'string') throw typeError(`${name} arg must be None or str`)
    return strip(self, chars, left, right)
  })
}

/** Without the trailing blanks; a regular expression would look at every run of blanks within. */
function trimEnd(text: string): string {
  let end = text.length
  while (end > 0 && TRAILING.test(text[end - 1]!)) end--
  return text.slice(0, end)
}

function strip(self: string, chars: string, left: boolean, right: boolean): string {
  const set = new Set(characters(chars))
  const all = characters(self)
  let start = 0
  let end = all.length
  if (left) while (start < end && set.has(all[start]!)) start++
  if (right) while (end > start && set.has(all[end - 1]!)) end--
  return all.slice(start, end).join('')
}

type Splitter = (text: string, separator: string | null, most: number) => string[]
const SPLIT = {
  split: signature(
    'split',
    [
      ['sep', null],
      ['maxsplit', -1],
    ],
    { leading: 0 },
  ),
  rsplit: signature(
    'rsplit',
    [
      ['sep', null],
      ['maxsplit', -1],
    ],
    { leading: 0 },
  ),
}

function splitting(name: 'split' | 'rsplit', split: Splitter): StrMethod {
  return (self, args, kwargs) => {
    const [sep, maxsplit] = bind(SPLIT[name], args, kwargs) as [Value, Value]
    if (sep !== null && typeof sep !== 'string') throw typeError(`must be str or None, not ${typeName(sep)}`)
    if (sep === '') throw valueError('empty separator')
    const most = integerArgument(maxsplit, -1)
    return split(self, sep, most < 0 ? Number.POSITIVE_INFINITY : most)
  }
}

const BLANKS = /[\s\x1c-\x1f\x85]+/

function splitFromLeft(text: string, separator: string | null, most: number): string[] {
  if (separator !== null) {
    const parts = text.split(separator)
    return parts.length - 1 <= most ? parts : [...parts.slice(0, most), parts.slice(most).join(separator)]
  }
  const parts: string[] = []
  let rest = text.replace(LEADING, '')
  while (rest !== '' && parts.length < most) {
    const gap = BLANKS.exec(rest)
    if (!gap) break
    parts.push(rest.slice(0, gap.index))
    rest = rest.slice(gap.index + gap[0].length)
  }
  if (rest !== '') parts.push(parts.length < most || most === 0 ? (most === 0 ? rest : trimEnd(rest)) : rest)
  return most === 0 || parts.length <= most ? parts : parts.map((part, i) => (i === parts.length - 1 ? part : part))
}

function splitFromRight(text: string, separator: string | null, most: number): string[] {
  if (separator !== null) {
    const parts = text.split(separator)
    const cut = parts.length - most
    return cut <= 1 ? parts : [parts.slice(0, cut).join(separator), ...parts.slice(cut)]
  }
  const parts: string[] = []
  let rest = trimEnd(text)
  while (rest !== '' && parts.length < most) {
    const word = /[^\s\x1c-\x1f\x85]+$/.exec(rest)!
    parts.unshift(word[0])
    rest = trimEnd(rest.slice(0, word.index))
  }
  if (rest !== '') parts.unshift(rest)
  return parts
}

const SPLITLINES = signature('splitlines', [['keepends', false]], { leading: 0 })

function splitlines(self: string, args: Value[], kwargs: ReadonlyMap<string, Value>): Value {
  const [keep] = bind(SPLITLINES, args, kwargs)
  const parts =
    self.match(
      /[^\n\r\v\f\x1c-\x1e\x85\u2028\u2029]*(?:\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029])|[^\n\r\v\f\x1c-\x1e\x85\u2028\u2029]+$/g,
    ) ?? []
  return keep ? [...parts] : parts.map((line) => line.replace(/(?:\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029])$/, ''))
}

function separator(value: Value): string {
  if (typeof value !== 'string') throw typeError(`must be str, not ${typeName(value)}`)
  if (value === '') throw valueError('empty separator')
  return value
}

function partition(self: string, sep: string, at: number, missing: [string, string, string]): Tuple {
  return new Tuple(at === -1 ? missing : [self.slice(0, at), sep, self.slice(at + sep.length)])
}

function joined(self: string, items: Value): string {
  const parts: string[] = []
  for (const given of iterate(items)) {
    const item = plainOf(given)
    if (typeof item !== 'string') throw typeError(`sequence item ${parts.length}: expected str instance, ${typeName(item)} found`)
    parts.push(item)
  }
  return parts.join(self)
}

function replace(self: string, args: Value[], kwargs: ReadonlyMap<string, Value>): Value {
  if (kwargs.size > 0) throw typeError('str.replace() takes no keyword arguments')
  if (args.length < 2) throw typeError(`replace expected at least 2 arguments, got ${args.length}`)
  if (args.length > 3) throw typeError(`replace expected at most 3 arguments, got ${args.length}`)
  const [from, to, most] = args as [Value, Value, Value | undefined]
  if (typeof from !== 'string') throw typeError(`replace() argument 1 must be str, not ${typeName(from)}`)
  if (typeof to !== 'string') throw typeError(`replace() argument 2 must be str, not ${typeName(to)}`)
  const limit = integerArgument(most, -1)
  if (limit < 0)
    return from === ''
      ? to +
          characters(self)
            .map((c) => c + to)
            .join('')
      : self.replaceAll(from, () => to)
  const parts = from === '' ? ['', ...characters(self), ''] : self.split(from)
  return parts.reduce((out, part, i) => (i === 0 ? part : out + (i <= limit ? to : from) + part), '')
}

function affix(name: string, matches: (self: string, part: string) => boolean): StrMethod {
  return atLeastOne(name, (self, [part, ...bounds]) => {
    const options = part instanceof Tuple ? part.items : [part!]
    const within = bounds.length > 0 ? between(self, bounds) : self
    return options.some((option) => {
      if (typeof option !== 'string') throw typeError(`${name} first arg must be str or a tuple of str, not ${typeName(option)}`)
      return matches(within, option)
    })
  })
}

/** The part of the text between an optional start and end. */
function between(self: string, bounds: readonly Value[]): string {
  if (bounds.length === 0) return self
  const all = characters(self)
  const { start, end } = range(bounds, all.length)
  return all.slice(start, end).join('')
}

/** find() and its kin count their arguments in other words. */
function atLeastOne(name: string, body: (self: string, args: Value[]) => Value): StrMethod {
  const checked = positional(name, 1, 3, body)
  return (self, args, kwargs) => {
    if (args.length === 0) throw typeError(`${name}() takes at least 1 argument (0 given)`)
    return checked(self, args, kwargs)
  }
}

function seeking(name: string, seek: (self: string, part: string) => number, mustFind: boolean): StrMethod {
  return atLeastOne(name, (self, [part, ...bounds]) => {
    if (typeof part !== 'string') throw typeError(`must be str, not ${typeName(part!)}`)
    const { start, end } = range(bounds, textLength(self))
    const within = between(self, bounds)
    const found = start > textLength(self) || start > end ? -1 : indexOf(within, seek(within, part))
    if (found === -1 && mustFind) throw valueError('substring not found')
    return found === -1 ? -1 : found + start
  })
}

const count = (within: string, part: string): number => (part === '' ? textLength(within) + 1 : within.split(part).length - 1)

function padding(name: string, leftOf: (missing: number, width: number) => number): StrMethod {
  return positional(name, 1, 2, (self, [width, fill]) => {
    const wanted = integerArgument(width, 0)
    const char = fill === undefined ? ' ' : fill
    if (typeof char !== 'string') throw typeError(`The fill character must be a unicode character, not ${typeName(char)}`)
    if (textLength(char) !== 1) throw typeError('The fill character must be exactly one character long')
    const missing = wanted - textLength(self)
    if (missing <= 0) return self
    const left = leftOf(missing, wanted)
    return char.repeat(left) + self + char.repeat(missing - left)
  })
}

function zfill(self: string, width: number): string {
  const missing = width - textLength(self)
  if (missing <= 0) return self
  const sign = /^[+-]/.exec(self)?.[0] ?? ''
  return sign + '0'.repeat(missing) + self.slice(sign.length)
}

const EXPANDTABS = signature('expandtabs', [['tabsize', 8]], { leading: 0 })

function expandtabs(self: string, args: Value[], kwargs: ReadonlyMap<string, Value>): Value {
  const size = integerArgument(bind(EXPANDTABS, args, kwargs)[0], 8)
  let column = 0
  let out = ''
  for (const char of characters(self)) {
    if (char === '\t') {
      const blanks = size > 0 ? size - (column % size) : 0
      out += ' '.repeat(blanks)
      column += blanks
    } else {
      out += char
      column = char === '\n' || char === '\r' ? 0 : column + 1
    }
  }
  return out
}

function format(self: string, args: readonly Value[], named: (name: string) => Value | undefined): string {
  return formatText(self, fieldsOf(args, named))
}

/** Where the fields of a format find what they name. */
export function fieldsOf(args: readonly Value[], named: (name: string) => Value | undefined): FieldSource {
  return {
    first: (key) => firstArgument(args, named, key),
    attribute(value, name) {
      const found = isInteger(value) || value instanceof Float ? NUMBER_ATTRIBUTES.get(name)?.(value) : undefined
      if (found !== undefined && found !== null) return found
      throw new PyError('AttributeError', `'${typeName(value)}' object has no attribute '${name}'`)
    },
    item(value, key) {
      const found = subscript(value, key)
      if (found !== undefined) return found
      if (value instanceof Map || value instanceof LazyDict) throw new PyError('KeyError', repr(key))
      if (typeof key === 'number') throw new PyError('IndexError', `${typeName(value)} index out of range`)
      throw typeError(`${typeName(value)} indices must be integers or slices, not str`)
    },
  }
}

const ENCODE = signature(
  'encode',
  [
    ['encoding', 'utf-8'],
    ['errors', 'strict'],
  ],
  { leading: 0 },
)

function encodeMethod(self: string, args: Value[], kwargs: ReadonlyMap<string, Value>): Value {
  const [encoding, errors] = bind(ENCODE, args, kwargs)
  return encode(self, str(encoding!), str(errors!))
}

function translate(self: string, table: Value): string {
  return characters(self)
    .map((char) => {
      const mapped = subscript(table, char.codePointAt(0)!)
      if (mapped === undefined) return char
      if (mapped === null) return ''
      return typeof mapped === 'number' ? String.fromCodePoint(mapped) : str(mapped)
    })
    .join('')
}

function maketrans([from, to, gone]: Value[]): Value {
  const table = new Map<Value, Value>()
  if (to === undefined) {
    if (!(from instanceof Map)) throw typeError('if you give only one argument to maketrans it must be a dict')
    for (const [key, value] of from) dictSet(table, typeof key === 'string' ? key.codePointAt(0)! : key, value)
    return table
  }
  const source = characters(str(from!))
  const target = characters(str(to))
  if (source.length !== target.length) throw valueError('the first two maketrans arguments must have equal length')
  for (const [i, char] of source.entries()) table.set(char.codePointAt(0)!, target[i]!.codePointAt(0)!)
  for (const char of gone === undefined ? [] : characters(str(gone))) table.set(char.codePointAt(0)!, null)
  return table
}
