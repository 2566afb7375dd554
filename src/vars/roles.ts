/** The layers that a role brings: its defaults, its variables, its parameters, with those of the roles around it. */
import type { Raw } from '../base/index.ts'
import type { Role } from '../playbook/index.ts'
import { type Layer, mapLayer } from './layer.ts'

/** Every role a role depends on, the outermost first, each once. */
function allDependencies(role: Role): Role[] {
  const out: Role[] = []
  const visit = (r: Role) => {
    for (const d of r.dependencies) {
      visit(d)
      out.push(d)
    }
  }
  visit(role)
  return out
}

const maps = (list: readonly ReadonlyMap<string, Raw>[]): Layer[] => list.filter((m) => m.size > 0).map((m) => mapLayer(m))

/** Defaults, strongest first: the role's own, those of the roles it is a dependency of, those of its dependencies. */
export function defaultLayers(role: Role, parents: readonly Role[] = role.parents): Layer[] {
  return [
    ...maps(role.defaults()),
    ...[...parents].reverse().flatMap((p) => maps(p.defaults())),
    ...allDependencies(role)
      .reverse()
      .flatMap((d) => defaultLayers(d)),
  ]
}

/** What the play sees of a role: vars/ of it and of its dependencies. */
export function exportedLayers(role: Role): Layer[] {
  return [
    ...maps(role.vars()),
    ...allDependencies(role)
      .reverse()
      .flatMap((d) => maps(d.vars())),
    ...[...role.parents].reverse().flatMap((p) => maps(p.vars())),
  ]
}

/** What the role's own tasks see: `vars:` of the entry, vars/, exported ones of dependencies, then what was inherited. */
export function roleLayers(role: Role, parents: readonly Role[] = role.parents): Layer[] {
  return [
    ...maps([role.entryVars]),
    ...maps(role.vars()),
    ...allDependencies(role)
      .reverse()
      .flatMap((d) => exportedLayers(d)),
    ...[...parents].reverse().flatMap((p) => [...maps(p.vars()), ...maps([p.entryVars])]),
  ]
}

/** Role parameters, which beat set_fact. */
export function paramLayers(role: Role, parents: readonly Role[] = role.parents): Layer[] {
  return maps([role.params, ...[...parents].reverse().map((p) => p.params)])
}
