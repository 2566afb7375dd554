/** What the parts of the loader hand each other: the session, the play being loaded, and the level at which a task stands. */
import type { Raw, RawVars, Span } from '../base/index.ts'
import type { Node } from '../documents/index.ts'
import type { LoadContext, ModuleInfo, RoleRequest } from './api.ts'
import type { Findings } from './findings.ts'
import type { Block, Keywords, Role } from './model.ts'

export interface Session {
  readonly context: LoadContext
  readonly findings: Findings
  /** library/ folders of playbooks and roles met so far */
  readonly folders: string[]
  /** a file's document; a file is read once, and a broken one complained about once */
  read(path: string): Node | undefined
  /** a file of variables */
  /** `lists`: a list of dicts will do, too */
  readVars(path: string, lists?: boolean): RawVars
  /** what `make` gives for a node, once for a node and kind */
  once<T>(node: Node, kind: string, make: () => T): T
  module(name: string, collections: readonly string[]): ModuleInfo | undefined
  /** for when there are more folders of them */
  forgetModules(): void
  /** where files were found while playbooks are loaded; forgotten then, for a run may make files */
  readonly found: Map<string, readonly string[]>
  /** the parts of the loader that call each other in a circle; set by loader.ts */
  readonly make: Makers
}

export interface Makers {
  /** a list of tasks and blocks as blocks, bare tasks gathered in implicit ones */
  blocks(list: Node | undefined, level: Level, handlers: boolean): Block[]
  /** a role used by a task: its tasks and handlers, seen from the level of that task; undefined where it is broken */
  includedRole(request: RoleRequest, from: RoleInclusion): IncludedRole | undefined
}

/** How a task uses a role. */
export interface RoleInclusion {
  /** where the tasks of the role stand, as to keywords, variables and files */
  readonly level: Level
  readonly vars: RawVars
  readonly static: boolean
  readonly at: Span
}

export interface IncludedRole {
  readonly role: Role
  readonly steps: Block[]
  readonly handlers: Block[]
}

/** A role as used at one place. */
export interface RoleUse {
  readonly role: Role
  /** with what the roles that depend on it and the play hand down */
  readonly keywords: Keywords
  /** the uses that led here, the outermost first */
  readonly parents: readonly RoleUse[]
  /** what makes it the same use as another */
  readonly identity: string
}

/** A play while its parts are loaded, and later when includes are. */
export interface PlayFrame {
  readonly session: Session
  /** the playbook file, absolute, and its folder */
  readonly path: string
  readonly folder: string
  readonly vars: RawVars
  readonly varsFiles: readonly Raw[]
  /** roles whose variables are seen play-wide, as far as they are loaded */
  readonly roles: Role[]
  /** handlers of imported roles, as far as they are loaded */
  readonly handlers: Block[]
  /** one object for each role used in the same way, and what such uses have in common */
  readonly roleCache: Map<string, Role>
  readonly sameRoles: Map<string, object>
  /** its own, with what an import of its playbook adds */
  readonly keywords: Keywords
}

/** A step on the way of includes: its file's folder as the include named it, or the folder of a role. */
export interface Trail {
  readonly dir: string
  readonly role: boolean
}

export interface Level {
  readonly play: PlayFrame
  readonly keywords: Keywords
  /** strongest first */
  readonly vars: readonly RawVars[]
  readonly includeVars: readonly RawVars[]
  readonly use: RoleUse | undefined
  readonly file: string
  readonly fileChain: readonly string[]
  /** includes on the way, nearest first */
  readonly trail: readonly Trail[]
  /** what is being imported statically, to notice circles */
  readonly importing: readonly string[]
  /** how many dynamic includes led here, to notice those that never end */
  readonly includes: number
}
