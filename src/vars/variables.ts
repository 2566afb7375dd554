/** Who wins: puts the layers of a host, a play and a task in order and keeps what a run adds to them. */
import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { mergeRaw, OMIT, own, Problem, type Raw, type RawVars, Template, type Value } from '../base/index.ts'
import type { Inventory } from '../inventory/index.ts'
import type { Play, Role, Task } from '../playbook/index.ts'
import type { RunContext, Templar, TemplateFiles } from '../template/index.ts'
import { type FactStore, injectable, namespaced } from './facts.ts'
import { AllHostVars, asText, HostVars } from './hostvars.ts'
import { type Layer, lazyLayer, mapLayer } from './layer.ts'
import { LayeredScope } from './layered.ts'
import { Memo } from './memo.ts'
import { defaultLayers, exportedLayers, paramLayers, roleLayers } from './roles.ts'

export interface VariablesOptions {
  readonly inventory: Inventory
  readonly templar: Templar
  readonly extraVars: RawVars
  /** names of extraVars that were given on the command line itself, not in a file */
  readonly typedVars?: ReadonlySet<string> | undefined
  readonly facts: FactStore
  /** ansible_version, ansible_check_mode and the other variables that the command line decides */
  readonly optionVars: RawVars
  /** group_vars and host_vars of one name beside a folder, the strongest file first */
  readonly entityVars: (folder: string, kind: 'group_vars' | 'host_vars', name: string) => readonly RawVars[]
  /** a vars file; undefined where there is none */
  readonly varsFile: (path: string) => RawVars
  /** VARIABLE_PRECEDENCE */
  readonly groupOrder: readonly string[]
  readonly injectFacts: boolean
  readonly merge: boolean
  readonly run: (playbookDir: string) => RunContext
  /** PLAYBOOK_VARS_ROOT: 'top', 'bottom' or 'all' */
  readonly varsRoot?: string | undefined
  /** RUN_VARS_PLUGINS=start: the play's own group_vars and host_vars count for nothing */
  readonly onlyAtStart?: boolean | undefined
  /** a file of vars_files that is not there; without it such a file is an error */
  readonly missing?: ((problem: Problem) => void) | undefined
}

/** What variables need to know of a play that runs. */
export interface PlayView {
  readonly play: Play
  readonly name: string
  readonly playbookDir: string
  /** play vars with the answers of vars_prompt, the strongest first */
  readonly vars: readonly RawVars[]
  readonly hostsAll: () => readonly string[]
  readonly batch: () => readonly string[]
  /** hosts that failed or cannot be reached */
  readonly removed: ReadonlySet<string>
  /** roles whose defaults and vars the whole play sees; grows with public includes */
  readonly roles: () => readonly Role[]
  /** names of roles that were included meanwhile */
  readonly includedRoles?: (() => readonly string[]) | undefined
  readonly failedHosts: () => readonly string[]
  /** where vars_files are looked for */
  readonly files: TemplateFiles
}

export interface ScopeRequest {
  readonly view?: PlayView | undefined
  readonly host?: string | undefined
  readonly task?: Task | undefined
  /** loop item and the like: beats everything */
  readonly local?: Layer | undefined
  readonly files?: TemplateFiles | undefined
}

/** Where somebody stands who asks for variables. */
interface Stand {
  readonly view: PlayView | undefined
  readonly host: string | undefined
  readonly role: Role | undefined
  readonly parents: readonly Role[]
  /** of the play, beside which group_vars and host_vars count */
  readonly folders: readonly string[]
}

interface Base {
  readonly version: string
  readonly head: readonly Layer[]
  readonly params: readonly Layer[]
  readonly told: readonly Layer[]
  readonly tail: readonly Layer[]
  readonly memo: Memo
}

/** What a run has learned of one host. */
class HostStore {
  readonly set = new Map<string, Raw>()
  readonly included = new Map<string, Raw>()
  /** names of `set` that a host told */
  readonly told = new Set<string>()
  /** values of `set` as they stand in a task */
  readonly written = new Map<string, Raw | undefined>()
  /** texts that stay text for good */
  readonly texts = new Map<string, ReadonlySet<string> | undefined>()
  version = 0
}

export class Variables {
  readonly #options: VariablesOptions
  readonly #stores = new Map<string, HostStore>()
  #bases = new WeakMap<object, Map<string, Base>>()
  readonly #roleIds = new WeakMap<Role, number>()
  #roles = 0
  readonly #groupLayers = new Map<string, readonly Layer[]>()
  readonly #noPlay = {}

