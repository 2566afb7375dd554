/** Turns flags, environment and ansible.cfg into settings whose every value knows where it comes from. */
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { didYouMean, Problem, type Source } from '../base/index.ts'
import type { Definition, Origin } from './api.ts'
import { coerce, expandPath, type PathBase } from './coerce.ts'
import { definitions } from './definitions/index.ts'
import { findConfig } from './find.ts'
import { type Ini, parseIni } from './ini.ts'

export type SettingName = keyof typeof definitions
export type SettingValue<K extends SettingName> = (typeof definitions)[K]['default']

export interface Entry {
  readonly name: SettingName
  readonly value: unknown
  readonly origin: Origin
  readonly definition: Definition<unknown>
}

export interface Settings {
  /** the file that was read */
  readonly file: string | undefined
  readonly warnings: readonly string[]
  get<K extends SettingName>(name: K): SettingValue<K>
  origin(name: SettingName): Origin
  entries(): readonly Entry[]
  /** the value of any key of the file, for options of users' own plugins */
  raw(section: string, key: string): string | undefined
}

export interface SettingsRequest {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  /** what options of the command line say, by setting; texts are read like the file's */
  readonly flags?: Partial<Record<SettingName, { readonly value: unknown; readonly flag: string }>> | undefined
  /** the last place a settings file is looked for */
  readonly systemFile?: string | undefined
}

export function loadSettings(request: SettingsRequest): Settings {
  const found = findConfig(request, request.systemFile)
  const source = found.path === undefined ? undefined : readSource(found.path)
  const ini: Ini = source ? parseIni(source) : new Map()
  const memo = new Map<SettingName, Entry>()
  const entryOf = (name: SettingName): Entry => {
    const known = memo.get(name)
    if (known) return known
    const entry = resolveEntry(name, request, ini, found.path, base)
    memo.set(name, entry)
    return entry
  }
  const { cwd, env, home } = request
  const folder = found.path === undefined ? cwd : dirname(found.path)
  const plain: PathBase = { cwd, env, home, folder: cwd, ansibleHome: `${home}/.ansible`, unquote: false }
  let base: Bases = { default: plain, file: { ...plain, folder, unquote: true } }
  const ansibleHome = String(entryOf('ANSIBLE_HOME').value)
  base = { default: { ...base.default, ansibleHome }, file: { ...base.file, ansibleHome } }
  return {
    file: found.path,
    warnings: found.warnings,
    get: <K extends SettingName>(name: K) => entryOf(name).value as SettingValue<K>,
    origin: (name) => entryOf(name).origin,
    entries: () => settingNames.map(entryOf),
    raw: (section, key) => ini.get(section)?.get(key.toLowerCase())?.text,
  }
}

/** All names, in the order of the tables. */
export const settingNames = Object.keys(definitions) as SettingName[]

/** The name if it is one; else a problem with the nearest. */
export function settingName(name: string): SettingName {
  const upper = name.toUpperCase()
  if (upper in definitions) return upper as SettingName
  throw new Problem(`there is no setting '${name}'`, { kind: 'usage', hint: didYouMean(upper, settingNames) })
}

interface Bases {
  readonly default: PathBase
  readonly file: PathBase
}

/** An empty variable of the environment is no number: it takes a setting back to its default. */
const NUMBERS: ReadonlySet<string> = new Set(['int', 'float'])

function resolveEntry(name: SettingName, { flags, env }: SettingsRequest, ini: Ini, file: string | undefined, base: Bases): Entry {
  const definition: Definition<unknown> = definitions[name]
  const entry = (value: unknown, origin: Origin): Entry => ({ name, value, origin, definition })
  const read = (text: string, from: PathBase, origin: Origin): Entry => {
    const made = coerce(definition, text, from)
    if ('value' in made) return entry(made.value, origin)
    throw new Problem(`${tellOrigin(origin)}: ${name} ${made.wrong}, not '${text}'`, { kind: 'config' })
  }
  const flag = flags?.[name]
  if (flag)
    return typeof flag.value === 'string' ? read(flag.value, base.default, { flag: flag.flag }) : entry(flag.value, { flag: flag.flag })
  const variable = definition.env?.findLast((one) => env[one] !== undefined)
  const isEmptied = variable !== undefined && env[variable] === '' && NUMBERS.has(definition.type)
  if (variable !== undefined && !isEmptied) return read(env[variable]!, base.default, { env: variable })
  const key = isEmptied ? undefined : definition.ini?.findLast(([section, one]) => ini.get(section)?.has(one))
  if (key && file !== undefined) {
    const { text, line } = ini.get(key[0])!.get(key[1])!
    return read(text, base.file, { file, line })
  }
  return entry(expandDefault(definition, base.default), 'default')
}

function expandDefault({ type, default: value }: Definition<unknown>, base: PathBase): unknown {
  if (type === 'path' && typeof value === 'string') return expandPath(value, base)
  return (type === 'pathspec' || type === 'pathlist') && Array.isArray(value) ? value.map((part: string) => expandPath(part, base)) : value
}

/** Where a value comes from, in words. */
export function tellOrigin(origin: Origin): string {
  if (origin === 'default') return 'default'
  if ('file' in origin) return `${origin.file}:${origin.line}`
  return 'env' in origin ? `env: ${origin.env}` : `cli: ${origin.flag}`
}

function readSource(path: string): Source {
  try {
    return { name: path, text: readFileSync(path, 'utf8') }
  } catch (error) {
    throw new Problem(`${path} cannot be read`, { kind: 'config', cause: error })
  }
}
