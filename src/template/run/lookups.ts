/** Runs lookup plugins for `lookup()`, `query()` and `with_NAME`. */
import { looksLikeTemplate, Problem, type Value } from '../../base/index.ts'
import { type Kwargs, lookupError, PyError, plainDeep, str, truth, Undefined } from '../python/index.ts'
import type { LookupFunction } from '../registry.ts'
import type { Run } from './model.ts'

/** `lookup('name', …)`: texts joined with commas, a single value as it is. */
export function lookup(run: Run, args: Value[], kwargs: Kwargs): Value {
  const found = look(run, args, kwargs)
  const wantlist = truth(kwargs.get('wantlist') ?? false)
  if (found === undefined) return wantlist ? [] : null
  if (wantlist || found.length === 0) return found
  if (found.every((item) => typeof item === 'string')) return textOf(run, found)
  return found.length === 1 ? found[0]! : found
}

function textOf(run: Run, found: readonly string[]): string {
  const text = found.join(',')
  if (run.context.session.texts.has(found[0]!)) run.keepText(text)
  return text
}

/** `query('name', …)`: always a list. */
export const query = (run: Run, args: Value[], kwargs: Kwargs): Value => look(run, args, kwargs) ?? []

/** The items, or undefined where the lookup failed and the caller wants to go on. */
function look(run: Run, [nameGiven, ...rest]: Value[], kwargs: Kwargs): Value[] | undefined {
  if (nameGiven === undefined) throw new PyError('TypeError', "Templar._lookup() missing 1 required positional argument: 'name'")
  const name = str(nameGiven)
  const plugin = findLookup(run.environment.lookups, name)
  if (!plugin) throw lookupError(`lookup plugin (${name}) not found`)
  const options = new Map([...kwargs].map(([option, value]) => [option, plainDeep(value)]))
  for (const own of ['wantlist', 'errors', 'allow_unsafe']) options.delete(own)
  const errors = str(kwargs.get('errors') ?? 'strict')
  try {
    const terms = rest.map((term) => renderTerm(run, term))
    return marked(run, plugin(run, terms, options))
  } catch (error) {
    const told = explained(error, name)
    if (errors === 'strict' || isUndefinedError(error)) throw told
    if (errors === 'warn') run.environment.warn?.(warning(error, told))
    return undefined
  }
}

/** `ansible.builtin.x` and `ansible.legacy.x` are `x`. */
export function findLookup(lookups: ReadonlyMap<string, LookupFunction>, name: string): LookupFunction | undefined {
  return lookups.get(name) ?? lookups.get(name.replace(/^ansible\.(builtin|legacy)\./, ''))
}

/** What a lookup found is data for good. */
export function marked(run: Run, found: Value[]): Value[] {
  if (found.length > 0) run.context.session.fromHost = true
  return found
}

/** Text that people wrote as a term is templated again; text that came from elsewhere is not. */
function renderTerm(run: Run, given: Value): Value {
  const term = plainDeep(given)
  if (term instanceof Undefined) term.raise()
  if (run.context.session.fromHost) return term
  if (typeof term === 'string') return looksLikeTemplate(term) ? run.renderText(term, { strict: true }) : term
  if (Array.isArray(term)) return term.map((item) => renderTerm(run, item))
  if (term instanceof Map) return new Map([...term].map(([key, value]) => [key, renderTerm(run, value)]))
  return term
}

function isUndefinedError(error: unknown): boolean {
  return (error instanceof PyError && error.type === 'UndefinedError') || (error instanceof Problem && error.kind === 'undefined')
}

/** What is said of a failure that the caller lets pass. */
function warning(error: unknown, told: unknown): string {
  const message = told instanceof Error ? told.message : String(told)
  return error instanceof PyError && error.type === 'AnsibleLookupError'
    ? `Lookup failed but the error is being ignored: ${message}`
    : message.slice(0, -`. ${error instanceof Error ? error.message : String(error)}`.length)
}

/** Errors that the plugin did not raise as its own are wrapped in what Ansible says of them. */
function explained(error: unknown, name: string): unknown {
  if (isUndefinedError(error) || (error instanceof PyError && error.type === 'AnsibleLookupError')) return error
  const message = error instanceof Error ? error.message : String(error)
  const type = error instanceof PyError && error.type !== 'AnsibleFilterError' ? error.type : 'ansible.errors.AnsibleError'
  const told = `An unhandled exception occurred while running the lookup plugin '${name}'. Error was a <class '${type}'>, original message: ${message}`
  return new PyError('AnsibleLookupError', `${told}. ${message}`, { cause: error })
}
