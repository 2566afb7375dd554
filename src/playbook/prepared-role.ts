/** Role entries, and roles that tasks name → roles as used at one place, with the uses of what they depend on. */
import { dirname, join } from 'node:path'
import type { Raw, RawVars, Span } from '../base/index.ts'
import { type MappingNode, type Node, nodeToRaw } from '../documents/index.ts'
import { findRole } from './find-role.ts'
import { mistake } from './findings.ts'
import { type OwnKeywords, over } from './inherit.ts'
import { keywordAt } from './keywords.ts'
import { playLevel } from './level.ts'
import type { PlayFrame, RoleUse, Session } from './loading.ts'
import type { Role } from './model.ts'
import { isBelow, mayHold, roleFiles } from './paths.ts'
import { identityOf } from './role-identity.ts'
import { readMeta } from './role-meta.ts'
import { addLibrary } from './session.ts'
import { staticName } from './static-names.ts'
import { checkKeywords, NO_VARS, nodeOf, ownKeywords, varsIn, whatIs } from './written.ts'

export type Parts = Readonly<Partial<Record<'tasks' | 'vars' | 'defaults' | 'handlers', string>>>

/** A role that somebody wants to use. */
export interface Wanted {
  readonly name: string
  readonly own: OwnKeywords
  readonly vars: RawVars
  readonly params: RawVars
  readonly from: Parts
  /** by import_role or include_role */
  readonly byTask: boolean
  readonly public: boolean
  /** undefined: what meta/main.yml says */
  readonly allowDuplicates: boolean | undefined
  readonly validate: boolean
  /** the folder of the role that depends on it, where it is looked for, too */
  readonly beside: string | undefined
  readonly collections: readonly string[]
  readonly at: Span
}

/** A use with the uses of what it depends on, ready to become tasks. */
export interface PreparedRole extends RoleUse {
  readonly wanted: Wanted
  readonly dependencies: readonly PreparedRole[]
}

const numbers = new Map<string, string>()

/** One short text for many, the same for the same: each identity holds those of all its parents, and would double with every role that includes another. */
function digest(texts: readonly string[]): string {
  const text = JSON.stringify(texts)
  const known = numbers.get(text) ?? `#${numbers.size}`
  numbers.set(text, known)
  return known
}

/** The `roles:` of a play. */
export function preparedRoles(list: Node | undefined, play: PlayFrame): PreparedRole[] {
  if (list?.kind !== 'sequence') return []
  const { findings } = play.session
  return list.items.flatMap(
    (node) => findings.attempt(() => prepare(wantedBy(node, play, undefined, play.keywords.collections), play, [])) ?? [],
  )
}

/** A role entry: a name, or a dict with a name, keywords and parameters. */
function wantedBy(node: Node, play: PlayFrame, beside: string | undefined, collections: readonly string[]): Wanted {
  const { session } = play
  const isPublic = session.context.privateRoleVars !== true
  const base = { from: {}, byTask: false, public: isPublic, allowDuplicates: undefined, validate: true, beside, collections }
  const level = playLevel(play, play.keywords)
  if (node.kind === 'scalar' && node.value !== null) {
    const raw = nodeToRaw(node, session.context.documents)
    if (typeof raw === 'string' && raw.includes(',')) throw mistake(`Invalid old style role requirement: ${raw}`, node.span)
    return { ...base, name: staticName(raw, "a role's name", level), own: {}, vars: NO_VARS, params: NO_VARS, at: node.span }
  }
  if (node.kind !== 'mapping') throw mistake(`a role must be a name or a dict, not ${whatIs(node)}`, node.span)
  const named = nodeOf(node, 'role') ?? nodeOf(node, 'name') ?? nodeOf(node, 'src')
  if (named?.kind !== 'scalar' || named.value === null || named.value === '') throw mistake('a role entry must name its role', node.span)
  checkKeywords(node, 'role', session, (key) => !keywordAt(key, 'role'))
  return {
    ...base,
    name: staticName(nodeToRaw(named, session.context.documents), "a role's name", level),
    own: session.once(node, 'own', () => ownKeywords(node, 'role', session)),
    vars: session.once(node, 'vars', () => varsIn(node, session)),
    params: session.once(node, 'params', () => paramsIn(node, session.context.documents)),
    at: named.span,
  }
}

