/** The files of variables below a folder that include_vars means, folder by folder in the order in which later ones win. */
import { join } from 'node:path'
import { compileRegex } from '../../template/index.ts'
import { type Controller, ModuleFailure } from '../api.ts'

export interface FolderArgs {
  readonly dir: string
  /** how deep to look; 0: all the way down */
  readonly depth: number
  readonly files_matching?: string | undefined
  readonly ignore_files?: unknown
  readonly extensions?: unknown
  readonly ignore_unknown_extensions: boolean
}

const EXTENSIONS = ['yaml', 'yml', 'json']

/** A file with another ending fails when its turn comes, unless such files are to be ignored. */
export function filesBelow(args: FolderArgs, controller: Controller): AsyncGenerator<Iterable<string>> {
  return foldersBelow(args, controller, chooser(args))
}

type Chooser = (name: string, path: string) => boolean

async function* foldersBelow(args: FolderArgs, controller: Controller, isChosen: Chooser): AsyncGenerator<Iterable<string>> {
  const root = rootOf(args.dir, controller)
  const kind = (await controller.stat(root))?.kind
  if (kind === undefined) throw new ModuleFailure(`${root} directory does not exist`)
  if (kind !== 'directory') throw new ModuleFailure(`${root} is not a directory`)
  const entries = await controller.walk(root, { followLinks: true })
  const folders = ['', ...entries.filter((e) => e.kind === 'directory').map((e) => e.path)].sort()
  for (const folder of folders) {
    if (args.depth !== 0 && depthOf(folder) > args.depth) continue
    const here = entries.filter((e) => e.kind !== 'directory' && parentOf(e.path) === folder).map((e) => e.path)
    yield chosen(here.sort(), root, isChosen)
  }
}

function* chosen(names: readonly string[], root: string, isChosen: Chooser): Generator<string> {
  for (const name of names) if (isChosen(nameOf(name), `${root}/${name}`)) yield `${root}/${name}`
}

const depthOf = (folder: string): number => (folder === '' ? 1 : folder.split('/').length + 1)
const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** In a role the folder is looked for in vars/, elsewhere beside the task's own file. */
function rootOf(dir: string, controller: Controller): string {
  if (dir.startsWith('/')) return dir
  const role = controller.variable('role_path')
  const folders = controller.folders('vars')
  if (typeof role !== 'string') return join(folders[1] ?? controller.playbookDir, dir)
  return dir.split('/')[0] === 'vars' ? join(role, dir) : `${role}/vars/${dir}`
}

function chooser(args: FolderArgs): Chooser {
  const matching = args.files_matching ? compileRegex(args.files_matching) : undefined
  const ignored = wordsOf(args.ignore_files).map(ignoring)
  const extensions = extensionsOf(args.extensions)
  return (name, path) => {
    if (matching && !matching.search(name)) return false
    if (ignored.some((regex) => regex.search(name))) return false
    if (extensions.includes(extensionOf(name))) return true
    if (args.ignore_unknown_extensions) return false
    throw new ModuleFailure(`${path} does not have a valid extension: ${extensions.join(', ')}`)
  }
}

function ignoring(pattern: string): ReturnType<typeof compileRegex> {
  try {
    return compileRegex(`${pattern}$`)
  } catch {
    throw new ModuleFailure(`Invalid regular expression: ${pattern}`)
  }
}

const wordsOf = (given: unknown): string[] =>
  typeof given === 'string' ? given.split(/\s+/).filter(Boolean) : Array.isArray(given) ? given.map(String) : []

/** A text counts letter by letter, as a Python list made of it. */
function extensionsOf(given: unknown): readonly string[] {
  if (given === undefined || given === null) return EXTENSIONS
  if (typeof given === 'string') return [...given]
  if (Array.isArray(given)) return given.map(String)
  throw new ModuleFailure('Invalid type for "extensions" option, it must be a list')
}

/** Dots at the start of a name begin no extension. */
const extensionOf = (name: string): string => /^\.*[^.].*\.([^.]*)$/.exec(name)?.[1] ?? ''
