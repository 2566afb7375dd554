/** A play or task and one of its keywords → where the keyword's value stands, as far as its text shows. */
import { type Span, span } from '../base/index.ts'

/** The value's line, or the word in or below it; the whole where the keyword is not found. */
export function placeOfKeyword(whole: Span, keyword: string, word?: string): Span {
  const { source, start, end } = whole
  const text = source.text.slice(start, end)
  const found = new RegExp(`(?:^|[\\s{,])(?:- +)?${keyword}[ \\t]*:[ \\t]*`, 'm').exec(text)
  if (!found) return whole
  const from = found.index + found[0].length
  const at = word === undefined || word === '' ? -1 : text.indexOf(word, from)
  if (at >= 0) return span(source, start + at, start + at + word!.length)
  const value = /^[^\n#]*/.exec(text.slice(from))![0].trimEnd()
  return value === '' ? whole : span(source, start + from, start + from + value.length)
}
