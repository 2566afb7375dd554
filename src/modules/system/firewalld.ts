/** firewalld: makes a zone of the firewall have a service, port, rule or other thing, or not; or makes the zone itself be there. */
import { type Args, bool, choice, fallback, int, listOf, required, str } from '../../params/index.ts'
import { sh, textOf } from '../../remote/index.ts'
import { type Change, type Done, defineModule, type Host, ModuleFailure, type Result } from '../api.ts'
import { thingOf, type ZoneThing } from './firewalld-kinds.ts'
import { askTool, useTool } from './tools.ts'

const params = {
  icmp_block: str({ description: 'kind of ICMP messages that are blocked' }),
  icmp_block_inversion: str({ description: 'whether all other kinds are blocked instead' }),
  immediate: fallback(bool({ description: 'now, besides permanently' }), false),
  interface: str({ description: 'network interface of the zone' }),
  masquerade: str({ description: "whether addresses are hidden behind the host's" }),
  offline: bool({ description: 'has no effect: what runs is found out' }),
  permanent: bool({ description: 'in the configuration that is kept' }),
  port: str({ description: 'port or range with protocol: 8080/tcp' }),
  port_forward: listOf(
    {
      port: required(str({ description: 'port that is forwarded' })),
      proto: required(choice(['udp', 'tcp'], { description: 'the protocol' })),
      toaddr: str({ description: 'address that it is forwarded to' }),
      toport: required(str({ description: 'port that it is forwarded to' })),
    },
    { description: 'a port that is forwarded' },
  ),
  protocol: str({ description: 'a protocol that is let in' }),
  rich_rule: str({ description: "a rule in firewalld's language" }),
  service: str({ description: 'a service that is let in' }),
  source: str({ description: 'network whose traffic is of the zone' }),
  state: required(choice(['absent', 'disabled', 'enabled', 'present'], { description: 'enabled or not; present or absent for zones' })),
  target: choice(['default', 'ACCEPT', 'DROP', '%%REJECT%%'], { description: 'what becomes of all other traffic' }),
  timeout: fallback(int({ description: 'seconds until it is taken back' }), 0),
  zone: str({ description: 'the zone; the default one otherwise' }),
} as const

type FwArgs = Args<typeof params>
type Run = AsyncGenerator<Change, Result, Done>

const EXCLUSIVE = [
  'icmp_block',
  'icmp_block_inversion',
  'service',
  'protocol',
  'port',
  'port_forward',
  'rich_rule',
  'interface',
  'masquerade',
  'source',
  'target',
]

export default defineModule({
  name: 'ansible.posix.firewalld',
  summary: 'Manages zones of firewalld and what they let in.',
  params,
  rules: { requiredBy: { interface: ['zone'], target: ['zone'], source: ['permanent'] }, mutuallyExclusive: [EXCLUSIVE] },
  async *run(args, host) {
    const running = await isRunning(host)
    const permanent = args.permanent ?? false
    const immediate = args.immediate || !permanent
    if (immediate && !running)
      throw new ModuleFailure('firewall is not currently running, unable to perform immediate actions without a running firewall daemon')
    const thing = thingOf(args)
    if (thing && (args.state === 'absent' || args.state === 'present'))
      throw new ModuleFailure('absent and present state can only be used in zone level operations')
    const fire = new Firewall(host, running)
    const zone = args.zone ?? (await fire.defaultZone())
    const modes: Mode[] = [...(permanent ? (['permanent'] as const) : []), ...(immediate ? (['immediate'] as const) : [])]
    const said = [OPERATIONS[modes.length === 2 ? 'both' : modes[0]!]]
    if (thing) return yield* withThing(args, host, fire, { zone, modes, said }, thing)
    if (immediate && (args.target !== undefined || args.state === 'present' || args.state === 'absent'))
      throw new ModuleFailure(
        "Zone operations must be permanent. Make sure you didn't set the 'permanent' flag to 'false' or the 'immediate' flag to 'true'.",
      )
    if (args.target !== undefined) return yield* withTarget(args, fire, zone, said)
    if (args.state === 'present' || args.state === 'absent') return yield* withZone(args, fire, zone, said)
    return { changed: false, msg: '' }
  },
})

type Mode = 'permanent' | 'immediate'

const OPERATIONS = {
  both: 'Permanent and Non-Permanent(immediate) operation',
  permanent: 'Permanent operation',
  immediate: 'Non-permanent operation',
} as const

