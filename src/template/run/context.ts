/** The names that a template (not one of its scopes) sees: what it set itself, what it was given, variables, globals. */
import { Problem, type Value } from '../../base/index.ts'
import { Undefined } from '../python/index.ts'
import type { Scope } from '../scope.ts'
import { deepCopy } from './copy.ts'
import { rawText } from './raw-text.ts'

/** What all templates of one rendering share. */
export interface Session {
  readonly scope: Scope
  readonly globals: ReadonlyMap<string, Value>
  /** variables' values as this rendering got them */
  readonly known: Map<string, Value | undefined>
  /** copies lists and dicts before templates get them, since one of the templates changes values */
  copying: boolean
  /** did something a host told, or a lookup's result, go in? */
  fromHost: boolean
  /** texts that filters such as to_json gave: they are never read as literals */
  readonly texts: Set<string>
  /** where the file lies that is rendered: what it includes may lie beside it */
  readonly place?: Place | undefined
}

/** A folder, and whether it is asked before the search path or after it (its `templates` then before itself). */
export interface Place {
  readonly folder: string
  readonly first: boolean
}

export class Context<Block = unknown> {
  /** what the template's top level set, in this order */
  readonly vars = new Map<string, Value>()
  /** the blocks of the template and of those it extends, innermost first */
  readonly blocks = new Map<string, Block[]>()

  constructor(
    readonly session: Session,
    /** the context it was included or imported with */
    private readonly outer: Context<Block> | undefined,
    /** names it was given: the includer's locals, template_vars */
    private readonly given: ReadonlyMap<string, Value>,
    /** false for an import without context: only globals are seen */
    private readonly seesVariables: boolean,
  ) {}

  /** The value of a name, undefined where there is none. */
  find(name: string): Value | undefined {
    const own = this.vars.get(name)
    if (own !== undefined) return own
    const given = this.given.get(name)
    if (given !== undefined) return given
    if (this.outer) return this.outer.find(name)
    const found = this.seesVariables ? variable(this.session, name) : undefined
    return found === undefined ? this.session.globals.get(name) : found
  }
}

function variable(session: Session, name: string): Value | undefined {
  const { known } = session
  const seen = known.get(name)
  if (seen !== undefined || known.has(name)) return seen
  const value = askScope(session, name)
  known.set(name, value)
  return value
}

function askScope(session: Session, name: string): Value | undefined {
  const { scope } = session
  let value: Value | undefined
  try {
    value = scope.get(name)
  } catch (error) {
    if (error instanceof Problem && error.kind === 'undefined') {
      const raw = scope.raw?.(name)
      const message = raw === undefined ? error.message : `${rawText(raw)}: ${error.message}`
      return new Undefined(message, { undefinedName: name, hint: message, near: () => error.hint })
    }
    throw error
  }
  if (value === undefined) return undefined
  if (scope.fromHost(name)) session.fromHost = true
  for (const text of scope.texts?.(name) ?? []) session.texts.add(text)
  return session.copying ? deepCopy(value) : value
}
