/** ufw: makes the firewall be on or off, with default policies and rules. */
import { type Look, linesOf, parseRelease } from '../../facts/index.ts'
import { type Args, bool, choice, fallback, int, str } from '../../params/index.ts'
import { joinScripts, type Script, sh, textOf } from '../../remote/index.ts'
import { defineModule, type Host, ModuleFailure } from '../api.ts'
import { lookAt, mustEnd } from './looking.ts'

const params = {
  state: choice(['enabled', 'disabled', 'reloaded', 'reset']),
  default: choice(['allow', 'deny', 'reject'], { aliases: ['policy'] }),
  logging: choice(['full', 'high', 'low', 'medium', 'off', 'on']),
  direction: choice(['in', 'incoming', 'out', 'outgoing', 'routed']),
  delete: fallback(bool(), false),
  route: fallback(bool(), false),
  insert: int(),
  insert_relative_to: choice(['zero', 'first-ipv4', 'last-ipv4', 'first-ipv6', 'last-ipv6'], 'zero'),
  rule: choice(['allow', 'deny', 'limit', 'reject']),
  interface: str({ aliases: ['if'] }),
  interface_in: str({ aliases: ['if_in'] }),
  interface_out: str({ aliases: ['if_out'] }),
  log: fallback(bool(), false),
  from_ip: fallback(str({ aliases: ['from', 'src'] }), 'any'),
  from_port: str(),
  to_ip: fallback(str({ aliases: ['dest', 'to'] }), 'any'),
  to_port: str({ aliases: ['port'] }),
  proto: choice(['ah', 'any', 'esp', 'ipv6', 'tcp', 'udp', 'gre', 'igmp'], { aliases: ['protocol'] }),
  name: str({ aliases: ['app'] }),
  comment: str(),
} as const

type UfwArgs = Args<typeof params>

export default defineModule({
  name: 'community.general.ufw',
  summary: 'Manages the firewall ufw.',
  params,
  rules: {
    mutuallyExclusive: [
      ['name', 'proto', 'logging'],
      ['direction', 'interface_in'],
      ['direction', 'interface_out'],
    ],
    requiredOneOf: [['state', 'default', 'rule', 'logging']],
    requiredBy: { interface: ['direction'] },
  },
  async *run(args, host) {
    refuse(args)
    const look = await lookAt(host, ufwLook(args))
    if (!look.exists('ufw')) throw new ModuleFailure('Failed to find required executable "ufw"')
    const steps = stepsOf(args, look)
    const commands = steps.map((words) => ['ufw', ...words].join(' '))
    if (steps.length === 0) return { changed: false, commands, ...(await stateOf(host)) }
    const done = yield {
      what: 'firewall',
      onFailure: 'tell',
      script: joinScripts(steps.map((words) => sh`ufw ${words} </dev/null || exit $?`)),
    }
    mustEnd(
      done,
      ({ stdout, stderr }) => stderr || stdout,
      () => ({ commands: commands.join('\n') }),
    )
    return { changed: true, commands, ...(await stateOf(host)) }
  },
})

/** What ufw says of itself afterwards; nothing in a check. */
async function stateOf(host: Host): Promise<{ readonly msg?: string }> {
  if (host.check) return {}
  const told = await host.look(sh`PATH=$PATH:/usr/sbin:/sbin; LC_ALL=C ufw status verbose`, { onFailure: 'tell' })
  return { msg: textOf(told.stdout).trimEnd() }
}

function refuse(args: UfwArgs): void {
  const { direction } = args
  if (args.default && direction && !['incoming', 'outgoing', 'routed'].includes(direction)) {
    throw new ModuleFailure(
      'For default, direction must be one of "outgoing", "incoming" and "routed", or direction must not be specified.',
    )
  }
  if (args.rule && direction && direction !== 'in' && direction !== 'out') {
    throw new ModuleFailure('For rules, direction must be one of "in" and "out", or direction must not be specified.')
  }
  if (args.rule && !args.route && args.interface_in && args.interface_out) {
    throw new ModuleFailure('Only route rules can combine interface_in and interface_out')
  }
}

const ruleFiles = [
  '/etc/ufw/user.rules',
  '/etc/ufw/user6.rules',
  '/lib/ufw/user.rules',
  '/lib/ufw/user6.rules',
  '/var/lib/ufw/user.rules',
  '/var/lib/ufw/user6.rules',
]

