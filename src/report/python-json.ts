/** Plain JSON as Python's json.dumps spells it: keys sorted, `, ` and `: ` between, any character as it is. */
import { BigNumber, Float, type Json } from '../base/index.ts'

/** Lines without a margin: Python's `indent=0`. */
export const FLAT = -1

export function pythonJson(json: Json | undefined, indent = 0): string {
  return write(json ?? null, indent, '')
}

function write(json: Json, indent: number, margin: string): string {
  if (json === null || typeof json === 'boolean') return String(json)
  if (typeof json === 'number') return number(json)
  if (typeof json === 'string') return text(json)
  if (json instanceof Float) return number(json.value, true)
  if (json instanceof BigNumber) return json.digits
  const inner = margin + ' '.repeat(Math.max(0, indent))
  const [open, close, parts] = Array.isArray(json)
    ? ['[', ']', json.map((j: Json) => write(j, indent, inner))]
    : ['{', '}', members(json as { readonly [key: string]: Json | undefined }, indent, inner)]
  if (parts.length === 0) return open + close
  return indent === 0 ? open + parts.join(', ') + close : `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${margin}${close}`
}

function members(json: { readonly [key: string]: Json | undefined }, indent: number, inner: string): string[] {
  return Object.keys(json)
    .filter((k) => json[k] !== undefined)
    .sort(byCodePoint)
    .map((k) => `${text(k)}: ${write(json[k]!, indent, inner)}`)
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
