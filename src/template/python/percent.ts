/** `format % values`, as Python's printf-style formatting does it. */
import { Float, LazyDict, Tuple, type Value } from '../../base/index.ts'
import { characters, textLength } from './characters.ts'
import { dictGet } from './equality.ts'
import { PyError, typeError, valueError } from './errors.ts'
import { toNumber, truncate } from './number.ts'
import { PyObject } from './object.ts'
import { floatBody } from './spec.ts'
import { ascii, repr, str } from './text.ts'
import { isInteger, isNumber, typeName } from './types.ts'

interface Directive {
  readonly flags: string
  readonly width: number
  readonly precision: number | undefined
  readonly type: string
  readonly at: number
}

const DIRECTIVE = /%(?:\(((?:[^()]|\([^()]*\))*)\))?([-+ #0]*)(\*|\d+)?(?:\.(\*|\d+)?)?[hlL]?(.)?/gsu

/** Formats one value, a tuple of values, or the members of a dict. */
export function percentFormat(format: string, values: Value, asHtml?: (value: Value) => string): string {
  const source = new Arguments(values)
  const text = format.replace(DIRECTIVE, (whole, name: string | undefined, flags: string, width, precision, type, at: number) => {
    if (type === undefined) throw valueError('incomplete format')
    if (name !== undefined) source.select(name)
    const columns = width === '*' ? source.integer() : Number(width ?? 0)
    const digits =
      precision === '*' ? source.integer() : precision === undefined ? (whole.includes('.') ? 0 : undefined) : Number(precision)
    if (whole === '%%') return '%'
    const left = columns < 0
    const directive = {
      flags: left ? `${flags}-` : flags,
      width: Math.abs(columns),
      precision: digits,
      type,
      at: at + whole.length - type.length,
    }
    return convert(directive, source, asHtml)
  })
  source.finish()
  return text
}

/** The values still to be used. */
class Arguments {
  private next = 0
  private picked: Value | undefined
  private usedNames = false
  private readonly items: readonly Value[]
  constructor(private readonly values: Value) {
    this.items = values instanceof Tuple ? values.items : [values]
  }
  select(name: string): void {
    const { values } = this
    if (!(values instanceof Map || values instanceof LazyDict)) {
      throw typeError(Array.isArray(values) ? 'list indices must be integers or slices, not str' : 'format requires a mapping')
    }
    const found = values instanceof Map ? dictGet(values, name) : values.get(name)
    if (found === undefined) throw new PyError('KeyError', repr(name))
    this.picked = found
    this.usedNames = true
  }
  take(): Value {
    const { picked } = this
    if (picked !== undefined) {
      this.picked = undefined
      return picked
    }
    const item = this.items[this.next++]
    if (item === undefined) throw typeError('not enough arguments for format string')
    return item
  }
  integer(): number {
    const value = this.take()
    if (typeof value !== 'number') throw typeError('* wants int')
    return value
  }
  finish(): void {
    const { values } = this
    const isMapping =
      values instanceof Map || values instanceof LazyDict || Array.isArray(values) || (values instanceof PyObject && values.item)
    if (this.next < this.items.length && !this.usedNames && !isMapping) {
      throw typeError('not all arguments converted during string formatting')
    }
  }
}

function convert(directive: Directive, source: Arguments, asHtml?: (value: Value) => string): string {
  const render = (asHtml && escaping(asHtml, directive.type)) ?? CONVERSIONS[directive.type]
  if (!render) {
    const code = directive.type.codePointAt(0)!.toString(16)
    throw valueError(`unsupported format character '${directive.type}' (0x${code}) at index ${directive.at}`)
  }
  return render(source.take(), directive)
}

type Conversion = (value: Value, directive: Directive) => string

const text =
  (convertText: (value: Value) => string): Conversion =>
  (value, { precision, ...directive }) => {
    const whole = convertText(value)
    return fill('', precision === undefined ? whole : characters(whole).slice(0, precision).join(''), directive, false)
  }

const float: Conversion = (value, directive) => {
  if (!isNumber(value)) throw typeError(`must be real number, not ${typeName(value)}`)
  const number = toNumber(value)
  const negative = number < 0 || Object.is(number, -0)
  const body = floatBody(Math.abs(number), directive.type, directive.precision ?? 6, directive.flags.includes('#'))
  return fill(signOf(negative, directive.flags), body, directive, Number.isFinite(number))
}

const decimal: Conversion = (value, directive) => {
  if (!isNumber(value)) throw typeError(`%${directive.type} format: a real number is required, not ${typeName(value)}`)
  return integer(BigInt(value instanceof Float ? truncate(value.value) : value), 10, '', directive)
}

const based =
  (base: number, prefix: string): Conversion =>
  (value, directive) => {
    if (!isInteger(value)) throw typeError(`%${directive.type} format: an integer is required, not ${typeName(value)}`)
    return integer(BigInt(value), base, prefix, directive)
  }

const character: Conversion = (value, directive) => {
  if (typeof value === 'string' && textLength(value) === 1) return fill('', value, directive, false)
  if (!isInteger(value)) throw typeError('%c requires int or char')
  if (Number(value) < 0 || Number(value) > 0x10ffff) throw new PyError('OverflowError', '%c arg not in range(0x110000)')
  return fill('', String.fromCodePoint(Number(value)), directive, false)
}

const CONVERSIONS: Readonly<Record<string, Conversion>> = {
  s: text(str),
  r: text(repr),
  a: text(ascii),
  c: character,
  d: decimal,
  i: decimal,
  u: decimal,
  o: based(8, '0o'),
  x: based(16, '0x'),
  X: based(16, '0X'),
  e: float,
  E: float,
  f: float,
  F: float,
  g: float,
  G: float,
}

/** Within Markup texts are escaped before they are filled up. */
function escaping(asHtml: (value: Value) => string, type: string): Conversion | undefined {
  if (type === 's') return text(asHtml)
  return type === 'r' || type === 'a' ? text((value) => asHtml(CONVERT[type]!(value))) : undefined
}

const CONVERT: Readonly<Record<string, (value: Value) => string>> = { r: repr, a: ascii }

function integer(value: bigint, base: number, prefix: string, directive: Directive): string {
  let digits = (value < 0n ? -value : value).toString(base).padStart(directive.precision ?? 0, '0')
  if (directive.type === 'X') digits = digits.toUpperCase()
  const lead = signOf(value < 0n, directive.flags) + (directive.flags.includes('#') ? prefix : '')
  return fill(lead, digits, directive, true)
}

const signOf = (negative: boolean, flags: string): string => (negative ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '')

function fill(lead: string, body: string, directive: Pick<Directive, 'flags' | 'width'>, zeros: boolean): string {
  const missing = directive.width - textLength(lead) - textLength(body)
  if (missing <= 0) return lead + body
  if (directive.flags.includes('-')) return lead + body + ' '.repeat(missing)
  return zeros && directive.flags.includes('0') ? lead + '0'.repeat(missing) + body : ' '.repeat(missing) + lead + body
}
