/** The options that hold for a host → single settings, each read as ssh reads it. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Hop } from '../api.ts'
import { type Options, quotedWords } from './config-file.ts'
import type { Around } from './tokens.ts'

type Path = (text: string) => string

export const first = (options: Options, name: string): string | undefined => options.find(([option]) => option === name)?.[1]

export const all = (options: Options, name: string): string[] =>
  options.filter(([option, value]) => option === name && value.toLowerCase() !== 'none').map(([, value]) => value)

export const isYes = (value: string | undefined): boolean => value !== undefined && /^(yes|true)$/i.test(value)
const isNo = (value: string | undefined): boolean => value !== undefined && /^(no|false)$/i.test(value)

const units: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }

/** `90`, `2m`, `1h30m`; 0 where nothing is said. */
export const secondsOf = (text: string | undefined): number =>
  [...(text ?? '').matchAll(/(\d+)([smhdw]?)/gi)].reduce((sum, [, count, unit]) => sum + Number(count) * units[unit!.toLowerCase()]!, 0)

const defaults = ['id_ed25519', 'id_ecdsa', 'id_rsa']

export function identityFiles(hop: Hop, options: Options, around: Around, path: Path): string[] {
  const said = options.some(([name]) => name === 'identityfile')
  const files = [...hop.privateKeyFiles.map(path), ...all(options, 'identityfile').map(path)]
  if (said || files.length > 0 || hop.privateKey !== undefined) return [...new Set(files)]
  return defaults.map((file) => join(around.home, '.ssh', file)).filter((file) => existsSync(file))
}

export function agentOf(hop: Hop, said: string | undefined, path: Path): string | undefined {
  if (said === undefined || said === 'SSH_AUTH_SOCK') return hop.agent
  if (said.toLowerCase() === 'none') return undefined
  // `$NAME` names a variable that holds the path
  return path(/^\$\w+$/.test(said) ? `\${${said.slice(1)}}` : said)
}

/** yes, or the path of an agent of its own. */
export const forwardsAgent = (said: string | undefined): boolean => said !== undefined && !isNo(said)

/** ssh's words for it; `ask` cannot be asked here and is a yes. */
const checkings: Readonly<Record<string, Hop['hostKeyChecking']>> = {
  yes: 'yes',
  true: 'yes',
  ask: 'yes',
  no: 'no',
  false: 'no',
  off: 'no',
  'accept-new': 'accept-new',
}

export function checkingOf(words: string | undefined, hop: Hop['hostKeyChecking'], config: string | undefined): Hop['hostKeyChecking'] {
  const said = words ?? (hop === 'yes' ? config : undefined)
  return said === undefined ? hop : (checkings[said.toLowerCase()] ?? 'yes')
}

export function knownHostsFiles(hop: Hop, options: Options, path: Path): string[] {
  const user = first(options, 'userknownhostsfile')
  const global = first(options, 'globalknownhostsfile')
  const files = [
    ...(user === undefined ? hop.knownHostsFiles : quotedWords(user)),
    ...(global === undefined ? GLOBAL : quotedWords(global)),
  ]
  return files.filter((file) => file.toLowerCase() !== 'none').map(path)
}

/** The machine's own known hosts, as ssh has them. */
const GLOBAL = ['/etc/ssh/ssh_known_hosts', '/etc/ssh/ssh_known_hosts2']

const families: Readonly<Record<string, 4 | 6>> = { inet: 4, inet6: 6 }

export const familyOf = (said: string | undefined): 4 | 6 | undefined => families[said?.toLowerCase() ?? '']

/** Which ways of logging in each option can forbid. */
const forbidding: Readonly<Record<string, string>> = {
  pubkeyauthentication: 'publickey',
  passwordauthentication: 'password',
  kbdinteractiveauthentication: 'keyboard-interactive',
  challengeresponseauthentication: 'keyboard-interactive',
}
const OURS = ['publickey', 'password', 'keyboard-interactive']

export function methodsOf(options: Options): string[] | undefined {
  const preferred = first(options, 'preferredauthentications')
    ?.toLowerCase()
    .split(',')
    .map((method) => method.trim())
  const forbidden = Object.entries(forbidding).flatMap(([name, method]) => (isNo(first(options, name)) ? [method] : []))
  if (preferred === undefined && forbidden.length === 0) return undefined
  return (preferred ?? OURS).filter((method) => !forbidden.includes(method))
}
