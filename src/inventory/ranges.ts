/** Turns a host name with ranges (`web[01:20]`, `rack-[a:e:2]`) into the names it stands for. */
import { Problem } from '../base/index.ts'
import { parseAddress } from './address.ts'

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const MOST = 1_000_000

export interface Expanded {
  readonly hosts: readonly string[]
  readonly port: number | undefined
}

/** Names and port of a host as written in an inventory file. */
export function expandHost(written: string): Expanded {
  const address = parseAddress(written)
  const host = address?.host ?? written
  if (written.trim().endsWith(':') && address?.port === undefined) {
    throw wrong(`Invalid host pattern '${written}' supplied, ending in ':' is not allowed, this character is reserved to provide a port.`)
  }
  if (host.trim() === '---') throw wrong(`Invalid host pattern '${written}' supplied, '---' is normally a sign this is a YAML file.`)
  return { hosts: host.includes('[') ? expandRanges(host) : [host], port: address?.port }
}

/** Every name of a text with ranges in it, the last range running fastest. */
export function expandRanges(text: string): string[] {
  const open = text.indexOf('[')
  if (open === -1) return [text]
  const close = text.indexOf(']', open)
  if (close === -1) throw wrong(`the range in '${text}' is not closed`)
  const names = rangeOf(text.slice(open + 1, close))
  const tails = expandRanges(text.slice(close + 1))
  if (names.length * tails.length > MOST) throw wrong(`'${text}' stands for more than ${MOST} hosts`)
  const head = text.slice(0, open)
  return names.flatMap((name) => tails.map((tail) => head + name + tail))
}

function rangeOf(range: string): string[] {
  const bounds = range.split(':')
  if (bounds.length !== 2 && bounds.length !== 3) throw wrong('host range must be begin:end or begin:end:step')
  const [begin = '', end = '', stepText = '1'] = bounds
  const step = Number(stepText)
  if (end === '') throw wrong('host range must specify end value')
  if (!Number.isInteger(step) || step < 1) throw wrong('the step of a host range must be a number above 0')
  const from = begin === '' ? '0' : begin
  if (LETTERS.includes(from) && LETTERS.includes(end)) return letters(from, end, step)
  if (!/^\d+$/.test(from) || !/^\d+$/.test(end)) throw wrong(`a host range goes from number to number or letter to letter, not ${range}`)
  const width = from.startsWith('0') && from.length > 1 ? from.length : 0
  if (width > 0 && end.length !== width) throw wrong('host range must specify equal-length begin and end formats')
  const names: string[] = []
  for (let n = Number(from); n <= Number(end); n += step) {
    names.push(String(n).padStart(width, '0'))
    if (names.length > MOST) throw wrong(`[${range}] stands for more than ${MOST} hosts`)
  }
  return names
}

function letters(from: string, end: string, step: number): string[] {
  const first = LETTERS.indexOf(from)
  const last = LETTERS.indexOf(end)
  if (first > last) throw wrong('host range must have begin <= end')
  return [...LETTERS.slice(first, last + 1)].filter((_, i) => i % step === 0)
}

const wrong = (message: string): Problem => new Problem(message, { kind: 'inventory' })
