/** The text of an SSH client's configuration → its hosts with their options and what stands between, and back. */

export type SshEntry =
  | { readonly kind: 'line'; readonly text: string }
  | { readonly kind: 'host'; readonly host: string; readonly options: ReadonlyMap<string, string | readonly string[]> }

/** options of which there may be several */
const MANY = new Set(['identityfile', 'localforward', 'remoteforward', 'sendenv', 'setenv', 'certificatefile'])

/** Options before the first host belong to `*`. */
export function hostsIn(text: string): SshEntry[] {
  const entries: SshEntry[] = []
  let options: Map<string, string | string[]> | undefined
  for (const line of text.split('\n').slice(0, text.endsWith('\n') ? -1 : undefined)) {
    const trimmed = line.trim()
    if (text === '') break
    if (trimmed === '' || trimmed.startsWith('#')) {
      entries.push({ kind: 'line', text: line.trimEnd() })
      continue
    }
    const [, key = '', value = ''] = /^([^\s=]+)(?:\s*=\s*|\s+)(.*)$/.exec(trimmed) ?? [undefined, trimmed, '']
    if (key.toLowerCase() === 'host') {
      options = new Map()
      entries.push({ kind: 'host', host: value.split(/\s+/).join(' '), options })
      continue
    }
    if (!options) {
      options = new Map()
      entries.push({ kind: 'host', host: '*', options })
    }
    add(options, key.toLowerCase(), value.replace(/^"(.*)"$/, '$1'))
  }
  return entries.filter((entry) => entry.kind === 'line' || entry.options.size > 0)
}

function add(options: Map<string, string | string[]>, key: string, value: string): void {
  const now = options.get(key)
  if (MANY.has(key)) options.set(key, [...(typeof now === 'object' ? now : []), value])
  else if (now === undefined) options.set(key, value)
}

export function textOfEntries(entries: readonly SshEntry[]): string {
  return entries
    .map((entry) => {
      if (entry.kind === 'line') return `${entry.text}\n`
      const lines = [...entry.options].flatMap(([key, value]) =>
        (typeof value === 'string' ? [value] : value).map((one) => `    ${key} ${one}\n`),
      )
      return `Host ${entry.host}\n${lines.join('')}`
    })
    .join('')
}
