/** The contract between the language and its filters, tests and lookups: what they are given, what they give back. */
import type { Source, Value } from '../base/index.ts'
import type { RenderOptions, TextFileOptions } from './api.ts'
import type { Kwargs } from './python/object.ts'
import type { Undefined } from './python/undefined.ts'
import type { Scope } from './scope.ts'

/** `value | name(*args, **kwargs)` */
export type FilterFunction = (context: CallContext, value: Value, args: Value[], kwargs: Kwargs) => Value
/** `value is name(*args, **kwargs)`: what it gives counts by its truth */
export type TestFunction = (context: CallContext, value: Value, args: Value[], kwargs: Kwargs) => Value
/** `query(name, *terms, **kwargs)`: always a list; text terms have been rendered, options are in kwargs (wantlist and errors are gone). */
export type LookupFunction = (context: CallContext, terms: Value[], kwargs: Kwargs) => Value[]

/** What a filter, test or lookup can ask of the running template. */
export interface CallContext {
  readonly scope: Scope
  /** jinja2_native */
  readonly native: boolean
  /** the Ansible release whose behaviour is kept, where that is not the one that tsspray follows */
  readonly compatVersion: string | undefined
  /** a name as the template sees it here: locals, then globals such as `range`, then the scope; undefined where there is none */
  resolve(name: string): Value | undefined
  /** calls a macro, a bound method or any other callable */
  call(callee: Value, args: Value[], kwargs?: Kwargs): Value
  /** runs a filter by its name, as `map('name', …)` does; an unknown name throws what Jinja2 throws */
  callFilter(name: string, value: Value, args?: Value[], kwargs?: Kwargs): Value
  callTest(name: string, value: Value, args?: Value[], kwargs?: Kwargs): boolean
  hasFilter(name: string): boolean
  hasTest(name: string): boolean
  /** runs a lookup by its name; the list */
  callLookup(name: string, terms: Value[], kwargs?: Kwargs): Value[]
  /** `value.name` as Jinja2 has it (attribute, then item); Undefined where neither is */
  getAttribute(value: Value, name: string): Value
  /** `value[key]` as Jinja2 has it (item, then attribute); Undefined where neither is */
  getItem(value: Value, key: Value): Value
  /** renders text as a template, in the same scope; deep values are rendered deeply. Use it only on what people wrote. */
  renderText(text: string, options?: RenderOptions): Value
  /** renders a template file with further variables (the template lookup) */
  renderFile(source: Source, options?: TextFileOptions, variables?: ReadonlyMap<string, Value>): Value
  /** this text is text for good: it is not read as a list or dict again, as that of `to_json` is not */
  keepText(text: string): void
  /** a strict undefined whose error is `hint` */
  undefined(hint: string): Undefined
}
