/** A template while it runs: where it stands, what it sees, and what filters, tests and lookups may ask of it. */
import type { Source, Value } from '../../base/index.ts'
import type { RenderOptions, TextFileOptions } from '../api.ts'
import { type Kwargs, NO_KWARGS, PyError, PyObject, plainOf, truth, typeError, typeName, Undefined } from '../python/index.ts'
import type { Scope } from '../scope.ts'
import type { SyntaxSettings } from '../syntax/settings.ts'
import { attributeOrUndefined, itemOrUndefined } from './access.ts'
import type { Context } from './context.ts'
import { type Frame, findLocal } from './frame.ts'
import { withMarkup } from './markup.ts'
import type { BlockCode, Concat, Environment, Program, Run } from './model.ts'

export class Runtime implements Run {
  frame: Frame | undefined
  parent: Program | undefined
  block: { readonly name: string; readonly depth: number } | undefined
  at = 0

  constructor(
    readonly environment: Environment,
    readonly context: Context<BlockCode>,
    readonly program: Program,
    readonly syntax: SyntaxSettings,
    readonly concat: Concat,
  ) {}

  get scope(): Scope {
    return this.context.session.scope
  }
  get native(): boolean {
    return this.environment.native
  }
  get compatVersion(): string | undefined {
    return this.environment.compatVersion
  }

  resolve(name: string): Value | undefined {
    const local = findLocal(this.frame, name)
    return local === undefined ? this.context.find(name) : local
  }

  call(callee: Value, args: Value[], kwargs: Kwargs = NO_KWARGS): Value {
    if (callee instanceof PyObject && callee.call) return callee.call(args, kwargs)
    throw typeError(`'${typeName(callee)}' object is not callable`)
  }

  callFilter(name: string, value: Value, args: Value[] = [], kwargs: Kwargs = NO_KWARGS): Value {
    const filter = this.environment.filters.get(name)
    if (!filter) throw new PyError('TemplateSyntaxError', unknownPlugin(name))
    return withMarkup(name, filter)(this, value, args, kwargs)
  }

  callTest(name: string, value: Value, args: Value[] = [], kwargs: Kwargs = NO_KWARGS): boolean {
    const test = this.environment.tests.get(name)
    if (!test) throw new PyError('TemplateSyntaxError', unknownPlugin(name))
    return truth(test(this, name === 'escaped' ? value : plainOf(value), args.map(plainOf), kwargs))
  }

  hasFilter(name: string): boolean {
    return this.environment.filters.has(name)
  }
  hasTest(name: string): boolean {
    return this.environment.tests.has(name)
  }

  callLookup(name: string, terms: Value[], kwargs: Kwargs = NO_KWARGS): Value[] {
    return this.environment.query(this, name, terms, kwargs)
  }

  getAttribute(value: Value, name: string): Value {
    return attributeOrUndefined(value, name)
  }
  getItem(value: Value, key: Value): Value {
    return itemOrUndefined(value, key)
  }

  renderText(text: string, options: RenderOptions = {}): Value {
    const { value, fromHost } = this.environment.renderText(text, this.visibleScope(), options)
    if (fromHost) this.context.session.fromHost = true
    return value
  }

  renderFile(source: Source, options: TextFileOptions = {}, variables: ReadonlyMap<string, Value> = new Map()): Value {
    const { value, fromHost, texts } = this.environment.renderFile(source, this.visibleScope(), options, variables)
    if (fromHost) this.context.session.fromHost = true
    for (const text of texts ?? []) this.keepText(text)
    return value
  }

  keepText(text: string): void {
    this.context.session.texts.add(text)
  }

  undefined(hint: string): Undefined {
    return new Undefined(hint, { hint })
  }

  /** Further text sees the variables, not this template's locals, as in Ansible. */
  private visibleScope(): Scope {
    return this.scope
  }
}

/** What Ansible says of a filter or test that does not exist. */
export function unknownPlugin(name: string): string {
  const parts = name.split('.')
  const full = parts.length === 1 ? `ansible.builtin.${name}` : name
  const isWrong = parts.length === 2 || parts.some((part) => !/^[\p{L}_][\p{L}\p{N}_]*$/u.test(part))
  return `Could not load "${name}": '${isWrong ? `invalid plugin name: ${full}` : name}'`
}
