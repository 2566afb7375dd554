/** The door to the template room: what the other rooms call. `createTemplar` in templar.ts implements it. */
import type { Raw, Source, Span, Value } from '../base/index.ts'
import type { Scope } from './scope.ts'

export interface TemplarSettings {
  /** jinja2_native: every template keeps its type */
  readonly native: boolean
  /** jinja2_extensions, such as jinja2.ext.do and jinja2.ext.loopcontrols */
  readonly extensions: readonly string[]
  /** the Ansible release whose behaviour is kept; without it the one that tsspray follows */
  readonly compatVersion?: string | undefined
  /** false: templates with undefined values render as they are written, except where a caller asks for strictness; default true */
  readonly strict?: boolean | undefined
  /** what a bare variable that is null comes to; default null */
  readonly nullAs?: string | undefined
  /** hears of conditions with template marks in them */
  readonly warn?: ((message: string) => void) | undefined
}

/** How a template file is rendered: the template module's options; a `#jinja2:` header beats them. */
export interface FileOptions {
  readonly trimBlocks?: boolean // default true
  readonly lstripBlocks?: boolean // default false
  readonly keepTrailingNewline?: boolean // default true in the template module, false in lookup('template')
  readonly newlineSequence?: '\n' | '\r' | '\r\n'
  readonly variableStart?: string
  readonly variableEnd?: string
  readonly blockStart?: string
  readonly blockEnd?: string
  readonly commentStart?: string
  readonly commentEnd?: string
}

/** How lookup('template') renders: a file's text as if it stood in a playbook, its backslashes as they are. */
export interface TextFileOptions extends FileOptions {
  /** jinja2_native's rules for this text, where they are on at all; default false */
  readonly native?: boolean
  /** text that looks like a list, dict or boolean becomes one; default true */
  readonly convert?: boolean
}

export interface Rendered {
  readonly value: Value
  /** something a host told went into it */
  readonly fromHost: boolean
  /**
   * The texts in it (the value itself or members of it) that are text for good because to_json or its like gave them: they are not read as lists or
   * dicts again. Whoever keeps the value hands them back through Scope.texts. Absent where there are none.
   */
  readonly texts?: ReadonlySet<string>
}

export interface RenderOptions {
  /** text that looks like a list, dict or boolean becomes one (convert_data); default true */
  readonly convert?: boolean
  /** false: undefined values render as their source text instead of failing (as in a task's name); default: the templar's setting */
  readonly strict?: boolean
  /** renders the keys of the top dict too, as set_fact has it; default false */
  readonly keys?: boolean
}

export interface Templar {
  /** jinja2_native */
  readonly native?: boolean
  /**
   * Renders everything in `raw`, deeply: templates evaluated, vaulted texts opened, `omit` members dropped below the top.
   * The top value itself may be OMIT. Finished values come back as they are. Throws Problems with places:
   * kind 'undefined' for undefined variables, 'template' for everything else, 'syntax' for what does not parse.
   */
  render(raw: Raw, scope: Scope, options?: RenderOptions): Value
  /** The same, and tells whether host data went in. */
  renderWithOrigin(raw: Raw, scope: Scope, options?: RenderOptions): Rendered
  /** Renders a template file's text; always text. Includes, imports and extends are found through scope.files('templates'). */
  renderFile(source: Source, scope: Scope, options?: FileOptions): string
  /**
   * A conditional (when, until, changed_when, failed_when, assert's that) as ansible-core 2.18 has it: text is an expression; an empty text and
   * null are true; text that has `{{ }}` is rendered first and the text evaluated again; booleans are themselves; other values have Python's truth.
   * The Problem's message is whole: “The conditional check 'x' failed. The error was: …”.
   */
  condition(raw: Raw, scope: Scope): boolean
  /** A bare expression, as `debug: var=` has it. */
  expression(text: string, scope: Scope, at?: Span): Value
  /** Runs a lookup plugin as `with_NAME` does: terms are given finished; returns the list of items. Short or full name. Undefined where there is none. */
  lookup(name: string, terms: readonly Value[], scope: Scope, kwargs?: ReadonlyMap<string, Value>): Value[]
  /** A value as it looks in text: Python's str(). */
  text(value: Value): string
  /** Does a lookup plugin of this name exist (for with_NAME)? */
  hasLookup(name: string): boolean
  /** Parses without rendering, for load-time checks; returns the mistakes. */
  check(raw: Raw): readonly Error[]
}
