/** Turns inventory sources into an inventory that a run can ask and change. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, isAbsolute, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { Problem, type RawVars } from '../base/index.ts'
import type { Settings } from '../config/index.ts'
import type { DocumentOptions } from '../documents/index.ts'
import type { Templar } from '../template/index.ts'
import type { Inventory } from './api.ts'
import { type ConstructedOptions, readConstructed } from './constructed.ts'
import { readEntityVars } from './entity-vars.ts'
import { readGenerator } from './generator.ts'
import { groupNames, safeGroupName } from './names.ts'
import { matchPatterns, splitPattern } from './patterns.ts'
import { hasToml, readInto, type SourceOptions } from './sources.ts'
import { Store } from './store.ts'

export interface InventoryOptions {
  readonly cwd: string
  readonly settings: Settings
  readonly documents: DocumentOptions
  readonly warn: (message: string) => void
  /** computes constructed inventories; absent: they are refused */
  readonly templar?: Templar | undefined
  /** variables of the command line, for constructed inventories that ask for them */
  readonly extraVars?: RawVars | undefined
  /** what a fact cache remembers of a host */
  readonly factsOf?: ((host: string) => RawVars) | undefined
  /** told what is of use to those who want to know all: -vvv */
  readonly tellDetail?: ((message: string) => void) | undefined
}

/** Reads every source, later ones over earlier ones. */
export async function loadInventory(sources: readonly string[], options: InventoryOptions): Promise<Inventory> {
  const { cwd, settings } = options
  const places = sources.filter((source) => source !== '').map((source) => (isHostList(source, cwd) ? source : resolve(cwd, source)))
  // what reads TOML is loaded where there is some
  const toml = places.some(hasToml) ? (await import('./toml.ts')).readToml : undefined
  return new LoadedInventory(places, options, settings.get('HOST_PATTERN_MISMATCH'), toml)
}

const NO_VARS: RawVars = new Map()

/** Names with commas, unless a file is called so. */
const isHostList = (source: string, cwd: string): boolean => source.includes(',') && !existsSync(resolve(cwd, source))

class LoadedInventory implements Inventory {
  readonly sources: readonly string[]
  #store: Store
  #earlier = 0
  #matched = new Map<string, readonly string[]>()
  #matchedVersion = -1
  /** what the run added, to be added again after a refresh */
  readonly #additions: ((store: Store) => void)[] = []

  constructor(
    readonly places: readonly string[],
    readonly options: InventoryOptions,
    readonly mismatch: string,
    readonly toml: SourceOptions['toml'],
  ) {
    this.sources = places.map((place) => (isAbsolute(place) && existsSync(place) ? place : isHostList(place, options.cwd) ? '' : place))
    this.#store = this.#read()
  }

  get version(): number {
    return this.#earlier + this.#store.version
  }

  hosts = (): readonly string[] => this.#store.hosts()
  groups = (): readonly string[] => this.#store.groups()
  host: Inventory['host'] = (name) => this.#store.host(name)
  group: Inventory['group'] = (name) => this.#store.group(name)
  hostsOf = (group: string): readonly string[] => this.#store.hostsOf(group)
  groupsOf = (host: string): readonly string[] => this.#store.groupsOf(host)
  sourceOf = (host: string): string | undefined => this.#store.sourceOf(host)

  match: Inventory['match'] = (pattern, { limit, warn = this.options.warn } = {}) => {
    if (this.#matchedVersion !== this.version) this.#matched = new Map()
    this.#matchedVersion = this.version
    const key = JSON.stringify([pattern, limit])
    const known = this.#matched.get(key)
    if (known) return known
    const options = { mismatch: this.mismatch, warn }
    const hosts = matchPatterns(this.#store, splitPattern(pattern), options)
    const limited = limit === undefined ? undefined : new Set(matchPatterns(this.#store, this.#limitParts(limit), options))
    const found = limited ? hosts.filter((host) => limited.has(host)) : hosts
    this.#matchedVersion = this.version
    this.#matched.set(key, found)
    return found
  }

  /** A limit may name files of patterns: `@path`. */
  #limitParts(limit: string | readonly string[]): string[] {
    return splitPattern(limit).flatMap((part) => {
      if (!part.startsWith('@')) return [part]
      const path = resolve(this.options.cwd, part.slice(1))
      const stat = statSync(path, { throwIfNoEntry: false })
      if (!stat) throw new Problem(`Unable to find limit file ${path}`, { kind: 'inventory' })
      if (!stat.isFile()) throw new Problem(`Limit starting with "@" must be a file, not a directory: ${path}`, { kind: 'inventory' })
      return readFileSync(path, 'utf8')
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '')
    })
  }

  addHost(name: string, groups: readonly string[], vars: RawVars): boolean {
    return this.#add((store) => {
      const results = [store.addHost(name, undefined), store.setHostVars(name, vars, isDeepStrictEqual)]
      // a host of its own: it comes before those that are in `all` through other groups
      if (results[0]) store.addToGroup(name, 'all')
      for (const group of groups) results.push(store.addGroup(group), store.addToGroup(name, group))
      return results.includes(true)
    })
  }