  constructor(options: VariablesOptions) {
    this.#options = options
  }

  get facts(): FactStore {
    return this.#options.facts
  }

  /** The names that a task on a host sees; without a task, a play or a host, those that are known then. */
  scope(request: ScopeRequest): LayeredScope {
    const base = this.#base(request.view, request.host, request.task)
    const include = (request.task?.includeVars ?? []).map((v) => mapLayer(v))
    const task = (request.task?.vars ?? []).map((v) => mapLayer(v))
    const local = [...(request.local ? [request.local] : []), ...environmentOf(request.task)]
    const own = new Set<string>()
    for (const layer of [...local, ...include, ...task]) for (const name of layer.names()) own.add(name)
    return new LayeredScope({
      layers: [...local, ...base.head, ...include, ...base.params, ...base.told, ...task, ...base.tail],
      own,
      shared: base.memo,
      templar: this.#options.templar,
      files: request.files ?? request.view?.files,
      run: this.#options.run(request.view?.playbookDir ?? process.cwd()),
      merge: this.#options.merge,
      self: varsOf,
    })
  }

  /** What is known of a host before any play, with the files of variables beside a playbook that would stand in the folder. */
  hostScope(host: string, folder: string): LayeredScope {
    return this.#hostScope(host, folder)
  }

  /** set_fact; `told`: a host's words went into it; `written`: how it stands in the task; `texts`: Rendered.texts of the task's arguments. */
  setFact(host: string, name: string, value: Raw, told: boolean, written?: Raw, texts?: ReadonlySet<string>): void {
    const store = this.#store(host)
    store.set.set(name, value)
    store.written.set(name, written)
    store.texts.set(name, texts)
    if (told) store.told.add(name)
    else store.told.delete(name)
    this.#changed(host, [name])
  }

  /** include_vars */
  setIncluded(host: string, vars: RawVars): void {
    const store = this.#store(host)
    const { merge } = this.#options
    for (const [name, value] of vars) {
      const old = store.included.get(name)
      store.included.set(name, merge && old !== undefined ? mergeRaw(old, value) : value)
    }
    this.#changed(host, [...vars.keys()])
  }

  addFacts(host: string, facts: ReadonlyMap<string, Value>): void {
    this.#options.facts.add(host, facts)
    this.#changed(host, ['ansible_facts', ...facts.keys()])
  }

  clearFacts(host: string): void {
    const names = [...this.#options.facts.of(host).keys()]
    this.#options.facts.forget(host)
    this.#changed(host, ['ansible_facts', ...names])
  }

  /** group_vars, host_vars and vars files are read anew (meta: refresh_inventory). */
  forgetFiles(): void {
    this.#groupLayers.clear()
    this.#bases = new WeakMap()
  }

  /** Extra variables of a file; those of the command line itself are in no file. */
  #writtenExtra(name: string): Raw | undefined {
    const { extraVars, typedVars } = this.#options
    const raw = extraVars.get(name)
    return typedVars?.has(name) && !(raw instanceof Template) ? undefined : raw
  }

