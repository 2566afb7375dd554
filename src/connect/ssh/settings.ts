/** A hop, the words of `ansible_ssh_args`, and ssh_config → all that is needed to reach and enter one machine, and over which others. */
import type { Endpoint, Hop } from '../api.ts'
import { ConnectionLost } from '../lost.ts'
import { configOptions, type Options } from './config-file.ts'
import { hopOfCommand, isSelf, jumpHops } from './jumps.ts'
import { whyProgram } from './needs.ts'
import * as read from './options.ts'
import { first, isYes } from './options.ts'
import { type Around, filling, pathsOf } from './tokens.ts'
import { readSshWords } from './words.ts'

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
  /** certificates that stand apart from their keys */
  readonly certificateFiles: readonly string[]
  /** ways of logging in that may be tried, best first; undefined: all we know */
  readonly methods: readonly string[] | undefined
  readonly checking: Hop['hostKeyChecking']
  readonly knownHostsFiles: readonly string[]
  readonly hostKeyAlias: string | undefined
  /** as ssh_config has it: a list, or changes to the usual one */
  readonly hostKeyAlgorithms: string | undefined
  readonly keepaliveSeconds: number
  readonly keepaliveCount: number
  readonly connectSeconds: number
  /** how often the port is tried, a second apart */
  readonly attempts: number
  readonly family: 4 | 6 | undefined
  readonly bindAddress: string | undefined
  readonly compression: boolean
  /** a command whose stdin and stdout are the way to the host */
  readonly proxyCommand: string | undefined
  /** what it was all made from, for an ssh that reads the configuration itself */
  readonly hop: Hop
  readonly configFiles: readonly string[]
  /** known_hosts files of a user whose configuration names none */
  readonly usualKnownHosts: readonly string[]
  /** the system's ssh, and why it has to be that one */
  readonly program: string
  readonly needsProgram: string | undefined
}

export type Surroundings = Around

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
  const fillSoon = (text: string, host: string, user: string, port: string | undefined): string =>
    filling({ host, port: Number(port ?? 22), user, original: hop.host, alias: undefined, jump: undefined, around })(text)
  const asked = { original: hop.host, user: first(said, 'user'), localUser: around.localUser, home: around.home, fill: fillSoon }
  const options: Options = [...said, ...configOptions(files, asked, said)]

  const host = (first(options, 'hostname') ?? hop.host).replaceAll('%h', hop.host).replaceAll('%%', '%').toLowerCase()
  const port = Number(first(options, 'port') ?? 22)
  const user = first(options, 'user') ?? around.localUser
  const alias = first(options, 'hostkeyalias')
  // whichever of the two is said first holds, as in ssh
  const way = options.find(([option]) => option === 'proxyjump' || option === 'proxycommand')
  const jump = way?.[0] === 'proxyjump' && way[1].toLowerCase() !== 'none' ? way[1] : undefined
  const fill = filling({ host, port, user, original: hop.host, alias, jump, around })
  const path = pathsOf(fill, around)
  const identities = read.identityFiles(hop, options, around, path)

  const settings: Settings = {
    name,
    host,
    port,
    user,
    password: hop.password,
    passphrase: hop.passphrase,
    privateKey: hop.privateKey,
    identityFiles: identities,
    identitiesOnly: isYes(first(options, 'identitiesonly')),
    certificateFiles: read.all(options, 'certificatefile').map(path),
    agent: read.agentOf(hop, first(options, 'identityagent'), path),
    forwardAgent: hop.forwardAgent ?? read.forwardsAgent(first(options, 'forwardagent')),
    methods: read.methodsOf(options),
    checking: read.checkingOf(first(words.options, 'stricthostkeychecking'), hop.hostKeyChecking, first(options, 'stricthostkeychecking')),
    knownHostsFiles: read.knownHostsFiles(hop, options, path),
    hostKeyAlias: alias,
    hostKeyAlgorithms: first(options, 'hostkeyalgorithms'),
    keepaliveSeconds: read.secondsOf(first(options, 'serveraliveinterval')) || endpoint.keepaliveSeconds || KEEPALIVE,
    keepaliveCount: Number(first(options, 'serveralivecountmax') ?? 3),
    connectSeconds: read.secondsOf(first(words.options, 'connecttimeout')) || endpoint.connectTimeoutSeconds,
    attempts: Number(first(options, 'connectionattempts') ?? 1),
    family: read.familyOf(first(options, 'addressfamily')),
    bindAddress: first(options, 'bindaddress'),
    compression: isYes(first(options, 'compression')),
    proxyCommand: undefined,
    hop,
    configFiles: files,
    usualKnownHosts: hop.knownHostsFiles.map(path),
    program: endpoint.executable ?? 'ssh',
    needsProgram: whyProgram(endpoint, words.options, options, identities),
  }
  const command = way?.[0] === 'proxycommand' && way[1].toLowerCase() !== 'none' ? fill(way[1]) : undefined
  return { settings, jump: jump === undefined ? undefined : fill(jump), command }
}

/** Without any keepalive a cut link would be a hang. */
const KEEPALIVE = 20
