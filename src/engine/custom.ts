/** Modules of the user's own (library/, collections): found by name when a playbook is loaded, run like any other module. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type JsonObject, toJson } from '../base/index.ts'
import { defineModule, type Host, type Module, ModuleFailure, moduleOutline } from '../modules/index.ts'
import type { ModuleInfo } from '../playbook/index.ts'
import { customModule, interpreterLook, isPath, readResult } from '../python/index.ts'
import { type Output, textOf } from '../remote/index.ts'

export interface CustomOptions {
  /** DEFAULT_MODULE_PATH and -M, after the folders of roles and playbook */
  readonly modulePath: readonly string[]
  readonly collectionsPaths: readonly string[]
  /** DEFAULT_MODULE_UTILS_PATH: folders of what users' modules import */
  readonly utilFolders?: readonly string[] | undefined
  /** ours goes before one of the same name in a library */
  readonly preferNative: boolean
  readonly version: string
  /** INTERPRETER_PYTHON: a path, or the name of a way to find one */
  readonly interpreter?: string | undefined
  /** Pythons that are tried on hosts, the best first */
  readonly pythons?: readonly string[] | undefined
}

/** What a module name leads to: a file of the user's, else a native module, else a file of a collection. */
export function resolveModule(
  name: string,
  collections: readonly string[],
  folders: readonly string[],
  options: CustomOptions,
): ModuleInfo | undefined {
  const native = moduleOutline(name)
  const isShort = !name.includes('.') || name.startsWith('ansible.legacy.')
  const short = name.slice(name.lastIndexOf('.') + 1)
  if (isShort && !(native && options.preferNative)) {
    const file = inFolders(short, [...folders, ...options.modulePath])
    if (file) return fileInfo(name, file)
  }
  if (native) {
    const { name: resolved, freeForm, parameters, openArgs } = native
    return { resolved, freeForm, parameters, openArgs }
  }
  const full = name.split('.').length >= 3 ? [name] : collections.map((c) => `${c}.${name}`)
  for (const candidate of full) {
    const file = inCollections(candidate, options.collectionsPaths)
    if (file) return fileInfo(candidate, file)
  }
  return undefined
}

const fileInfo = (name: string, file: string): ModuleInfo => ({
  resolved: name,
  freeForm: false,
  parameters: undefined,
  openArgs: true,
  file,
})

const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile()

function inFolders(short: string, folders: readonly string[]): string | undefined {
  for (const folder of folders) {
    const names = namesIn(folder)
    for (const name of [`${short}.py`, short, `${short}.sh`]) if (names.has(name) && isFile(join(folder, name))) return join(folder, name)
  }
  return undefined
}

const listings = new Map<string, { readonly changed: number; readonly names: ReadonlySet<string> }>()

/** The names in a folder, read anew only when it has changed. */
function namesIn(folder: string): ReadonlySet<string> {
  const changed = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0
  const known = listings.get(folder)
  if (known?.changed === changed) return known.names
  const names = new Set(readableNames(folder))
  listings.set(folder, { changed, names })
  return names
}

function readableNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function inCollections(name: string, roots: readonly string[]): string | undefined {
  const [namespace = '', collection = '', ...rest] = name.split('.')
  const below = join('ansible_collections', namespace, collection, 'plugins', 'modules', ...rest)
  return roots.map((root) => join(root, `${below}.py`)).find(isFile)
}

const made = new Map<string, Module>()

/** The module that runs a file; read once. */
export function customOf(name: string, file: string, options: CustomOptions): Module {
  const key = `${name}\0${file}`
  const known = made.get(key) ?? wrap(name, file, options)
  made.set(key, known)
  return known
}

function wrap(name: string, file: string, options: CustomOptions): Module {
  const roots = options.collectionsPaths
  const custom = customModule(name, file, roots, options.utilFolders)
  return defineModule({
    name,
    params: {},
    openArgs: true,
    async *run(_args, host) {
      const python = custom.wantsPython ? await pythonOf(host, options) : ''
      const internal = { check: host.check, diff: host.diff, verbosity: host.verbosity, version: options.version }
      const call = custom.call(toJson(new Map(host.task.rawArgs)) as JsonObject, internal, python)
      const { script, stdin, upload } = call
      // a module of any kind is told of check mode among its arguments, and looks after itself
      const output = yield { what: 'module', script, stdin, upload, onFailure: 'tell', counts: false, inCheck: true }
      const result = readResult(output as Output)
      return host.task.async > 0 ? ofJob(result, output as Output) : result
    },
  })
}

/** A job tells what its module wrote beside the result, whether it failed or not. */
function ofJob({ module_stdout, module_stderr, ...result }: JsonObject, { stderr }: Output): JsonObject {
  const said = textOf(stderr)
  return {
    ...result,
    ...(module_stdout === undefined ? {} : { data: module_stdout }),
    ...(said === '' ? {} : { stderr: said, stderr_lines: said.replace(/\n$/, '').split('\n') }),
  }
}

/** The host's Python: as its variable says, else the first that is there. */
async function pythonOf(host: Host, { interpreter, pythons }: CustomOptions): Promise<string> {
  const variable = host.task.there ?? ((name: string) => host.controller.variable(name))
  const said = variable('ansible_python_interpreter')
  if (typeof said === 'string' && isPath(said)) return said
  if (said === undefined && interpreter !== undefined && isPath(interpreter)) return interpreter
  const known = variable('discovered_interpreter_python')
  if (typeof known === 'string') return known
  const found = textOf((await host.look(interpreterLook(pythons), { onFailure: 'tell' })).stdout).trim()
  if (found === '') {
    throw new ModuleFailure(`the module is written in Python, and ${host.name} has none`, { rc: 127 })
  }
  return found
}
