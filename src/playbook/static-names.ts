/** Names that must be known before a run (roles, imported files) → text, rendered with what is known by then. */

import { resolve } from 'node:path'
import { Problem, type Raw, type RawVars, Template, type Value } from '../base/index.ts'
import type { Scope } from '../template/index.ts'
import { mistake } from './findings.ts'
import type { Level } from './loading.ts'
import type { Role } from './model.ts'
import { kindOf } from './paths.ts'

/** Renders a static name; throws a mistake that says what can be used in it. */
export function staticName(raw: Raw, what: string, level: Level): string {
  if (typeof raw === 'string') return raw
  if (typeof raw === 'number') return String(raw)
  if (!(raw instanceof Template)) throw mistake(`${what} must be a text`, undefined)
  return String(staticValue(raw, what, level))
}

/** Renders what must be known before a run. */
export function staticValue(raw: Raw, what: string, level: Level): Value {
  try {
    return level.play.session.context.templar.render(raw, staticScope(level))
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const at = error.span ?? (raw instanceof Template ? raw.span : undefined)
    throw mistake(`${what} cannot be told before the run: ${error.message}`, at, { hint: STATIC_HINT, cause: error })
  }
}

const STATIC_HINT =
  'names of imports and roles can use extra variables, the variables of play, roles and tasks, but nothing of a host; include_* can'

/** What is known before a run, at a level, the strongest first. */
export function staticScope(level: Level): Scope {
  const { session } = level.play
  const memo = new Map<string, Value | undefined>()
  const busy = new Set<string>()
  const find = (name: string): Raw | undefined => {
    for (const layer of layers(level)) {
      const raw = layer().get(name)
      if (raw !== undefined) return raw
    }
    return undefined
  }
  const scope: Scope = {
    get(name) {
      if (memo.has(name)) return memo.get(name)
      const raw = find(name)
      if (raw === undefined) return undefined
      if (busy.has(name))
        throw mistake(`'${name}' leads back to itself`, raw instanceof Template ? raw.span : undefined, { kind: 'template' })
      busy.add(name)
      try {
        memo.set(name, session.context.templar.render(raw, scope))
      } finally {
        busy.delete(name)
      }
      return memo.get(name)
    },
    has: (name) => find(name) !== undefined,
    names: () => new Set(layers(level).flatMap((layer) => [...layer().keys()])),
    fromHost: () => false,
  }
  return scope
}

type Layer = () => RawVars

function layers(level: Level): Layer[] {
  const { play, use } = level
  const { extraVars, staticVars } = play.session.context
  const chain = use ? [use.role, ...use.parents.map((parent) => parent.role).reverse()] : []
  const known =
    (vars: RawVars): Layer =>
    () =>
      vars
  const files = (role: Role, part: 'vars' | 'defaults'): Layer[] => [() => firstOf(role[part]())]
  return [
    known(staticVars),
    () => magic(level),
    known(extraVars),
    ...level.includeVars.map(known),
    ...chain.map((role) => known(role.params)),
    ...level.vars.map(known),
    ...chain.flatMap((role) => [known(role.entryVars), ...files(role, 'vars')]),
    ...play.roles.filter((role) => role.public).flatMap((role) => files(role, 'vars')),
    () => varsFiles(level),
    known(play.vars),
    ...chain.flatMap((role) => files(role, 'defaults')),
    ...[...play.roles].reverse().flatMap((role) => (role.public ? allOf(role).flatMap((one) => files(one, 'defaults')) : [])),
  ]
}

/** A role and those it depends on. */
const allOf = (role: Role): Role[] => [role, ...role.dependencies.flatMap(allOf)]

const firstOf = (vars: readonly RawVars[]): RawVars =>
  vars.length === 1 ? vars[0]! : new Map([...vars].reverse().flatMap((map) => [...map]))

function magic({ play, use }: Level): RawVars {
  const vars = new Map<string, Raw>([['playbook_dir', play.folder]])
  if (use) vars.set('role_name', use.role.name).set('role_path', use.role.path)
  return vars
}

const reading = new WeakSet<object>()

/** The vars_files that can be found without a host; the last is the strongest. */
function varsFiles(level: Level): RawVars {
  const { play } = level
  if (reading.has(play)) return new Map()
  reading.add(play)
  try {
    const all = new Map<string, Raw>()
    for (const item of play.varsFiles)
      for (const candidate of Array.isArray(item) ? item : [item]) {
        const path = fileOf(candidate, level)
        if (path === undefined) continue
        for (const [name, raw] of play.session.readVars(path, true)) all.set(name, raw)
        break
      }
    return all
  } finally {
    reading.delete(play)
  }
}

function fileOf(raw: Raw, level: Level): string | undefined {
  try {
    const name = staticName(raw, 'a name in vars_files', level)
    return [resolve(level.play.folder, 'vars', name), resolve(level.play.folder, name)].find((path) => kindOf(path) === 'file')
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}
