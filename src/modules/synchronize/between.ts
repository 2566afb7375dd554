/** A task delegated to another machine than the controller: that machine's own rsync makes the host like itself, or itself like the host. */
import type { JsonObject, Value } from '../../base/index.ts'
import { type Script, sh, textOf } from '../../remote/index.ts'
import { type Change, type Done, type Host, ModuleFailure, type Result } from '../api.ts'

/** What of the arguments becomes rsync's options. */
export interface RsyncArgs {
  readonly src: string
  readonly dest: string
  readonly mode: string
  readonly archive: boolean
  readonly checksum: boolean
  readonly compress: boolean
  readonly existing_only: boolean
  readonly delete: boolean
  readonly dirs: boolean
  readonly recursive?: boolean | undefined
  readonly links?: boolean | undefined
  readonly copy_links: boolean
  readonly perms?: boolean | undefined
  readonly times?: boolean | undefined
  readonly owner?: boolean | undefined
  readonly group?: boolean | undefined
  readonly rsync_opts: readonly string[]
  readonly rsync_path?: string | undefined
  readonly rsync_timeout: number
  readonly dest_port?: number | undefined
  readonly set_remote_user: boolean
  readonly ssh_connection_multiplexing: boolean
  readonly partial: boolean
  readonly verify_host: boolean
  readonly private_key?: string | undefined
  readonly link_dest?: unknown
  readonly delay_updates: boolean
}

const MARK = '<<CHANGED>>'

export async function* between(args: RsyncArgs, delegate: string, host: Host): AsyncGenerator<Change, Result, Done> {
  const words = [...options(args), ...places(args, delegate, host)]
  const cmd = ['/usr/bin/rsync', ...words].map(quoted).join(' ')
  const call = (more: readonly string[]): Script => sh`command -v rsync >/dev/null || exit 93
exec rsync ${[...more, ...words]} </dev/null`
  const change: Change = { what: 'content', script: call([]), counts: false, onFailure: 'tell' }
  const done = host.check ? await host.look(call(['--dry-run']), { onFailure: 'tell' }) : yield change
  if (!done) return { changed: false }
  if (done.code === 93) throw new ModuleFailure(`Failed to find required executable "rsync" on ${host.name}`)
  if (done.code !== 0) throw new ModuleFailure(textOf(done.stderr), { rc: done.code, cmd })
  return told(textOf(done.stdout), cmd, args.link_dest !== undefined)
}

function told(output: string, cmd: string, linked: boolean): Result {
  const msg = output.replaceAll(MARK, '')
  const result: JsonObject = { rc: 0, cmd, msg, stdout_lines: msg.split('\n').filter((line) => line !== '') }
  // with links to another folder rsync tells of what stays as well, with a point in front
  const changed = linked ? new RegExp(`${MARK}[^.]`).test(output) : output.includes(MARK)
  return { ...result, changed }
}

/** What `archive` stands for, in the order rsync is told. */
const PARTS = ['recursive', 'links', 'perms', 'times', 'owner', 'group'] as const

function options(args: RsyncArgs): string[] {
  const parts = PARTS.flatMap((name) =>
    args.archive ? (args[name] === false ? [`--no-${name}`] : []) : args[name] === true ? [`--${name}`] : [],
  )
  const when = (wanted: boolean, ...words: string[]): string[] => (wanted ? words : [])
  const links = args.link_dest === undefined ? [] : [args.link_dest].flat().map((path) => `--link-dest=${String(path)}`)
  return [
    ...when(args.delay_updates, '--delay-updates', '-F'),
    ...when(args.compress, '--compress'),
    ...when(args.rsync_timeout > 0, `--timeout=${args.rsync_timeout}`),
    ...when(args.delete, '--delete-after'),
    ...when(args.existing_only, '--existing'),
    ...when(args.checksum, '--checksum'),
    ...when(args.copy_links, '--copy-links'),
    ...when(args.archive, '--archive'),
    ...parts,
    ...when(args.dirs, '--dirs'),
    ...args.rsync_opts.map((word) => word.replace(/(['"])(.*?)\1/g, '$2')),
    ...when(args.partial, '--partial'),
    ...(links.length > 0 ? ['-H', '-vv', ...links] : []),
    `--out-format=${MARK}%i %n%L`,
  ]
}

/** Source and destination, one of them reached by the delegate's ssh unless the delegate is the host. */
function places(args: RsyncArgs, delegate: string, host: Host): string[] {
  const variable = (name: string): Value | undefined => host.controller.variable(name)
  const name = String(variable('inventory_hostname') ?? delegate)
  const address = String(variable('ansible_host') ?? variable('ansible_ssh_host') ?? name)
  if (delegate === name || delegate === address) return [args.src, args.dest]
  const user = args.set_remote_user ? (variable('ansible_user') ?? variable('ansible_ssh_user') ?? host.task.remoteUser) : undefined
  const far = `${user ? `${String(user)}@` : ''}${address.includes(':') ? `[${address}]` : address}:`
  const become = host.task.becomeUser === undefined ? undefined : `sudo -u ${host.task.becomeUser} rsync`
  const path = args.rsync_path ?? become
  const port = args.dest_port ?? variable('ansible_port') ?? variable('ansible_ssh_port') ?? 22
  const key = args.private_key ?? variable('ansible_ssh_private_key_file') ?? variable('ansible_private_key_file')
  const ssh = [
    'ssh',
    ...(args.ssh_connection_multiplexing ? [] : ['-S', 'none']),
    ...(key ? ['-i', String(key)] : []),
    ...['-o', `Port=${String(port)}`],
    ...(args.verify_host ? [] : ['-o', 'StrictHostKeyChecking=no', '-o', 'UserKnownHostsFile=/dev/null']),
  ]
  const shell = args.rsync_opts.some((word) => word.includes('--rsh')) ? [] : [`--rsh=${ssh.map(quoted).join(' ')}`]
  const ends = args.mode === 'pull' ? [`${far}${args.src}`, args.dest] : [args.src, `${far}${args.dest}`]
  return [...shell, ...(path ? [`--rsync-path=${path}`] : []), ...ends]
}

/** A word as a shell has it; of an option its value alone is quoted. */
function quoted(word: string): string {
  const [, option = '', value = ''] = /^(--[\w-]+=)?(.*)$/s.exec(word)!
  return option + (/^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", `'"'"'`)}'`)
}
