/** iptables: makes a rule, a chain or a policy be in the kernel's tables. */
import type { JsonObject } from '../../base/index.ts'
import { type Script, sh, textOf } from '../../remote/index.ts'
import { type Change, type Done, defineModule, type Host, ModuleFailure, type Result } from '../api.ts'
import { params, type RuleArgs, ruleWords } from './iptables-rule.ts'
import { mustEnd } from './looking.ts'

export default defineModule({
  name: 'ansible.builtin.iptables',
  summary: 'Manages rules of iptables.',
  params,
  rules: {
    mutuallyExclusive: [
      ['set_dscp_mark', 'set_dscp_mark_class'],
      ['flush', 'policy'],
    ],
    requiredBy: { set_dscp_mark: ['jump'], set_dscp_mark_class: ['jump'] },
    requiredIf: [
      ['jump', 'TEE', ['gateway']],
      ['jump', 'tee', ['gateway']],
      ['flush', false, ['chain']],
    ],
  },
  async *run(args, host) {
    const logs = args.log_prefix !== undefined || args.log_level !== undefined
    if (logs && args.jump !== undefined && args.jump !== 'LOG')
      throw new ModuleFailure('Logging options can only be used with the LOG jump target.')
    const wanted = logs ? { ...args, jump: 'LOG' } : args
    const versions = args.ip_version === 'both' ? (['ipv4', 'ipv6'] as const) : [args.ip_version]
    let changed = false
    for (const version of versions) changed = (yield* settle({ ...wanted, ip_version: version }, host)) || changed
    return { changed, ...described(wanted) }
  },
})

const described = (args: RuleArgs): Result & JsonObject => ({
  ip_version: args.ip_version,
  table: args.table,
  chain: args.chain ?? null,
  flush: args.flush,
  rule: ruleWords({ ...args, wait: undefined }).join(' '),
  state: args.state,
  chain_management: args.chain_management,
})

/** Brings one family of addresses to what is wanted; true when something had to change. */
async function* settle(args: RuleArgs, host: Host): AsyncGenerator<Change, boolean, Done> {
  const tool = args.ip_version === 'ipv6' ? 'ip6tables' : 'iptables'
  const chain = args.chain ?? ''
  const table = ['-t', args.table]
  const command = (action: string, ...words: readonly string[]): Script =>
    sh`${tool} ${[...(args.wait ? ['-w', args.wait] : []), ...table, action, ...(chain ? [chain] : []), ...words]}`
  const change = async function* (script: Script): AsyncGenerator<Change, boolean, Done> {
    mustEnd(
      yield { what: 'rule', onFailure: 'tell', script },
      ({ stdout, stderr }) => stderr || stdout,
      (said) => ({ ...said }),
    )
    return true
  }
  if (args.flush) return yield* change(command('-F'))
  const { wait: _wait, ...rest } = args
  const words = ruleWords({ ...rest, wait: undefined })
  const rule = args.action === 'insert' && args.rule_num ? [args.rule_num, ...words] : words
  if (args.policy !== undefined) {
    const current = await policyOf(host, command('-S'), chain)
    if (current === undefined) throw new ModuleFailure("Can't detect current policy")
    return current === args.policy ? false : yield* change(command('-P', args.policy))
  }
  const present = args.state === 'present'
  if (words.length === 0) {
    const there = await succeeds(host, command('-S'))
    if (there === present) return false
    if (!args.chain_management) return true
    return yield* change(command(present ? '-N' : '-X'))
  }
  if ((await succeeds(host, command('-C', ...words))) === present) return false
  return yield* change(present ? command(args.action === 'insert' ? '-I' : '-A', ...rule) : command('-D', ...words))
}

const succeeds = async (host: Host, script: Script): Promise<boolean> =>
  (await host.look(sh`${script} >/dev/null 2>&1`, { onFailure: 'tell' })).code === 0

/** `-P INPUT ACCEPT`, the first line that iptables -S prints of a built-in chain. */
async function policyOf(host: Host, script: Script, chain: string): Promise<string | undefined> {
  const told = await host.look(script, { onFailure: 'tell' })
  if (told.code !== 0) throw new ModuleFailure(textOf(told.stderr), { rc: told.code })
  const words = textOf(told.stdout).split('\n')[0]!.split(' ')
  return words[0] === '-P' && words[1] === chain ? words[2] : undefined
}
