/** include_vars: reads files of variables while the run goes on. */
import { type Json, Problem, type Raw } from '../base/index.ts'
import { bool, choice, fallback, int, list, path, raw, str } from '../params/index.ts'
import { type Controller, defineModule, ModuleFailure, type Result } from './api.ts'
import { findLocal } from './files/local.ts'
import { inResult } from './files/values.ts'

export default defineModule({
  name: 'ansible.builtin.include_vars',
  summary: 'Reads files of variables while the run goes on.',
  controllerOnly: true,
  freeForm: true,
  params: {
    _raw_params: str(),
    file: path(),
    dir: path(),
    name: str(),
    depth: fallback(int(), 0),
    files_matching: str(),
    ignore_files: raw(),
    extensions: fallback(list('str'), ['yaml', 'yml', 'json']),
    ignore_unknown_extensions: fallback(bool(), false),
    hash_behaviour: choice(['replace', 'merge']),
  },
  async *run(args, host) {
    try {
      return await included(args, host.controller)
    } catch (error) {
      if (!(error instanceof ModuleFailure) && !(error instanceof Problem && error.kind === 'file')) throw error
      return { failed: true, changed: false, message: error.message, ansible_facts: {}, ansible_included_var_files: [] }
    }
  },
})

interface IncludeArgs extends FolderArgs {
  readonly _raw_params?: string | undefined
  readonly file?: string | undefined
  readonly name?: string | undefined
  readonly hash_behaviour?: 'replace' | 'merge' | undefined
}

async function included(args: IncludeArgs, controller: Controller): Promise<Result> {
  const file = args.file ?? args._raw_params?.replace(/\n+$/, '')
  if (args.dir !== undefined && file !== undefined)
    throw new ModuleFailure('You are mixing file only and dir only arguments, these are incompatible')
  if (args.dir === undefined && file === undefined) throw new ModuleFailure('No file or directory of variables was given')
  if (file === '') throw new ModuleFailure('Could not find file on the Ansible Controller.')
  const files = args.dir !== undefined ? await filesBelow(args, controller) : [findLocal(controller, 'vars', file!)]
  let facts: Record<string, Json> = {}
  for (const path of files) for (const [name, value] of controller.readVars(path)) facts[name] = rawInResult(value)
  if (args.name !== undefined) facts = { [args.name]: inResult(new Map(Object.entries(facts)) as never) }
  if (args.hash_behaviour === 'merge') facts = merged(facts, controller)
  return { changed: false, ansible_included_var_files: files, ansible_facts: facts }
}

interface FolderArgs {
  readonly dir?: string | undefined
  readonly depth: number
  readonly files_matching?: string | undefined
  readonly ignore_files?: unknown
  readonly extensions: readonly string[]
  readonly ignore_unknown_extensions: boolean
}

/** The files of a folder in the order in which later ones win: folders sorted, then names. */
async function filesBelow(args: FolderArgs, controller: Controller): Promise<string[]> {
  const folder = controller.find('vars', args.dir!)
  if (folder === undefined) throw new ModuleFailure(`${args.dir} directory does not exist`)
  if ((await controller.stat(folder))?.kind !== 'directory') throw new ModuleFailure(`${folder} is not a directory`)
  const entries = (await controller.walk(folder)).filter((e) => e.kind !== 'directory').map((e) => e.path)
  const folders = [...new Set(['', ...(await controller.walk(folder)).filter((e) => e.kind === 'directory').map((e) => e.path)])].sort()
  const visited = args.depth > 0 ? folders.slice(0, args.depth) : folders
  const files: string[] = []
  for (const inside of visited) {
    for (const path of entries.filter((e) => parent(e) === inside).sort()) if (chosen(path, args)) files.push(`${folder}/${path}`)
  }
  return files
}

function chosen(path: string, args: FolderArgs): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  // a role's main vars are there already
  if (path === 'main.yml') return false
  if (args.files_matching !== undefined && !new RegExp(args.files_matching).test(name)) return false
  if (ignored(args.ignore_files).some((pattern) => new RegExp(`${pattern}$`).test(name))) return false
  const extension = /\.([^.]*)$/.exec(name)?.[1] ?? ''
  if (args.extensions.includes(extension)) return true
  if (args.ignore_unknown_extensions) return false
  throw new ModuleFailure(`${path} does not have a valid extension: ${args.extensions.join(', ')}`)
}

function ignored(given: unknown): string[] {
  return typeof given === 'string' ? given.split(/\s+/).filter(Boolean) : Array.isArray(given) ? given.map(String) : []
}

const parent = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

const rawInResult = (value: Raw): Json => value as unknown as Json

/** Mappings are merged into the variables that are there. */
function merged(facts: Record<string, Json>, controller: Controller): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(facts).map(([name, value]) => {
      const old = controller.variable(name)
      return [name, old instanceof Map && (value as unknown) instanceof Map ? inResult(mergeMaps(old, value as never)) : value]
    }),
  )
}

function mergeMaps(old: Map<unknown, unknown>, next: Map<unknown, unknown>): never {
  const out = new Map(old)
  for (const [key, value] of next) {
    const before = out.get(key)
    out.set(key, before instanceof Map && value instanceof Map ? mergeMaps(before, value) : value)
  }
  return out as never
}
