/** Renders templates by Ansible's rules: the room's door. */
import {
  Float,
  isFinished,
  LateDict,
  looksLikeTemplate,
  OMIT,
  Problem,
  type Raw,
  type Source,
  type Span,
  Template,
  Timestamp,
  type Value,
  Vaulted,
} from '../base/index.ts'
import type { FileOptions, Rendered, RenderOptions, Templar, TemplarSettings, TextFileOptions } from './api.ts'
import { Compiler } from './compiled.ts'
import { dateOf } from './filters/datetime.ts'
import { FILTERS } from './filters/index.ts'
import { fileSettings, readHeader } from './headers.ts'
import { LOOKUPS } from './lookups/index.ts'
import { type Kwargs, NO_KWARGS, PyError, repr, str } from './python/index.ts'
import { toProblem } from './rim.ts'
import { concatLiteral, concatNative } from './run/concat.ts'
import { Context, type Place, type Session } from './run/context.ts'
import { GLOBALS } from './run/globals.ts'
import { findLookup, marked } from './run/lookups.ts'
import type { BlockCode, Concat, Environment, Program, Run, TextClass } from './run/model.ts'
import { Output } from './run/output.ts'
import { Patience } from './run/patience.ts'
import { Runtime } from './run/runtime.ts'
import { execute, registerBlocks } from './run/templates.ts'
import { classByOrigin } from './run/text-origin.ts'
import type { Scope } from './scope.ts'
import { escapeBackslashes, hasWholeTag } from './syntax/backslashes.ts'
import { DEFAULT_SYNTAX, type SyntaxSettings } from './syntax/settings.ts'
import { TESTS } from './tests/index.ts'

export function createTemplar(settings: TemplarSettings): Templar {
  return new OwnTemplar(settings)
}

/** The parsed form of a Template, with the templar that made it. */
interface Compiled {
  readonly owner: OwnTemplar
  readonly program: Program
  /** the text as messages quote it */
  readonly text: string
  /** the name, where the text is nothing but one bare variable */
  readonly bare: string | undefined
  readonly settings: SyntaxSettings
}

const BARE = /^\{\{\s*([\p{L}\p{N}_]*)\s*\}\}\n?$/u
const MOST_CONDITIONS = 4000
const NOTHING: ReadonlyMap<string, Value> = new Map()

class OwnTemplar implements Templar {
  private readonly compiler = new Compiler(FILTERS, TESTS)
  private readonly syntax: SyntaxSettings
  private readonly environment: Environment
  private readonly conditions = new Map<string, Compiled>()
  private readonly patience = new Patience()

  /** the same without native types, which template files never have; itself where they are off */
  private readonly plain: OwnTemplar

  constructor(
    private readonly settings: TemplarSettings,
    keepsNone: boolean = settings.native,
  ) {
    this.plain = settings.native ? new OwnTemplar({ ...settings, native: false }, true) : this
    const { extensions } = settings
    this.syntax = {
      ...DEFAULT_SYNTAX,
      doExtension: extensions.includes('jinja2.ext.do'),
      loopControls: extensions.includes('jinja2.ext.loopcontrols'),
    }
    this.environment = {
      native: settings.native,
      keepsNone,
      compatVersion: settings.compatVersion,
      patience: this.patience,
      filters: FILTERS,
      tests: TESTS,
      lookups: LOOKUPS,
      warn: settings.warn,
      compileFile: (source, syntax) => this.compileFile(source, syntax),
      renderText: (text, scope, options) => this.renderWithOrigin(looksLikeTemplate(text) ? new Template(text) : text, scope, options),
      renderFile: (source, scope, options, variables) => this.renderTextFile(source, scope, options, variables),
      query: (run, name, terms, kwargs) => this.query(run, name, terms, kwargs),
      classOf: (template, scope, text) => this.classOf(template, scope, text),
      classWithin: (template, scope, text) => this.classWithin(template, scope, text),
      concat: (run, out) => joined(run, out),
    }
  }

  get native(): boolean {
    return this.settings.native
  }

  /** whether undefined values are mistakes where the caller says nothing of it */
  private get strict(): boolean {
    return this.settings.strict ?? true
  }

  render(raw: Raw, scope: Scope, options?: RenderOptions): Value {
    return isFinished(raw) ? raw : this.renderWithOrigin(raw, scope, options).value
  }

  renderWithOrigin(raw: Raw, scope: Scope, options: RenderOptions = {}): Rendered {
    const seen: Seen = { fromHost: false, texts: new Set() }
    const value = this.deep(raw, scope, options, seen, true)
    const { fromHost, texts } = seen
    return texts.size > 0 ? { value, fromHost, texts } : { value, fromHost }
  }

