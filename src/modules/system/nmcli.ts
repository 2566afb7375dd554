/** nmcli: makes a connection of NetworkManager be there as described, or be gone; or brings it up or down. */
import type { JsonObject } from '../../base/index.ts'
import { type Change, type Done, defineModule, type Host, ModuleFailure, type Result } from '../api.ts'
import type { Ran } from './looking.ts'
import { compare, readShown } from './nmcli-compare.ts'
import { type NmcliArgs, params } from './nmcli-params.ts'
import { mtuSetting, settingsOf, TUNNELS, type TypedArgs } from './nmcli-settings.ts'
import { askTool, useTool } from './tools.ts'

type Run<T> = AsyncGenerator<Change, T, Done>

/** Names are of any letters. */
const LOCALE = { locale: 'C.UTF-8' } as const
const ask = (host: Host, words: readonly string[], stdin?: string): Promise<Ran> =>
  askTool(host, ['nmcli', ...words], { ...LOCALE, ...(stdin === undefined ? {} : { stdin }) })
const use = (what: string, words: readonly string[], stdin?: string): Run<Ran | undefined> =>
  useTool(what, ['nmcli', ...words], { ...LOCALE, ...(stdin === undefined ? {} : { stdin }) })

/** Settings that are handed over by stdin, so that no list of processes shows them. */
const SECRETS = new Set([
  ...['802-11-wireless-security.leap-password', '802-11-wireless-security.psk', '802-11-wireless-security.wep-key0'],
  ...['802-11-wireless-security.wep-key1', '802-11-wireless-security.wep-key2', '802-11-wireless-security.wep-key3'],
])

export default defineModule({
  name: 'community.general.nmcli',
  summary: 'Manages connections of NetworkManager.',
  params,
  rules: {
    mutuallyExclusive: [
      ['never_default4', 'gw4'],
      ['routes4_extended', 'routes4'],
      ['routes6_extended', 'routes6'],
    ],
    requiredIf: [['type', 'wifi', ['ssid']]],
  },
  async *run(given, host) {
    refuse(given)
    const args = given.type === 'wifi' ? await supported(host, given) : given
    const exists = (await connections(host)).includes(args.conn_name)
    return yield* STATES[args.state]!(args, host, exists)
  },
})

type State = (args: NmcliArgs, host: Host, exists: boolean) => Run<Result>

const STATES: Readonly<Record<string, State>> = { absent, present, up: activity('up'), down: activity('down') }

function refuse(args: NmcliArgs): void {
  const part = ['bridge-slave', 'team-slave', 'bond-slave'].includes(args.type ?? '')
  if (!part && args.master === undefined && args.slave_type !== undefined)
    throw new ModuleFailure("'master' option is required when 'slave_type' is specified.")
  if (args.type === 'team' && args.runner_hwaddr_policy !== undefined && args.runner !== 'activebackup')
    throw new ModuleFailure('Runner-hwaddr-policy is only allowed for runner activebackup')
  if (args.type === 'team' && args.runner_fast_rate !== undefined && args.runner !== 'lacp')
    throw new ModuleFailure('runner-fast-rate is only allowed for runner lacp')
  if (args.type !== 'team-slave' && args.slave_type !== 'team') return
  if (args.master === undefined) throw new ModuleFailure(`Please specify a name for the master when type is ${args.type}`)
  if (args.ifname === undefined) throw new ModuleFailure(`Please specify an interface name for the connection when type is ${args.type}`)
}

const failed = (told: Ran, name: string): ModuleFailure => new ModuleFailure(told.stderr, { name, rc: told.rc })

async function connections(host: Host, ...more: readonly string[]): Promise<string[]> {
  const told = await ask(host, ['--escape', 'no', '--fields', 'name', '--terse', 'con', 'show', ...more])
  if (told.rc !== 0) throw new ModuleFailure(told.stderr)
  return told.stdout.split('\n')
}

