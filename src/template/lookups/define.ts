/** What lookups have in common: finding files, reading options, flattening terms. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { Problem, Tuple, type Value } from '../../base/index.ts'
import { expandUser } from '../filters/paths.ts'
import { iterable, type Kwargs, PyError, str, truth, typeName } from '../python/index.ts'
import type { CallContext, LookupFunction } from '../registry.ts'

export type LookupTable = Readonly<Record<string, LookupFunction>>

/** A mistake that is not the lookup's own kind of error: Ansible tells in which plugin it came up. */
export const pluginError = (message: string, cause?: unknown): PyError => new PyError('AnsibleFilterError', message, { cause })

/** Every lookup also under its full name. */
export function named(prefix: string, table: LookupTable): LookupTable {
  return Object.fromEntries(Object.entries(table).flatMap(([name, run]) => [[name, run] as const, [`${prefix}.${name}`, run] as const]))
}

/** Every lookup under its full name only. */
export function full(prefix: string, table: LookupTable): LookupTable {
  return Object.fromEntries(Object.entries(table).map(([name, run]) => [`${prefix}.${name}`, run] as const))
}

/** The options of one call, with what they are when not given. */
export class Options {
  private readonly given: Kwargs

  constructor(given: Kwargs) {
    this.given = given
  }
  value(name: string, fallback: Value = null): Value {
    const found = this.given.get(name)
    return found === undefined ? fallback : found
  }
  text(name: string, fallback: string): string {
    const found = this.given.get(name) ?? null
    return found === null ? fallback : str(found)
  }
  flag(name: string, fallback: boolean): boolean {
    const found = this.given.get(name)
    return found === undefined ? fallback : asFlag(found)
  }
  /** a list, or a text divided by commas */
  list(name: string): Value[] {
    const found = this.given.get(name) ?? null
    if (found === null) return []
    if (typeof found === 'string') return found.split(',').map((part) => part.trim())
    return [...(iterable(found) ?? [found])]
  }
}

const NO = new Set(['n', 'no', 'off', '0', 'false', 'f'])
export const asFlag = (value: Value): boolean => (typeof value === 'string' ? value !== '' && !NO.has(value.toLowerCase()) : truth(value))

/** What is said of an option that does not have its type. */
export const wrongType = (lookup: string, option: string): string =>
  `Invalid type for configuration option plugin_type: lookup plugin: ${lookup} setting: ${option} (from Direct): `

/** A term as text; anything else is refused. */
export function textTerm(term: Value): string {
  if (typeof term === 'string') return term
  throw pluginError(`Invalid setting identifier, "${str(term)}" is not a string, its a <class '${typeName(term)}'>`)
}

export const environmentOf = (context: CallContext): Readonly<Record<string, string | undefined>> => context.scope.run?.env ?? process.env

/** The folder that relative paths start from. */
export const baseFolder = (context: CallContext): string => context.scope.run?.playbookDir ?? process.cwd()

/** A file along Ansible's search path; undefined where there is none. */
export function findFile(context: CallContext, kind: string, name: string): string | undefined {
  const wanted = expandUser(name, environmentOf(context))
  if (path.isAbsolute(wanted)) return existsSync(wanted) ? wanted : undefined
  if (context.scope.files) return context.scope.files.find(kind, wanted)
  const beside = [kind, '.'].map((folder) => path.resolve(baseFolder(context), folder, wanted))
  return beside.find((candidate) => existsSync(candidate))
}

export function readText(context: CallContext, file: string): string {
  const { files } = context.scope
  if (!files) throw new Problem(`cannot read ${file} here`, { kind: 'file' })
  return files.read(file)
}

/** One level of lists and tuples is opened. */
export function flattenOnce(terms: readonly Value[]): Value[] {
  return terms.flatMap((term) => (Array.isArray(term) ? term : term instanceof Tuple ? [...term.items] : [term]))
}

/** A term that stands for a list: anything else is a list of itself. */
export function listOf(term: Value): Value[] {
  if (Array.isArray(term)) return term
  const items = typeof term === 'string' ? undefined : iterable(term)
  return items === undefined ? [term] : [...items]
}

/** `a b key=value key2="x y"`: the words before the pairs, and the pairs. */
export function keyValues(text: string): { raw: string; pairs: Map<string, string> } {
  const words = text.match(/(?:[^\s"']|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')+/g) ?? []
  const pairs = new Map<string, string>()
  const raw: string[] = []
  for (const word of words) {
    const pair = /^([^=\s"']+)=([\s\S]*)$/.exec(word)
    if (pair) pairs.set(pair[1]!, unquote(pair[2]!))
    else raw.push(word)
  }
  return { raw: raw.join(' '), pairs }
}

function unquote(text: string): string {
  const quote = text[0]
  return text.length > 1 && (quote === '"' || quote === "'") && text.endsWith(quote) ? text.slice(1, -1) : text
}
