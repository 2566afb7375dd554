/** A module of the user's own: its file, read once, → the script, input and uploads that run it on a host, and its output → a result. */
import { readFileSync } from 'node:fs'
import { fromJson, type Json, type JsonObject, Problem } from '../base/index.ts'
import { asText } from '../params/index.ts'
import { type Output, type Script, sh, textOf } from '../remote/index.ts'
import { bundle, type UserUtils, utilFoldersOf } from './bundle.ts'
import { type ModuleKind, moduleKind, shebang } from './kind.ts'
import { STARTER } from './sources.ts'

export interface Call {
  readonly script: Script
  readonly stdin?: Uint8Array | undefined
  /** bytes of files that the script finds as "$1", "$2" */
  readonly upload: readonly Uint8Array[]
}

/** What Ansible tells every module besides its arguments. */
export interface Internal {
  readonly check: boolean
  readonly diff: boolean
  readonly verbosity: number
  readonly version: string
}

export interface CustomModule {
  readonly name: string
  readonly file: string
  readonly kind: ModuleKind
  /** does it need the host's Python? */
  readonly wantsPython: boolean
  call(args: JsonObject, internal: Internal, python: string): Call
}

/** `utilFolders`: further folders of module_utils, after those beside the module. */
export function customModule(
  name: string,
  file: string,
  collections: readonly string[],
  utilFolders: readonly string[] = [],
): CustomModule {
  const bytes = read(file)
  const kind = moduleKind(bytes)
  const interpreter = shebang(bytes)
  const wantsPython = kind === 'new-style' || (interpreter?.includes('python') ?? kind === 'json-args')
  const utils: UserUtils = { folders: [...utilFoldersOf(file), ...utilFolders], collections }
  return {
    name,
    file,
    kind,
    wantsPython,
    call(args, internal, python) {
      const all = { ...args, ...internalArgs(name, internal) }
      if (kind === 'new-style')
        return { script: sh`exec ${python} -c ${STARTER}`, stdin: bundle(file, textOf(bytes), all, utils), upload: [] }
      const program = wantsPython ? [python] : (interpreter?.split(/\s+/) ?? [])
      const given = kind === 'json-args' ? withArguments(bytes, all) : bytes
      const file2 = new TextEncoder().encode(kind === 'old-style' ? words(all) : JSON.stringify(all))
      return { script: sh`chmod u+x "$1" && ${program} "$1" "$2"`, upload: [given, file2] }
    },
  }
}

function read(file: string): Uint8Array {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new Problem(`the module ${file} cannot be read: ${(error as Error).message}`, { kind: 'file', cause: error })
  }
}

const internalArgs = (name: string, { check, diff, verbosity, version }: Internal): JsonObject => ({
  _ansible_check_mode: check,
  _ansible_diff: diff,
  _ansible_verbosity: verbosity,
  _ansible_version: version,
  _ansible_module_name: name,
  _ansible_no_log: false,
  _ansible_debug: false,
  _ansible_remote_tmp: '~/.ansible/tmp',
})

const withArguments = (bytes: Uint8Array, args: JsonObject): Uint8Array =>
  new TextEncoder().encode(textOf(bytes).replaceAll('<<INCLUDE_ANSIBLE_MODULE_JSON_ARGS>>', () => JSON.stringify(args)))

/** k=v words as old-style modules read them. */
function words(args: JsonObject): string {
  const quoted = (value: Json | undefined) => {
    const text = asText(fromJson(value ?? null))
    return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'"'"'`)}'`
  }
  return Object.entries(args)
    .map(([k, v]) => `${k}=${quoted(v)}`)
    .join(' ')
}

/** The JSON that a module printed, with whatever else it said around it; what is no JSON is a failure that shows all. */
export function readResult({ stdout, stderr, code }: Output): JsonObject {
  const text = textOf(stdout)
  const lines = text.split('\n')
  const first = lines.findIndex((l) => /^\s*\{/.test(l))
  const last = lines.findLastIndex((l) => /\}\s*$/.test(l))
  if (first >= 0 && last >= first) {
    try {
      const json = JSON.parse(lines.slice(first, last + 1).join('\n')) as Json
      if (typeof json === 'object' && json !== null && !Array.isArray(json))
        return withJunk(withoutInterpreters(json as JsonObject), lines.slice(last + 1))
    } catch {
      // told below, with all that was printed
    }
  }
  const said = textOf(stderr)
  return {
    failed: true,
    changed: false,
    ...(said.includes('Traceback (most recent call last)') ? { exception: said } : {}),
    msg: `MODULE FAILURE: ${first < 0 ? 'No start of json char found' : 'what it printed is no JSON'}\nSee stdout/stderr for the exact error`,
    module_stdout: text,
    module_stderr: said,
    rc: code,
  }
}

/** What a module prints behind its result is no part of it, but told. */
function withJunk(result: JsonObject, rest: readonly string[]): JsonObject {
  const junk = rest.join('\n').trim()
  if (junk === '') return result
  const warnings = Array.isArray(result['warnings']) ? (result['warnings'] as readonly Json[]) : []
  return { ...result, warnings: [...warnings, `Module invocation had junk after the JSON data: ${junk}`] }
}

/** Which Python a host has is found out here: no module may say it. */
function withoutInterpreters(result: JsonObject): JsonObject {
  const facts = result['ansible_facts']
  if (typeof facts !== 'object' || facts === null || Array.isArray(facts)) return result
  const kept = Object.entries(facts as JsonObject).filter(([name]) => !/^(ansible_)?discovered_interpreter_/.test(name))
  return { ...result, ansible_facts: Object.fromEntries(kept) }
}