async function isRunning(host: Host): Promise<boolean> {
  const told = await host.look(
    sh`PATH=$PATH:/usr/sbin:/sbin
command -v firewall-cmd >/dev/null || command -v firewall-offline-cmd >/dev/null || exit 93
firewall-cmd --state >/dev/null 2>&1 </dev/null && printf 1; :`,
    { onFailure: 'tell' },
  )
  if (told.code === 93) throw new ModuleFailure('Failed to find required executable "firewall-cmd" in paths')
  return textOf(told.stdout) === '1'
}

/** Calls of firewall-cmd, or of its sister that edits the configuration alone where no firewall runs. */
class Firewall {
  constructor(
    private readonly host: Host,
    readonly running: boolean,
  ) {}

  private words(mode: Mode, rest: readonly string[]): string[] {
    if (!this.running) return ['firewall-offline-cmd', ...rest]
    return ['firewall-cmd', ...(mode === 'permanent' ? ['--permanent'] : []), ...rest]
  }

  async defaultZone(): Promise<string> {
    return (await this.tell('immediate', ['--get-default-zone'])).trim()
  }

  async tell(mode: Mode, rest: readonly string[]): Promise<string> {
    const told = await askTool(this.host, this.words(mode, rest))
    if (told.rc !== 0) throw failure(told.stderr || told.stdout)
    return told.stdout
  }

  /** 0: yes, 1: no; all else is a failure */
  async has(mode: Mode, rest: readonly string[]): Promise<boolean> {
    const told = await askTool(this.host, this.words(mode, rest))
    if (told.rc > 1) throw failure(told.stderr || told.stdout)
    return told.rc === 0
  }

  async *change(what: string, mode: Mode, rest: readonly string[]): AsyncGenerator<Change, void, Done> {
    const done = yield* useTool(what, this.words(mode, rest))
    if (done && done.rc !== 0) throw failure(done.stderr || done.stdout)
  }

  told(messages: readonly string[]): string {
    return [...messages, ...(this.running ? [] : ['(offline operation: only on-disk configs were altered)'])].join(', ')
  }
}

const failure = (said: string): ModuleFailure => new ModuleFailure(`ERROR: Exception caught: ${said.trim().replace(/^Error: /, '')}`)

interface Place {
  readonly zone: string
  readonly modes: readonly Mode[]
  readonly said: readonly string[]
}

async function* withThing(args: FwArgs, host: Host, fire: Firewall, { zone, modes, said }: Place, thing: ZoneThing): Run {
  const enabled = (args.state === 'enabled') !== (thing.reversed ?? false)
  const word = (verb: string): string => `--${verb}-${thing.option}${thing.value === undefined ? '' : `=${thing.value}`}`
  const todo: Mode[] = []
  for (const mode of modes) if ((await fire.has(mode, [`--zone=${zone}`, word('query')])) !== enabled) todo.push(mode)
  if (todo.length === 0) return { changed: false, msg: fire.told(said) }
  const verb = enabled ? (thing.option === 'interface' ? 'change' : 'add') : 'remove'
  for (const mode of todo) {
    const time = mode === 'immediate' && enabled && thing.timed && args.timeout > 0 ? [`--timeout=${args.timeout}`] : []
    yield* fire.change(thing.option, mode, [`--zone=${zone}`, word(verb), ...time])
  }
  if (host.check) return { changed: true }
  return { changed: true, msg: fire.told([...said, ...thing.told(enabled, zone, args.state)]) }
}

async function* withTarget(args: FwArgs, fire: Firewall, zone: string, said: readonly string[]): Run {
  const enabled = args.state === 'enabled' || args.state === 'present'
  const now = (await fire.tell('permanent', [`--zone=${zone}`, '--get-target'])).trim()
  const settled = (now === args.target) === enabled
  if (settled) return { changed: false, msg: fire.told(said) }
  yield* fire.change('target', 'permanent', [`--zone=${zone}`, `--set-target=${enabled ? args.target : 'default'}`])
  const message = enabled ? `Set zone ${zone} target to ${args.target}` : `Reset zone ${zone} target to default`
  return { changed: true, msg: fire.told([...said, message]) }
}

async function* withZone(args: FwArgs, fire: Firewall, zone: string, said: readonly string[]): Run {
  const there = (await fire.tell('permanent', ['--get-zones'])).split(/\s+/).includes(zone)
  const present = args.state === 'present'
  if (there === present) return { changed: false, msg: fire.told(said) }
  yield* fire.change('zone', 'permanent', [`--${present ? 'new' : 'delete'}-zone=${zone}`])
  const messages = [`${present ? 'Added' : 'Removed'} zone ${zone}`, `Changed zone ${args.zone ?? 'None'} to ${args.state}`]
  return { changed: true, msg: fire.told([...said, ...messages]) }
}
