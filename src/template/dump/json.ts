/** A value → JSON text, to the byte as Python's json.dumps writes it. */
import { Float, LazyDict, OMIT, Tuple, type Value } from '../../base/index.ts'
import { PySet } from '../python/collections.ts'
import { eager } from '../python/equality.ts'
import { typeError, valueError } from '../python/errors.ts'
import { toList } from '../python/iteration.ts'
import { floatRepr } from '../python/number.ts'
import { PyObject } from '../python/object.ts'
import { sortValues } from '../python/order.ts'
import { typeName } from '../python/types.ts'
import { isUndefined } from '../python/undefined.ts'

export interface JsonOptions {
  /** blanks per level, or the text itself; undefined: all on one line */
  readonly indent?: number | string | undefined
  readonly sortKeys?: boolean | undefined
  /** default true */
  readonly ensureAscii?: boolean | undefined
  readonly separators?: readonly [item: string, key: string] | undefined
  readonly skipKeys?: boolean | undefined
  /** default true: NaN and Infinity are written, else they are an error */
  readonly allowNan?: boolean | undefined
}

export function dumpJson(value: Value, options: JsonOptions = {}): string {
  return new JsonWriter(options).write(value, 0)
}

class JsonWriter {
  private readonly indent: string | undefined
  private readonly comma: string
  private readonly colon: string
  private readonly open = new Set<object>()
  private readonly options: JsonOptions

  constructor(options: JsonOptions) {
    this.options = options
    this.indent = typeof options.indent === 'number' ? ' '.repeat(Math.max(0, options.indent)) : options.indent
    const separators = options.separators ?? [this.indent === undefined ? ', ' : ',', ': ']
    this.comma = separators[0]
    this.colon = separators[1]
  }

  write(value: Value, depth: number): string {
    if (value === null) return 'null'
    if (typeof value === 'string') return this.text(value)
    if (typeof value === 'boolean' || typeof value === 'number' || typeof value === 'bigint') return String(value)
    if (value instanceof Float) return this.float(value.value)
    if (value === OMIT) return this.text(OMIT.text)
    if (value instanceof PyObject && value.json) return this.text(value.json())
    if (isUndefined(value)) return value.raise()
    return this.once(value, () => this.collection(value, depth))
  }

  private collection(value: object & Value, depth: number): string {
    if (Array.isArray(value)) return this.list(value, depth)
    if (value instanceof Tuple) return this.list(value.items, depth)
    if (value instanceof Map) return this.dict(value, depth)
    if (value instanceof LazyDict) return this.dict(eager(value), depth)
    if (value instanceof PySet) return this.list(toList(value), depth)
    throw typeError(`Object of type ${typeName(value)} is not JSON serializable`)
  }

  private once(value: object & Value, write: () => string): string {
    if (this.open.has(value)) throw valueError('Circular reference detected')
    this.open.add(value)
    const written = write()
    this.open.delete(value)
    return written
  }

  private list(items: readonly Value[], depth: number): string {
    return this.block(
      '[',
      ']',
      items.map((item) => this.write(item, depth + 1)),
      depth,
    )
  }

  private dict(dict: ReadonlyMap<Value, Value>, depth: number): string {
    const keys = this.options.sortKeys ? sortValues([...dict.keys()]) : [...dict.keys()]
    const parts: string[] = []
    for (const key of keys) {
      const written = this.key(key)
      if (written !== undefined) parts.push(`${this.text(written)}${this.colon}${this.write(dict.get(key)!, depth + 1)}`)
    }
    return this.block('{', '}', parts, depth)
  }

  private block(open: string, close: string, parts: readonly string[], depth: number): string {
    if (parts.length === 0) return open + close
    if (this.indent === undefined) return open + parts.join(this.comma) + close
    const inner = `\n${this.indent.repeat(depth + 1)}`
    return `${open}${inner}${parts.join(this.comma + inner)}\n${this.indent.repeat(depth)}${close}`
  }

  private key(key: Value): string | undefined {
    if (typeof key === 'string') return key
    if (key === null || typeof key === 'boolean' || typeof key === 'number' || typeof key === 'bigint') return String(key)
    if (key instanceof Float) return this.float(key.value)
    if (this.options.skipKeys) return undefined
    throw typeError(`keys must be str, int, float, bool or None, not ${typeName(key)}`)
  }

  private float(value: number): string {
    if (Number.isFinite(value)) return floatRepr(value)
    if (this.options.allowNan === false) throw valueError(`Out of range float values are not JSON compliant: ${floatRepr(value)}`)
    return Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity'
  }

  private text(value: string): string {
    return quoteJson(value, this.options.ensureAscii ?? true)
  }
}

const SHORT: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\f': '\\f',
  '\b': '\\b',
}

function quoteJson(text: string, ensureAscii: boolean): string {
  const body = text.replace(ensureAscii ? /["\\\x00-\x1f]|[^\x00-\x7e]/g : /["\\\x00-\x1f]/g, (char) => SHORT[char] ?? unicode(char))
  return `"${body}"`
}

const unicode = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
