/** Lines of authorized_keys → keys with options and comments, and back. */

const types = new Set(
  'sk-ecdsa-sha2-nistp256@openssh.com sk-ecdsa-sha2-nistp256-cert-v01@openssh.com webauthn-sk-ecdsa-sha2-nistp256@openssh.com ecdsa-sha2-nistp256 ecdsa-sha2-nistp256-cert-v01@openssh.com ecdsa-sha2-nistp384 ecdsa-sha2-nistp384-cert-v01@openssh.com ecdsa-sha2-nistp521 ecdsa-sha2-nistp521-cert-v01@openssh.com sk-ssh-ed25519@openssh.com sk-ssh-ed25519-cert-v01@openssh.com ssh-ed25519 ssh-ed25519-cert-v01@openssh.com ssh-dss ssh-rsa ssh-xmss@openssh.com ssh-xmss-cert-v01@openssh.com rsa-sha2-256 rsa-sha2-512 ssh-rsa-cert-v01@openssh.com rsa-sha2-256-cert-v01@openssh.com rsa-sha2-512-cert-v01@openssh.com ssh-dss-cert-v01@openssh.com'.split(
    ' ',
  ),
)

export interface Key {
  readonly key: string
  readonly type: string
  /** `from="10.0.0.1",no-pty` as option and value; an option without value has undefined */
  readonly options: ReadonlyMap<string, string | undefined>
  readonly comment: string
}

/** A line that holds a key; undefined for comments and what is none. */
export function parseKey(line: string): Key | undefined {
  const words = line.trim().split(/\s+/)
  if (words[0]?.startsWith('#')) return undefined
  const at = words.findIndex((word) => types.has(word))
  const key = words[at + 1]
  if (at < 0 || key === undefined) return undefined
  return { key, type: words[at]!, options: parseOptions(words.slice(0, at).join(' ')), comment: words.slice(at + 2).join(' ') }
}

export function parseOptions(text: string): ReadonlyMap<string, string | undefined> {
  const parts = text.match(/(?:[^,"']|"[^"]*"|'[^']*')+/g) ?? []
  return new Map(
    parts.map((part) => {
      const equals = part.indexOf('=')
      return equals < 0 ? [part, undefined] : [part.slice(0, equals), part.slice(equals + 1)]
    }),
  )
}

export const sameKey = (a: Key, b: Key): boolean => renderKey(a) === renderKey(b)

export function renderKey({ options, type, key, comment }: Key): string {
  const words = [...options].map(([name, value]) => (value === undefined ? name : `${name}=${value}`)).join(',')
  return `${words === '' ? '' : `${words} `}${type} ${key} ${comment}\n`
}

/** The text with keys added, mended or taken out; undefined when it is as wanted. */
export function withKeys(text: string, keys: readonly Key[], present: boolean, exclusive: boolean): string | undefined {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? []
  // of several lines with one key, the last counts
  const last = new Map(lines.map((line, index) => [parseKey(line)?.key ?? line, index] as const))
  const entries = lines
    .map((line, index) => ({ line, key: parseKey(line), index }))
    .filter((entry) => last.get(entry.key?.key ?? entry.line) === entry.index)
  let changed = false
  let kept = entries
  const added: Key[] = []
  for (const key of keys) {
    const there = kept.find((entry) => entry.key?.key === key.key)
    if (present && there?.key && sameKey(there.key, key)) continue
    if (!present && !there) continue
    changed = true
    kept = kept.filter((entry) => entry !== there)
    if (present) added.push(key)
  }
  if (present && exclusive) {
    const wanted = new Set(keys.map((key) => key.key))
    const own = kept.filter((entry) => entry.key && wanted.has(entry.key.key))
    if (own.length < kept.length) changed = true
    kept = own
  }
  if (!changed) return undefined
  return [...kept.map((entry) => (entry.key ? renderKey(entry.key) : entry.line)), ...added.map(renderKey)].join('')
}
