/** Wanted packages and what is there → the packages that apt-get is to be asked for. */
import { globPattern } from '../../facts/index.ts'
import { ModuleFailure } from '../api.ts'
import type { AptState, Spec } from './apt-look.ts'
import { compareVersions } from './debian-version.ts'

export interface Plan {
  /** words for apt-get, such as `foo=1.2` */
  readonly words: readonly string[]
  /** names that are there and should count as asked for */
  readonly names: readonly string[]
  /** why nothing can be done */
  readonly problem?: string
}

/** What apt knows of one wanted package. */
interface Status {
  readonly installed: boolean
  /** the version that is installed is one that was asked for */
  readonly matches: boolean
  /** the best version that can be had; true where apt-get itself has to choose */
  readonly available: string | true | undefined
}

export interface PlanOptions {
  readonly latest: boolean
  readonly onlyUpgrade: boolean
  /** name → its providers, for names that are no packages */
  readonly providers: (name: string) => readonly string[]
}

export function installPlan(specs: readonly Spec[], apt: AptState, options: PlanOptions): Plan {
  const words: string[] = []
  for (const spec of specs) {
    const status = statusOf(spec, apt, options)
    if (!status.installed && options.onlyUpgrade) continue
    if (!status.matches && !status.available) return { words, names: [], problem: `no available installation candidate for ${spec.text}` }
    const word = wordFor(spec, status, options)
    if (word !== undefined) words.push(word)
  }
  return { words, names: specs.map((spec) => spec.name) }
}

function wordFor(spec: Spec, { installed, matches, available }: Status, { latest, onlyUpgrade }: PlanOptions): string | undefined {
  if (available && ((!installed && !onlyUpgrade) || latest || !matches)) {
    if (available !== true) return `${spec.name}=${available}`
    return spec.version ? `${spec.name}=${spec.version}` : spec.name
  }
  if (matches && available && spec.operator === '=') return `${spec.name}=${spec.version}`
  return undefined
}

function statusOf(spec: Spec, apt: AptState, options: PlanOptions): Status {
  const policy = apt.policy(spec.name)
  const now = apt.installed(spec.name)
  const hasVersions = now.installed || (policy?.versions.length ?? 0) > 0
  if (!hasVersions) return providedStatus(spec, apt, options)
  const best = bestVersion(spec, apt)
  if (!now.installed) return { installed: false, matches: false, available: best }
  const newer = best !== undefined && best !== now.version ? best : undefined
  if (spec.operator === '=') {
    const matches = globPattern(spec.version!).test(now.version)
    return { installed: true, matches, available: newer !== undefined && globPattern(spec.version!).test(newer) ? newer : undefined }
  }
  if (spec.operator === '>=') {
    const enough = (version: string) => compareVersions(version, spec.version!) >= 0
    return { installed: true, matches: enough(now.version), available: newer !== undefined && enough(newer) ? newer : undefined }
  }
  return { installed: true, matches: true, available: newer }
}

/** A name without versions of its own is as good as its only provider. */
function providedStatus(spec: Spec, apt: AptState, options: PlanOptions): Status {
  const providers = options.providers(spec.name)
  if (providers.length === 0) throw new ModuleFailure(`No package matching '${spec.name}' is available`)
  const only = providers.length === 1 ? apt.installed(providers[0]!) : undefined
  if (only?.installed) return { installed: true, matches: true, available: undefined }
  return { installed: false, matches: false, available: true }
}

/** The version that apt would take, pinned to the wanted one. */
function bestVersion(spec: Spec, apt: AptState): string | undefined {
  const policy = apt.policy(spec.name)
  if (spec.operator !== '=') return policy?.candidate
  const wanted = globPattern(spec.version!)
  return policy?.versions.find((version) => wanted.test(version))
}

/** The packages of a list that are there, or whose files are while purging. */
export function removePlan(specs: readonly Spec[], apt: AptState, purge: boolean): readonly string[] {
  return specs
    .filter((spec) => {
      const now = apt.installed(spec.name)
      const wanted = spec.operator === '=' ? globPattern(spec.version!).test(now.version) : true
      return (now.installed && wanted) || (purge && now.hasFiles)
    })
    .map((spec) => spec.text)
}

/** Names with globs become the names they match; a package name has none of these signs otherwise. */
export function expandGlobs(specs: readonly Spec[], names: readonly string[], parse: (text: string) => Spec): readonly Spec[] {
  return specs.flatMap((spec) => {
    if (!hasGlob(spec)) return [spec]
    const pattern = globPattern(spec.name)
    const matches = [...new Set(names)].filter((name) => pattern.test(name))
    if (matches.length === 0) throw new ModuleFailure(`No package(s) matching '${spec.name}' available`)
    return matches.map(parse)
  })
}

export const hasGlob = (spec: Spec): boolean => /[*?[\]!]/.test(spec.name)
