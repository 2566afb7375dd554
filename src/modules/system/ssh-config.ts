/** ssh_config: makes a host of an SSH client's configuration have options, or be gone. */
import type { Json, JsonObject } from '../../base/index.ts'
import { type Args, bool, choice, path, required, str } from '../../params/index.ts'
import { sh, textOf } from '../../remote/index.ts'
import { defineModule, type Host, ModuleFailure } from '../api.ts'
import { hostsIn, type SshEntry, textOfEntries } from './ssh-config-text.ts'
import { writeText } from './write-text.ts'

const params = {
  forward_agent: bool({ description: 'pass the agent on' }),
  group: str(),
  host: required(str({ description: 'the host, as ssh is given it' })),
  host_key_algorithms: str({ description: 'kinds of host keys that are taken' }),
  hostname: str({ description: 'its address' }),
  identity_file: path({ description: 'file of the private key' }),
  port: str({ description: 'its port' }),
  proxycommand: str({ description: 'a command that makes the connection' }),
  proxyjump: str({ description: 'a host on the way' }),
  remote_user: str({ description: 'user to log in as' }),
  ssh_config_file: path({ description: 'the file; /etc/ssh/ssh_config otherwise' }),
  state: choice(['present', 'absent'], 'present'),
  strict_host_key_checking: choice(['yes', 'no', 'ask'], { description: 'whether unknown hosts are refused' }),
  user: str({ description: 'whose ~/.ssh/config' }),
  user_known_hosts_file: str({ description: 'file of the known hosts' }),
} as const

type SshArgs = Args<typeof params>

export default defineModule({
  name: 'community.general.ssh_config',
  summary: "Manages hosts of an SSH client's configuration.",
  params,
  rules: {
    mutuallyExclusive: [
      ['user', 'ssh_config_file'],
      ['proxycommand', 'proxyjump'],
    ],
  },
  async *run(args, host) {
    const { file, text, exists } = await readConfig(host, args)
    const entries = hostsIn(text)
    const { next, told } = edited(entries, args)
    const changed = next !== undefined
    if (!changed && exists) return { changed, ...told }
    const after = textOfEntries(next ?? entries)
    const owner = [args.user ?? '', args.group ?? args.user ?? ''].join(':')
    const mode = file === '/etc/ssh/ssh_config' ? '0644' : '0600'
    yield {
      what: 'host',
      counts: changed,
      diff: { before: text, after, beforeHeader: file, afterHeader: file },
      script: sh`f=${file}
[ -d "$(dirname "$f")" ] || mkdir -p "$(dirname "$f")" || exit 1
${writeText(file, after, { mode: '0600' })} && chmod ${changed ? mode : '0600'} "$f" && { [ ${owner} = : ] || chown ${owner.replace(/:$/, '')} "$f"; }`,
    }
    return { changed, ...told }
  },
})

async function readConfig(host: Host, args: SshArgs): Promise<{ file: string; text: string; exists: boolean }> {
  const told = await host.look(
    sh`f=${args.ssh_config_file ?? '/etc/ssh/ssh_config'}; u=${args.user ?? ''}; i=${args.identity_file ?? ''}
if [ -n "$u" ]; then h=$( (getent passwd "$u" || grep "^$u:" /etc/passwd) 2>/dev/null | head -n 1 | cut -d: -f6); f=\${h:-"~$u"}/.ssh/config; fi
if [ -e "$f" ] && [ -n "$i" ]; then case $i in /*) ;; *) i=$(dirname "$f")/$i ;; esac; [ -e "$i" ] || exit 94; fi
printf '%s\0' "$f"; if [ -e "$f" ]; then printf '1\0'; cat "$f"; else printf '0\0'; fi`,
    { onFailure: 'tell' },
  )
  if (told.code === 94) throw new ModuleFailure(`IdentityFile ${args.identity_file} does not exist`)
  const [file = '', exists, ...rest] = textOf(told.stdout).split('\0')
  return { file, exists: exists === '1', text: rest.join('\0') }
}

function wishes(args: SshArgs): readonly (readonly [string, string | undefined])[] {
  return [
    ['hostname', args.hostname],
    ['port', args.port],
    ['identityfile', args.identity_file],
    ['user', args.remote_user],
    ['stricthostkeychecking', args.strict_host_key_checking],
    ['userknownhostsfile', args.user_known_hosts_file],
    ['proxycommand', args.proxycommand],
    ['proxyjump', args.proxyjump],
    ['hostkeyalgorithms', args.host_key_algorithms],
    ...(args.forward_agent === undefined ? [] : [['forwardagent', args.forward_agent ? 'yes' : 'no'] as const]),
  ]
}

type Options = ReadonlyMap<string, string | readonly string[]>

/** Options that the task does not name stay. */
function changedOptions(options: Options, args: SshArgs): { changed: boolean; options: Options } {
  const next = new Map(options)
  let changed = false
  for (const [key, value] of wishes(args)) {
    const now = next.get(key)
    if (value === undefined || value === '' || now === value || (typeof now === 'object' && now.includes(value))) continue
    next.set(key, value)
    changed = true
  }
  return { changed, options: next }
}

function edited(entries: readonly SshEntry[], args: SshArgs): { next: readonly SshEntry[] | undefined; told: JsonObject } {
  const told = {
    hosts_changed: [] as string[],
    hosts_removed: [] as string[],
    hosts_change_diff: [] as Json[],
    hosts_added: [] as string[],
  }
  const isHost = (entry: SshEntry): boolean => entry.kind === 'host' && entry.host === args.host && args.host !== '*'
  const there = entries.filter(isHost)
  if (there.length === 0) {
    const { changed, options } = changedOptions(new Map(), args)
    if (args.state === 'absent' || !changed) return { next: undefined, told }
    told.hosts_added.push(args.host)
    return { next: [...entries, { kind: 'host', host: args.host, options }], told }
  }
  if (args.state === 'absent') {
    told.hosts_removed.push(...there.map(() => args.host))
    return { next: entries.filter((entry) => !isHost(entry)), told }
  }
  const next = entries.map((entry): SshEntry => {
    if (entry.kind !== 'host' || !isHost(entry)) return entry
    const { changed, options } = changedOptions(entry.options, args)
    if (!changed) return entry
    told.hosts_changed.push(args.host)
    told.hosts_change_diff.push({ [args.host]: { old: plain(entry.options), new: plain(options) } })
    return { ...entry, options }
  })
  return { next: told.hosts_changed.length > 0 ? next : undefined, told }
}

const plain = (options: Options): JsonObject => Object.fromEntries([...options].map(([k, v]) => [k, typeof v === 'string' ? v : [...v]]))