  #store(host: string): HostStore {
    let store = this.#stores.get(host)
    if (!store) {
      store = new HostStore()
      this.#stores.set(host, store)
    }
    return store
  }

  #changed(host: string, names: readonly string[]): void {
    this.#store(host).version++
    for (const base of this.#basesOf.get(host) ?? []) base.memo.forget(names)
  }

  readonly #basesOf = new Map<string, Set<Base>>()

  #base(view: PlayView | undefined, host: string | undefined, task: Task | undefined): Base {
    const role = task?.role
    const parents = task?.roleParents ?? role?.parents ?? []
    const owner = view ?? this.#noPlay
    let known = this.#bases.get(owner)
    if (!known) {
      known = new Map()
      this.#bases.set(owner, known)
    }
    const chain = (role ? [role, ...parents] : []).map((r) => this.#roleId(r)).join('.')
    const folders = view ? this.#playFolders(view, task) : []
    const key = `${host ?? ''}\0${chain}\0${folders.join(':')}`
    const templatedFiles = view?.play.varsFiles.some((f) => typeof f !== 'string') ?? false
    const version = `${this.#options.inventory.version}:${view?.roles().length ?? 0}:${templatedFiles && host ? this.#store(host).version : 0}`
    const old = known.get(key)
    if (old && old.version === version) return old
    const base = this.#makeBase({ view, host, role, parents, folders }, version)
    known.set(key, base)
    if (host !== undefined) {
      const all = this.#basesOf.get(host) ?? new Set()
      if (old) all.delete(old)
      all.add(base)
      this.#basesOf.set(host, all)
    }
    return base
  }

  /** The folders of the play beside which group_vars and host_vars count: PLAYBOOK_VARS_ROOT. */
  #playFolders({ playbookDir }: PlayView, task: Task | undefined): readonly string[] {
    const { varsRoot = 'top' } = this.#options
    if (varsRoot === 'top' || !task) return this.#beside(playbookDir)
    const roles = task.role ? [task.role, ...[...(task.roleParents ?? task.role.parents)].reverse()] : []
    const path = [...new Set([...roles.map((role) => role.path), dirname(task.file)])]
    return varsRoot === 'all' ? path : path.slice(0, 1)
  }

  /** None where files of variables are read with the inventory only: RUN_VARS_PLUGINS. */
  #beside(playbookDir: string): readonly string[] {
    return this.#options.onlyAtStart ? [] : [playbookDir]
  }

  #roleId(role: Role): number {
    let id = this.#roleIds.get(role)
    if (id === undefined) {
      id = ++this.#roles
      this.#roleIds.set(role, id)
    }
    return id
  }

  #makeBase({ view, host, role, parents, folders }: Stand, version: string): Base {
    const { extraVars } = this.#options
    const head = [this.#magic(view, host, role, parents), { ...mapLayer(extraVars), written: (name: string) => this.#writtenExtra(name) }]
    const params = role ? paramLayers(role, parents) : []
    const told: Layer[] = []
    if (host !== undefined) {
      const store = this.#store(host)
      told.push(
        {
          ...mapLayer(store.set, (name) => store.told.has(name)),
          written: (name) => store.written.get(name),
          texts: (name) => store.texts.get(name),
        },
        mapLayer(store.included),
      )
    }
    const weak = host === undefined ? [] : this.#hostLayers(host, folders)
    const defaults = [...(role ? defaultLayers(role, parents) : []), ...reversed(view?.roles()).flatMap((r) => defaultLayers(r))]
    const playVars = (view?.vars ?? []).map((v) => mapLayer(v))
    const exported = reversed(view?.roles()).flatMap(exportedLayers)
    const below = [...playVars, ...weak, ...defaults]
    const files = view ? this.#varsFiles(view, [...head, ...told, ...exported, ...below], host) : []
    const tail = [...(role ? roleLayers(role, parents) : []), ...exported, ...files, ...below]
    return { version, head, params, told, tail, memo: new Memo() }
  }

  /** host_vars, facts, and group variables in the order of VARIABLE_PRECEDENCE; strongest first. */
  #hostLayers(host: string, playFolders: readonly string[]): Layer[] {
    const { inventory, facts, injectFacts } = this.#options
    const entry = inventory.host(host)
    const factLayers: Layer[] = [
      {
        get: (name) => (injectFacts || name === 'ansible_local' ? injectable(facts.of(host)).get(name) : undefined),
        names: () => (injectFacts ? injectable(facts.of(host)).keys() : ['ansible_local']),
        fromHost: true,
      },
      {
        get: (name) => (name === 'ansible_facts' ? namespaced(facts.of(host)) : undefined),
        names: () => ['ansible_facts'],
        fromHost: true,
      },
    ]
    const folders = inventoryFolders(inventory)
    const hostFiles = (list: readonly string[]) => reversed(list).flatMap((f) => this.#entity(f, 'host_vars', host))
    return [
      ...factLayers,
      ...hostFiles(playFolders),
      ...hostFiles(folders),
      unwritten(entry?.vars),
      ...this.#groups(host, folders, playFolders),
    ]
  }

  #groups(host: string, folders: readonly string[], playFolders: readonly string[]): Layer[] {
    const { inventory, groupOrder } = this.#options
    const others = inventory.groupsOf(host).filter((g) => g !== 'all')
    const inline = (groups: readonly string[]) => reversed(groups).map((g) => unwritten(inventory.group(g)?.vars))
    const filed = (groups: readonly string[], list: readonly string[]) =>
      reversed(list).flatMap((f) => reversed(groups).flatMap((g) => this.#entity(f, 'group_vars', g)))
    const makers: Record<string, () => Layer[]> = {
      all_inventory: () => inline(['all']),
      groups_inventory: () => inline(others),
      all_plugins_inventory: () => filed(['all'], folders),
      all_plugins_play: () => filed(['all'], playFolders),
      groups_plugins_inventory: () => filed(others, folders),
      groups_plugins_play: () => filed(others, playFolders),
    }
    return reversed(groupOrder).flatMap((name) => makers[name]?.() ?? [])
  }

  #entity(folder: string, kind: 'group_vars' | 'host_vars', name: string): readonly Layer[] {
    const key = `${folder}\0${kind}\0${name}`
    let layers = this.#groupLayers.get(key)
    if (!layers) {
      layers = this.#options.entityVars(folder, kind, name).map((v) => mapLayer(v))
      this.#groupLayers.set(key, layers)
    }
    return layers
  }

  /** vars_files: each entry a file or a list of which the first that exists counts; later entries are stronger. */
  #varsFiles(view: PlayView, known: readonly Layer[], host: string | undefined): Layer[] {
    if (view.play.varsFiles.length === 0) return []
    const { templar, varsFile, run, merge } = this.#options
    const scope = new LayeredScope({
      layers: known,
      own: new Set(),
      shared: new Memo(),
      templar,
      files: view.files,
      run: run(view.playbookDir),
      merge,
    })
    const out: Layer[] = []
    for (const entry of view.play.varsFiles) {
      const missing: string[] = []
      let found: string | undefined
      let isOpen = false
      for (const candidate of Array.isArray(entry) ? entry : [entry]) {
        let name: Value
        try {
          name = templar.render(candidate, scope)
        } catch (error) {
          if (host !== undefined && this.facts.of(host).size > 0) throw error
          isOpen = true
          continue
        }
        found = view.files.find('vars', String(name))
        if (found !== undefined) break
        missing.push(String(name))
      }
      if (found !== undefined) out.unshift(mapLayer(varsFile(found)))
      else if (host !== undefined && !isOpen) this.#tellMissing(noVarsFile(missing, view))
    }
    return out
  }

  #tellMissing(problem: Problem): void {
    if (!this.#options.missing) throw problem
    this.#options.missing(problem)
  }

  #magic(view: PlayView | undefined, host: string | undefined, role: Role | undefined, _parents: readonly Role[]): Layer {
    const { inventory, optionVars } = this.#options
    const fixed = new Map<string, Raw>(optionVars)
    fixed.set('omit', OMIT)
    const makers = new Map<string, () => Raw | undefined>()
    if (host !== undefined) {
      fixed.set('inventory_hostname', host)
      fixed.set('inventory_hostname_short', host.split('.')[0]!)
      fixed.set(
        'group_names',
        inventory
          .groupsOf(host)
          .filter((g) => g !== 'all')
          .sort(),
      )
      if (inventory.host(host)?.implicit === false) {
        const source = inventory.sourceOf(host)
        fixed.set('inventory_file', source ?? null)
        fixed.set('inventory_dir', source === undefined ? null : dirname(source))
      }
    }
    if (role) {
      fixed.set('role_name', role.name)
      fixed.set('role_path', role.path)
      fixed.set('ansible_role_name', role.name)
      fixed.set('ansible_collection_name', null)
    }
    makers.set('groups', () => new Map(inventory.groups().map((g) => [g, [...inventory.hostsOf(g)]])))
    makers.set('hostvars', () => this.#hostVars(view?.playbookDir))
    const still = lazyLayer(makers)
    const moving: Record<string, () => Raw> = view ? playVariables(view) : {}
    if (view) {
      fixed.set('playbook_dir', view.playbookDir)
      fixed.set('ansible_play_name', view.name)
    }
    return {
      get: (name) => (fixed.has(name) ? fixed.get(name) : (own(moving, name)?.() ?? still.get(name))),
      names: () => [...fixed.keys(), ...Object.keys(moving), ...still.names()],
      fromHost: false,
      written: () => undefined,
    }
  }

  #hostVars(playbookDir: string | undefined): AllHostVars {
    const made = new Map<string, HostVars>()
    const { inventory } = this.#options
    return new AllHostVars(
      () => inventory.hosts(),
      (host) => {
        if (inventory.host(host) === undefined && !isLocal(host)) return undefined
        const known = made.get(host)
        if (known) return known
        const bare = new HostVars(this.#hostScope(host, playbookDir))
        made.set(host, bare)
        return bare
      },
    )
  }

  readonly #hostViews = new Map<string, object>()

  /** A host's variables without play and task, with the playbook's own folder still in reach. */
  #hostScope(host: string, playbookDir: string | undefined): LayeredScope {
    const key = playbookDir ?? ''
    let owner = this.#hostViews.get(key)
    if (!owner) {
      owner = {}
      this.#hostViews.set(key, owner)
    }
    let known = this.#bases.get(owner)
    if (!known) {
      known = new Map()
      this.#bases.set(owner, known)
    }
    const version = String(this.#options.inventory.version)
    let base = known.get(host)
    if (!base || base.version !== version) {
      const bare = this.#makeBase({ view: undefined, host, role: undefined, parents: [], folders: [] }, version)
      const fixed: Layer = mapLayer(new Map<string, Raw>(playbookDir === undefined ? [] : [['playbook_dir', playbookDir]]))
      base = {
        ...bare,
        head: [...bare.head, fixed],
        tail: this.#hostLayers(host, playbookDir === undefined ? [] : this.#beside(playbookDir)),
      }
      known.set(host, base)
      const all = this.#basesOf.get(host) ?? new Set()
      all.add(base)
      this.#basesOf.set(host, all)
    }
    return new LayeredScope({
      layers: [...base.head, ...base.told, ...base.tail],
      own: new Set(),
      shared: base.memo,
      templar: this.#options.templar,
      run: this.#options.run(playbookDir ?? process.cwd()),
      merge: this.#options.merge,
      self: varsOf,
    })
  }
}

