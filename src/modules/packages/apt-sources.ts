/** The texts of apt's source lists and a wanted source → the texts with it, or without. */

const kinds = new Set(['deb', 'deb-src'])

interface Line {
  readonly valid: boolean
  readonly enabled: boolean
  readonly source: string
  readonly comment: string
}

/** A line of a list taken apart; the source with single blanks. */
export function parseSource(text: string): Line {
  let line = text.trim()
  const enabled = !line.startsWith('#')
  if (!enabled) line = line.slice(1)
  const hash = line.indexOf('#')
  const comment = hash < 0 ? '' : line.slice(hash + 1).trim()
  const words = (hash < 0 ? line : line.slice(0, hash)).trim().split(/\s+/).filter(Boolean)
  const valid = kinds.has(words[0] ?? '')
  return { valid, enabled, source: valid ? words.join(' ') : (hash < 0 ? line : line.slice(0, hash)).trim(), comment }
}

const renderLine = ({ enabled, source, comment }: Line): string => `${enabled ? '' : '# '}${source}${comment ? ` # ${comment}` : ''}\n`

/** Which lists change: path → their text after, undefined where a list is left without a line. */
export type ListChanges = ReadonlyMap<string, string | undefined>

/** A source that is there but commented out comes to life; else it goes to the end of the named list. */
export function withSource(lists: ReadonlyMap<string, string>, source: string, file: string): ListChanges {
  const changes = new Map<string, string>()
  let found = false
  for (const [path, text] of lists) {
    const after = mapLines(text, (line, raw) => {
      if (!line.valid || line.source !== source) return raw
      found = true
      return line.enabled ? raw : renderLine({ ...line, enabled: true })
    })
    if (after !== text) changes.set(path, after)
  }
  const now = lists.get(file) ?? ''
  if (!found) changes.set(file, `${now}${now === '' || now.endsWith('\n') ? '' : '\n'}${source}\n`)
  return changes
}

export function withoutSource(lists: ReadonlyMap<string, string>, source: string): ListChanges {
  const changes = new Map<string, string | undefined>()
  for (const [path, text] of lists) {
    const after = mapLines(text, (line, raw) => (line.valid && line.enabled && line.source === source ? '' : raw))
    if (after !== text) changes.set(path, after === '' ? undefined : after)
  }
  return changes
}

const mapLines = (text: string, map: (line: Line, raw: string) => string): string =>
  (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).map((raw) => map(parseSource(raw), raw)).join('')

/** The name of a list that is made for a source: from its address, or as given. */
export function listName(source: string, given: string | undefined): string {
  if (given !== undefined) return `${given}.list`
  const words = source
    .replace(/\[[^\]]+\]/g, '')
    .replace(/\w+:\/\//g, '')
    .split(/\s+/)
    .filter((word) => word !== '' && !kinds.has(word))
  const address = (words[0] ?? '').replace(/^.*@/, '')
  return `${address
    .replace(/[^a-zA-Z0-9]/g, ' ')
    .split(/\s+/)
    .filter(Boolean)
    .join('_')}.list`
}
