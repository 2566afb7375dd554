/** Variables and keywords of a task become the plain Endpoint and Become that the connect room takes. */
import { Problem, type Value } from '../base/index.ts'
import type { Become } from '../become/index.ts'
import type { Endpoint, Hop } from '../connect/index.ts'
import { expandHome } from './files.ts'

/** What the command line and ansible.cfg say of connections; variables beat it. */
export interface ConnectionDefaults {
  readonly connection: string
  readonly remoteUser: string | undefined
  readonly port: number | undefined
  readonly privateKeyFile: string | undefined
  readonly password: string | undefined
  readonly hostKeyChecking: boolean
  readonly timeoutSeconds: number
  readonly retries: number
  readonly sshArgs: string
  readonly sshCommonArgs: string
  readonly sshExtraArgs: string
  readonly sshExecutable?: string | undefined
  readonly become: boolean
  readonly becomeMethod: string
  readonly becomeUser: string
  readonly becomePassword: string | undefined
  readonly becomeFlags: string | undefined
  readonly becomeExe: string | undefined
  readonly agent: string | undefined
  /** what ansible_shell_executable says */
  readonly shell?: string | undefined
  /** who runs this program, and so everything that is done locally */
  readonly localUser?: string | undefined
  readonly home: string
}

/** Keywords of the task, rendered. */
export interface ConnectionKeywords {
  readonly connection: Value | undefined
  readonly port: Value | undefined
  readonly remoteUser: Value | undefined
  readonly become: Value | undefined
  readonly becomeMethod: Value | undefined
  readonly becomeUser: Value | undefined
  readonly becomeFlags: Value | undefined
  readonly becomeExe: Value | undefined
}

/** Reads a variable of the host that is connected to. */
export type Variable = (name: string) => Value | undefined

const LOCAL = new Set(['localhost', '127.0.0.1', '::1'])

/** Names of connections over ssh, and whose ssh it is: ours wherever it can do what is asked, ours in any case, or the system's. */
const clients: ReadonlyMap<string, 'any' | 'library' | 'program'> = new Map([
  ['ssh', 'any'],
  ['smart', 'any'],
  ['paramiko', 'any'],
  ['paramiko_ssh', 'any'],
  ['ssh2', 'library'],
  ['openssh', 'program'],
])

export function endpointOf(
  host: string,
  implicit: boolean,
  variable: Variable,
  keywords: ConnectionKeywords,
  defaults: ConnectionDefaults,
): Endpoint {
  const text = (...names: string[]): string | undefined => {
    for (const name of names) {
      const value = variable(name)
      if (value !== undefined && value !== null && value !== '') return String(value)
    }
    return undefined
  }
  const kind = text('ansible_connection') ?? (implicit && LOCAL.has(host) ? 'local' : asText(keywords.connection)) ?? defaults.connection
  const seconds = Number(text('ansible_ssh_timeout', 'ansible_timeout') ?? defaults.timeoutSeconds)
  const common = {
    name: host,
    connectTimeoutSeconds: seconds,
    retries: Number(text('ansible_ssh_retries') ?? defaults.retries),
    keepaliveSeconds: 10,
  }
  if (/^(ansible\.(builtin|legacy)\.)?local$/.test(kind)) return { ...common, kind: 'local', hops: [], configFiles: [] }
  const client = clients.get(kind.replace(/^ansible\.(builtin|legacy)\./, ''))
  if (client === undefined)
    throw new Problem(`the connection '${kind}' is not known`, { kind: 'playbook', hint: "known are 'ssh', 'openssh' and 'local'" })
  const executable = text('ansible_ssh_executable') ?? defaults.sshExecutable ?? 'ssh'
  const key = text('ansible_ssh_private_key_file', 'ansible_private_key_file') ?? defaults.privateKeyFile
  const checking = variable('ansible_ssh_host_key_checking') ?? variable('ansible_host_key_checking')
  const strict = checking === undefined ? defaults.hostKeyChecking : isYes(checking)
  const args = [
    text('ansible_ssh_args') ?? defaults.sshArgs,
    text('ansible_ssh_common_args') ?? defaults.sshCommonArgs,
    text('ansible_ssh_extra_args') ?? defaults.sshExtraArgs,
  ]
  const hop: Hop = {
    host: text('ansible_ssh_host', 'ansible_host') ?? host,
    port: Number(text('ansible_ssh_port', 'ansible_port') ?? asText(keywords.port) ?? defaults.port ?? 0),
    user: text('ansible_ssh_user', 'ansible_user') ?? asText(keywords.remoteUser) ?? defaults.remoteUser ?? '',
    password: text('ansible_ssh_password', 'ansible_ssh_pass', 'ansible_password') ?? defaults.password,
    privateKeyFiles: key === undefined ? [] : [expandHome(key)],
    privateKey: text('ansible_ssh_private_key', 'ansible_private_key'),
    passphrase: text('ansible_ssh_private_key_passphrase', 'ansible_private_key_passphrase'),
    agent: defaults.agent,
    hostKeyChecking: strict ? 'yes' : 'no',
    knownHostsFiles: [`${defaults.home}/.ssh/known_hosts`],
    sshArgs: args.flatMap(splitWords),
  }
  return {
    ...common,
    kind: 'ssh',
    hops: [hop],
    configFiles: [`${defaults.home}/.ssh/config`, '/etc/ssh/ssh_config'],
    // who names a program of his own wants that one to run
    client: client === 'any' ? (executable === 'ssh' ? undefined : 'program') : client,
    ...(executable === 'ssh' ? {} : { executable: expandHome(executable) }),
  }
}

/** How the task becomes another user; undefined where it stays who it is. */
export function becomeOf(variable: Variable, keywords: ConnectionKeywords, defaults: ConnectionDefaults): Become | undefined {
  const first = (...values: (Value | undefined)[]) => values.find((v) => v !== undefined && v !== null && v !== '')
  const wanted = first(variable('ansible_become'), keywords.become, defaults.become)
  if (!isYes(wanted ?? false)) return undefined
  const method = String(first(variable('ansible_become_method'), keywords.becomeMethod, defaults.becomeMethod)).replace(/^.*\./, '')
  const named = (what: string) => first(variable(`ansible_${method}_${what}`), variable(`ansible_become_${what}`))
  return {
    method,
    user: String(first(named('user'), keywords.becomeUser, defaults.becomeUser)),
    password: asText(first(named('pass'), named('password'), defaults.becomePassword)),
    flags: asText(first(named('flags'), keywords.becomeFlags, defaults.becomeFlags)),
    exe: asText(first(named('exe'), keywords.becomeExe, defaults.becomeExe)),
  }
}

const asText = (value: Value | undefined): string | undefined =>
  value === undefined || value === null || value === '' ? undefined : String(value)

export function isYes(value: Value): boolean {
  return typeof value === 'string' ? /^(y|yes|on|1|true|t)$/i.test(value.trim()) : value === true || value === 1
}

/** Words of an option text as a shell splits them. */
export function splitWords(text: string): string[] {
  const out: string[] = []
  let word = ''
  let open = ''
  let any = false
  for (let i = 0; i < text.length; i++) {
    const c = text[i]!
    if (open) {
      if (c === open) open = ''
      else if (c === '\\' && open === '"' && '"\\$`'.includes(text[i + 1] ?? '')) word += text[++i]
      else word += c
    } else if (c === "'" || c === '"') {
      open = c
      any = true
    } else if (c === '\\') word += text[++i] ?? ''
    else if (/\s/.test(c)) {
      if (word || any) out.push(word)
      word = ''
      any = false
    } else word += c
  }
  if (word || any) out.push(word)
  return out
}
