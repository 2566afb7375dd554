/** Spells values as Python's str() and repr() would, for texts that parameters become and for messages. */
import { Float, LazyDict, OpaqueValue, Tuple, type Value } from '../base/index.ts'

/** What a text parameter sees of a value that is no text. */
export function asText(value: Value): string {
  if (typeof value === 'string') return value
  const plain = value instanceof OpaqueValue ? value.plain?.() : undefined
  return plain === undefined ? spelled(value) : asText(plain)
}

/** Python's repr of a value. */
export function spelled(value: Value): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (value instanceof Float) return floatText(value.value)
  if (typeof value === 'string') return quoted(value)
  if (Array.isArray(value)) return `[${value.map(spelled).join(', ')}]`
  if (value instanceof Tuple) return `(${value.items.map(spelled).join(', ')}${value.items.length === 1 ? ',' : ''})`
  if (value instanceof Map) return `{${[...value].map(([k, v]) => `${spelled(k)}: ${spelled(v)}`).join(', ')}}`
  if (value instanceof LazyDict) return `{${[...value.keys()].map((k) => `${quoted(k)}: ${spelled(value.get(k) ?? null)}`).join(', ')}}`
  if (value instanceof Uint8Array) return `b${quoted(Buffer.from(value).toString('latin1'))}`
  const plain = value instanceof OpaqueValue ? value.plain?.() : undefined
  return plain === undefined ? String(value) : spelled(plain)
}

/** The name of a value's Python class as messages show it. */
export function className(value: Value): string {
  return `<class '${typeWord(value)}'>`
}

function typeWord(value: Value): string {
  if (value === null) return 'NoneType'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'number' || typeof value === 'bigint') return 'int'
  if (typeof value === 'string') return 'str'
  if (value instanceof Float) return 'float'
  if (Array.isArray(value)) return 'list'
  if (value instanceof Tuple) return 'tuple'
  if (value instanceof Uint8Array) return 'bytes'
  return 'dict'
}

function floatText(value: number): string {
  if (Number.isNaN(value)) return 'nan'
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf'
  const size = Math.abs(value)
  if (size !== 0 && (size < 1e-4 || size >= 1e16)) {
    const [digits, power] = value.toExponential().split('e') as [string, string]
    return `${digits}e${power[0]}${power.slice(1).padStart(2, '0')}`
  }
  return Number.isInteger(value) ? `${Object.is(value, -0) ? '-0' : value}.0` : String(value)
}

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\\': '\\\\' }

function quoted(text: string): string {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'"
  const body = text.replace(/[\x00-\x1f\x7f\\'"]/g, (c) => {
    if (c === '"' || c === "'") return c === mark ? `\\${c}` : c
    return ESCAPES[c] ?? `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`
  })
  return mark + body + mark
}
