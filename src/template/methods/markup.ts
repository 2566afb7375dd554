/** The methods of Markup: those of str, with arguments escaped and results that are Markup again where markupsafe has it so. */
import { Tuple, type Value } from '../../base/index.ts'
import { stripTags, unescapeHtml } from '../filters/html.ts'
import { formatText } from '../python/format.ts'
import { escapedText, escapeHtml, iterate, type Kwargs, Markup, plainOf, valueError } from '../python/index.ts'
import { formatValue } from '../python/spec.ts'
import { type Method, type Methods, positional } from './method.ts'
import { fieldsOf, STR_METHODS } from './str.ts'

/** Their arguments are escaped, and what comes out is Markup. */
const ESCAPING =
  'capitalize title lower upper replace ljust rjust lstrip rstrip center strip translate expandtabs swapcase zfill partition rpartition'.split(
    ' ',
  )
/** What comes out is Markup; arguments stay as they are. */
const KEEPING = 'split rsplit splitlines'.split(' ')

type MarkupMethod = Method<Markup>

const ofText =
  (method: Method<string>): MarkupMethod =>
  (self, args, kwargs) =>
    method(self.text, args.map(plainOf), plainKwargs(kwargs))

const keeping =
  (method: MarkupMethod): MarkupMethod =>
  (self, args, kwargs) =>
    asMarkup(method(self, args, kwargs))

const escaping =
  (method: MarkupMethod): MarkupMethod =>
  (self, args, kwargs) =>
    method(self, args.map(escaped), new Map([...kwargs].map(([name, value]) => [name, escaped(value)])))

const escaped = (value: Value): Value => (typeof value === 'string' ? escapeHtml(value) : value)
const plainKwargs = (kwargs: Kwargs): Kwargs =>
  kwargs.size === 0 ? kwargs : new Map([...kwargs].map(([name, value]) => [name, plainOf(value)]))

function asMarkup(value: Value): Value {
  if (typeof value === 'string') return new Markup(value)
  if (Array.isArray(value)) return value.map(asMarkup)
  return value instanceof Tuple ? new Tuple(value.items.map(asMarkup)) : value
}

const taken = (names: readonly string[], turn: (method: MarkupMethod) => MarkupMethod): [string, MarkupMethod][] =>
  names.map((name) => [name, turn(ofText(STR_METHODS.get(name)!))])

export const MARKUP_METHODS: Methods<Markup> = new Map<string, MarkupMethod>([
  ...[...STR_METHODS].map(([name, method]): [string, MarkupMethod] => [name, ofText(method)]),
  ...taken(KEEPING, keeping),
  ...taken(ESCAPING, (method) => keeping(escaping(method))),
  ['__html__', positional('__html__', 0, 0, (self) => self)],
  ['escape', positional('escape', 1, 1, (_, [value]) => new Markup(escapedText(value!)))],
  ['format', (self, args, kwargs) => new Markup(formatted(self, args, kwargs))],
  ['join', positional('join', 1, 1, (self, [items]) => new Markup(Array.from(iterate(items!), escapedText).join(self.text)))],
  ['striptags', positional('striptags', 0, 0, (self) => stripTags(self.text))],
  ['unescape', positional('unescape', 0, 0, (self) => unescapeHtml(self.text))],
])

function formatted({ text }: Markup, args: readonly Value[], kwargs: Kwargs): string {
  return formatText(text, {
    ...fieldsOf(args, (name) => kwargs.get(name)),
    format(value, spec) {
      if (!(value instanceof Markup)) return escapeHtml(formatValue(value, spec))
      if (spec !== '') throw valueError('Unsupported format specification for Markup.')
      return value.text
    },
  })
}