/** What a run of several programs told last. */
const told = (args: NmcliArgs, more: JsonObject, last: Ran | undefined): Result => ({
  conn_name: args.conn_name,
  state: args.state,
  ...more,
  changed: last !== undefined,
  ...(last?.stdout ? { stdout: last.stdout } : {}),
  ...(last?.stderr ? { stderr: last.stderr } : {}),
})

async function* absent(args: NmcliArgs, host: Host, exists: boolean): Run<Result> {
  if (!exists) return told(args, {}, undefined)
  if (host.check) return { changed: true }
  yield* use('activity', ['con', 'down', args.conn_name])
  const gone = yield* use('connection', ['con', 'del', args.conn_name])
  if (gone && gone.rc !== 0) throw failed(gone, `Error removing connection named ${args.conn_name}`)
  return told(args, {}, gone)
}

async function* present(args: NmcliArgs, host: Host, exists: boolean): Run<Result> {
  if (exists) return yield* modified(args, host)
  const said = {
    conn_name: args.conn_name,
    state: args.state,
    Connection: `Connection ${args.conn_name} of Type ${args.type ?? 'None'} is being added`,
  }
  if (host.check) return { ...said, changed: true }
  const type = TUNNELS.has(args.type ?? '') ? 'ip-tunnel' : (args.type ?? 'None')
  const { words, secrets } = wordsOf(args, args.ifname ?? args.conn_name, args.type)
  let last = yield* use('connection', ['con', 'add', 'type', type, 'con-name', args.conn_name, ...words])
  if (last?.rc === 0 && secrets.length > 0) last = yield* edited(args, secrets)
  if (bringsUp(args)) last = yield* use('activity', ['con', 'up', args.conn_name])
  if (last && last.rc !== 0) throw failed(last, args.conn_name)
  return told(args, { Connection: said.Connection }, last)
}

async function* modified(given: NmcliArgs, host: Host): Run<Result> {
  const seen = await ask(host, ['--show-secrets', 'con', 'show', given.conn_name])
  if (seen.rc !== 0) throw new ModuleFailure(seen.stderr, { name: given.conn_name })
  const shown = readShown(seen.stdout)
  const args: TypedArgs = { ...given, type: given.type ?? typeOf(shown.get('connection.type')) }
  const named = args.type === 'vpn' && args.ifname === undefined ? [] : [['connection.interface-name', args.ifname ?? null] as const]
  const { changed, before, after } = compare(shown, new Map([...named, ...settingsOf(args, given.type)]), args)
  const hidden = (side: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(side).map(([name, value]) => [name, SECRETS.has(name) ? '********' : value]))
  const diff = host.diff ? { diff: { before: hidden(before), after: hidden(after) } } : {}
  const said = {
    Exists: changed ? 'Connections do exist so we are modifying them' : 'Connections already exist and no changes made',
    ...diff,
  }
  if (!changed) return told(given, said, undefined)
  if (host.check) return { conn_name: given.conn_name, state: given.state, ...said, changed: true }
  // a size of packets that is no longer asked for becomes automatic
  const mtu = args.mtu ?? (shown.has(mtuSetting(args.type)) ? 0 : undefined)
  const { words, secrets } = wordsOf({ ...args, mtu }, args.ifname, given.type)
  let last = yield* use('connection', ['con', 'modify', args.conn_name, ...words])
  if (last?.rc === 0 && secrets.length > 0) last = yield* edited(given, secrets)
  if (args.conn_reload) last = yield* use('connection', ['con', 'reload'])
  if (last && last.rc !== 0) throw failed(last, args.conn_name)
  return told(given, said, last)
}

const typeOf = (shown: string | readonly string[] | null | undefined): string | undefined =>
  shown === '802-11-wireless' ? 'wifi' : typeof shown === 'string' ? shown : undefined

