/** Jinja2's filters on text. */
import { LazyDict, Tuple, type Value } from '../../base/index.ts'
import {
  characters,
  eager,
  escapedText,
  escapeHtml,
  isUndefined,
  iterable,
  lengthOf,
  Markup,
  modulo,
  PyError,
  str,
  textLength,
  toNumber,
  truth,
  typeError,
  typeName,
} from '../python/index.ts'
import { compileRegex } from '../regex/regex.ts'
import type { FilterFunction } from '../registry.ts'
import { type FilterTable, filter, method, plain } from './define.ts'
import { stripTags } from './html.ts'
import { prettyFormat } from './pprint.ts'
import { urlize } from './urlize.ts'
import { wrapText } from './wrap.ts'

const asMarkup = plain('escape', (value) => (value instanceof Markup ? value : new Markup(escapeHtml(str(value)))))

export const JINJA_TEXT: FilterTable = {
  capitalize: plain('do_capitalize', (value) => method(str(value), 'capitalize')),
  center: filter('do_center', [['width', 80]], (value, [width]) => method(str(value), 'center', width)),
  e: asMarkup,
  escape: asMarkup,
  forceescape: plain('do_forceescape', (value) => new Markup(escapeHtml(str(value)))),
  format: formatText(),
  indent: filter(
    'do_indent',
    [
      ['width', 4],
      ['first', false],
      ['blank', false],
    ],
    (value, [width, first, blank]) => indent(value, width, truth(first), truth(blank)),
  ),
  lower: plain('do_lower', (value) => method(str(value), 'lower')),
  pprint: plain('do_pprint', (value) => prettyFormat(value)),
  replace: filter(
    'do_replace',
    ['old', 'new', ['count', null]],
    (value, [old, next, count]) => method(str(value), 'replace', str(old), str(next), count === null ? -1 : count),
    { leading: 2 },
  ),
  safe: plain('do_mark_safe', (value) => new Markup(str(value))),
  string: plain('soft_str', (value) => str(value)),
  striptags: plain('do_striptags', (value) => stripTags(str(value))),
  title: plain('do_title', (value) => title(str(value))),
  trim: filter('do_trim', [['chars', null]], (value, [chars]) => method(str(value), 'strip', chars)),
  truncate: filter(
    'do_truncate',
    [
      ['length', 255],
      ['killwords', false],
      ['end', '...'],
      ['leeway', null],
    ],
    (value, [length, killwords, end, leeway]) =>
      truncate(value, number(length), truth(killwords), str(end), leeway === null ? 5 : number(leeway)),
    { leading: 2 },
  ),
  upper: plain('do_upper', (value) => method(str(value), 'upper')),
  urlencode: plain('do_urlencode', urlencode),
  urlize: filter(
    'do_urlize',
    [
      ['trim_url_limit', null],
      ['nofollow', false],
      ['target', null],
      ['rel', null],
      ['extra_schemes', null],
    ],
    (value, [limit, nofollow, target, rel]) => urlize(str(value), { limit, nofollow: truth(nofollow), target, rel }),
    { leading: 2 },
  ),
  wordcount: plain('do_wordcount', (value) => [...compileRegex('\\w+').all(str(value))].length),
  wordwrap: filter(
    'do_wordwrap',
    [
      ['width', 79],
      ['break_long_words', true],
      ['wrapstring', null],
      ['break_on_hyphens', true],
    ],
    (value, [width, long, wrapstring, hyphens]) => {
      const glue = wrapstring === null || !truth(wrapstring) ? '\n' : str(wrapstring)
      const lines = method(value, 'splitlines') as string[]
      return lines
        .map((line) => wrapText(line, { width: number(width), breakLongWords: truth(long), breakOnHyphens: truth(hyphens) }).join(glue))
        .join(glue)
    },
    { leading: 2 },
  ),
  xmlattr: filter('do_xmlattr', [['autospace', true]], (value, [autospace]) => xmlAttributes(value, truth(autospace)), { leading: 2 }),
}

