/** A value → text as Python's pprint lays it out, 80 columns wide. */
import { Tuple, type Value } from '../../base/index.ts'
import { isPyError, repr, sortValues } from '../python/index.ts'

const WIDTH = 80

export const prettyFormat = (value: Value): string => format(value, 0, 0)

/** Written from column `indent`, with `allowance` characters to come after it. */
function format(value: Value, indent: number, allowance: number): string {
  const whole = sortedRepr(value)
  if (whole.length <= WIDTH - indent - allowance) return whole
  if (value instanceof Map && value.size > 0) return formatDict(value, indent, allowance)
  if (Array.isArray(value) && value.length > 0) return `[${formatItems(value, indent + 1, allowance + 1)}]`
  if (value instanceof Tuple && value.items.length > 0) {
    const end = value.items.length === 1 ? ',)' : ')'
    return `(${formatItems(value.items, indent + 1, allowance + end.length)}${end}`
  }
  return typeof value === 'string' ? formatText(value, indent, allowance) : whole
}

function formatItems(items: readonly Value[], indent: number, allowance: number): string {
  const parts = items.map((item, i) => format(item, indent, i === items.length - 1 ? allowance : 1))
  return parts.join(`,\n${' '.repeat(indent)}`)
}

function formatDict(dict: Map<Value, Value>, indent: number, allowance: number): string {
  const entries = sortedEntries(dict)
  const parts = entries.map(([key, item], i) => {
    const name = repr(key)
    return `${name}: ${format(item, indent + 1 + name.length + 2, i === entries.length - 1 ? allowance + 1 : 1)}`
  })
  return `{${parts.join(`,\n${' '.repeat(indent + 1)}`)}}`
}

/** Long texts are split at blanks into several literals. */
function formatText(text: string, indent: number, allowance: number): string {
  const lines = text.match(/[^\n]*\n|[^\n]+/g) ?? []
  const chunks: string[] = []
  const outer = indent === 0 ? 1 : 0
  const from = indent + outer
  lines.forEach((line, i) => {
    const last = i === lines.length - 1
    const room = WIDTH - from - (last ? allowance + outer : 0)
    if (repr(line).length <= room) {
      chunks.push(repr(line))
      return
    }
    let current = ''
    for (const part of line.match(/\S*\s*/g)!.filter((p) => p !== '')) {
      if (current !== '' && repr(current + part).length > WIDTH - from - (last ? allowance + outer : 0)) {
        chunks.push(repr(current))
        current = part
      } else current += part
    }
    if (current !== '') chunks.push(repr(current))
  })
  if (chunks.length === 1) return chunks[0]!
  const body = chunks.join(`\n${' '.repeat(from)}`)
  return outer ? `(${body})` : body
}

function sortedRepr(value: Value): string {
  if (value instanceof Map)
    return `{${sortedEntries(value)
      .map(([k, v]) => `${repr(k)}: ${sortedRepr(v)}`)
      .join(', ')}}`
  if (Array.isArray(value)) return `[${value.map(sortedRepr).join(', ')}]`
  return repr(value)
}

function sortedEntries(dict: Map<Value, Value>): [Value, Value][] {
  try {
    return sortValues([...dict.keys()]).map((key) => [key, dict.get(key)!])
  } catch (error) {
    if (isPyError(error, 'TypeError')) return [...dict]
    throw error
  }
}
