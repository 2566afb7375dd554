/** A hop, the words of `ansible_ssh_args`, and ssh_config → all that is needed to reach and enter one machine, and over which others. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Endpoint, Hop } from '../api.ts'
import { ConnectionLost } from '../lost.ts'
import { configOptions, type Options, quotedWords } from './config-file.ts'
import { readSshWords, shellWords } from './words.ts'

export interface Settings {
  /** for messages */
  readonly name: string
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string | undefined
  readonly passphrase: string | undefined
  readonly privateKey: string | undefined
  readonly identityFiles: readonly string[]
  readonly identitiesOnly: boolean
  readonly agent: string | undefined
  readonly forwardAgent: boolean
  readonly checking: Hop['hostKeyChecking']
  readonly knownHostsFiles: readonly string[]
  readonly hostKeyAlias: string | undefined
  readonly keepaliveSeconds: number
  readonly keepaliveCount: number
  readonly connectSeconds: number
  /** a command whose stdin and stdout are the way to the host */
  readonly proxyCommand: string | undefined
}

/** Who and where we are: nothing of this is read from the process here. */
export interface Surroundings {
  readonly home: string
  readonly localUser: string
}

const DEEPEST = 8

/** The chain of machines to go over; the endpoint itself comes last. */
export function plan(endpoint: Endpoint, around: Surroundings): readonly Settings[] {
  return endpoint.hops.flatMap((hop, index) => {
    const name = index === endpoint.hops.length - 1 ? endpoint.name : `${endpoint.name}: jump host ${hop.host}`
    return index === 0 ? withWay(hop, name, endpoint, around, 0) : [resolve(hop, name, endpoint, around).settings]
  })
}

/** A hop together with the jump hosts that its own configuration asks for. */
function withWay(hop: Hop, name: string, endpoint: Endpoint, around: Surroundings, depth: number): Settings[] {
  if (depth > DEEPEST) throw new ConnectionLost(`${name}: more than ${DEEPEST} jump hosts, each behind the next; does one ask for itself?`)
  const { settings, jump, command } = resolve(hop, name, endpoint, around)
  const hops =
    jump !== undefined
      ? jumpHops(jump, hop).filter((each) => !isSelf(each, hop))
      : command !== undefined
        ? hopOfCommand(command, hop, settings)
        : []
  if (hops === undefined) return [{ ...settings, proxyCommand: command }]
  const before = hops.flatMap((each, index) => {
    const jumpName = `${endpoint.name}: jump host ${each.host}`
    return index === 0 ? withWay(each, jumpName, endpoint, around, depth + 1) : [resolve(each, jumpName, endpoint, around).settings]
  })
  return [...before, settings]
}

interface Resolved {
  readonly settings: Settings
  readonly jump: string | undefined
  readonly command: string | undefined
}

function resolve(hop: Hop, name: string, endpoint: Endpoint, around: Surroundings): Resolved {
  const words = readSshWords(hop.sshArgs ?? [])
  if (words.destination !== undefined)
    throw new ConnectionLost(`${name}: the arguments for ssh name a host of their own: ${words.destination}`, {
      hint: 'all of them have to be options; a ProxyCommand of several words stands in quotes',
    })
  const said: Options = [
    ...words.options,
    ...(hop.port > 0 ? [['port', String(hop.port)] as const] : []),
    ...(hop.user !== '' ? [['user', hop.user] as const] : []),
  ]
  const files = words.configFile === undefined ? endpoint.configFiles : words.configFile === 'none' ? [] : [words.configFile]
  const asked = { original: hop.host, user: first(said, 'user'), localUser: around.localUser, home: around.home }
  const options: Options = [...said, ...configOptions(files, asked, said)]

  const host = (first(options, 'hostname') ?? hop.host).replaceAll('%h', hop.host)
  const port = Number(first(options, 'port') ?? 22)
  const user = first(options, 'user') ?? around.localUser
  const fill = filling({
    '%': '%',
    h: host,
    p: String(port),
    r: user,
    n: hop.host,
    d: around.home,
    u: around.localUser,
    k: first(options, 'hostkeyalias') ?? hop.host,
  })
  const path = (text: string): string => fill(text.startsWith('~/') ? join(around.home, text.slice(2)) : text)

  const settings: Settings = {
    name,
    host,
    port,
    user,
    password: hop.password,
    passphrase: hop.passphrase,
    privateKey: hop.privateKey,
    identityFiles: identityFiles(hop, options, around, path),
    identitiesOnly: isYes(first(options, 'identitiesonly')),
    agent: agentOf(hop, first(options, 'identityagent'), path),
    forwardAgent: hop.forwardAgent ?? isYes(first(options, 'forwardagent')),
    checking: checkingOf(first(words.options, 'stricthostkeychecking'), hop.hostKeyChecking, first(options, 'stricthostkeychecking')),
    knownHostsFiles: knownHostsFiles(hop, options, path),
    hostKeyAlias: first(options, 'hostkeyalias'),
    keepaliveSeconds: Number(first(options, 'serveraliveinterval') ?? 0) || endpoint.keepaliveSeconds || KEEPALIVE,
    keepaliveCount: Number(first(options, 'serveralivecountmax') ?? 3),
    connectSeconds: Number(first(words.options, 'connecttimeout') ?? 0) || endpoint.connectTimeoutSeconds,
    proxyCommand: undefined,
  }
  // whichever of the two is said first holds, as in ssh
  const way = options.find(([option]) => option === 'proxyjump' || option === 'proxycommand')
  if (way === undefined || way[1].toLowerCase() === 'none') return { settings, jump: undefined, command: undefined }
  return way[0] === 'proxyjump'
    ? { settings, jump: fill(way[1]), command: undefined }
    : { settings, jump: undefined, command: fill(way[1]) }
}

