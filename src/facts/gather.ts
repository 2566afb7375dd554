/** What is asked of the facts → one script, and its output → the facts with their prefix, filtered. */
import type { Json } from '../base/index.ts'
import { joinScripts, type Script, sh } from '../remote/index.ts'
import type { FactOptions, Facts } from './collector.ts'
import { Look } from './look.ts'
import { prelude } from './prelude.ts'
import { chooseCollectors } from './subsets.ts'

export interface Gathering {
  /** the one look */
  readonly script: Script
  /** facts by their full names, those that no filter names left out */
  readonly parse: (output: string) => { readonly facts: Facts; readonly warnings: readonly string[] }
}

export interface GatherOptions extends FactOptions {
  readonly subset: readonly string[]
  readonly filter: readonly string[]
}

/** Throws a Problem when a subset is unknown. */
export function gathering(options: GatherOptions): Gathering {
  const chosen = chooseCollectors(options.subset)
  // each part in a subshell of its own: one that ends early takes nothing else with it
  const parts = chosen.map(
    (one) => sh`(${one.script(options)}
)`,
  )
  return {
    script: joinScripts([
      sh`(`,
      prelude,
      ...parts,
      sh`:
)`,
    ]),
    parse: (output) => read(output),
  }

  function read(output: string) {
    const look = new Look(output)
    const known: Facts = {}
    const facts: Facts = {}
    for (const collector of chosen) {
      const found = collector.parse(look, known)
      Object.assign(known, found)
      for (const [name, value] of Object.entries(found)) facts[factName(name)] = value
    }
    const warnings = chosen.flatMap((one) => one.warnings?.(look) ?? [])
    return { facts: filtered({ ...facts, gather_subset: [...options.subset], module_setup: true }, options.filter), warnings }
  }
}

/** A fact's name as variables spell it. */
const factName = (name: string): string => `ansible_${name.replaceAll('-', '_')}`

/** The facts that a filter names, with or without the prefix; no filter names all. */
export function filtered(facts: Facts, filter: readonly string[]): Facts {
  if (filter.length === 0 || (filter.length === 1 && (filter[0] === '*' || filter[0] === ''))) return facts
  const patterns = filter.flatMap((glob) => [glob, ...(/^(ansible_|facter|ohai)/.test(glob) ? [] : [`ansible_${glob}`])]).map(globPattern)
  return Object.fromEntries(
    Object.entries(facts).filter(([name]) => filter.includes('') || patterns.some((pattern) => pattern.test(name))),
  ) as Record<string, Json>
}

/** A shell glob as Python's fnmatch reads it. */
export function globPattern(glob: string): RegExp {
  const source = glob.replace(/\[!?[^\]]+\]|[\s\S]/g, (part) => {
    if (part === '*') return '[\\s\\S]*'
    if (part === '?') return '[\\s\\S]'
    if (part.length > 1) return part.replace(/^\[!/, '[^').replaceAll('\\', '\\\\')
    return part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  })
  return new RegExp(`^${source}$`)
}
