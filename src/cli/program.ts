/** The bundled program → its `dispatch`; where V8's compiled form of it lies beside and fits, nothing is compiled anew. */
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { Script } from 'node:vm'
import { COMMAND_NAMES } from './command-names.ts'

type Dispatch = (argv: readonly string[]) => Promise<void>
type Require = (name: string) => unknown
type Program = (exports: object, require: Require, module: { exports: object }, file: string, folder: string) => void

const FOLDER = import.meta.dirname

export function dispatch(argv: readonly string[]): Promise<void> {
  const name = isListing(argv) ? 'listing' : 'program'
  const file = join(FOLDER, `${name}.cjs`)
  // the build leaves nothing but ASCII in it, and that is read fastest as bytes
  const script = new Script(readFileSync(file, 'latin1'), { filename: file, cachedData: compiled(name) })
  keep(script)
  const module = { exports: {} }
  ;(script.runInThisContext() as Program)(module.exports, sparing(createRequire(import.meta.url)), module, file, FOLDER)
  return (module.exports as { dispatch: Dispatch }).dispatch(argv)
}

const LISTS = ['--list-tasks', '--list-tags', '--list-hosts']

/** Playbooks are listed, and nothing else is asked for that a listing does without. */
const isListing = (argv: readonly string[]): boolean =>
  argv.some((word) => LISTS.includes(word)) && !COMMAND_NAMES.some((name) => name !== 'playbook' && name === argv[0])

/** Parts of Node that take long to load and that many runs do without. */
const SELDOM = /^(?:node:)?(?:child_process|crypto|dgram|fs\/promises|net|readline|stream\/promises|tls|vm|worker_threads|zlib)$/

/** Loads those only when something of them is asked for. */
const sparing =
  (require: Require): Require =>
  (name) =>
    // what a bundle makes of a namespace inherits from the prototype
    SELDOM.test(name) ? Object.create(new Proxy({}, { get: (_, key) => Reflect.get(require(name) as object, key) })) : require(name)

/** Made by the build, by another release of Node perhaps: then V8 refuses it and compiles the script. */
function compiled(name: string): Buffer | undefined {
  try {
    return readFileSync(join(FOLDER, `${name}.v8`))
  } catch {
    return undefined
  }
}

/** For the build: what has been compiled by the end of the run. */
function keep(script: Script): void {
  const to = process.env['TSSPRAY_KEEP_COMPILED']
  if (to === undefined) return
  process.once('exit', () => {
    // V8 takes it only under the flags under which it was made, and a listing has changed some
    for (const flag of ['--opt', '--semi-space-growth-factor=2']) setFlagsFromString(flag)
    writeFileSync(to, script.createCachedData())
  })
}
