/** What the template language asks of the outside: names, files, the clock. The vars room and the engine provide it. */
import type { Raw, Value } from '../base/index.ts'

/**
 * The names a template can see. Values come finished: the provider renders what is lazy, memoises it, and throws an
 * `UndefinedProblem` (kind 'undefined') when a variable's own template leads to something undefined.
 */
export interface Scope {
  /** the value, or undefined where there is no such name */
  get(name: string): Value | undefined
  has(name: string): boolean
  names(): Iterable<string>
  /**
   * Was the value (or something it was made from) told by a host? Then what is rendered with it is data for good: never a template again.
   * Asked right after get().
   */
  fromHost(name: string): boolean
  /**
   * The variable as it was written, for messages and for the rule that a bare `{{ name }}` keeps the type of numbers, booleans and null
   * that stand there as such, not of those that come out of a further template.
   */
  raw?(name: string): Raw | undefined
  /**
   * The variable as a person wrote it in a file, for type_debug: a loop's item before it was rendered, a fact's argument. Undefined where the text is
   * from no file (command line, magic variables). Without this method raw() stands for it.
   */
  written?(name: string): Raw | undefined
  /** What Rendered.texts said when the variable's value was made. Asked after get(). */
  texts?(name: string): ReadonlySet<string> | undefined
  /** The same names, with what is lazy in them rendered by another templar. Without this method the scope itself stands for it. */
  renderedBy?(renderer: Renderer): Scope
  /** where lookups and includes find files; absent in bare tests */
  readonly files?: TemplateFiles
  /** things of the run that lookups ask for */
  readonly run?: RunContext
}

/** What a scope asks of a templar: the value that was written, rendered. */
export interface Renderer {
  renderWithOrigin(raw: Raw, scope: Scope): { readonly value: Value; readonly fromHost: boolean; readonly texts?: ReadonlySet<string> }
}

export interface TemplateFiles {
  /**
   * The search path of Ansible's lookups: `name` in `kind` (files, templates, vars, …) of the role, its dependants, the task file, the playbook.
   * Undefined where there is no such file.
   */
  find(kind: string, name: string): string | undefined
  /** the folders that find() would look in, for fileglob and error messages */
  folders(kind: string): readonly string[]
  /** a text file, opened if it is vaulted; throws a Problem of kind 'file' */
  read(path: string): string
  readBytes(path: string): Uint8Array
}

export interface RunContext {
  readonly playbookDir: string
  readonly inventoryDir?: string | undefined
  /** hosts of a pattern, for inventory_hostnames */
  hostsOf?(pattern: string): readonly string[]
  /** a setting's value by its Ansible name (`DEFAULT_ROLES_PATH`), for the config lookup */
  setting?(name: string): Value | undefined
  /** opens vault text */
  unvault?(text: string): string
  /** the run's environment (env lookup) */
  readonly env: Readonly<Record<string, string | undefined>>
  now(): Date
}
