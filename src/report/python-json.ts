/** Plain JSON as Python's json.dumps spells it: keys sorted, `, ` and `: ` between, any character as it is. */
import type { Json } from '../base/index.ts'

export function pythonJson(json: Json | undefined, indent = 0): string {
  return write(json ?? null, indent, '')
}

function write(json: Json, indent: number, margin: string): string {
  if (json === null || typeof json === 'boolean') return String(json)
  if (typeof json === 'number') return number(json)
  if (typeof json === 'string') return text(json)
  const inner = margin + ' '.repeat(indent)
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

function number(n: number): string {
  if (Number.isNaN(n)) return 'NaN'
  if (!Number.isFinite(n)) return n > 0 ? 'Infinity' : '-Infinity'
  return String(n).replace(/e\+?(-?)(\d)$/, 'e$10$2')
}

const text = (s: string): string => JSON.stringify(s)