/** `'%s %s' | format(a, b)` or `'%(a)s' | format(a=1)` */
function formatText(): FilterFunction {
  return (_, value, args, kwargs) => {
    if (args.length > 0 && kwargs.size > 0) {
      throw new PyError('TemplateRuntimeError', "can't handle positional and keyword arguments at the same time")
    }
    return modulo(str(value), kwargs.size > 0 ? new Map<Value, Value>(kwargs) : new Tuple(args))
  }
}

function number(value: Value): number {
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return toNumber(value)
  throw typeError(`'${typeName(value)}' object cannot be interpreted as an integer`)
}

function indent(value: Value, width: Value, first: boolean, blank: boolean): string {
  if (isUndefined(value)) value.raise()
  if (typeof value !== 'string') throw typeError(`unsupported operand type(s) for +=: '${typeName(value)}' and 'str'`)
  const indention = typeof width === 'string' ? width : ' '.repeat(Math.max(0, number(width)))
  const lines = method(`${value}\n`, 'splitlines') as string[]
  const rest = lines.slice(1).map((line) => (blank || line !== '' ? indention + line : line))
  return (first ? indention : '') + [lines[0] ?? '', ...rest].join('\n')
}

function title(text: string): string {
  return text
    .split(/([-\s({[<]+)/)
    .filter((item) => item !== '')
    .map((item) => {
      const chars = characters(item)
      return chars[0]!.toUpperCase() + chars.slice(1).join('').toLowerCase()
    })
    .join('')
}

function truncate(value: Value, length: number, killwords: boolean, end: string, leeway: number): Value {
  const endLength = textLength(end)
  if (length < endLength) throw new PyError('AssertionError', `expected length >= ${endLength}, got ${length}`)
  if (leeway < 0) throw new PyError('AssertionError', `expected leeway >= 0, got ${leeway}`)
  const size = lengthOf(value)
  if (size === undefined) throw typeError(`object of type '${typeName(value)}' has no len()`)
  if (size <= length + leeway) return value
  const text = str(value)
  const kept = characters(text)
    .slice(0, length - endLength)
    .join('')
  const blank = kept.lastIndexOf(' ')
  return (killwords || blank === -1 ? kept : kept.slice(0, blank)) + end
}

/** Percent-encodes a text, or the pairs of a dict or a list as a query. */
function urlencode(value: Value): string {
  if (typeof value === 'string' || iterable(value) === undefined) return quoteUrl(str(value), '/')
  const pairs = value instanceof Map ? [...value] : value instanceof LazyDict ? [...eager(value)] : [...iterable(value)!].map(pairOf)
  return pairs.map(([key, item]) => `${quoteQuery(str(key!))}=${quoteQuery(str(item!))}`).join('&')
}

function pairOf(item: Value): Value[] {
  const parts = [...(iterable(item) ?? [])]
  if (parts.length !== 2)
    throw new PyError(
      'ValueError',
      `${parts.length < 2 ? 'not enough' : 'too many'} values to unpack (expected 2${parts.length < 2 ? `, got ${parts.length}` : ''})`,
    )
  return parts
}

/** urllib's quote(): everything but letters, digits, `_.-~` and the safe characters. */
export function quoteUrl(text: string, safe: string): string {
  let out = ''
  for (const byte of Buffer.from(text)) {
    const char = String.fromCharCode(byte)
    out += /[A-Za-z0-9_.~-]/.test(char) || safe.includes(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }
  return out
}

const quoteQuery = (text: string): string => quoteUrl(text, '').replaceAll('%20', '+')

function xmlAttributes(value: Value, autospace: boolean): string {
  if (!(value instanceof Map)) throw typeError(`'${typeName(value)}' object has no attribute 'items'`)
  const parts: string[] = []
  for (const [key, item] of value) if (item !== null && !isUndefined(item)) parts.push(`${escapedText(key)}="${escapedText(item)}"`)
  const text = parts.join(' ')
  return autospace && text !== '' ? ` ${text}` : text
}
