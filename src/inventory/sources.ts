/** Turns inventory sources (files, folders, scripts, host lists) into statements, trying the ways to read them that are enabled. */
import { accessSync, closeSync, constants, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { drawProblems, Problem, Problems, type Source } from '../base/index.ts'
import { type DocumentOptions, type Node, parseYaml, readSource } from '../documents/index.ts'
import { compileRegex } from '../template/index.ts'
import { readAdvancedHostList, readHostList } from './host-list.ts'
import { type GroupNames, readIni } from './ini.ts'
import { readScript } from './script.ts'
import type { Reading, Statement } from './statements.ts'
import type { Store } from './store.ts'
import { readYaml } from './yaml.ts'

export interface SourceOptions {
  /** INVENTORY_ENABLED: host_list, script, auto, yaml, ini, … */
  readonly enabled: readonly string[]
  readonly ignoreExtensions: readonly string[]
  readonly ignorePatterns: readonly string[]
  readonly yamlExtensions: readonly string[]
  readonly anyUnparsedFails: boolean
  readonly documents: DocumentOptions
  readonly groupName: GroupNames
  readonly warn: (message: string) => void
  /** what only a great deal of talk is for: -vvv */
  readonly tellDetail: (message: string) => void
  /** plugin configurations, by their `plugin:` name */
  readonly plugins: { readonly [name: string]: (root: Node, store: Store) => readonly Statement[] }
  /** reads TOML; there where a source is written in it */
  readonly toml?: ((source: Source, groupName: GroupNames, documents: DocumentOptions) => Reading) | undefined
  /** told of each source that could be read */
  readonly done: (source: string) => void
}

/** Reads one source into the store; true when it could be read. Folders are read file by file, sorted. */
export function readInto(store: Store, source: string, options: SourceOptions): boolean {
  const stat = isHostList(source) ? undefined : statSync(source, { throwIfNoEntry: false })
  if (stat?.isDirectory()) return readFolder(store, source, options) || tellUnread(source, true, [], options)
  const failures: Failure[] = []
  for (const name of options.enabled.map(shortName)) {
    const way = WAYS[name]
    if (!way?.wants(source, stat !== undefined, options)) continue
    try {
      const wrong = way.refusal?.(source, store, options)
      if (wrong !== undefined) {
        failures.push({ way: name, message: wrong })
        continue
      }
      const { statements, warnings = [], problem } = way.read(source, store, options)
      store.apply(statements, stat ? source : undefined)
      if (problem) throw problem
      for (const warning of warnings) options.warn(warning)
      options.done(source)
      return true
    } catch (error) {
      if (!(error instanceof Problem) && !(error instanceof Problems)) throw error
      if (error instanceof Problem && error.kind === 'vault') throw error
      failures.push({ way: name, message: () => drawProblems(error) })
    }
  }
  return tellUnread(source, stat !== undefined, failures, options)
}

interface Failure {
  readonly way: string
  readonly message: () => string
}

/** Warns of a source that nothing could read, or fails where the settings want that. */
function tellUnread(source: string, exists: boolean, failures: readonly Failure[], { warn, anyUnparsedFails }: SourceOptions): false {
  if (source === '/etc/ansible/hosts' && !exists) return false
  for (const { way, message } of failures) warn(`Failed to parse ${source} with ${way} plugin: ${message()}`)
  if (anyUnparsedFails) throw new Problem(`Completely failed to parse inventory source ${source}`, { kind: 'inventory' })
  const reason = exists || source.includes(',') ? '' : ': there is no such file'
  warn(`Unable to parse ${source} as an inventory source${reason}`)
  return false
}

const shortName = (name: string): string => name.replace(/^ansible\.(?:builtin|legacy)\./, '')

const NEVER_SOURCES = /^\.|^(?:host_vars|group_vars|vars_plugins)$/

function readFolder(store: Store, folder: string, options: SourceOptions): boolean {
  const ignored = options.ignorePatterns.map((pattern) => compileRegex(pattern))
  const isIgnored = (name: string) =>
    NEVER_SOURCES.test(name) || ignored.some((regex) => regex.search(name)) || options.ignoreExtensions.some((end) => name.endsWith(end))
  const names = readdirSync(folder).sort(byCodePoint)
  return names.filter((name) => !isIgnored(name)).reduce((read, name) => readInto(store, join(folder, name), options) || read, false)
}

export const byCodePoint = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const isToml = (source: string): boolean => extname(source) === '.toml'

/** Hosts themselves, which may be too many for a file's name. */
const isHostList = (source: string): boolean => source.includes(',') && !source.startsWith('/')

/** Is the source written in TOML, or does its folder hold one that is? */
export function hasToml(source: string): boolean {
  if (isToml(source)) return true
  if (isHostList(source) || !statSync(source, { throwIfNoEntry: false })?.isDirectory()) return false
  return readdirSync(source).some((name) => !NEVER_SOURCES.test(name) && hasToml(join(source, name)))
}

interface Way {
  wants(source: string, exists: boolean, options: SourceOptions): boolean
  /** what would be said of a source that is nothing for it at first sight; most files without an ending are INI */
  refusal?(source: string, store: Store, options: SourceOptions): (() => string) | undefined
  read(source: string, store: Store, options: SourceOptions): Reading
}

/** A way that takes only files which name it as their plugin. */
const configured = (name: string): Way => ({
  wants: (source, exists, options) => exists && (isYamlName(source, options) || extname(source) === '.config'),
  read: (source, store, options) => {
    const root = document(source, options)
    if (!root || (root.kind === 'scalar' && root.value === null)) throw new Problem(`${source} is empty`, { kind: 'inventory' })
    if (shortName(pluginOf(root) ?? '') === name) return pluginReading(name, root, store, options, source)
    throw new Problem(`Incorrect plugin name in file: ${pluginOf(root) ?? 'none found'}`, { kind: 'inventory', span: root.span })
  },
})

function pluginReading(name: string, root: Node, store: Store, options: SourceOptions, source: string): Reading {
  const plugin = options.plugins[name]
  if (plugin) return { statements: plugin(root, store) }
  throw new Problem(`inventory config '${source}' specifies unknown plugin '${name}'`, { kind: 'inventory' })
}

const isYamlName = (source: string, { yamlExtensions }: SourceOptions): boolean => ['', ...yamlExtensions].includes(extname(source))

const document = (source: string, { documents }: SourceOptions): Node | undefined => parseYaml(readSource(source, documents), documents)

/** A line that is no comment has what every mapping of YAML has. */
const MAY_BE_MAPPING = /^(?!\s*#).*(?:[:?](?:\s|$)|\{)/m

function whyNot(read: () => Reading): string {
  try {
    const { problem } = read()
    return problem === undefined ? '' : drawProblems(problem)
  } catch (error) {
    if (error instanceof Problem || error instanceof Problems) return drawProblems(error)
    throw error
  }
}

const WAYS: { readonly [name: string]: Way } = {
  host_list: { wants: (source, exists) => !exists && source.includes(','), read: (source) => readHostList(source) },
  advanced_host_list: {
    wants: (source, exists) => !exists && source.includes(','),
    read: (source, _store, { tellDetail }) => readAdvancedHostList(source, tellDetail),
  },
  script: {
    wants: (source, exists) => exists && (isExecutable(source) || hasShebang(source)),
    read: (source, _store, { groupName }) => readScript(source, groupName),
  },
  auto: {
    wants: (source, exists, options) =>
      exists && ['.yml', '.yaml'].includes(extname(source)) && pluginOf(document(source, options)) !== undefined,
    read: (source, store, options) => {
      const root = document(source, options)!
      return pluginReading(shortName(pluginOf(root) ?? ''), root, store, options, source)
    },
  },
  constructed: configured('constructed'),
  generator: configured('generator'),
  yaml: {
    wants: (source, exists, options) => exists && isYamlName(source, options),
    refusal: (source, store, options) => {
      if (extname(source) !== '' || MAY_BE_MAPPING.test(readSource(source, options.documents).text)) return undefined
      return () => whyNot(() => WAYS['yaml']!.read(source, store, options))
    },
    read: (source, _store, options) => readYaml(document(source, options), options.groupName, options.documents),
  },
  toml: {
    wants: (source, exists, { toml }) => exists && toml !== undefined && isToml(source),
    read: (source, _store, { toml, groupName, documents }) => toml!(readSource(source, documents), groupName, documents),
  },
  ini: {
    wants: (_source, exists) => exists,
    read: (source, store, { documents, groupName }) =>
      readIni(readSource(source, documents), groupName, (group) => store.group(group) !== undefined),
  },
}

function pluginOf(root: Node | undefined): string | undefined {
  const value = root?.kind === 'mapping' ? root.entries.find((entry) => entry.key.value === 'plugin')?.value : undefined
  return value?.kind === 'scalar' && typeof value.value === 'string' ? value.value : undefined
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function hasShebang(path: string): boolean {
  const file = openSync(path, 'r')
  try {
    const start = Buffer.alloc(2)
    return readSync(file, start, 0, 2, 0) === 2 && start.toString('latin1') === '#!'
  } finally {
    closeSync(file)
  }
}