  addGroup(name: string, parents: readonly string[] = []): boolean {
    return this.#add((store) => {
      const results = [store.addGroup(name)]
      for (const parent of parents) results.push(store.addGroup(parent), store.addChild(parent, name))
      return results.includes(true)
    })
  }

  addHostToGroup(host: string, group: string): boolean {
    return this.#add((store) => [store.addGroup(group), store.addToGroup(host, group)].includes(true))
  }

  #add(addition: (store: Store) => boolean): boolean {
    const changed = addition(this.#store)
    if (!changed) return false
    this.#store.reconcile()
    this.#additions.push(addition)
    return true
  }

  async refresh(): Promise<void> {
    this.#earlier = this.version + 1
    this.#store = this.#read()
    for (const addition of this.#additions) addition(this.#store)
    this.#store.reconcile()
  }

  #read(): Store {
    const { settings, documents, warn, templar, tellDetail = () => {} } = this.options
    const done: string[] = []
    const plugins: SourceOptions['plugins'] = templar
      ? {
          constructed: (root, into) => readConstructed(root, into, this.#constructedOptions(templar, done)),
          generator: (root) => readGenerator(root, templar),
        }
      : {}
    const store = new Store(warn, settings.get('DEFAULT_HASH_BEHAVIOUR') === 'merge')
    const options: SourceOptions = {
      enabled: settings.get('INVENTORY_ENABLED'),
      ignoreExtensions: settings.get('INVENTORY_IGNORE_EXTS'),
      ignorePatterns: settings.get('INVENTORY_IGNORE_PATTERNS'),
      yamlExtensions: settings.get('YAML_FILENAME_EXTENSIONS'),
      anyUnparsedFails: settings.get('INVENTORY_ANY_UNPARSED_IS_FAILED'),
      groupName: groupNames(settings.get('TRANSFORM_INVALID_GROUP_CHARS'), warn),
      documents,
      warn,
      tellDetail,
      plugins,
      toml: this.toml,
      done: (source) => done.push(source),
    }
    const read = this.places.map((place) => readInto(store, place, options))
    if (read.includes(true)) store.reconcile()
    else this.#tellNothingRead()
    return store
  }

  #constructedOptions(templar: Templar, done: readonly string[]): ConstructedOptions {
    const { settings, documents, extraVars = NO_VARS, factsOf = () => NO_VARS } = this.options
    const folders = new Set(done.filter((source) => isAbsolute(source)).map((source) => dirname(source)))
    const extensions = settings.get('YAML_FILENAME_EXTENSIONS')
    return {
      templar,
      extraVars,
      factsOf,
      useExtraVars: settings.get('INVENTORY_USE_EXTRA_VARS'),
      groupName: safeGroupName,
      filed: (kind, name) => {
        const files = [...folders].flatMap((folder) => readEntityVars(folder, kind, name, extensions, documents))
        return new Map(files.flatMap(({ vars }) => [...vars]))
      },
    }
  }

  #tellNothingRead(): void {
    const { settings, warn } = this.options
    if (settings.get('INVENTORY_UNPARSED_IS_FAILED')) {
      throw new Problem('No inventory was parsed, please check your configuration and options.', { kind: 'inventory' })
    }
    if (settings.get('INVENTORY_UNPARSED_WARNING')) warn('No inventory was parsed, only implicit localhost is available')
  }
}
