/** What a keyword was rendered to → the boolean or the number that it stands for; what stands for none is told in Ansible's words. */
import { Float, Problem, type Raw, Template, Tuple, type Value } from '../base/index.ts'
import { rawRepr, type Templar } from '../template/index.ts'

const YES = ['y', 'yes', 'on', '1', 'true', 't']
const NO = ['n', 'no', 'off', '0', 'false', 'f']
const BOOLEANS = "0, 1, '0', '1', 'f', 'false', 'n', 'no', 'off', 'on', 't', 'true', 'y', 'yes'"

/** Why a value does not do. */
class Unfit {
  constructor(readonly why: string) {}
}

/** How fields are read that are not text. */
export type FieldKind = 'bool' | 'int' | 'float' | 'percent'

interface Kinds {
  readonly bool: boolean
  readonly int: number
  readonly float: number
  readonly percent: number
}

/** The value as its field has it; `raw` is what stands in the playbook. */
export function fieldValue<K extends FieldKind>(kind: K, name: string, raw: Raw, value: Value, templar: Templar): Kinds[K] {
  const read: Read<Kinds[K]> = READ[kind]
  const made = read(value, templar)
  if (!(made instanceof Unfit)) return made
  const silent = made.why === ''
  throw new Problem(`the field '${name}' has an invalid value (${rawRepr(raw)}), and could not be converted to ${kind}.. ${made.why}`, {
    // what playbooks register has Ansible's words alone, people are told more
    kind: silent ? 'syntax' : 'playbook',
    span: raw instanceof Template ? raw.span : undefined,
    hint: silent ? 'a whole number is wanted here' : undefined,
  })
}

type Read<T> = (value: Value, templar: Templar) => T | Unfit

const READ: { readonly [K in FieldKind]: Read<Kinds[K]> } = {
  bool: (value, templar) => {
    if (Array.isArray(value) || value instanceof Map) return new Unfit(`unhashable type: '${value instanceof Map ? 'dict' : 'list'}'`)
    const word = value instanceof Float ? String(value.value) : templar.text(value).toLowerCase().trim()
    if (YES.includes(word)) return true
    return NO.includes(word)
      ? false
      : new Unfit(`The value '${templar.text(value)}' is not a valid boolean.  Valid booleans include: ${BOOLEANS}`)
  },
  int: (value) => {
    const n = numberIn(value)
    // what Python's decimals say of a list, and the nothing that they say of other values
    return n !== undefined && Number.isInteger(n) ? n : new Unfit(Array.isArray(value) ? 'argument must be a sequence of length 3' : '')
  },
  float: (value, templar) => {
    const n = numberIn(value)
    if (n !== undefined) return n
    if (typeof value === 'string') return new Unfit(`could not convert string to float: ${rawRepr(value)}`)
    return new Unfit(`float() argument must be a string or a real number, not '${typeOf(value, templar)}'`)
  },
  percent: (value, templar) => READ.float(typeof value === 'string' ? value.replaceAll('%', '') : value, templar),
}

/** A number, or a text that Python reads as one. */
function numberIn(value: Value): number | undefined {
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return Number(value)
  if (value instanceof Float) return value.value
  if (typeof value !== 'string') return undefined
  const text = value.trim().replace(/(?<=\d)_(?=\d)/g, '')
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : undefined
}

const typeOf = (value: Value, templar: Templar): string =>
  Array.isArray(value)
    ? 'list'
    : value instanceof Map
      ? 'dict'
      : value instanceof Tuple
        ? 'tuple'
        : value === null
          ? 'NoneType'
          : templar.text(value)