  private deep(raw: Raw, scope: Scope, options: RenderOptions, seen: Seen, top: boolean): Value {
    if (raw === null || typeof raw !== 'object') return raw
    if (raw instanceof Template) return this.template(raw, scope, options, seen)
    if (raw instanceof Vaulted) return raw.open()
    if (raw instanceof Timestamp) return dateOf(raw)
    if (Array.isArray(raw)) return raw.map((item) => this.member(item, scope, options, seen))
    if (!(raw instanceof Map) || raw instanceof LateDict) return raw
    const dict = new Map<Value, Value>()
    for (const [key, item] of raw) {
      dict.set(this.key(key, scope, top && options.keys === true), this.member(item, scope, options, seen))
    }
    return dict
  }

  /** Within a list or a dict an omit is text: only what takes arguments leaves it out. */
  private member(raw: Raw, scope: Scope, options: RenderOptions, seen: Seen): Value {
    const value = this.deep(raw, scope, options, seen, false)
    return value === OMIT ? OMIT.text : value
  }

  /** Keys are not templated, except where set_fact asks for it. */
  private key(key: Raw, scope: Scope, render: boolean): Value {
    if (!(key instanceof Template)) return this.deep(key, scope, {}, { fromHost: false, texts: new Set() }, false)
    return render ? this.template(key, scope, {}, { fromHost: false, texts: new Set() }) : key.text
  }

  private template(template: Template, scope: Scope, options: RenderOptions, seen: Seen): Value {
    if (!looksLikeTemplate(template.text)) return template.text
    const compiled = this.compiled(template)
    const plain = compiled.bare === undefined ? undefined : plainValue(compiled.bare, scope)
    if (plain !== undefined) {
      if (scope.fromHost(compiled.bare!)) seen.fromHost = true
      return plain.value === null ? (this.settings.nullAs ?? null) : plain.value
    }
    const mode: Concat = this.settings.native ? 'native' : options.convert === false ? 'text' : 'literal'
    try {
      const { value, session } = this.evaluate(compiled, scope, mode, template.span)
      if (session.fromHost) seen.fromHost = true
      if (typeof value === 'string' && session.texts.has(value)) seen.texts.add(value)
      return typeof value === 'string' ? withFinalNewlines(value, template.text, compiled.settings) : value
    } catch (error) {
      if (!(options.strict ?? this.strict) && isUndefined(error)) return compiled.text
      throw error
    }
  }

  private evaluate(compiled: Compiled, scope: Scope, mode: Concat, span: Span | undefined): Evaluated {
    const { program, text, settings } = compiled
    const session = newSession(scope, program)
    const run = new Runtime(this.environment, new Context<BlockCode>(session, undefined, NOTHING, true), program, settings, mode)
    registerBlocks(run.context, program)
    const out = new Output()
    this.patience.enter()
    try {
      execute(run, out)
      return { value: joined(run, out), session, run }
    } catch (error) {
      throw toProblem(error, { text, span }, run.at)
    } finally {
      this.patience.leave()
    }
  }

  /** The template's parsed form, made at first use. */
  private compiled(template: Template): Compiled {
    const known = template.compiled as Compiled | undefined
    if (known?.owner === this) return known
    const compiled = this.compileText(template.text, template.span)
    template.compiled = compiled
    return compiled
  }

  private compileText(whole: string, span: Span | undefined): Compiled {
    let text = whole
    try {
      const header = readHeader(whole, this.syntax, this.settings.warn)
      text = header.text
      text = escapeBackslashes(text, header.settings)
      const program = this.compiler.compile(text, header.settings)
      return { owner: this, program, text, bare: BARE.exec(whole)?.[1], settings: header.settings }
    } catch (error) {
      throw toProblem(error, { text, span }, 0)
    }
  }

  renderFile(source: Source, scope: Scope, options: FileOptions = {}): string {
    const { value } = this.plain.rendering(source, this.plainScope(scope), options, NOTHING, 'text', placeOf(source, false))
    return value as string
  }

  private plainScope(scope: Scope): Scope {
    return this.settings.native ? (scope.renderedBy?.(this.plain) ?? scope) : scope
  }

  /** As lookup('template') has it: native types only where they are asked for, and text that they are not to touch then. */
  private renderTextFile(source: Source, scope: Scope, options: TextFileOptions, variables: ReadonlyMap<string, Value>): Rendered {
    const native = this.settings.native && options.native === true
    const convert = options.convert ?? true
    const found = native
      ? this.textOfFile(source, scope, options, variables, 'native')
      : this.plain.textOfFile(source, this.plainScope(scope), options, variables, convert ? 'literal' : 'text')
    const keep = (this.settings.native && !native) || !convert
    if (!keep) return found
    const value = str(found.value)
    return { value, fromHost: found.fromHost, texts: new Set([value]) }
  }

