/** sequence: `start-end/stride:format` or options → numbers as texts. */
import type { Value } from '../../base/index.ts'
import { isPyError, lookupError, parseInteger, percentFormat, repr, str } from '../python/index.ts'
import type { LookupFunction } from '../registry.ts'
import { keyValues, pluginError, wrongType } from './define.ts'

const SHORTCUT = /^(?:(0?x?[0-9a-f]+)-)?(0?x?[0-9a-f]+)(?:\/(0?x?[0-9a-f]+))?(?::(.+))?$/i
const FIELDS = ['start', 'end', 'count', 'stride', 'format']

interface Plan {
  start: number
  end: number
  stride: number
  format: string
}

export const sequence: LookupFunction = (_, terms, kwargs) =>
  terms.flatMap((term) => {
    const fields = new Map<string, Value>([...kwargs, ...fieldsOf(str(term))])
    const plan = planOf(fields)
    return plan.stride === 0 ? [] : numbers(plan)
  })

function fieldsOf(term: string): Map<string, Value> {
  const found = SHORTCUT.exec(term)
  if (found) {
    const [, start, end, stride, format] = found
    const given: [string, string | undefined][] = [
      ['start', start],
      ['end', end],
      ['stride', stride],
      ['format', format],
    ]
    return new Map(given.filter((pair): pair is [string, string] => pair[1] !== undefined))
  }
  const { raw, pairs } = keyValues(term)
  const unknown = [...(raw === '' ? [] : ['_raw_params']), ...pairs.keys()].filter((name) => !FIELDS.includes(name))
  if (unknown.length > 0) throw pluginError(`unrecognized arguments to with_sequence: ${repr(unknown)}`)
  return new Map(pairs)
}

function planOf(fields: ReadonlyMap<string, Value>): Plan {
  const [start, end, count] = ['start', 'end', 'count'].map((name) => integer(fields, name))
  const plan: Plan = {
    start: start ?? 1,
    end: end ?? 0,
    stride: integer(fields, 'stride') ?? 1,
    format: str(fields.get('format') ?? '%d'),
  }
  if (count === undefined && end === undefined) throw pluginError('must specify count or end in with_sequence')
  if (count !== undefined && end !== undefined) throw pluginError("can't specify both count and end in with_sequence")
  if (count === 0) Object.assign(plan, { start: 0, end: 0, stride: 0 })
  else if (count !== undefined) plan.end = plan.start + count * plan.stride - 1
  if (plan.stride > 0 && plan.end < plan.start) throw pluginError('to count backwards make stride negative')
  if (plan.stride < 0 && plan.end > plan.start) throw pluginError("to count forward don't make stride negative")
  if (plan.format.split('%').length !== 2) throw pluginError(`bad formatting string: ${plan.format}`)
  return plan
}

function integer(fields: ReadonlyMap<string, Value>, name: string): number | undefined {
  const value = fields.get(name)
  if (value === undefined || value === null) return undefined
  const number = typeof value === 'string' ? parseInteger(value, 10) : value
  if (typeof number !== 'number') throw lookupError(wrongType('sequence', name))
  return number
}

function numbers(plan: Plan): string[] {
  const out: string[] = []
  for (let i = plan.start; plan.stride > 0 ? i <= plan.end : i >= plan.end; i += plan.stride) {
    try {
      out.push(percentFormat(plan.format, i))
    } catch (error) {
      if (isPyError(error)) throw pluginError(`problem formatting ${i} with ${repr(plan.format)}`, error)
      throw error
    }
  }
  return out
}
