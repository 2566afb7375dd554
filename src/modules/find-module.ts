/** Turns a name as playbooks write it (short, fully qualified, or an old alias) into a native module. */
import type { Module, Outline } from './api.ts'
import { expandingPaths } from './expand.ts'
import { outlineOf } from './outline.ts'
import { DECLARED } from './table.ts'
import { worded } from './wording.ts'

const BY_NAME: ReadonlyMap<string, Module> = new Map(
  DECLARED.flatMap((module) => [module.name, ...(module.aliases ?? [])].flatMap((name) => namesOf(name).map((n) => [n, module] as const))),
)

const prepared = new Map<Module, Module>()

/** What a declaration leaves to be said once for all, added when the module is first asked for. */
function prepare(declared: Module): Module {
  const module = prepared.get(declared) ?? expandingPaths(declared)
  prepared.set(declared, module)
  return module
}

/** The native module of a name, or undefined. */
export function findModule(name: string): Module | undefined {
  const declared = BY_NAME.get(name)
  return declared && prepare(declared)
}

/** What is known of the native module of a name without loading it, and its full name. */
export function moduleOutline(name: string): (Outline & { readonly name: string }) | undefined {
  const declared = BY_NAME.get(name)
  return declared && { name: declared.name, ...outlineOf(declared) }
}

/** Every native module, with a description for each parameter. */
export const allModules = (): Module[] => DECLARED.map(prepare).map(worded)

/** Every name that a native module answers to, for near names and the reference. */
export function moduleNames(): Iterable<string> {
  return BY_NAME.keys()
}

/** A builtin answers as ansible.builtin.x, ansible.legacy.x and x; others by their full and short name. */
function namesOf(name: string): string[] {
  const short = name.slice(name.lastIndexOf('.') + 1)
  return name.startsWith('ansible.builtin.') ? [name, `ansible.legacy.${short}`, short] : [name, short]
}