  private textOfFile(source: Source, scope: Scope, options: FileOptions, variables: ReadonlyMap<string, Value>, mode: Concat): Rendered {
    const start = options.variableStart ?? this.syntax.variableStart
    const others = [start, options.blockStart, options.commentStart].filter((one) => one !== undefined)
    if (!looksLikeTemplate(source.text) && !others.some((one) => source.text.includes(one))) return { value: source.text, fromHost: false }
    const bare = start === this.syntax.variableStart ? BARE.exec(source.text)?.[1] : undefined
    const plain = bare === undefined || variables.has(bare) ? undefined : plainValue(bare, scope)
    return plain === undefined
      ? this.rendering(source, scope, options, variables, mode, placeOf(source, true))
      : { value: plain.value, fromHost: scope.fromHost(bare!) }
  }

  private rendering(
    source: Source,
    scope: Scope,
    options: FileOptions,
    variables: ReadonlyMap<string, Value>,
    mode: Concat,
    place: Place | undefined,
  ): Rendered {
    let run: Run | undefined
    let removed = 0
    this.patience.enter()
    try {
      const header = readHeader(source.text, fileSettings(this.syntax, options), this.settings.warn)
      removed = header.removed
      const program = this.compiler.compile(header.text, header.settings, source.name)
      const session = { ...newSession(scope, program), place }
      run = new Runtime(this.environment, new Context<BlockCode>(session, undefined, variables, true), program, header.settings, mode)
      registerBlocks(run.context, program)
      const out = new Output()
      execute(run, out)
      const value = joined(run, out)
      if (typeof value !== 'string') return { value, fromHost: session.fromHost }
      if (session.texts.has(value) && !source.text.endsWith('\n')) return { value, fromHost: session.fromHost, texts: new Set([value]) }
      const kept = options.keepTrailingNewline ?? true
      return { value: kept ? withFinalNewlines(value, source.text, header.settings) : value, fromHost: session.fromHost }
    } catch (error) {
      if (!this.strict && isUndefined(toProblem(error, { text: source.text, span: undefined }, 0)))
        return { value: source.text.slice(removed), fromHost: false }
      const span = { source, start: 0, end: source.text.length }
      throw toProblem(error, { text: source.text, span }, removed + (run?.at ?? 0))
    } finally {
      this.patience.leave()
    }
  }

  private compileFile(source: Source, syntax: SyntaxSettings): Program {
    try {
      return this.compiler.compile(source.text, syntax, source.name)
    } catch (error) {
      throw toProblem(error, { text: source.text, span: { source, start: 0, end: source.text.length } }, 0)
    }
  }

  condition(raw: Raw, scope: Scope): boolean {
    if (raw === null || raw === '') return true
    if (typeof raw === 'boolean') return raw
    const original =
      raw instanceof Template
        ? raw.text
        : typeof raw === 'string'
          ? raw
          : repr(raw instanceof Timestamp ? dateOf(raw) : isFinished(raw) ? raw : null)
    if (original === '') return true
    try {
      if (!hasWholeTag(original, this.syntax)) return this.decide(original, scope)
      this.settings.warn?.(
        `conditional statements should not include jinja2 templating delimiters such as {{ }} or {% %}. Found: ${original}`,
      )
      const { value, fromHost } = this.renderWithOrigin(raw instanceof Template ? raw : new Template(original), scope)
      if (typeof value === 'boolean') return value
      if (value === '') return false
      if (fromHost) throw new Problem('Conditional is marked as unsafe, and cannot be evaluated.', { kind: 'template' })
      return this.decide(str(value), scope)
    } catch (error) {
      throw conditionProblem(error, original, raw instanceof Template ? raw.span : undefined)
    }
  }

  private decide(expression: string, scope: Scope): boolean {
    let compiled = this.conditions.get(expression)
    if (!compiled) {
      compiled = this.compileText(`{% if ${expression} %} True {% else %} False {% endif %}`, undefined)
      if (this.conditions.size >= MOST_CONDITIONS) this.conditions.clear()
      this.conditions.set(expression, compiled)
    }
    try {
      return str(this.evaluate(compiled, scope, 'text', undefined).value).trim() === 'True'
    } catch (error) {
      if (!this.strict && isUndefined(error)) return false
      throw error
    }
  }

  expression(text: string, scope: Scope, at?: Span): Value {
    return this.render(new Template(`{{${text}}}`, at), scope, { strict: true })
  }

