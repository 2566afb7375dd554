/** The text of a known_hosts file and a host's key → whether the key is the one that is known there. */
import { createHash, createHmac } from 'node:crypto'

export interface KnownHost {
  readonly marker: 'cert-authority' | 'revoked' | undefined
  readonly names: string
  readonly type: string
  /** base64 of the key */
  readonly key: string
  readonly line: number
}

export type Verdict =
  | { readonly what: 'known' }
  | { readonly what: 'unknown'; readonly authorities: number }
  | { readonly what: 'changed'; readonly line: number }
  | { readonly what: 'revoked'; readonly line: number }

export function parseKnownHosts(text: string): KnownHost[] {
  return text.split('\n').flatMap((line, index) => {
    const words = line.trim().split(/\s+/)
    const marker = words[0]?.startsWith('@') ? words.shift()!.slice(1) : undefined
    const [names, type, key] = words
    if (names === undefined || names === '' || names.startsWith('#') || type === undefined || key === undefined) return []
    if (marker !== undefined && marker !== 'cert-authority' && marker !== 'revoked') return []
    return [{ marker, names, type, key, line: index + 1 }]
  })
}

/** How a host is written in known_hosts: with its port in brackets unless that is 22. */
export const knownName = (host: string, port: number): string => (port === 22 ? host.toLowerCase() : `[${host.toLowerCase()}]:${port}`)

/** Judges a host's public key (the SSH wire form). */
export function judge(entries: readonly KnownHost[], name: string, key: Buffer): Verdict {
  const offered = { type: keyType(key), key: key.toString('base64') }
  const here = entries.filter((entry) => namesMatch(entry.names, name))
  const same = (entry: KnownHost): boolean => entry.key === offered.key
  const revoked = entries.find((entry) => entry.marker === 'revoked' && same(entry) && namesMatch(entry.names, name))
  if (revoked) return { what: 'revoked', line: revoked.line }
  const plain = here.filter((entry) => entry.marker === undefined)
  if (plain.some(same)) return { what: 'known' }
  const other = plain.find((entry) => entry.type === offered.type)
  if (other) return { what: 'changed', line: other.line }
  return { what: 'unknown', authorities: here.filter((entry) => entry.marker === 'cert-authority').length }
}

/** Whether someone is trusted to sign this host's keys. */
export const hasAuthority = (entries: readonly KnownHost[], name: string): boolean =>
  entries.some((entry) => entry.marker === 'cert-authority' && namesMatch(entry.names, name))

/** The kinds of keys known for a host, so that the host is asked for one of those. */
export const knownTypes = (entries: readonly KnownHost[], name: string): string[] => [
  ...new Set(entries.filter((entry) => entry.marker === undefined && namesMatch(entry.names, name)).map((entry) => entry.type)),
]

/** The name of a key's kind, which its wire form begins with. */
export const keyType = (key: Buffer): string => key.toString('latin1', 4, 4 + key.readUInt32BE(0))

/** As OpenSSH shows it. */
export const fingerprint = (key: Buffer): string => `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`

function namesMatch(names: string, name: string): boolean {
  if (names.startsWith('|1|')) return hashMatches(names, name)
  const patterns = names.toLowerCase().split(',')
  if (patterns.some((pattern) => pattern.startsWith('!') && globMatches(pattern.slice(1), name))) return false
  return patterns.some((pattern) => globMatches(pattern, name))
}

function hashMatches(hashed: string, name: string): boolean {
  const [, , salt, hash] = hashed.split('|')
  return salt !== undefined && hash === createHmac('sha1', Buffer.from(salt, 'base64')).update(name).digest('base64')
}

/** `*` and `?` only, as in ssh's own patterns. */
export function globMatches(pattern: string, text: string): boolean {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.')
  return new RegExp(`^${source}$`, 's').test(text)
}