/** Settings as nmcli takes them, and those that are set by its editor. */
function wordsOf(
  args: TypedArgs,
  ifname: string | undefined,
  asked: string | undefined,
): { readonly words: readonly string[]; readonly secrets: readonly string[] } {
  const words: string[] = []
  const secrets: string[] = []
  const named = args.type === 'vpn' && args.ifname === undefined ? [] : [['connection.interface-name', ifname ?? null] as const]
  for (const [name, setting] of [...named, ...settingsOf(args, asked)]) {
    if (setting === null) continue
    const value = typeof setting === 'string' ? setting : setting.join(',')
    if (SECRETS.has(name)) secrets.push(`set ${name} ${value}`)
    else if (name === 'xmit_hash_policy') words.push('+bond.options', `xmit_hash_policy=${value}`)
    else words.push(name, value)
  }
  return { words, secrets }
}

const edited = (args: NmcliArgs, commands: readonly string[]): Run<Ran | undefined> =>
  use('connection', ['con', 'edit', args.conn_name], [...commands, 'save', 'quit', ''].join('\n'))

/** A new connection with servers of names or a size of packets is brought up at once. */
function bringsUp({ type, mtu, dns4, dns6 }: NmcliArgs): boolean {
  const names = dns4 !== undefined || dns6 !== undefined
  if (type === 'team') return names
  return ['bond', 'dummy', 'ethernet', 'infiniband', 'wifi'].includes(type ?? '') && (names || mtu !== undefined)
}

/** Brings a connection up, or down, unless it is. */
function activity(way: 'up' | 'down'): State {
  return async function* (args, host, exists): Run<Result> {
    if (!exists) throw new ModuleFailure(`Connection ${args.conn_name} does not exist`, { name: args.conn_name })
    const active = (await connections(host, '--active')).includes(args.conn_name)
    const said = { conn_name: args.conn_name, state: args.state }
    if (active === (way === 'up') && !args.conn_reload)
      return { ...said, changed: false, msg: `Connection ${args.conn_name} is already ${active ? 'active' : 'inactive'}` }
    if (host.check) return { ...said, changed: true }
    if (args.conn_reload) {
      const again = yield* use('connection', ['con', 'reload'])
      if (again && again.rc !== 0)
        throw new ModuleFailure(`Error reloading connection named ${args.conn_name}: ${again.stderr}`, { rc: again.rc })
    }
    const done = yield* use('activity', ['con', way, args.conn_name])
    if (done && done.rc !== 0)
      throw new ModuleFailure(`Error bringing ${way} connection named ${args.conn_name}: ${done.stderr}`, { rc: done.rc })
    return told(args, {}, done)
  }
}

/** Settings of wireless networks that this NetworkManager knows; others end the module, or are left out. */
async function supported(host: Host, args: NmcliArgs): Promise<NmcliArgs> {
  const wifi = args.wifi && new Map([...args.wifi].filter(([name]) => name !== 'ssid'))
  const strangers: string[] = []
  const known = async (setting: string, key: string, values: NmcliArgs['wifi']): Promise<NmcliArgs['wifi']> => {
    if (!values?.size) return values
    const names = await propertiesOf(host, setting)
    const kept = [...values].filter(([name]) => names.has(String(name)))
    strangers.push(...[...values.keys()].filter((name) => !names.has(String(name))).map((name) => `${key}.${String(name)}`))
    return new Map(kept)
  }
  const next = {
    ...args,
    wifi: await known('802-11-wireless', 'wifi', wifi),
    wifi_sec: await known('802-11-wireless-security', 'wifi_sec', args.wifi_sec),
  }
  if (strangers.length > 0 && !args.ignore_unsupported_suboptions)
    throw new ModuleFailure(`Invalid or unsupported option(s): "${strangers.join('", "')}"`)
  return next
}

async function propertiesOf(host: Host, setting: string): Promise<ReadonlySet<string>> {
  const first = setting === '802-11-wireless-security' ? [`set ${setting}.psk FAKEVALUE`] : []
  const stdin = [...first, `print ${setting}`, 'quit', 'yes', ''].join('\n')
  const seen = await ask(host, ['con', 'edit', 'type', 'wifi'], stdin)
  if (seen.rc !== 0) throw new ModuleFailure(seen.stderr)
  const names = seen.stdout.split('\n').filter((line) => line.startsWith(`${setting}.`))
  return new Set(names.map((line) => line.slice(setting.length + 1, line.indexOf(':')).trim()))
}