  lookup(name: string, terms: readonly Value[], scope: Scope, kwargs: ReadonlyMap<string, Value> = NO_KWARGS): Value[] {
    const program = this.compiler.compile('', this.syntax)
    const run = new Runtime(
      this.environment,
      new Context<BlockCode>(newSession(scope, program), undefined, NOTHING, true),
      program,
      this.syntax,
      'literal',
    )
    try {
      return this.query(run, name, [...terms], kwargs)
    } catch (error) {
      throw toProblem(error, { text: name, span: undefined }, 0)
    }
  }

  private query(run: Run, name: string, terms: Value[], kwargs: Kwargs): Value[] {
    const plugin = findLookup(LOOKUPS, name)
    if (!plugin) throw new PyError('AnsibleLookupError', `lookup plugin (${name}) not found`)
    return marked(run, plugin(run, terms, kwargs))
  }

  /** The class of the text that a template came to: unsafe where a host's words went in. */
  private classOf(template: Template, scope: Scope, text: string): TextClass {
    const compiled = this.compiled(template)
    const { session, run } = this.evaluate(compiled, scope, 'literal', template.span)
    if (session.fromHost) return session.texts.has(text) ? 'NativeJinjaUnsafeText' : 'AnsibleUnsafeText'
    return compiled.program.textClass?.(run, text) ?? 'str'
  }

  /** With native types the members of a list or dict stay what they were; without them they are read anew from its text. */
  private classWithin(template: Template, scope: Scope, text: string): TextClass {
    const { session, run } = this.evaluate(this.compiled(template), scope, this.settings.native ? 'native' : 'literal', template.span)
    if (session.fromHost) return 'AnsibleUnsafeText'
    return this.settings.native ? classByOrigin(run, text) : 'str'
  }

  text(value: Value): string {
    return str(value)
  }

  hasLookup(name: string): boolean {
    return findLookup(LOOKUPS, name) !== undefined
  }

  check(raw: Raw): readonly Error[] {
    if (raw instanceof Template) return this.checkTemplate(raw)
    if (Array.isArray(raw)) return raw.flatMap((item) => this.check(item))
    return raw instanceof Map ? [...raw].flatMap(([key, value]) => [...this.check(key), ...this.check(value)]) : []
  }

  private checkTemplate(template: Template): readonly Error[] {
    try {
      this.compiled(template)
      return []
    } catch (error) {
      if (error instanceof Error) return [error]
      throw error
    }
  }
}

const isUndefined = (error: unknown): boolean => error instanceof Problem && error.kind === 'undefined'

interface Evaluated {
  readonly value: Value
  readonly session: Session
  readonly run: Run
}

interface Seen {
  fromHost: boolean
  readonly texts: Set<string>
}

function newSession(scope: Scope, program: Program): Session {
  return { scope, globals: GLOBALS, known: new Map(), copying: program.mutates, fromHost: false, texts: new Set() }
}

function placeOf(source: Source, first: boolean): Place | undefined {
  const at = source.name.lastIndexOf('/')
  return at > 0 && source.name.startsWith('/') ? { folder: source.name.slice(0, at), first } : undefined
}

function joined(run: Run, out: Output): Value {
  if (run.concat === 'text') return out.joined()
  const { texts } = run.context.session
  return run.concat === 'native' ? concatNative(out, texts) : concatLiteral(out, texts)
}

/** A variable that stands as a plain number, boolean or null: the text of one bare variable keeps it. */
function plainValue(name: string, scope: Scope): { value: Value } | undefined {
  if (!scope.has(name)) return undefined
  const raw = scope.raw?.(name)
  if (raw !== undefined && raw !== null && typeof raw === 'object' && !(raw instanceof Float)) return undefined
  const value = raw === undefined ? scope.get(name) : raw
  if (value === undefined || typeof value === 'string' || (typeof value === 'object' && value !== null && !(value instanceof Float)))
    return undefined
  return { value }
}

/** Line ends that the template had at its end, and the result lost, are added again. */
function withFinalNewlines(result: string, template: string, settings: SyntaxSettings): string {
  const missing = finalNewlines(template) - finalNewlines(result)
  return missing > 0 ? result + settings.newlineSequence.repeat(missing) : result
}

function finalNewlines(text: string): number {
  let count = 0
  while (count < text.length && text[text.length - 1 - count] === '\n') count++
  return count
}

function conditionProblem(error: unknown, original: string, span: Span | undefined): unknown {
  if (!(error instanceof Problem)) return error
  const inner = error.kind === 'undefined' ? `error while evaluating conditional (${original}): ${error.message}` : error.message
  return new Problem(`The conditional check '${original}' failed. The error was: ${inner}`, {
    kind: error.kind,
    span: error.span ?? span,
    hint: () => error.hint,
    notes: error.notes,
    cause: error,
  })
}
