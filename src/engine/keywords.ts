/** Renders the keywords of a task for one host and item. */
import { Float, OMIT, Problem, type Raw, Template, type Value } from '../base/index.ts'
import type { Keywords } from '../playbook/index.ts'
import { rawRepr, rawText, type Scope, type Templar } from '../template/index.ts'
import type { ConnectionKeywords } from './connection.ts'
import { type FieldKind, fieldValue } from './field-values.ts'

export class KeywordReader {
  readonly #keywords: Keywords
  readonly #templar: Templar
  readonly #scope: Scope
  readonly #inherited: Keywords | undefined

  /** `inherited`: what holds where a keyword of the task's own turns out to be omitted. */
  constructor(keywords: Keywords, templar: Templar, scope: Scope, inherited?: Keywords) {
    this.#keywords = keywords
    this.#templar = templar
    this.#scope = scope
    this.#inherited = inherited
  }

  /** A keyword's value; undefined where it was not given or is omitted. */
  value(raw: Raw | undefined): Value | undefined {
    if (raw === undefined) return undefined
    const value = this.#templar.render(raw, this.#scope)
    return value === OMIT ? this.#outer(raw) : value
  }

  #outer(omitted: Raw): Value | undefined {
    const name = (Object.keys(this.#keywords) as (keyof Keywords)[]).find((key) => this.#keywords[key] === omitted)
    const raw = name && (this.#inherited?.[name] as Raw | undefined)
    if (raw === undefined || raw === omitted) return undefined
    const value = this.#templar.render(raw, this.#scope)
    return value === OMIT ? undefined : value
  }

  bool(raw: Raw | undefined, fallback: boolean, name: string): boolean {
    return this.#field('bool', raw, name) ?? fallback
  }

  /** A whole number. */
  number(raw: Raw | undefined, name: string): number | undefined {
    return this.#field('int', raw, name)
  }

  seconds(raw: Raw | undefined, name: string): number | undefined {
    return this.#field('float', raw, name)
  }

  /** How many hosts may be at the task at once; 0 where nothing is said. One that is no number ends the run. */
  throttle(): number {
    const raw = this.#keywords.throttle
    const value = this.value(raw)
    if (value === undefined || value === null) return 0
    const n =
      typeof value === 'string' && /^\s*[+-]?\d+\s*$/.test(value) ? Number(value) : value instanceof Float ? Math.trunc(value.value) : value
    if (typeof n === 'number') return n
    throw new Problem(
      `Failed to convert the throttle value to an integer.. invalid literal for int() with base 10: ${rawRepr(value as Raw)}`,
      {
        ...{ kind: 'run', span: raw instanceof Template ? raw.span : undefined },
      },
    )
  }

  #field<K extends FieldKind>(kind: K, raw: Raw | undefined, name: string) {
    const value = this.value(raw)
    return value === undefined || value === null ? undefined : fieldValue(kind, name, raw!, value, this.#templar)
  }

  connection(): ConnectionKeywords {
    const k = this.#keywords
    return {
      connection: this.value(k.connection),
      port: this.value(k.port),
      remoteUser: this.value(k.remoteUser),
      become: this.value(k.become),
      becomeMethod: this.value(k.becomeMethod),
      becomeUser: this.value(k.becomeUser),
      becomeFlags: this.value(k.becomeFlags),
      becomeExe: this.value(k.becomeExe),
    }
  }

  /** The environment of the task: dicts from the play down, the inner ones stronger. What is none is left out, and `warn` hears of it. */
  environment(warn?: (text: string) => void): Map<string, string> {
    const out = new Map<string, string>()
    const layers = this.#keywords.environment.filter((raw) => raw !== null)
    for (const raw of layers) {
      // each entry of a dict is rendered on its own: one that is not known yet does not spoil the others
      const dict = raw instanceof Map ? raw : this.#environmentValue(raw)
      if (!(dict instanceof Map)) warn?.(`could not parse environment value, skipping: ${rawText(layers)}`)
      else
        for (const [name, written] of dict) {
          const value = this.#environmentValue(written)
          if (value !== undefined) out.set(String(name), this.#templar.text(value))
        }
    }
    return out
  }

  /** What is made from ansible_env counts as nothing as long as that is not known: facts are gathered with it. */
  #environmentValue(raw: Raw): Value | undefined {
    try {
      return this.value(raw)
    } catch (error) {
      if (error instanceof Problem && error.kind === 'undefined' && error.message.includes('ansible_env')) return undefined
      throw error
    }
  }

  /** Names to notify. */
  notify(): string[] {
    return this.#keywords.notify.flatMap((raw) => {
      const value = this.value(raw)
      return value === undefined || value === null ? [] : Array.isArray(value) ? value.map(String) : [String(value)]
    })
  }
}
