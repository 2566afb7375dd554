/** Lists everything below folders with what stat tells about each, in one look. */
import { type Fields, type Probe, readStatLine, type Script, STAT_FORMAT, type Stat, sh } from '../../remote/index.ts'

export interface Listed {
  readonly path: string
  readonly name: string
  readonly stat: Stat
}

export interface Listings {
  /** the host's clock, in seconds */
  readonly now: number
  /** for each path; undefined where it is no folder */
  readonly places: readonly (readonly Listed[] | undefined)[]
  /** folders below them whose entries may not be read */
  readonly closed: readonly string[]
}

/** What find prints, one record of `stat` and name for each entry; links are told as links even where they are followed. */
export function listProbe(
  paths: readonly string[],
  options: { readonly follow: boolean; readonly depth: number | undefined },
): Probe<Listings> {
  const follow = options.follow ? sh`-L` : sh``
  const depth = options.depth === undefined ? sh`` : sh`-maxdepth ${options.depth}`
  const above = options.depth === undefined ? sh`` : sh`-maxdepth ${options.depth - 1}`
  const script = paths.reduce(
    (all, path) => sh`${all}
p=${path}; if [ -d "$p" ]; then printf '1\0'; find ${follow} "\${p%/}/" -mindepth 1 ${depth} ${EACH} 2>/dev/null || find ${follow} "$p" ${above} -type d -exec sh -c ${CLOSED} sh {} + >>"$c" 2>/dev/null; printf '\0'; else printf '0\0'; fi`,
    sh`c=$(mktemp); printf '%s\0' "$(date +%s)"`,
  )
  return {
    script: sh`${script}
cat "$c"; printf '\0'; rm -f "$c"`,
    read: (fields) => {
      const now = fields.number() ?? 0
      const places = paths.map(() => (fields.text() === '1' ? readEntries(fields) : undefined))
      return { now, places, closed: readNames(fields) }
    },
  }
}

const EACH: Script = sh`-exec sh -c 'if stat --printf "" / 2>/dev/null; then exec stat --printf "$0|%n\0" -- "$@"; fi
for f; do printf "%s|%s\0" "$(stat -c "$0" -- "$f")" "$f"; done' ${STAT_FORMAT} {} +`

const CLOSED = 'for d; do [ -r "$d" ] || printf "%s\\0" "$d"; done'

function readNames(fields: Fields): string[] {
  const names: string[] = []
  for (let name = fields.text(); name !== ''; name = fields.text()) names.push(name)
  return names
}

function readEntries(fields: Fields): Listed[] {
  const entries: Listed[] = []
  for (let record = fields.text(); record !== ''; record = fields.text()) {
    const border = record.indexOf('|')
    const path = record.slice(border + 1).replace(/\/{2,}/g, '/')
    const stat = readStatLine(record.slice(0, border))
    if (stat) entries.push({ path, name: path.slice(path.lastIndexOf('/') + 1), stat })
  }
  return entries
}
