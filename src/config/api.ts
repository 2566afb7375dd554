/**
 * What the config room does for the others: `loadSettings` (settings.ts) reads ansible.cfg, environment and flags over one table of definitions
 * (definitions.ts), whose keys are Ansible's own names (DEFAULT_FORKS, HOST_KEY_CHECKING, …) and whose types give get() its result type.
 */

export type Origin = 'default' | { readonly file: string; readonly line: number } | { readonly env: string } | { readonly flag: string }

/** A setting's definition, as data. */
export interface Definition<T> {
  readonly type: 'bool' | 'int' | 'float' | 'str' | 'list' | 'path' | 'pathlist' | 'pathspec' | 'dict' | 'none'
  readonly default: T
  /** [section, key] pairs, the strongest last */
  readonly ini?: readonly (readonly [string, string])[]
  readonly env?: readonly string[]
  readonly summary: string
  /** the only texts allowed */
  readonly choices?: readonly string[]
}
