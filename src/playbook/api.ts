/**
 * What the playbook room does for the others (index.ts exports it):
 *
 *   loadPlaybooks(paths, context): Playbook[]     throws Problems: everything wrong that can be found before a run, together
 *   loadIncludedTasks(path, from, itemVars, context): Block[]     for include_tasks at run time; `path` absolute
 *   loadIncludedFile(path, from, itemVars): { steps, handlers, roles }     the same with the handlers and roles that imports in the file bring
 *   findIncludedFile(name, from): where the file of an include_tasks is, by Ansible's search
 *   loadIncludedRole(request, from, itemVars, play, context): { role, steps, handlers, roles }
 *   tagsAllow(tags, filter): boolean
 *   listPlaybook(playbook, options): what --list-hosts, --list-tasks and --list-tags print, as data; listingLines(listing) as text
 */
import type { Raw, RawVars, Template } from '../base/index.ts'
import type { DocumentOptions } from '../documents/index.ts'
import type { Templar } from '../template/index.ts'

/** What a module name leads to. */
export interface ModuleInfo {
  readonly resolved: string
  readonly freeForm: boolean
  /** names of parameters and their aliases, for unknown ones are pointed out at load time; undefined: not known (custom modules) */
  readonly parameters: readonly string[] | undefined
  readonly openArgs: boolean
  readonly file?: string | undefined
}

export interface LoadContext {
  readonly documents: DocumentOptions
  readonly templar: Templar
  /** names from -e, the only variables besides the play's own that static names are rendered with */
  readonly extraVars: RawVars
  /** Finds a module by the name a task uses; `folders` are library/ folders of roles and playbook on the way. Undefined: unknown. */
  readonly module: (name: string, collections: readonly string[], folders: readonly string[]) => ModuleInfo | undefined
  /** all known names, for “did you mean” */
  readonly moduleNames: () => Iterable<string>
  /** DEFAULT_ROLES_PATH, absolute */
  readonly rolesPath: readonly string[]
  readonly collectionsPaths: readonly string[]
  readonly warn: (message: string) => void
  readonly deprecated: (message: string) => void
  /** true: defaults/ and vars/ of roles are read at first use only, so that mistakes in them show later (for --list-…) */
  readonly lazyVars?: boolean | undefined
  /** DEFAULT_PRIVATE_ROLE_VARS where somebody set it: whether roles keep their variables to themselves unless `public` says otherwise */
  readonly privateRoleVars?: boolean | undefined
  /** MODULE_IGNORE_EXTS: endings of files beside modules that are none */
  readonly ignoredEndings?: readonly string[] | undefined
  /** INVALID_TASK_ATTRIBUTE_FAILED=False: keywords of tasks that nobody knows are warned about */
  readonly ignoreUnknownKeywords?: boolean | undefined
  /** VALIDATE_ACTION_GROUP_METADATA: what is wrong in a group of modules is warned about */
  readonly validateGroups?: boolean | undefined
  /** magic variables known before a run (playbook_dir is added by the loader) */
  readonly staticVars: RawVars
}

/** include_role and import_role, rendered. */
export interface RoleRequest {
  readonly name: string
  readonly tasksFrom?: string | undefined
  readonly varsFrom?: string | undefined
  readonly defaultsFrom?: string | undefined
  readonly handlersFrom?: string | undefined
  readonly public: boolean
  readonly allowDuplicates: boolean
  readonly rolespecValidate: boolean
}

export type { Raw, Template }