/** The settings' own files, the rules, and what a rule would make of them. */
const ufwLook = (args: UfwArgs): Script => sh`
if w ufw; then printf '\036e:ufw\n'; fi
f /etc/ufw/ufw.conf /etc/default/ufw
for x in ${ruleFiles}; do if [ -r "$x" ]; then printf '\036rules:%s\n' "$x"; grep '^### tuple' "$x"; fi; done
${args.rule === undefined ? sh`` : sh`o=$(ufw --dry-run ${ruleWords(args, undefined)} 2>&1 </dev/null); printf '\036dry\n%s\n%s\n' $? "$o"`}`

/** The commands that are needed, in the order state, default, rule, logging. */
function stepsOf(args: UfwArgs, look: Look): string[][] {
  const config = parseRelease(look.file('/etc/ufw/ufw.conf'))
  const enabled = config.get('ENABLED')?.toLowerCase() === 'yes'
  const level = config.get('LOGLEVEL') ?? 'off'
  const steps: string[][] = []
  if (args.state === 'reloaded') steps.push(['-f', 'reload'])
  if (args.state === 'reset') steps.push(['-f', 'reset'])
  if (args.state === 'enabled' && !enabled) steps.push(['-f', 'enable'])
  if (args.state === 'disabled' && enabled) steps.push(['-f', 'disable'])
  if (args.default !== undefined && currentDefault(look, args.direction) !== args.default) {
    steps.push(['default', args.default, ...(args.direction ? [args.direction] : [])])
  }
  if (args.rule !== undefined && ruleChanges(look)) steps.push(ruleWords(args, look))
  const sameLog = args.logging === 'on' ? level !== 'off' : level === args.logging
  if (args.logging !== undefined && !sameLog) steps.push(['logging', args.logging])
  return steps
}

const policies: Readonly<Record<string, string>> = { ACCEPT: 'allow', DROP: 'deny', REJECT: 'reject' }
const directions: Readonly<Record<string, string>> = { incoming: 'INPUT', outgoing: 'OUTPUT', routed: 'FORWARD' }

function currentDefault(look: Look, direction: string | undefined): string | undefined {
  const defaults = parseRelease(look.file('/etc/default/ufw'))
  return policies[defaults.get(`DEFAULT_${directions[direction ?? 'incoming']}_POLICY`) ?? '']
}

/** A dry run prints the rules that it would write, or nothing of the kind; each family has its own list. */
function ruleChanges(look: Look): boolean {
  const [code, ...lines] = linesOf(look.section('dry'))
  if (code !== '0') throw new ModuleFailure(lines.join('\n'))
  if (!lines.includes('*filter')) return false
  const tuples = (all: readonly string[]): string => all.filter((line) => line.startsWith('### tuple')).join('\n')
  const files = look.names('rules:').map((path) => linesOf(look.section(`rules:${path}`)))
  return ![...files, files.flat()].some((now) => tuples(now) === tuples(lines))
}

function ruleWords(args: UfwArgs, look: Look | undefined): string[] {
  const position = insertPosition(args, look)
  const pairs: readonly [string, string | undefined][] = [
    ['from', args.from_ip],
    ['port', args.from_port],
    ['to', args.to_ip],
    ['port', args.to_port],
    ['proto', args.proto],
    ['app', args.name],
    ['comment', args.comment],
  ]
  return [
    ...(args.route ? ['route'] : []),
    ...(args.delete ? ['delete'] : []),
    ...(position === undefined ? [] : ['insert', String(position)]),
    args.rule!,
    ...(args.direction ? [args.direction] : []),
    ...(args.interface ? ['on', args.interface] : []),
    ...(args.interface_in ? ['in', 'on', args.interface_in] : []),
    ...(args.interface_out ? ['out', 'on', args.interface_out] : []),
    ...(args.log ? ['log'] : []),
    ...pairs.flatMap(([word, value]) => (value ? [word, value] : [])),
  ]
}

/** Rules of IPv4 are numbered before those of IPv6. */
function insertPosition(args: UfwArgs, look: Look | undefined): number | undefined {
  if (args.insert === undefined || args.delete) return undefined
  if (args.insert_relative_to === 'zero' || !look) return args.insert_relative_to === 'zero' ? args.insert : undefined
  const count = (six: boolean): number =>
    look
      .names('rules:')
      .filter((path) => path.endsWith('6.rules') === six)
      .reduce((sum, path) => sum + linesOf(look.section(`rules:${path}`)).length, 0)
  const [four, six] = [count(false), count(true)]
  const last = four + six
  const starts = {
    'first-ipv4': 1,
    'last-ipv4': four || 1,
    'first-ipv6': four > 0 ? four + 1 : 1,
    'last-ipv6': six > 0 ? last : last + 1,
  } as const
  const position = args.insert + starts[args.insert_relative_to]
  return position > last ? undefined : position
}
