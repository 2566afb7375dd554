/** A hop's known_hosts files and its policy → a verifier that accepts or refuses the host's key, and says why. */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { ConnectionLost } from '../lost.ts'
import {
  fingerprint,
  globMatches,
  hasAuthority,
  judge,
  type KnownHost,
  keyType,
  knownName,
  knownTypes,
  parseKnownHosts,
} from './known-hosts.ts'
import type { Settings } from './settings.ts'

export interface HostKeyCheck {
  /** what to offer, best first */
  readonly algorithms: readonly string[]
  readonly verify: (key: Buffer) => boolean
  /** set once a key has been refused */
  readonly refusal: () => ConnectionLost | undefined
}

/** In the order of ssh2's own preference. */
const algorithms = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'rsa-sha2-512',
  'rsa-sha2-256',
  'ssh-rsa',
]

const typeOf = (algorithm: string): string => (algorithm.startsWith('rsa-sha2') ? 'ssh-rsa' : algorithm)

/** The key is not known, but there is an authority whose word on it the system's ssh can check. */
export class UnknownKey extends ConnectionLost {}

export const AUTHORITY = 'its key is not known, but an authority that signs keys of hosts'

/** Why the host's key cannot be judged by our own client, which is shown no certificates. */
export function wantsCertificate(settings: Settings): string | undefined {
  if (settings.checking === 'no') return undefined
  const name = nameOf(settings)
  const texts = settings.knownHostsFiles.map(textOf)
  // most have no authorities: then nothing is read twice
  if (!texts.some((text) => text.includes('@cert-authority'))) return undefined
  const entries = texts.flatMap(parseKnownHosts)
  const plain = knownTypes(entries, name).length > 0
  return plain || !hasAuthority(entries, name) ? undefined : AUTHORITY
}

const nameOf = ({ hostKeyAlias, host, port }: Settings): string => knownName(hostKeyAlias ?? host, hostKeyAlias === undefined ? port : 22)

/** `ssh-ed25519,…` is the list; `+`, `-` and `^` before it add to the usual one, take from it, or put first. */
function chosen(said: string | undefined): readonly string[] {
  if (said === undefined) return algorithms
  const patterns = said.replace(/^[+^-]/, '').split(',')
  const named = patterns.flatMap((pattern) => algorithms.filter((algorithm) => globMatches(pattern, algorithm)))
  const others = algorithms.filter((algorithm) => !named.includes(algorithm))
  if (said.startsWith('-')) return others
  if (said.startsWith('+')) return algorithms
  return said.startsWith('^') ? [...named, ...others] : named
}

export function hostKeyCheck(settings: Settings, tell: (message: string) => void): HostKeyCheck {
  const name = nameOf(settings)
  const files = settings.knownHostsFiles.map((path) => ({ path, entries: read(path) }))
  const known = new Set(files.flatMap((file) => knownTypes(file.entries, name)))
  const usual = chosen(settings.hostKeyAlgorithms)
  // what the user lists stands as it is; else the kinds that are known come first
  const preferred =
    settings.hostKeyAlgorithms === undefined || /^[+-]/.test(settings.hostKeyAlgorithms)
      ? [...usual.filter((a) => known.has(typeOf(a))), ...usual.filter((a) => !known.has(typeOf(a)))]
      : usual
  let refused: ConnectionLost | undefined

  const verify = (key: Buffer): boolean => {
    refused = refusalOf(settings, name, files, key)
    if (refused !== undefined) return false
    if (settings.checking === 'accept-new' && !isKnown(files, name, key)) remember(settings, name, key, tell)
    return true
  }
  return { algorithms: preferred, verify, refusal: () => refused }
}

interface KnownFile {
  readonly path: string
  readonly entries: readonly KnownHost[]
}

const isKnown = (files: readonly KnownFile[], name: string, key: Buffer): boolean =>
  files.some((file) => judge(file.entries, name, key).what === 'known')

function refusalOf(settings: Settings, name: string, files: readonly KnownFile[], key: Buffer): ConnectionLost | undefined {
  const verdicts = files.map((file) => ({ ...judge(file.entries, name, key), path: file.path }))
  const shown = `${keyType(key)} ${fingerprint(key)}`
  const revoked = verdicts.find((v) => v.what === 'revoked')
  if (revoked?.what === 'revoked') {
    return new ConnectionLost(`${settings.name}: the host shows a key that ${revoked.path}:${revoked.line} revokes`, { notes: [shown] })
  }
  if (settings.checking === 'no' || verdicts.some((v) => v.what === 'known')) return undefined
  const Kind = files.some((file) => hasAuthority(file.entries, name)) ? UnknownKey : ConnectionLost
  const changed = verdicts.find((v) => v.what === 'changed')
  if (changed?.what === 'changed') {
    return new Kind(
      `${settings.name}: the host key of ${name} is not the known one: someone may be listening in, or the host was set up anew`,
      {
        notes: [`shown: ${shown}`, `known: ${changed.path}:${changed.line}`],
        hint: `if the host was set up anew, remove the old key: ssh-keygen -R '${name}' -f ${changed.path}`,
      },
    )
  }
  if (settings.checking === 'accept-new' && Kind === ConnectionLost) return undefined
  return new Kind(`${settings.name}: the host key of ${name} is not known`, {
    notes: [`shown: ${shown}`],
    hint: "connect once with ssh and compare the fingerprint, or trust hosts at first sight: --ssh-common-args='-o StrictHostKeyChecking=accept-new'",
  })
}

function remember(settings: Settings, name: string, key: Buffer, tell: (message: string) => void): void {
  const path = settings.knownHostsFiles[0]
  if (path === undefined || path === '/dev/null') return
  const line = `${name} ${keyType(key)} ${key.toString('base64')}\n`
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    const before = existsSync(path) ? readFileSync(path, 'utf8') : ''
    appendFileSync(path, before !== '' && !before.endsWith('\n') ? `\n${line}` : line, { mode: 0o600 })
    tell(`${settings.name}: the host key of ${name} (${fingerprint(key)}) was added to ${path}`)
  } catch (error) {
    tell(`${settings.name}: the host key of ${name} could not be added to ${path}: ${(error as Error).message}`)
  }
}

const read = (path: string): KnownHost[] => parseKnownHosts(textOf(path))

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
