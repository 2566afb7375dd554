/** Plain JSON as Python's json.dumps spells it: keys sorted, `, ` and `: ` between, any character as it is. */
import { BigNumber, Float, type Json } from '../base/index.ts'

/** Lines without a margin: Python's `indent=0`. */
export const FLAT = -1

export function pythonJson(json: Json | undefined, indent = 0): string {
  return write(json ?? null, indent, '')
}

/** The same in ASCII alone, as json.dumps does by itself; `tight`: nothing behind commas and colons. */
export function asciiJson(json: Json, indent: number | undefined, tight = false): string {
  const written = writeWith({ comma: tight ? ',' : ', ', colon: tight ? ':' : ': ' }, json, indent ?? 0, '')
  return written.replace(/[\u007f-\uffff]/g, (c) => (c === '\x7f' ? c : `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`))
}

interface Marks {
  readonly comma: string
  readonly colon: string
}

const WIDE: Marks = { comma: ', ', colon: ': ' }

const write = (json: Json, indent: number, margin: string): string => writeWith(WIDE, json, indent, margin)

function writeWith(marks: Marks, json: Json, indent: number, margin: string): string {
  if (json === null || typeof json === 'boolean') return String(json)
  if (typeof json === 'number') return number(json)
  if (typeof json === 'string') return text(json)
  if (json instanceof Float) return number(json.value, true)
  if (json instanceof BigNumber) return json.digits
  const inner = margin + ' '.repeat(Math.max(0, indent))
  const [open, close, parts] = Array.isArray(json)
    ? ['[', ']', json.map((j: Json) => writeWith(marks, j, indent, inner))]
    : ['{', '}', members(marks, json as { readonly [key: string]: Json | undefined }, indent, inner)]
  if (parts.length === 0) return open + close
  return indent === 0 ? open + parts.join(marks.comma) + close : `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${margin}${close}`
}

function members(marks: Marks, json: { readonly [key: string]: Json | undefined }, indent: number, inner: string): string[] {
  return Object.keys(json)
    .filter((k) => json[k] !== undefined)
    .sort(byCodePoint)
    .map((k) => `${text(k)}${marks.colon}${writeWith(marks, json[k]!, indent, inner)}`)
}

const byCodePoint = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** A number as Python spells it; floats keep their point. */
function number(n: number, isFloat = !Number.isInteger(n)): string {
  if (Number.isNaN(n)) return 'NaN'
  if (!Number.isFinite(n)) return n > 0 ? 'Infinity' : '-Infinity'
  if (!isFloat) return String(n)
  const [digits = '', power = '0'] = n.toExponential().split('e')
  const exponent = Number(power)
  if (exponent < -4 || exponent >= 16) return `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`
  if (Object.is(n, -0)) return '-0.0'
  return Number.isInteger(n) ? `${n}.0` : String(n)
}

const text = (s: string): string => JSON.stringify(s)
