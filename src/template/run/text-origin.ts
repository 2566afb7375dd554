/** Finds out who wrote a variable's text: a person in a file, a host, or a template → the class in which the reference keeps it. */
import { LazyDict, type Raw, Template, type Value, Vaulted } from '../../base/index.ts'
import type { Run, TextClass } from './model.ts'

/** The class of a text that stands in a variable, at these keys. */
export function classOfVariable(run: Run, name: string, keys: readonly Value[], text: string): TextClass {
  const { scope, context } = run
  const value = context.find(name)
  if (value instanceof LazyDict) return classInDict(run, value, keys, text)
  if (context.session.texts.has(text)) return scope.fromHost(name) ? 'NativeJinjaUnsafeText' : 'NativeJinjaText'
  if (scope.fromHost(name)) return 'AnsibleUnsafeText'
  return classOfWritten(run, member(writtenOf(run, name), keys), text)
}

const writtenOf = (run: Run, name: string): Raw | undefined => (run.scope.written ? run.scope.written(name) : run.scope.raw?.(name))

/** hostvars and its like: the variables of another host. */
function classInDict(run: Run, dict: LazyDict, keys: readonly Value[], text: string): TextClass {
  const [key, ...rest] = keys
  if (typeof key !== 'string') return 'str'
  const inner = rest.length > 0 ? dict.get(key) : undefined
  if (inner instanceof LazyDict) return classInDict(run, inner, rest, text)
  if (dict.fromHost(key)) return 'AnsibleUnsafeText'
  return classOfWritten(run, member(dict.written(key), rest), text)
}

/** What was written where a name and keys lead to, as long as no template stands on the way. */
export function writtenAt(run: Run, name: string, keys: readonly Value[]): Raw | undefined {
  const written = run.scope.written?.(name)
  // a fact is kept as it was opened; in the task it stands sealed
  const raw = member(written === undefined || written instanceof Template ? run.scope.raw?.(name) : written, keys)
  return raw instanceof Within ? undefined : raw
}

/** What was written at the keys; a template on the way there stands for all that it comes to. */
function member(raw: Raw | undefined, keys: readonly Value[]): Raw | Within | undefined {
  let at = raw
  for (const key of keys) {
    if (at instanceof Template) return new Within(at)
    if (at instanceof Map) at = at.get(key)
    else if (Array.isArray(at) && typeof key === 'number') at = at.at(key)
    else return undefined
  }
  return at
}

class Within {
  constructor(readonly template: Template) {}
}

function classOfWritten(run: Run, raw: Raw | Within | undefined, text: string): TextClass {
  if (raw instanceof Within) return run.environment.classWithin(raw.template, run.scope, text)
  if (raw instanceof Vaulted) return 'AnsibleVaultEncryptedUnicode'
  if (raw instanceof Template) {
    const found = run.environment.classOf(raw, run.scope, text)
    return found === 'AnsibleVaultEncryptedUnicode' ? 'AnsibleUnsafeText' : found
  }
  return raw === text ? 'AnsibleUnicode' : 'str'
}

/** The class of a text of which only this is known: it came from one of the variables that the template has read, or it is new. */
export function classByOrigin(run: Run, text: string): TextClass {
  const { texts, known } = run.context.session
  if (texts.has(text)) return 'NativeJinjaText'
  for (const [name, value] of known) {
    if (value === undefined || !holds(value, text)) continue
    if (run.scope.fromHost(name)) return 'AnsibleUnsafeText'
    const raw = writtenOf(run, name)
    if (raw !== undefined && holds(raw, text)) return 'AnsibleUnicode'
  }
  return 'str'
}

function holds(value: Raw, text: string): boolean {
  if (value === text) return true
  if (Array.isArray(value)) return value.some((item) => holds(item, text))
  if (!(value instanceof Map)) return false
  for (const [key, item] of value) if (key === text || holds(item, text)) return true
  return false
}
