/** Plays, blocks, tasks and roles as an immutable model: what is inherited has been worked out, nothing has been rendered. */
import type { Raw, RawVars, Span, Template } from '../base/index.ts'

export interface Playbook {
  readonly path: string
  readonly plays: readonly Play[]
}

export interface Play {
  readonly kind: 'play'
  /** as written; undefined: named after its hosts */
  readonly name: Raw | undefined
  readonly hosts: Raw
  readonly span: Span
  /** the playbook file it stands in, absolute */
  readonly path: string
  readonly vars: RawVars
  /** each a file or a list of which the first that exists is taken */
  readonly varsFiles: readonly Raw[]
  readonly varsPrompt: readonly VarsPrompt[]
  readonly tags: readonly Raw[]
  readonly gatherFacts: Raw | undefined
  readonly gatherSubset: Raw | undefined
  readonly gatherTimeout: Raw | undefined
  readonly factPath: Raw | undefined
  readonly serial: readonly Raw[]
  readonly strategy: Raw | undefined
  readonly order: Raw | undefined
  readonly maxFailPercentage: Raw | undefined
  readonly forceHandlers: Raw | undefined
  /** play-level values of inheritable keywords (any_errors_fatal, become, environment, …); `when` is what import_playbook adds */
  readonly keywords: Keywords
  /** roles of `roles:` in order, static import_role ones included: whose defaults and vars are seen play-wide */
  readonly roles: readonly Role[]
  /** everything the play runs, in order: pre_tasks, a flush, roles with their dependencies, tasks, a flush, post_tasks, a flush */
  readonly steps: readonly Block[]
  /** in the order in which they run: those of its roles, of the play's own `handlers:` section, of roles that tasks import */
  readonly handlers: readonly Block[]
}

export interface VarsPrompt {
  readonly name: string
  readonly prompt: Raw
  readonly default: Raw | undefined
  readonly private: boolean
  readonly confirm: boolean
  readonly encrypt: string | undefined
  readonly saltSize: number | undefined
  readonly salt: string | undefined
  readonly unsafe: boolean
}

/** Inheritable keywords with what was inherited already in them. Undefined: nobody said anything. */
export interface Keywords {
  readonly anyErrorsFatal: Raw | undefined
  readonly become: Raw | undefined
  readonly becomeExe: Raw | undefined
  readonly becomeFlags: Raw | undefined
  readonly becomeMethod: Raw | undefined
  readonly becomeUser: Raw | undefined
  readonly checkMode: Raw | undefined
  readonly collections: readonly string[]
  readonly connection: Raw | undefined
  readonly debugger: Raw | undefined
  readonly diff: Raw | undefined
  /** weakest (play) first; each a dict or a template of one */
  readonly environment: readonly Raw[]
  readonly ignoreErrors: Raw | undefined
  readonly ignoreUnreachable: Raw | undefined
  /** weakest first; each a dict of module (or group/NAME) → dict */
  readonly moduleDefaults: readonly Raw[]
  readonly noLog: Raw | undefined
  readonly port: Raw | undefined
  readonly remoteUser: Raw | undefined
  readonly runOnce: Raw | undefined
  readonly throttle: Raw | undefined
  readonly timeout: Raw | undefined
  readonly delegateTo: Raw | undefined
  readonly delegateFacts: Raw | undefined
  /** every tag that applies, inherited first; texts split at commas; templates stay */
  readonly tags: readonly Raw[]
  /** every condition that applies, the outermost first */
  readonly when: readonly Condition[]
  readonly notify: readonly Raw[]
}

/** A conditional as written: text is always a Template with its place (templar.condition reads it as an expression), anything else is itself. */
export type Condition = Template | Exclude<Raw, string>

export interface Block {
  readonly kind: 'block'
  readonly name: Raw | undefined
  readonly span: Span
  readonly keywords: Keywords
  readonly block: readonly Step[]
  readonly rescue: readonly Step[]
  readonly always: readonly Step[]
  readonly role: Role | undefined
}

export type Step = Block | Task

