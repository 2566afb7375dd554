/** /proc/self/mountinfo → what is mounted where, bind mounts with the folder they show. */
import { linesOf, unescapeOctal } from '../../facts/index.ts'

interface Row {
  readonly parent: string
  root: string
  readonly target: string
  readonly source: string
}

/** Mount point → source: a device, or for a mount below another the path that is shown. */
export function mountSources(mountinfo: string | undefined): ReadonlyMap<string, string> {
  const rows = new Map<string, Row>()
  for (const line of linesOf(mountinfo)) {
    const fields = line.trim().split(' ')
    if (fields.length < 7) continue
    const [id, parent, , root, target] = fields as [string, string, string, string, string]
    rows.set(id, { parent, root: unescapeOctal(root), target: unescapeOctal(target), source: unescapeOctal(fields.at(-2)!) })
  }
  const sources = new Map<string, string>()
  for (const row of rows.values()) sources.set(row.target, sourceOf(row, rows))
  return sources
}

function sourceOf(row: Row, rows: ReadonlyMap<string, Row>): string {
  const parent = row.parent === '1' ? undefined : rows.get(row.parent)
  if (!parent) return row.source
  if (parent.root.length > 1 && row.root.startsWith(`${parent.root}/`)) row.root = row.root.slice(parent.root.length)
  if (parent.target !== '/') row.root = `${parent.target}${row.root}`
  return row.root
}
