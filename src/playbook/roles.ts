/** Roles as used at one place → their tasks and handlers, after those of what they depend on. */
import { join } from 'node:path'
import type { Raw, RawVars, Span } from '../base/index.ts'
import type { RoleRequest } from './api.ts'
import { argumentSpecTask } from './argument-specs.ts'
import { implicitBlock, implicitTask } from './built.ts'
import { mistake } from './findings.ts'
import { inIncludedRole, inRole } from './level.ts'
import type { IncludedRole, Level, PlayFrame, RoleInclusion, RoleUse } from './loading.ts'
import type { Block, Role } from './model.ts'
import { type Parts, type PreparedRole, partFiles, prepare, type Wanted } from './prepared-role.ts'
import { NO_VARS } from './written.ts'

const ROLE_COMPLETE: ReadonlyMap<string, Raw> = new Map([['_raw_params', 'role_complete']])

/** The tasks of a role after those of what it depends on; each ends with a note that the role is complete. */
export function roleSteps(prepared: PreparedRole, play: PlayFrame, outer?: Level): Block[] {
  const { role, wanted, dependencies } = prepared
  const [file] = partFiles(role.path, 'tasks', wanted.from.tasks, wanted.at, play.session)
  const level = levelOf(prepared, play, outer, file ?? join(role.path, 'tasks', 'main.yml'))
  const around = { ...level.keywords, when: [] }
  const end = implicitTask(undefined, 'meta', ROLE_COMPLETE, { ...level, keywords: around }, wanted.at, { ...around, tags: ['always'] })
  const check = wanted.validate ? argumentSpecTask(prepared, wanted.from.tasks ?? 'main', level, wanted.at) : undefined
  return [
    ...dependencies.flatMap((dependency) => roleSteps(dependency, play, outer)),
    ...(check ? [implicitBlock([check], level, wanted.at)] : []),
    ...(file ? partBlocks(file, level, false) : []),
    implicitBlock([end], level, wanted.at),
  ]
}

/** The handlers of a role after those of what it depends on, with the role each is from. */
export function roleHandlers(prepared: PreparedRole, play: PlayFrame, outer?: Level): { role: Role; blocks: Block[] }[] {
  const { role, wanted, dependencies } = prepared
  const [file] = partFiles(role.path, 'handlers', wanted.from.handlers, wanted.at, play.session)
  const own = file ? [{ role, blocks: partBlocks(file, levelOf(prepared, play, outer, file), true) }] : []
  return [...dependencies.flatMap((dependency) => roleHandlers(dependency, play, outer)), ...own]
}

const levelOf = (use: RoleUse, play: PlayFrame, outer: Level | undefined, file: string): Level =>
  outer ? inIncludedRole(outer, use, file) : inRole(play, use, file)

function partBlocks(file: string, level: Level, handlers: boolean): Block[] {
  const { session } = level.play
  const list = session.findings.attempt(() => session.read(file))
  return session.make.blocks(list, { ...level, importing: [...level.importing, file] }, handlers)
}

/** A role that a task imports or includes. */
export function includedRole(request: RoleRequest, { level, vars, static: isStatic, at }: RoleInclusion): IncludedRole | undefined {
  const { play, use } = level
  const { findings } = play.session
  return findings.attempt(() => {
    const parents = use ? [...use.parents, use] : []
    const prepared = prepare({ ...wantedByTask(request, level, vars, at), byTask: true }, play, parents)
    const [main] = partFiles(prepared.role.path, 'tasks', prepared.wanted.from.tasks, at, play.session)
    if (isStatic && main !== undefined && level.importing.includes(main)) {
      throw mistake(`the role '${request.name}' imports itself, over and over`, at, { hint: 'include_role with a condition can end' })
    }
    const outer = withParentRole(level)
    const steps = roleSteps(prepared, play, outer)
    play.roles.push(prepared.role)
    return { role: prepared.role, steps, handlers: lastOfEach(roleHandlers(prepared, play, outer)) }
  })
}

function wantedByTask(request: RoleRequest, level: Level, vars: RawVars, at: Span): Omit<Wanted, 'byTask'> {
  const parts = { tasks: request.tasksFrom, vars: request.varsFrom, defaults: request.defaultsFrom, handlers: request.handlersFrom }
  return {
    ...{ name: request.name, own: {}, vars, params: NO_VARS, at, beside: undefined },
    from: Object.fromEntries(Object.entries(parts).filter(([, name]) => name !== undefined)) as Parts,
    public: request.public,
    allowDuplicates: request.allowDuplicates,
    validate: request.rolespecValidate,
    collections: level.keywords.collections,
  }
}

/** What a role sees of the role whose task named it. */
function withParentRole(level: Level): Level {
  const { use, includeVars } = level
  if (!use) return level
  const listOf = (name: string): Raw[] => {
    const before = includeVars.find((layer) => layer.has(name))?.get(name)
    return Array.isArray(before) ? before : []
  }
  const seen = new Map<string, Raw>([
    ...[...use.parents, use].flatMap(({ role }) => [...role.params]),
    ['ansible_parent_role_names', [use.role.name, ...listOf('ansible_parent_role_names')]],
    ['ansible_parent_role_paths', [use.role.path, ...listOf('ansible_parent_role_paths')]],
  ])
  return { ...level, includeVars: [seen, ...includeVars] }
}

/** The same role's handlers count once, where they come last. */
export function lastOfEach(all: readonly { role: Role; blocks: readonly Block[] }[]): Block[] {
  const last = new Map<Role, readonly Block[]>()
  for (const { role, blocks } of all) {
    last.delete(role)
    last.set(role, blocks)
  }
  return [...last.values()].flat()
}
