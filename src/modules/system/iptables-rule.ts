/** The parameters of an iptables rule → the words that say it. */
import { isDict } from '../../base/index.ts'
import { type Args, bool, choice, dictOf, fallback, list, str } from '../../params/index.ts'

export const params = {
  table: choice(['filter', 'nat', 'mangle', 'raw', 'security'], 'filter'),
  state: choice(['absent', 'present'], 'present'),
  action: choice(['append', 'insert'], 'append'),
  ip_version: choice(['ipv4', 'ipv6', 'both'], 'ipv4'),
  chain: str(),
  rule_num: str(),
  protocol: str(),
  wait: str(),
  source: str(),
  to_source: str(),
  destination: str(),
  to_destination: str(),
  match: fallback(list(), []),
  tcp_flags: dictOf({ flags: list(), flags_set: list() }),
  jump: str(),
  gateway: str(),
  log_prefix: str(),
  log_level: choice(['0', '1', '2', '3', '4', '5', '6', '7', 'emerg', 'alert', 'crit', 'error', 'warning', 'notice', 'info', 'debug']),
  goto: str(),
  in_interface: str(),
  out_interface: str(),
  fragment: str(),
  set_counters: str(),
  source_port: str(),
  destination_port: str(),
  destination_ports: fallback(list(), []),
  to_ports: str(),
  set_dscp_mark: str(),
  set_dscp_mark_class: str(),
  comment: str(),
  ctstate: fallback(list(), []),
  src_range: str(),
  dst_range: str(),
  match_set: str(),
  match_set_flags: choice(['src', 'dst', 'src,dst', 'dst,src', 'src,src', 'dst,dst']),
  limit: str(),
  limit_burst: str(),
  uid_owner: str(),
  gid_owner: str(),
  reject_with: str(),
  icmp_type: str(),
  syn: choice(['ignore', 'match', 'negate'], 'ignore'),
  flush: fallback(bool(), false),
  policy: choice(['ACCEPT', 'DROP', 'QUEUE', 'RETURN']),
  chain_management: fallback(bool(), false),
  numeric: fallback(bool(), false),
} as const

/** checked arguments of iptables */
export type RuleArgs = Args<typeof params>

/** A flag and its value; an exclamation mark in front of the value turns the sense. */
const valued = (flag: string, value: string | undefined): string[] => {
  if (value === undefined || value === '') return []
  return value.startsWith('!') ? ['!', flag, value.slice(1)] : [flag, value]
}
const joined = (flag: string, values: readonly string[]): string[] => (values.length > 0 ? [flag, values.join(',')] : [])
const matching = (name: string, wanted: unknown): string[] => (wanted ? ['-m', name] : [])

/** The words of the rule, in the order in which iptables is used to them. */
export function ruleWords(args: RuleArgs): string[] {
  const jump = args.jump?.toLowerCase()
  return [
    ...(args.wait ? ['-w', args.wait] : []),
    ...valued('-p', args.protocol),
    ...valued('-s', args.source),
    ...valued('-d', args.destination),
    ...args.match.flatMap((name) => valued('-m', name)),
    ...tcpFlags(args),
    ...valued('-j', args.jump),
    ...(jump === 'tee' ? valued('--gateway', args.gateway) : []),
    ...valued('--log-prefix', args.log_prefix),
    ...valued('--log-level', args.log_level),
    ...valued('--to-destination', args.to_destination),
    ...matching('multiport', args.destination_ports.length > 0),
    ...joined('--dports', args.destination_ports),
    ...valued('--to-source', args.to_source),
    ...valued('-g', args.goto),
    ...valued('-i', args.in_interface),
    ...valued('-o', args.out_interface),
    ...valued('-f', args.fragment),
    ...valued('-c', args.set_counters),
    ...valued('--source-port', args.source_port),
    ...valued('--destination-port', args.destination_port),
    ...valued('--to-ports', args.to_ports),
    ...valued('--set-dscp', args.set_dscp_mark),
    ...(args.set_dscp_mark && jump !== 'dscp' ? ['-j', 'DSCP'] : []),
    ...valued('--set-dscp-class', args.set_dscp_mark_class),
    ...(args.set_dscp_mark_class && jump !== 'dscp' ? ['-j', 'DSCP'] : []),
    ...(args.syn === 'match' ? ['--syn'] : args.syn === 'negate' ? ['!', '--syn'] : []),
    ...states(args),
    ...(args.match.includes('iprange') ? [] : matching('iprange', args.src_range ?? args.dst_range)),
    ...valued('--src-range', args.src_range),
    ...valued('--dst-range', args.dst_range),
    ...sets(args),
    ...matching('limit', args.limit ?? args.limit_burst),
    ...valued('--limit', args.limit),
    ...valued('--limit-burst', args.limit_burst),
    ...matching('owner', args.uid_owner),
    ...valued('--uid-owner', args.uid_owner),
    ...matching('owner', args.gid_owner),
    ...valued('--gid-owner', args.gid_owner),
    ...(args.jump === undefined && args.reject_with ? ['-j', 'REJECT'] : []),
    ...valued('--reject-with', args.reject_with),
    ...valued(args.ip_version === 'ipv6' ? '--icmpv6-type' : '--icmp-type', args.icmp_type),
    ...matching('comment', args.comment),
    ...(args.comment === undefined ? [] : ['--comment', args.comment]),
  ]
}

function tcpFlags({ tcp_flags: flags }: RuleArgs): string[] {
  const list = (name: string): string[] => {
    const value = isDict(flags) ? flags.get(name) : undefined
    return Array.isArray(value) ? value.map(String) : []
  }
  return isDict(flags) && flags.has('flags') && flags.has('flags_set')
    ? ['--tcp-flags', list('flags').join(','), list('flags_set').join(',')]
    : []
}

function states({ match, ctstate }: RuleArgs): string[] {
  if (match.includes('conntrack')) return joined('--ctstate', ctstate)
  if (match.includes('state')) return joined('--state', ctstate)
  return [...matching('conntrack', ctstate.length > 0), ...joined('--ctstate', ctstate)]
}

function sets({ match, match_set: set, match_set_flags: flags }: RuleArgs): string[] {
  if (set === undefined) return []
  return [...(match.includes('set') ? [] : ['-m', 'set']), ...valued('--match-set', set), ...(flags === undefined ? [] : [flags])]
}
