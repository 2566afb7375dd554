/** The text of an fstab and a wanted entry → the text with that entry, or without it. */

export interface FstabEntry {
  readonly src: string
  readonly name: string
  readonly fstype: string
  readonly opts: string
  readonly dump: string
  readonly passno: string
}

type Fields = { src: string; name: string; fstype: string; opts: string; dump: string; passno: string }

/** Blanks, ampersands and backslashes as fstab spells them. */
export const escapeField = (text: string): string => text.replaceAll('\\', '\\134').replaceAll(' ', '\\040').replaceAll('&', '\\046')

const escaped = (entry: FstabEntry): Fields => ({
  src: escapeField(entry.src),
  name: escapeField(entry.name),
  fstype: escapeField(entry.fstype),
  opts: escapeField(entry.opts),
  dump: escapeField(entry.dump),
  passno: escapeField(entry.passno),
})

const lineOf = ({ src, name, fstype, opts, dump, passno }: Fields): string => `${src} ${name} ${fstype} ${opts} ${dump} ${passno}\n`

/** Lines with their ends; a missing last end is added. */
const linesWithEnds = (text: string): string[] =>
  (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).map((line) => (line.endsWith('\n') ? line : `${line}\n`))

/** The fields of an entry; undefined for comments and what is no entry. */
function fieldsOf(line: string, least: number): Fields | undefined {
  const text = line.trim()
  if (text === '' || text.startsWith('#')) return undefined
  const fields = text.split(/\s+/)
  if (fields.length < least || fields.length > 6) return undefined
  const [src, name, fstype, opts, dump = '0', passno = '0'] = fields as [string, string, string, string, string?, string?]
  return { src, name, fstype, opts, dump, passno }
}

/** Swap areas share the name `none`: their source tells them apart. */
const isOther = (now: Fields, name: string, src: string | undefined): boolean =>
  now.name !== name || (src !== undefined && now.name === 'none' && now.fstype === 'swap' && now.src !== src)

/** The fstab that holds the entry once; undefined when it holds it already. */
export function withEntry(text: string, entry: FstabEntry): string | undefined {
  const wanted = escaped(entry)
  let found = false
  let changed = false
  const lines = linesWithEnds(text).map((line) => {
    const now = fieldsOf(line, 4)
    if (!now || isOther(now, wanted.name, entry.src)) return line
    found = true
    if (lineOf(now) === lineOf(wanted)) return changed ? lineOf(wanted) : line
    changed = true
    return lineOf(wanted)
  })
  if (!found) lines.push(lineOf(wanted))
  return found && !changed ? undefined : lines.join('')
}

/** The fstab without the entries of a mount point; undefined when it has none. */
export function withoutEntry(text: string, name: string, src: string | undefined): string | undefined {
  const wanted = escapeField(name)
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? []
  const kept = lines.filter((line) => {
    const now = fieldsOf(line, 6)
    return !now || isOther(now, wanted, src)
  })
  return kept.length === lines.length ? undefined : kept.join('')
}
