/** comment: text → the same as a comment of some language. */
import type { Value } from '../../base/index.ts'
import { asIndex, PyError, repr, str, typeName } from '../python/index.ts'
import type { FilterFunction } from '../registry.ts'

const STYLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  plain: { decoration: '# ' },
  erlang: { decoration: '% ' },
  c: { decoration: '// ' },
  cblock: { beginning: '/*', decoration: ' * ', end: ' */' },
  xml: { beginning: '<!--', decoration: ' - ', end: '-->' },
}

export const comment: FilterFunction = (_, value, args, kwargs) => {
  const given = new Map(kwargs)
  const styleName = args[0] ?? given.get('style') ?? 'plain'
  given.delete('style')
  if (typeof value !== 'string') throw new PyError('AttributeError', `'${typeName(value)}' object has no attribute 'replace'`)
  const style = typeof styleName === 'string' && Object.hasOwn(STYLES, styleName) ? STYLES[styleName] : undefined
  if (!style) throw new PyError('KeyError', repr(styleName))
  return decorate(value, style, given)
}

function decorate(text: string, style: Readonly<Record<string, string>>, given: ReadonlyMap<string, Value>): string {
  const option = (name: string, fallback: string): string => (given.has(name) ? str(given.get(name)!) : (style[name] ?? fallback))
  const count = (name: string): number => (given.has(name) ? (asIndex(given.get(name)!) ?? Number(str(given.get(name)!))) : 1)
  const edge = (given.has('decoration') ? str(given.get('decoration')!) : style['decoration']!).trimEnd()
  const newline = option('newline', '\n')
  const decoration = option('decoration', '')
  const prefix = option('prefix', edge)
  const postfix = option('postfix', edge)
  const beginning = option('beginning', '')
  const end = option('end', '')
  const head = prefix === '' ? '' : (prefix === newline ? newline : prefix + newline).repeat(Math.max(0, count('prefix_count')))
  const body = (decoration + text.replaceAll(newline, newline + decoration)).replaceAll(
    decoration + newline,
    decoration.trimEnd() + newline,
  )
  const tail = (newline + postfix).repeat(Math.max(0, count('postfix_count')))
  return (beginning === '' ? '' : beginning + newline) + head + body + tail + (end === '' ? '' : newline + end)
}
