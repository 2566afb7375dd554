/** include_vars: reads files of variables while the run goes on. */
import { type Json, Problem, placeOf, type Raw, record, toJson, type Value } from '../base/index.ts'
import { bool, fallback, int, path, raw, str } from '../params/index.ts'
import { type Controller, defineModule, ModuleFailure, type Result } from './api.ts'
import { findLocal } from './files/local.ts'
import { inResult } from './files/values.ts'
import { filesBelow } from './files/vars-folder.ts'

export default defineModule({
  name: 'ansible.builtin.include_vars',
  takesAsync: false,
  summary: 'Reads files of variables while the run goes on.',
  controllerOnly: true,
  freeForm: true,
  params: {
    _raw_params: str(),
    file: path({ description: 'a file of variables' }),
    dir: path({ description: 'a folder of such files' }),
    name: str({ description: 'the variable that takes all of them' }),
    depth: fallback(int(), 0),
    files_matching: str(),
    ignore_files: raw(),
    extensions: raw(),
    ignore_unknown_extensions: fallback(bool(), false),
    hash_behaviour: str({ description: 'merge: dicts are merged into those that are there' }),
  },
  async *run(args, { controller }) {
    const { dir } = args
    const file = args.file ?? args._raw_params?.replace(/\n+$/, '')
    if (dir !== undefined && file !== undefined)
      throw new ModuleFailure('You are mixing file only and dir only arguments, these are incompatible')
    const reading = new Reading(controller)
    const message = await reading.all(dir ? filesBelow({ ...args, dir }, controller) : fileAlone(controller, file))
    const all = args.name === undefined ? reading.facts : { [args.name]: asDict(reading.facts) }
    const facts = message === undefined ? combined(all, args.hash_behaviour, controller) : all
    const result: Result = { changed: false, ansible_included_var_files: reading.files, ansible_facts: facts }
    return message === undefined ? result : { ...result, failed: true, message }
  },
})

async function* fileAlone(controller: Controller, file: string | undefined): AsyncGenerator<Iterable<string>> {
  yield [findFile(controller, file)]
}

function findFile(controller: Controller, file: string | undefined): string {
  if (!file) {
    throw new ModuleFailure(
      'Could not find file on the Ansible Controller.\nIf you are using a module and expect the file to exist on the remote, see the remote_src option',
    )
  }
  return findLocal(controller, 'vars', file)
}

/** What has been read so far: of a folder with a wrong file nothing counts, of those before it everything. */
class Reading {
  facts: Record<string, Json> = record()
  readonly files: string[] = []
  readonly #controller: Controller

  constructor(controller: Controller) {
    this.#controller = controller
  }

  /** Reads folder by folder; what went wrong, in words. */
  async all(folders: AsyncGenerator<Iterable<string>>): Promise<string | undefined> {
    try {
      for await (const files of folders) {
        const facts: Record<string, Json> = record()
        for (const file of files) this.#read(file, facts)
        this.facts = { ...this.facts, ...facts }
      }
      return undefined
    } catch (error) {
      if (error instanceof ModuleFailure || (error instanceof Problem && READING.has(error.kind))) return told(error)
      throw error
    }
  }

  #read(file: string, facts: Record<string, Json>): void {
    for (const [name, value] of this.#controller.readVars(file)) facts[name] = rawInResult(value)
    this.files.push(file)
  }
}

const told = (error: Problem | ModuleFailure): string =>
  error instanceof Problem && error.span ? `${error.message}\nat ${placeOf(error.span)}` : error.message

const READING: ReadonlySet<string> = new Set(['file', 'syntax', 'vault'])

const rawInResult = (value: Raw): Json => value as unknown as Json

const asDict = (facts: Record<string, Json>): Json => inResult(new Map(Object.entries(facts)) as never)

/** hash_behaviour, where it is not the way of the whole run: each variable is combined with the one that is there. */
function combined(facts: Record<string, Json>, behaviour: string | undefined, controller: Controller): Record<string, Json> {
  const usual = controller.setting?.('DEFAULT_HASH_BEHAVIOUR') ?? 'replace'
  if (behaviour === undefined || behaviour === usual) return facts
  const deep = behaviour === 'merge'
  return Object.fromEntries(
    Object.entries(facts).map(([name, value]) => {
      const old = controller.variable(name) ?? null
      const next = value as unknown as Value
      if (!(old instanceof Map) || !(next instanceof Map)) throw notDicts(old, next)
      return [name, inResult(deep ? merged(old, next) : new Map([...old, ...next]))]
    }),
  )
}

function merged(old: ReadonlyMap<Value, Value>, next: ReadonlyMap<Value, Value>): Map<Value, Value> {
  const out = new Map(old)
  for (const [key, value] of next) {
    const before = out.get(key)
    out.set(key, before instanceof Map && value instanceof Map ? merged(before, value) : value)
  }
  return out
}

function notDicts(old: Value, next: Value): ModuleFailure {
  const [a, b] = [old, next].map((value) => JSON.stringify(toJson(value)))
  return new ModuleFailure(`failed to combine variables, expected dicts but got a '${kindOf(old)}' and a '${kindOf(next)}': \n${a}\n${b}`)
}

function kindOf(value: Value): string {
  if (value === null) return 'NoneType'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'number' || typeof value === 'bigint') return 'int'
  if (Array.isArray(value)) return 'list'
  return value instanceof Map ? 'dict' : 'str'
}
