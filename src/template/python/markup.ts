/** markupsafe's Markup: text that counts as HTML; what is put to it is escaped first. */
import { Tuple, type Value } from '../../base/index.ts'
import { PyObject } from './object.ts'
import { repr } from './text.ts'

export class Markup extends PyObject {
  readonly typeName = 'Markup'
  override readonly module = 'markupsafe'
  constructor(readonly text: string) {
    super()
  }
  override truth(): boolean {
    return this.text !== ''
  }
  override str(): string {
    return this.text
  }
  override repr(): string {
    return `Markup(${repr(this.text)})`
  }
  override json(): string {
    return this.text
  }
  override equals(other: Value): boolean {
    return plainOf(other) === this.text
  }
}

/** A Markup as the text it is; any other value as it is. */
export const plainOf = (value: Value): Value => (value instanceof Markup ? value.text : value)

/** The same, in lists, tuples and dicts too; what holds none is handed on as it is. */
export function plainDeep(value: Value): Value {
  if (!holdsMarkup(value)) return value
  if (Array.isArray(value)) return value.map(plainDeep)
  if (value instanceof Tuple) return new Tuple(value.items.map(plainDeep))
  if (value instanceof Map) return new Map([...value].map(([key, item]) => [plainOf(key), plainDeep(item)]))
  return plainOf(value)
}

function holdsMarkup(value: Value): boolean {
  if (value === null || typeof value !== 'object') return false
  if (Array.isArray(value)) return value.some(holdsMarkup)
  if (value instanceof Tuple) return value.items.some(holdsMarkup)
  if (!(value instanceof Map)) return value instanceof Markup
  for (const [key, item] of value) if (key instanceof Markup || holdsMarkup(item)) return true
  return false
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', "'": '&#39;', '"': '&#34;' }

export const escapeHtml = (text: string): string => text.replace(/[&<>'"]/g, (char) => ESCAPES[char]!)