/** Keys of a role entry that are no keywords are parameters. */
function paramsIn(node: MappingNode, documents: PlayFrame['session']['context']['documents']): RawVars {
  const params = new Map<string, Raw>()
  for (const { key, value } of node.entries) {
    const name = String(key.value)
    if (!keywordAt(name, 'role')) params.set(name, nodeToRaw(value, documents))
  }
  return params
}

/** Finds a role and what it depends on. */
export function prepare(wanted: Wanted, play: PlayFrame, parents: readonly RoleUse[]): PreparedRole {
  const { session } = play
  const found = findRole(wanted.name, play, wanted.beside, wanted.collections, wanted.at)
  if (!wanted.byTask && parents.some((parent) => parent.role.path === found.path))
    throw mistake(`the role '${wanted.name}' depends on itself`, wanted.at, {
      notes: [[...parents.map((p) => p.role.name), wanted.name].join(' → ')],
    })
  if (mayHold(found.path, 'library', session.found)) addLibrary(session, join(found.path, 'library'))
  const meta = readMeta(found.path, session)
  const collections = roleCollections(found.collection, meta.collections)
  const name = found.collection ? `${found.collection}.${found.name}` : found.name
  const same = identityOf({ name, path: found.path, wanted })
  const allowDuplicates = wanted.allowDuplicates ?? meta.allowDuplicates
  // a role that may run again sees the variables of those that led to it each time
  const identity = allowDuplicates
    ? digest([...parents.map((parent) => parent.identity), same, wanted.public ? 'public again' : 'again'])
    : same
  const known = play.roleCache.get(identity)
  const dependencies: Role[] = []
  const role: Role = known ?? {
    kind: 'role',
    name,
    path: found.path,
    ...(found.collection && { collection: found.collection }),
    defaults: varsOf(play, found.path, 'defaults', wanted),
    vars: varsOf(play, found.path, 'vars', wanted),
    entryVars: wanted.vars,
    params: wanted.params,
    dependencies,
    parents: parents.map((parent) => parent.role),
    allowDuplicates,
    same: play.sameRoles.get(same) ?? {},
    public: wanted.public,
    collections,
  }
  if (!known) {
    play.roleCache.set(identity, role)
    play.sameRoles.set(same, role.same!)
    if (session.context.lazyVars !== true) {
      session.findings.attempt(role.defaults)
      session.findings.attempt(role.vars)
    }
  }
  const outer = parents.at(-1)?.keywords ?? play.keywords
  const use: RoleUse = { role, parents, identity, keywords: { ...over(wanted.own, outer), collections } }
  const search = [...new Set([...(found.collection ? [found.collection] : []), ...collections])]
  const prepared = meta.dependencies.flatMap(
    (node) => session.findings.attempt(() => prepare(wantedBy(node, play, dirname(found.path), search), play, [...parents, use])) ?? [],
  )
  if (!known) dependencies.push(...prepared.map((dependency) => dependency.role))
  return { ...use, wanted, dependencies: prepared }
}

function roleCollections(own: string | undefined, listed: readonly string[]): readonly string[] {
  const all = [...new Set([...(own ? [own] : []), ...listed])]
  const complete = all.length === 0 || all.includes('ansible.builtin') || all.includes('ansible.legacy')
  return complete ? all : [...all, own ? 'ansible.builtin' : 'ansible.legacy']
}

/** The files of defaults/ or vars/, read when they are asked for, the strongest first. */
function varsOf({ session }: PlayFrame, path: string, part: 'defaults' | 'vars', { from, at }: Wanted): () => readonly RawVars[] {
  let read: readonly RawVars[] | undefined
  return () => (read ??= [...partFiles(path, part, from[part], at, session)].reverse().map((file) => session.readVars(file)))
}

export function partFiles(path: string, part: keyof Parts, from: string | undefined, at: Span, { found }: Session): readonly string[] {
  const key = `${path}\0${part}\0${from ?? ''}`
  const isThere = from !== undefined || mayHold(path, part, found)
  const files = found.get(key) ?? (isThere ? roleFiles(path, part, from, part === 'defaults' || part === 'vars') : [])
  found.set(key, files)
  if (from === undefined) return files
  const missing = `${part}_from: the role has no file '${part}/${from}'`
  if (files.length === 0) throw mistake(missing, at, { notes: [`the role is ${path}`] })
  if (files.some((file) => !isBelow(file, join(path, part))))
    throw mistake(`${part}_from: '${from}' cannot be loaded, as it is not inside the expected role path: ${path}`, at)
  return files
}
