/** Turns a name as playbooks write it (short, fully qualified, or an old alias) into a native module. */
import type { Module } from './api.ts'
import { MODULES } from './table.ts'

const BY_NAME: ReadonlyMap<string, Module> = new Map(
  MODULES.flatMap((module) => [module.name, ...(module.aliases ?? [])].flatMap((name) => namesOf(name).map((n) => [n, module] as const))),
)

/** The native module of a name, or undefined. */
export function findModule(name: string): Module | undefined {
  return BY_NAME.get(name)
}

/** Every name that a native module answers to, for near names and the reference. */
export function moduleNames(): Iterable<string> {
  return BY_NAME.keys()
}

/** A builtin answers as ansible.builtin.x, ansible.legacy.x and x; others by their full and short name. */
function namesOf(name: string): string[] {
  const short = name.slice(name.lastIndexOf('.') + 1)
  return name.startsWith('ansible.builtin.') ? [name, `ansible.legacy.${short}`, short] : [name, short]
}
