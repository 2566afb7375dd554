/** snap: makes snaps be installed with their options, be enabled or disabled, or be gone. */
import type { Json, JsonObject } from '../../base/index.ts'
import { type Args, bool, choice, fallback, list, required, str } from '../../params/index.ts'
import { type Change, type Done, defineModule, type Host, ModuleFailure, type Result } from '../api.ts'
import { askTool, useTool } from '../system/tools.ts'

const params = {
  channel: fallback(str({ description: 'channel that they come from' }), 'stable'),
  classic: fallback(bool({ description: 'they may see the whole system' }), false),
  name: required(list('str', { description: 'the snaps' })),
  options: list('str', { description: 'settings: key=value or snap:key=value' }),
  state: choice(['absent', 'present', 'enabled', 'disabled'], 'present'),
} as const

type SnapArgs = Args<typeof params>
type Run = AsyncGenerator<Change, Result, Done>

export default defineModule({
  name: 'community.general.snap',
  summary: 'Manages snaps.',
  params,
  async *run(args, host) {
    const { state } = args
    if (state === 'present') return yield* present(args, host)
    const wanted = WANTED[state]
    const todo: string[] = []
    for (const name of args.name) if (wanted.todo(await snapState(host, name))) todo.push(name)
    if (todo.length === 0) return { changed: false }
    const done = yield* call([wanted.verb, ...todo])
    const result = { changed: true, [wanted.told]: todo }
    if (!done) return result
    if (done.rc !== 0) throw oops('operation', done.cmd, done)
    return { ...result, ...done }
  },
})

interface SnapState {
  readonly installed: boolean
  readonly enabled: boolean
}

const WANTED: Readonly<Record<'absent' | 'enabled' | 'disabled', { verb: string; told: string; todo: (now: SnapState) => boolean }>> = {
  absent: { verb: 'remove', told: 'snaps_removed', todo: (now) => now.installed },
  enabled: { verb: 'enable', told: 'snaps_enabled', todo: (now) => !now.enabled },
  disabled: { verb: 'disable', told: 'snaps_disabled', todo: (now) => now.enabled },
}

type Called = { readonly cmd: string; readonly rc: number; readonly stdout: string; readonly stderr: string }

async function* call(words: readonly string[]): AsyncGenerator<Change, Called | undefined, Done> {
  const done = yield* useTool('snaps', ['snap', ...words])
  return done && { cmd: ['snap', ...words].join(' '), ...done }
}

const oops = (what: string, cmd: string, told: JsonObject): ModuleFailure =>
  new ModuleFailure(`Ooops! Snap ${what} failed while executing '${cmd}', please examine logs and error output for more details.`, told)

/** The notes stand last in the second line of `snap list`. */
async function snapState(host: Host, name: string): Promise<SnapState> {
  const told = await askTool(host, ['snap', 'list', name])
  if (told.rc !== 0) return { installed: false, enabled: false }
  const notes = told.stdout.split('\n')[1]?.trim().split(/\s+/)[5] ?? ''
  return { installed: true, enabled: !notes.split(',').includes('disabled') }
}

async function* present(args: SnapArgs, host: Host): Run {
  const missing: string[] = []
  for (const name of args.name) if (!(await snapState(host, name)).installed) missing.push(name)
  const told = { classic: args.classic, channel: args.channel }
  let result: JsonObject = told
  if (missing.length > 0) result = { ...told, snaps_installed: missing, ...(yield* installed(args, missing)) }
  const options = yield* optionsSet(args, host, host.check ? args.name.filter((one) => !missing.includes(one)) : args.name)
  return { changed: missing.length + options.length > 0, ...result, ...(options.length > 0 ? { options_changed: options } : {}) }
}

async function* installed(args: SnapArgs, names: readonly string[]): AsyncGenerator<Change, JsonObject, Done> {
  const more = [...(args.classic ? ['--classic'] : []), ...(args.channel === 'stable' ? [] : ['--channel', args.channel])]
  // such words go with one snap at a time
  const groups = more.length > 0 ? names.map((one) => [one]) : [names]
  const all: Called[] = []
  for (const group of groups) {
    const done = yield* call(['install', ...more, ...group])
    if (done) all.push(done)
  }
  const cmd = all.map((one) => one.cmd).join('; ')
  const join = (key: 'stdout' | 'stderr'): string => all.map((one) => one[key]).join('\n')
  const result = { cmd, rc: all.find((one) => one.rc !== 0)?.rc ?? 0, stdout: join('stdout'), stderr: join('stderr') }
  if (all.length === 0) return {}
  if (result.rc === 0) return result
  const classic = /snap "(\w+)" was published using classic confinement/.exec(result.stderr)?.[1]
  if (classic !== undefined) throw new ModuleFailure(`Couldn't install ${classic} because it requires classic confinement`, result)
  throw oops('installation', cmd, result)
}

/** Sets what differs; tells it as `snap:key=value`. */
async function* optionsSet(args: SnapArgs, host: Host, names: readonly string[]): AsyncGenerator<Change, string[], Done> {
  const told: string[] = []
  if (args.options === undefined) return told
  const wishes = args.options.map((option) => optionOf(option, args.name))
  for (const name of names) {
    const now = await optionsOf(host, name)
    const todo = wishes.filter((one) => (one.snap ?? name) === name && now.get(one.key) !== one.value)
    if (todo.length === 0) continue
    told.push(...todo.map((one) => (one.snap === undefined ? `${name}:${one.written}` : one.written)))
    const words = todo.map((one) => `${one.key}=${one.value}`)
    const done = yield* call(['set', name, ...words])
    if (done && done.rc !== 0)
      throw new ModuleFailure(`Cannot set options '${words.join(' ')}' for snap '${name}': error=${done.stderr}`, done)
  }
  return told
}

interface Option {
  readonly snap: string | undefined
  readonly key: string
  readonly value: string
  readonly written: string
}

function optionOf(written: string, names: readonly string[]): Option {
  const [, prefix, key, value] = /^([^\s:]+:)?(\S+?)\s*=\s*(.+)$/s.exec(written) ?? []
  if (key === undefined) throw new ModuleFailure(`Cannot parse set option '${written}'`)
  const snap = prefix?.slice(0, -1)
  if (snap !== undefined && !names.includes(snap))
    throw new ModuleFailure(`Snap option '${written}' refers to snap which is not in the list of snap names`)
  return { snap, key, value: value!.trim(), written }
}

async function optionsOf(host: Host, name: string): Promise<ReadonlyMap<string, string>> {
  const told = await askTool(host, ['snap', 'get', name, '-d'])
  if (told.rc !== 0 || !told.stdout.trimStart().startsWith('{')) return new Map()
  return new Map(flat(JSON.parse(told.stdout) as JsonObject, ''))
}

function flat(tree: JsonObject, prefix: string): [string, string][] {
  return Object.entries(tree).flatMap(([key, value]): [string, string][] =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? flat(value as JsonObject, `${prefix}${key}.`)
      : [[`${prefix}${key}`, spelled(value)]],
  )
}

/** as Python's str() has it */
const spelled = (value: Json | undefined): string => (value === true ? 'True' : value === false ? 'False' : String(value))