/** Without any keepalive a cut link would be a hang. */
const KEEPALIVE = 20

const first = (options: Options, name: string): string | undefined => options.find(([option]) => option === name)?.[1]

const isYes = (value: string | undefined): boolean => value !== undefined && /^(yes|true)$/i.test(value)

const filling =
  (tokens: Readonly<Record<string, string>>) =>
  (text: string): string =>
    text.replace(/%(.)/g, (whole, letter: string) => tokens[letter] ?? whole)

const defaults = ['id_ed25519', 'id_ecdsa', 'id_rsa']

function identityFiles(hop: Hop, options: Options, around: Surroundings, path: (text: string) => string): string[] {
  const said = options.filter(([name, value]) => name === 'identityfile' && value.toLowerCase() !== 'none').map(([, value]) => path(value))
  const files = [...hop.privateKeyFiles.map(path), ...said]
  if (files.length > 0 || hop.privateKey !== undefined) return [...new Set(files)]
  return defaults.map((file) => join(around.home, '.ssh', file)).filter((file) => existsSync(file))
}

function agentOf(hop: Hop, said: string | undefined, path: (text: string) => string): string | undefined {
  if (said === undefined || said === 'SSH_AUTH_SOCK') return hop.agent
  return said.toLowerCase() === 'none' ? undefined : path(said)
}

/** ssh's words for it; `ask` cannot be asked here and is a yes. */
const checkings: Readonly<Record<string, Hop['hostKeyChecking']>> = {
  yes: 'yes',
  ask: 'yes',
  no: 'no',
  off: 'no',
  'accept-new': 'accept-new',
}

function checkingOf(words: string | undefined, hop: Hop['hostKeyChecking'], config: string | undefined): Hop['hostKeyChecking'] {
  const said = words ?? (hop === 'yes' ? config : undefined)
  return said === undefined ? hop : (checkings[said.toLowerCase()] ?? 'yes')
}

function knownHostsFiles(hop: Hop, options: Options, path: (text: string) => string): string[] {
  const user = first(options, 'userknownhostsfile')
  const global = first(options, 'globalknownhostsfile')
  const files = [
    ...(user === undefined ? hop.knownHostsFiles : quotedWords(user)),
    ...(global === undefined ? [GLOBAL] : quotedWords(global)),
  ]
  return files.filter((file) => file.toLowerCase() !== 'none').map(path)
}

/** The machine's own known hosts, as ssh has them. */
const GLOBAL = '/etc/ssh/ssh_known_hosts'

/** `Host *` with a ProxyJump holds for the jump host too, which is not behind itself. */
const isSelf = (jump: Hop, hop: Hop): boolean => jump.host === hop.host && (jump.port === 0 || hop.port === 0 || jump.port === hop.port)

/** `a,user@b:2222`: the first is reached first. */
function jumpHops(jump: string, target: Hop): Hop[] {
  return jump.split(',').map((text) => hopTo(text.trim(), target, []))
}

/**
 * An ssh that does nothing but carry our bytes to the target is a jump host: `ssh … -W %h:%p bastion`, `ssh … bastion nc %h %p`. Anything else is
 * undefined and has to be run.
 */
function hopOfCommand(command: string, target: Hop, settings: Settings): Hop[] | undefined {
  const words = shellWords(command)
  if (words === undefined) return undefined
  const from = words[0] === 'exec' ? 1 : 0
  if (!/(^|\/)ssh$/.test(words[from] ?? '')) return undefined
  const ssh = readSshWords(words.slice(from + 1))
  if (ssh.destination === undefined) return undefined
  const carries =
    ssh.command.length === 0
      ? /^\[?([^\]]*)\]?:(\d+)$/.exec(ssh.forward ?? '')?.slice(1)
      : netcat(ssh.forward === undefined ? ssh.command : [])
  if (carries?.[0] !== settings.host || carries[1] !== String(settings.port)) return undefined
  const options = ssh.options.flatMap(([name, value]) => ['-o', `${name}=${value}`])
  return [hopTo(ssh.destination, target, ssh.configFile === undefined ? options : ['-F', ssh.configFile, ...options])]
}

/** nc with only a time limit set → its host and port. */
function netcat(words: readonly string[]): string[] | undefined {
  if (!/(^|\/)(nc|netcat|ncat)$/.test(words[0] ?? '')) return undefined
  const rest = [...words.slice(1)]
  while (/^-[wq]/.test(rest[0] ?? '')) rest.splice(0, /^-[wq]$/.test(rest[0]!) ? 2 : 1)
  return rest.length === 2 && !rest[0]!.startsWith('-') ? rest : undefined
}

/** A jump host gets the target's keys and policy, never its password. */
function hopTo(destination: string, target: Hop, sshArgs: readonly string[]): Hop {
  const found = /^(?:ssh:\/\/)?(?:(.*)@)?(\[[^\]]*\]|[^:/]*)(?::(\d+))?\/?$/.exec(destination)
  const { privateKeyFiles, privateKey, passphrase, agent, hostKeyChecking, knownHostsFiles } = target
  return {
    host: (found?.[2] ?? destination).replace(/^\[|\]$/g, ''),
    port: Number(found?.[3] ?? 0),
    user: found?.[1] ?? '',
    privateKeyFiles,
    privateKey,
    passphrase,
    agent,
    hostKeyChecking,
    knownHostsFiles,
    sshArgs,
  }
}
