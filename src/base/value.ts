/**
 * The values that playbooks compute with, in JavaScript's clothes.
 *
 * None is null; an int is an integral `number`, or a `bigint` beyond 2^53; every float is a `Float`, so that 5 and 5.0 stay two things;
 * a dict is a `Map`, so that integer-like keys keep their place; a list is an array; a tuple is a `Tuple`.
 *
 * **Strings are data.** A text that is still to be rendered is a `Template`, made only from what people wrote (files, flags); so nothing that
 * comes from a host can ever be executed as a template.
 */
import { LateDict } from './late-dict.ts'
import type { Span } from './source.ts'

/** A Python float. */
export class Float {
  constructor(readonly value: number) {}

  /** how it stands in JSON text */
  toJSON(): number {
    return this.value
  }
}

/** A Python tuple. */
export class Tuple {
  constructor(readonly items: readonly Value[]) {}
}

/** A mapping whose values are found when asked for (hostvars, vars). To templates it looks like a dict. */
export abstract class LazyDict {
  abstract get(key: string): Value | undefined
  abstract has(key: string): boolean
  abstract keys(): Iterable<string>
  /** the value as a person wrote it in a file; undefined where no file has it */
  written(_key: string): Raw | undefined {
    return undefined
  }
  /** what is said of a key that is not there, where that is not what a dict says */
  missing(_key: string): string | undefined {
    return undefined
  }
  /** what Python calls its class */
  readonly typeName: string = 'dict'
  /** was it told by a host? */
  fromHost(_key: string): boolean {
    return false
  }
}

/** A text with template marks in it, as written in a source. */
export class Template {
  /** free for the template room: the parsed form, made at first use */
  compiled: unknown
  constructor(
    readonly text: string,
    /** where the text stands; undefined where it was put together */
    readonly span?: Span | undefined,
  ) {}
}

/** A sealed text (`!vault`), opened only when it is read. */
export class Vaulted {
  constructor(
    readonly ciphertext: string,
    readonly open: () => string,
    readonly span?: Span | undefined,
  ) {}
}

/** A date or timestamp that stands in YAML without quotes; the template room makes the value of it. */
export interface TimestampParts {
  readonly isDate: boolean
  /** milliseconds since 1970 were it in UTC, without the fraction */
  readonly milliseconds: number
  readonly microsecond: number
  /** minutes east of Greenwich, where it is told */
  readonly offset?: number | undefined
}

/** An unquoted date or timestamp as people wrote it: a date of Python's once it is read. */
export class Timestamp {
  constructor(
    readonly text: string,
    readonly parts: TimestampParts,
  ) {}

  toString(): string {
    return this.text
  }
}

export type Scalar = null | boolean | number | bigint | Float | string
export type Dict = Map<Value, Value>

/** A finished value. */
export type Value = Scalar | Value[] | Dict | Tuple | LazyDict | Uint8Array | OpaqueValue

/** What only the template room understands: undefined values, macros, namespaces, markers such as omit. */
export abstract class OpaqueValue {
  declare private readonly opaque: true
  /** what stands for it where only plain values can, as in JSON; absent: its text */
  plain?(): Value
}

/** `omit`: a parameter or key that has this value is left out. There is one instance; within lists and dicts it is the placeholder's text. */
export class Omit extends OpaqueValue {
  /** what Ansible's own placeholder looks like when it lands in text */
  readonly text = `__omit_place_holder__${'0'.repeat(40)}`
}
export const OMIT = new Omit()

/** `omit`, by itself or as its placeholder's text. */
export const isOmitted = (value: unknown): boolean => value === OMIT || value === OMIT.text

/** A value as people wrote it: some of its texts are still templates or sealed. */
export type Raw = Scalar | Template | Vaulted | Timestamp | Tuple | OpaqueValue | LazyDict | Uint8Array | Raw[] | Map<Raw, Raw>

export type RawVars = ReadonlyMap<string, Raw>

export const isDict = (value: unknown): value is Dict => value instanceof Map

/** Has the text marks of a template (`{{`, `{%` or `{#`)? */
export const looksLikeTemplate = (text: string): boolean => text.includes('{{') || text.includes('{%') || text.includes('{#')

/** Is there nothing left to render or to open in it? */
export function isFinished(raw: Raw): raw is Value {
  if (raw === null || typeof raw !== 'object') return true
  if (raw instanceof Template || raw instanceof Vaulted || raw instanceof Timestamp) return false
  if (Array.isArray(raw)) return raw.every(isFinished)
  if (raw instanceof LateDict) return true
  if (raw instanceof Map) {
    for (const [k, v] of raw) if (!isFinished(k) || !isFinished(v)) return false
  }
  return true
}

/** Turns every text that looks like a template into a Template, for values that people gave without a file (flags, inventory scripts). */
export function asWritten(value: Raw, at?: Span): Raw {
  if (typeof value === 'string') return looksLikeTemplate(value) ? new Template(value, at) : value
  if (Array.isArray(value)) return value.map((v) => asWritten(v, at))
  if (value instanceof Map) return new Map([...value].map(([k, v]) => [k, asWritten(v, at)]))
  return value
}
