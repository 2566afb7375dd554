/** The parts of a running template, as they refer to each other. */
import type { Source, Template, Value } from '../../base/index.ts'
import type { Rendered, RenderOptions, TextFileOptions } from '../api.ts'
import type { Kwargs } from '../python/index.ts'
import type { CallContext, FilterFunction, LookupFunction, TestFunction } from '../registry.ts'
import type { Scope } from '../scope.ts'
import type { SyntaxSettings } from '../syntax/settings.ts'
import type { Context } from './context.ts'
import type { Frame } from './frame.ts'
import type { Output } from './output.ts'
import type { Patience } from './patience.ts'

/** An expression: evaluates in a running template. */
export type Evaluate = (run: Run) => Value

/** A statement: writes to the output, and tells how the walk goes on. */
export type Execute = (run: Run, out: Output) => Signal

/** 0: go on; 1: leave the loop; 2: next round of the loop. */
export type Signal = 0 | 1 | 2
export const GO_ON = 0
export const BREAK = 1
export const CONTINUE = 2

export interface BlockCode {
  readonly name: string
  readonly required: boolean
  readonly body: Execute
  /** the template it stands in, for error messages */
  readonly program: Program
}

/** The classes in which the reference keeps texts, as type_debug names them; a date of YAML is a text here. */
export type TextClass =
  | 'str'
  | 'AnsibleUnicode'
  | 'AnsibleUnsafeText'
  | 'AnsibleVaultEncryptedUnicode'
  | 'NativeJinjaText'
  | 'NativeJinjaUnsafeText'
  | 'Markup'

/** A compiled template. */
export interface Program {
  /** how messages call it; undefined for text of playbooks */
  readonly name: string | undefined
  readonly body: Execute
  readonly blocks: ReadonlyMap<string, BlockCode>
  /** may it change values in place? Then variables are copied before it gets them. */
  readonly mutates: boolean
  /** the class of its text, where it is nothing but one expression */
  readonly textClass?: ((run: Run, text: string) => TextClass) | undefined
}

/** How the joined text is treated: `text` leaves it text, `literal` reads literals, `native` keeps every type. */
export type Concat = 'text' | 'literal' | 'native'

/** A template while it runs: where it stands and what it sees. */
export interface Run extends CallContext {
  readonly environment: Environment
  readonly context: Context<BlockCode>
  readonly program: Program
  readonly syntax: SyntaxSettings
  readonly concat: Concat
  frame: Frame | undefined
  /** the template that this one extends, once that is known */
  parent: Program | undefined
  /** the block it is in, and how many of the same name override that one */
  block: { readonly name: string; readonly depth: number } | undefined
  /** the offset of the statement that runs, for error messages */
  at: number
}

/** What the running templates ask of the templar: plugins, other templates, rendering of further text. */
export interface Environment {
  readonly native: boolean
  /** None stays None where it is written: with native types, and in template files where those are on elsewhere */
  readonly keepsNone: boolean
  readonly compatVersion: string | undefined
  readonly patience: Patience
  readonly filters: ReadonlyMap<string, FilterFunction>
  readonly tests: ReadonlyMap<string, TestFunction>
  readonly lookups: ReadonlyMap<string, LookupFunction>
  readonly warn?: ((message: string) => void) | undefined
  /** the compiled form of a template file's text */
  compileFile(source: Source, syntax: SyntaxSettings): Program
  renderText(text: string, scope: Scope, options: RenderOptions): { value: Value; fromHost: boolean }
  renderFile(source: Source, scope: Scope, options: TextFileOptions, variables: ReadonlyMap<string, Value>): Rendered
  /** runs a lookup as `query()` does */
  query(run: Run, name: string, terms: Value[], kwargs: Kwargs): Value[]
  /** the class of the text that a template came to */
  classOf(template: Template, scope: Scope, text: string): TextClass
  /** the class of a text that is a member of what the template came to */
  classWithin(template: Template, scope: Scope, text: string): TextClass
  /** joins what a template wrote: as text, or as the value that the text spells */
  concat(run: Run, out: Output): Value
}
