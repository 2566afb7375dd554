/** Renders the keywords of a task for one host and item. */
import { OMIT, Problem, type Raw, type Value } from '../base/index.ts'
import type { Keywords } from '../playbook/index.ts'
import type { Scope, Templar } from '../template/index.ts'
import type { ConnectionKeywords } from './connection.ts'
import { isYes } from './connection.ts'

const BOOLEANS = /^(y|yes|on|1|true|t|n|no|off|0|false|f)$/i

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
    const value = this.value(raw)
    if (value === undefined || value === null) return fallback
    if (typeof value === 'string' && !BOOLEANS.test(value.trim()))
      throw new Problem(
        `the field '${name}' has an invalid value ('${value}'), and could not be converted to bool.. The value '${value}' is not a valid boolean.`,
        { kind: 'playbook' },
      )
    return isYes(value)
  }

  number(raw: Raw | undefined, name: string): number | undefined {
    const value = this.value(raw)
    if (value === undefined || value === null) return undefined
    const n = typeof value === 'object' && 'value' in value ? Number(value.value) : Number(value)
    if (Number.isNaN(n) || value === '')
      throw new Problem(`the field '${name}' has an invalid value ('${String(value)}'), and could not be converted to int`, {
        kind: 'playbook',
      })
    return n
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

  /** The environment of the task: dicts from the play down, the inner ones stronger. */
  environment(): Map<string, string> {
    const out = new Map<string, string>()
    for (const raw of this.#keywords.environment) {
      for (const one of Array.isArray(raw) ? raw : [raw]) this.#addEnvironment(one, out)
    }
    return out
  }

  #addEnvironment(raw: Raw, out: Map<string, string>): void {
    // each entry of a dict is rendered on its own: one that is not known yet does not spoil the others
    const one = raw instanceof Map ? raw : this.#environmentValue(raw)
    if (one === undefined || one === null || one === '') return
    if (Array.isArray(one)) for (const inner of one) this.#addEnvironment(inner, out)
    else if (!(one instanceof Map)) throw new Problem('environment must be a dictionary', { kind: 'playbook' })
    else
      for (const [name, written] of one) {
        const value = this.#environmentValue(written)
        if (value !== undefined) out.set(String(name), envText(value))
      }
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

function envText(value: Value): string {
  if (value === null) return ''
  if (value === true) return 'True'
  if (value === false) return 'False'
  return typeof value === 'object' && 'value' in value ? String(value.value) : String(value)
}