/** `environment`: what the task and all around it set, as it was written. */
const environmentOf = (task: Task | undefined): Layer[] =>
  task ? [{ ...mapLayer(new Map([['environment', [...task.keywords.environment]]])), whole: true, written: () => undefined }] : []

/** The variables that the course of a play decides. */
function playVariables(view: PlayView): Record<string, () => Raw> {
  const left = (hosts: readonly string[]) => hosts.filter((h) => !view.removed.has(h))
  const roleNames = () => [...view.play.roles.map((r) => r.name), ...(view.includedRoles?.() ?? [])]
  const dependencies = () => [...new Set(view.roles().flatMap((r) => r.dependencies.map((d) => d.name)))]
  return {
    ansible_play_hosts_all: () => [...view.hostsAll()],
    ansible_play_hosts: () => left(view.hostsAll()),
    ansible_play_batch: () => left(view.batch()),
    play_hosts: () => left(view.batch()),
    ansible_current_hosts: () => left(view.batch()),
    ansible_failed_hosts: () => [...view.failedHosts()],
    ansible_play_role_names: roleNames,
    role_names: roleNames,
    ansible_dependent_role_names: dependencies,
    ansible_role_names: () => [...new Set([...roleNames(), ...dependencies()])],
  }
}

/** A file of variables that is not there leaves the play with other values. */
function noVarsFile(names: readonly string[], view: PlayView): Problem {
  const hint = names.length > 1 ? `none of these is there: ${names.join(', ')}` : undefined
  return new Problem(`vars file ${names.join(', ')} was not found`, { kind: 'file', span: view.play.span, hint })
}

