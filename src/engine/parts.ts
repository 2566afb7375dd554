/** The parts of a run → a run that is ready to start, and what loading playbooks needs of it. */
import type { RawVars } from '../base/index.ts'
import { isOlder, placeOf } from '../base/index.ts'
import { type Pool, Spill } from '../connect/index.ts'
import type { DocumentOptions } from '../documents/index.ts'
import type { Bus, Secrets } from '../events/index.ts'
import type { Inventory } from '../inventory/index.ts'
import { findModule, moduleNames } from '../modules/index.ts'
import type { LoadContext } from '../playbook/index.ts'
import type { RunContext, Templar } from '../template/index.ts'
import { type FactCacheOptions, FactStore, Variables } from '../vars/index.ts'
import { type CustomOptions, customOf, resolveModule } from './custom.ts'
import { Gate } from './gate.ts'
import { type Prompt, type Run, type RunSettings, Stats } from './state.ts'

/** What a run is made of; plain data and the rooms' own objects. */
export interface RunParts {
  readonly settings: RunSettings
  readonly inventory: Inventory
  readonly templar: Templar
  readonly bus: Bus
  readonly secrets: Secrets
  readonly pool: Pool
  readonly documents: DocumentOptions
  readonly extraVars: RawVars
  /** names of extraVars that were given on the command line itself, not in a file */
  readonly typedVars?: ReadonlySet<string> | undefined
  /** variables that the command line decides: ansible_version, ansible_check_mode, ansible_run_tags, … */
  readonly optionVars: RawVars
  readonly factCache: FactCacheOptions
  readonly groupOrder: readonly string[]
  readonly injectFacts: boolean
  readonly mergeDicts: boolean
  /** PLAYBOOK_VARS_ROOT */
  readonly varsRoot?: string | undefined
  /** RUN_VARS_PLUGINS=start */
  readonly varsOnlyAtStart?: boolean | undefined
  /** DEFAULT_PRIVATE_ROLE_VARS where somebody set it */
  readonly privateRoleVars?: boolean | undefined
  readonly rolesPath: readonly string[]
  readonly modulePath: readonly string[]
  readonly preferNative: boolean
  readonly interpreter?: string | undefined
  readonly pythons?: readonly string[] | undefined
  /** endings of files beside modules that are none */
  readonly ignoredEndings?: readonly string[] | undefined
  readonly validateGroups?: boolean | undefined
  /** keywords of tasks that nobody knows are warned about rather than refused */
  readonly ignoreUnknownKeywords?: boolean | undefined
  readonly collectionsPaths: readonly string[]
  /** folders of what users' modules in Python import */
  readonly utilFolders?: readonly string[] | undefined
  readonly entityVars: (folder: string, kind: 'group_vars' | 'host_vars', name: string) => readonly RawVars[]
  readonly readText: (path: string) => string
  readonly readVars: (path: string) => RawVars
  /** a file of vars_files; readVars where nothing is said */
  readonly varsFile?: ((path: string) => RawVars) | undefined
  readonly prompt: Prompt
  /** somebody can be asked */
  readonly interactive: boolean
  /** a line typed after a prompt; undefined at the end of input. Without it there is nobody to type */
  readonly readLine?: Run['readLine'] | undefined
  readonly keys?: Run['keys'] | undefined
  readonly signal: AbortSignal
  /** keeps the hosts that failed in a playbook; the file's path, where one was written */
  readonly keepFailed?: Run['keepFailed']
  /** a journal's steps */
  readonly replay?: Run['replay']
  readonly runContext: (playbookDir: string) => RunContext
}

/** A run that is ready to start. */
export function createRun(parts: RunParts): Run {
  const { settings, inventory, templar, bus } = parts
  const load = loadContext(parts)
  const variables = new Variables({
    inventory,
    templar,
    extraVars: parts.extraVars,
    typedVars: parts.typedVars,
    facts: new FactStore(parts.factCache),
    optionVars: parts.optionVars,
    entityVars: parts.entityVars,
    varsFile: parts.varsFile ?? parts.readVars,
    groupOrder: parts.groupOrder,
    injectFacts: parts.injectFacts,
    merge: parts.mergeDicts,
    run: parts.runContext,
    varsRoot: parts.varsRoot,
    onlyAtStart: parts.varsOnlyAtStart,
    missing: isOlder(settings.compatVersion, '2.18')
      ? undefined
      : ({ message, span }) => load.warn(`${message}${span ? ` (${placeOf(span)})` : ''}`),
  })
  return {
    settings,
    inventory,
    variables,
    templar,
    bus,
    secrets: parts.secrets,
    pool: parts.pool,
    load,
    module: findModule,
    custom: (name, file) =>
      customOf(name, file, {
        ...customOptions(parts),
        version: settings.compatVersion,
        interpreter: parts.interpreter,
        pythons: parts.pythons,
      }),
    prompt: parts.prompt,
    interactive: parts.interactive,
    readLine: parts.readLine ?? (async () => undefined),
    keys: parts.keys ?? (async () => ({ how: 'nobody', typed: '' })),
    gate: new Gate(),
    spill: new Spill(),
    readText: parts.readText,
    readVars: parts.readVars,
    signal: parts.signal,
    keepFailed: parts.keepFailed,
    replay: parts.replay,
    stats: new Stats(),
    failed: new Set(),
    unreachable: new Set(),
    everUnreachable: new Set(),
    startDone: false,
    code: 0,
    stepping: settings.step,
  }
}

/** What loading playbooks needs of a run; of use for listings, too. */
export function loadContext(
  parts: Pick<
    RunParts,
    | 'bus'
    | 'templar'
    | 'documents'
    | 'extraVars'
    | 'optionVars'
    | 'rolesPath'
    | 'modulePath'
    | 'preferNative'
    | 'collectionsPaths'
    | 'privateRoleVars'
    | 'validateGroups'
    | 'ignoreUnknownKeywords'
    | 'ignoredEndings'
  >,
): LoadContext {
  const { bus } = parts
  const told = new Set<string>()
  const once = (kind: 'warning' | 'deprecation') => (text: string) => {
    if (told.has(text)) return
    told.add(text)
    bus.emit({ kind, text })
  }
  return {
    documents: parts.documents,
    templar: parts.templar,
    extraVars: parts.extraVars,
    staticVars: parts.optionVars,
    module: (name, collections, folders) => resolveModule(name, collections, folders, customOptions(parts)),
    moduleNames,
    rolesPath: parts.rolesPath,
    collectionsPaths: parts.collectionsPaths,
    privateRoleVars: parts.privateRoleVars,
    validateGroups: parts.validateGroups,
    ignoreUnknownKeywords: parts.ignoreUnknownKeywords,
    ignoredEndings: parts.ignoredEndings,
    warn: once('warning'),
    deprecated: once('deprecation'),
  }
}

type OfCustom = Pick<RunParts, 'modulePath' | 'utilFolders' | 'collectionsPaths' | 'preferNative' | 'optionVars'>

const customOptions = (parts: OfCustom): CustomOptions => ({
  modulePath: parts.modulePath,
  utilFolders: parts.utilFolders,
  collectionsPaths: parts.collectionsPaths,
  preferNative: parts.preferNative,
  version: '2.18.0',
})