export interface Task {
  readonly kind: 'task'
  /** unique in the process, stable for equal loads: a counter */
  readonly id: number
  /** as written; undefined: named after its action */
  readonly name: Raw | undefined
  readonly span: Span
  readonly action: Action
  readonly keywords: Keywords
  /** variables of the task, its blocks and static imports, the strongest (the task's own) first */
  readonly vars: readonly RawVars[]
  /** variables of dynamic includes on the way here, the strongest first; they beat set_fact */
  readonly includeVars: readonly RawVars[]
  /** what the task says itself of what adds up */
  readonly own?: { readonly vars: RawVars; readonly tags: readonly Raw[] } | undefined
  readonly loop: Loop | undefined
  readonly register: string | undefined
  readonly until: readonly Condition[] | undefined
  readonly retries: Raw | undefined
  readonly delay: Raw | undefined
  readonly changedWhen: readonly Condition[] | undefined
  readonly failedWhen: readonly Condition[] | undefined
  readonly async: Raw | undefined
  readonly poll: Raw | undefined
  /** set for handlers: what else they listen to */
  readonly listen: readonly Raw[] | undefined
  readonly isHandler: boolean
  readonly role: Role | undefined
  /** the roles that led to this task's use of its role, the outermost first; `role.parents` are those of the first use */
  readonly roleParents?: readonly Role[] | undefined
  /** made by the engine (flush_handlers between sections, role completion), not written by anybody */
  readonly implicit: boolean
  /** the file the task stands in, absolute; its folder is on the search path */
  readonly file: string
  /** folders of including task files, nearest first, for the search path */
  readonly fileChain: readonly string[]
  /** what a nested include inherits: opaque to the engine, made and read by the loader */
  readonly context: unknown
}

export interface Action {
  /** as written: `copy`, `ansible.builtin.copy`, `community.general.modprobe` */
  readonly name: string
  /** fully qualified where it is a native module or an engine action, the name as written otherwise (library modules) */
  readonly resolved: string
  /** the name, where it is a template (`action: "{{ which }} a=b"`): the module shows when the task runs */
  readonly template?: Template | undefined
  readonly span: Span
  /**
   * The arguments: a dict as written (free-form text under `_raw_params`), or one template that gives the whole dict. Where there is such a
   * template beside arguments of the task's own, it is under `_variable_params`, and the others beat what it gives.
   */
  readonly args: ReadonlyMap<string, Raw> | Template
  /** do the arguments stand as words, name=value? */
  readonly words?: boolean | undefined
  /** path of a custom module's file, for modules from library/ and collections */
  readonly file?: string | undefined
}

/**
 * Actions the engine carries out itself, by fully qualified name: ansible.builtin.{meta, include_tasks, include_role, import_tasks, import_role,
 * async_status} (static imports never reach it: the loader has put their tasks in place).
 */
export interface Loop {
  /** `loop` for loop:, else the lookup's name for with_NAME */
  readonly with: string
  readonly value: Raw
  readonly span: Span
  readonly control: LoopControl
}

export interface LoopControl {
  readonly loopVar: Raw | undefined
  readonly indexVar: Raw | undefined
  readonly label: Raw | undefined
  readonly pause: Raw | undefined
  readonly extended: Raw | undefined
  readonly extendedAllitems: Raw | undefined
  /** ends the loop after an item for which all of them hold */
  readonly breakWhen?: readonly Condition[] | undefined
}

/**
 * A role as used once: the same role with the same parameters, conditions and tags in one play is the same object, so that it runs once a host.
 */
export interface Role {
  readonly kind: 'role'
  /** as in task titles: `kubernetes/preinstall`, `community.general.some_role` */
  readonly name: string
  /** `community.general`, for a role of a collection */
  readonly collection?: string | undefined
  readonly path: string
  /** defaults, the strongest file first, read at first use */
  readonly defaults: () => readonly RawVars[]
  readonly vars: () => readonly RawVars[]
  /** `vars:` of the role entry */
  readonly entryVars: RawVars
  /** role parameters: further keys of the entry */
  readonly params: RawVars
  /** roles that must run before (meta/main.yml), in order */
  readonly dependencies: readonly Role[]
  /** the roles that led to its first use, through dependencies or includes, the outermost first */
  readonly parents: readonly Role[]
  readonly allowDuplicates: boolean
  /** one object for all uses that count as the same role, those that may run again among them: what a host has completed goes by it */
  readonly same?: object | undefined
  /** its defaults and vars are seen by the whole play (roles:, import_role, include_role with public) */
  readonly public: boolean
  readonly collections: readonly string[]
}

/** A tag filter from --tags and --skip-tags. */
export interface TagFilter {
  readonly only: readonly string[] // ['all'] by default
  readonly skip: readonly string[]
}