/** Variables that stand in the inventory itself: the reference keeps their texts as plain ones. */
const unwritten = (vars: RawVars | undefined): Layer => ({ ...mapLayer(vars ?? new Map()), written: () => undefined })

const reversed = <T>(list: readonly T[] | undefined): T[] => [...(list ?? [])].reverse()

const isLocal = (host: string): boolean => host === 'localhost' || host === '127.0.0.1' || host === '::1'

/** The folders beside which group_vars and host_vars stand. */
function inventoryFolders(inventory: Inventory): string[] {
  const out: string[] = []
  for (const source of inventory.sources) {
    if (source === '') continue
    const folder = isFolder(source) ? source : dirname(source)
    if (!out.includes(folder)) out.push(folder)
  }
  return out
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

/** What is known to tasks and not listed in `vars`. */
const UNLISTED: ReadonlySet<string> = new Set(['vars', 'ansible_current_hosts', 'ansible_failed_hosts'])

/** `vars`: everything in sight, as it was written. */
function varsOf(scope: LayeredScope): Value {
  const out = new Map<Value, Value>()
  for (const name of scope.listed()) {
    if (UNLISTED.has(name)) continue
    const raw = scope.raw(name)
    if (raw !== undefined) out.set(name, asText(raw))
  }
  return out
}
