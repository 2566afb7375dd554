/** mount_facts: tells what is mounted and what fstab wants mounted. */
import { type JsonObject, record } from '../../base/index.ts'
import { fileSystemSizes, globPattern, type Look, linesOf, parseMounts, wordsOf } from '../../facts/index.ts'
import { bool, choice, fallback, float, list, raw } from '../../params/index.ts'
import { type Script, sh } from '../../remote/index.ts'
import { defineModule, ModuleFailure } from '../api.ts'
import { lookAt } from './looking.ts'

const fixed = ['/etc/fstab', '/etc/vfstab', '/etc/filesystems']
const living = ['/etc/mtab', '/proc/mounts', '/etc/mnttab']

export default defineModule({
  name: 'ansible.builtin.mount_facts',
  summary: 'Tells about mounts.',
  params: {
    sources: list(),
    mount_binary: fallback(raw(), 'mount'),
    devices: list(),
    fstypes: list(),
    timeout: float(),
    on_timeout: choice(['error', 'warn', 'ignore'], 'error'),
    include_aggregate_mounts: bool(),
  },
  async *run(args, host) {
    if (args.timeout !== undefined && args.timeout <= 0)
      throw new ModuleFailure(`argument 'timeout' must be a positive number or null, not ${args.timeout}`)
    const given = args.sources ?? ['all']
    if (given.includes('')) throw new ModuleFailure('sources contains an empty string')
    const sources = given.flatMap((one) => [
      ...(one === 'dynamic' || one === 'all' ? living : []),
      ...(one === 'static' || one === 'all' ? fixed : []),
      ...(/^(static|dynamic|all)$/.test(one) ? [] : [one]),
    ])
    const look = await lookAt(host, mountsLook(sources, args.timeout ?? 0))
    const keep = (patterns: readonly string[] | undefined, text: string): boolean =>
      (patterns ?? ['*']).some((glob) => globPattern(glob).test(text))
    const all = mountsOf(look, sources).filter((one) => keep(args.devices, one.device) && keep(args.fstypes, one.fstype))
    const late = all
      .filter((one) => look.section(`size:${one.mount}`)?.trim() === 'x 124')
      .map((one) => `Timed out getting mount size for mount ${one.mount} (type ${one.fstype})`)
    if (late.length > 0 && args.on_timeout === 'error') throw new ModuleFailure(late[0]!)
    const mounts = all.map((one) => described(one, look))
    const points: Record<string, JsonObject> = record()
    for (const one of mounts) points[String(one.mount)] ??= one
    const warnings = [...(args.on_timeout === 'warn' ? late : []), ...repeats(all, args.include_aggregate_mounts)]
    const facts = { mount_points: points, aggregate_mounts: args.include_aggregate_mounts ? mounts : [] }
    return { changed: false, ansible_facts: facts, ...(warnings.length > 0 ? { warnings } : {}) }
  },
})

interface Mount {
  readonly source: string
  readonly line: string
  readonly device: string
  readonly mount: string
  readonly fstype: string
  readonly options: string
  readonly dump: number
  readonly passno: number
}

/** Each source once, whatever links to it; then the size of every mount point. */
const mountsLook = (sources: readonly string[], timeout: number): Script => sh`
s=' '
for x in ${sources}; do
  y=$(readlink -f "$x" 2>/dev/null); case $y in (/proc/[0-9]*/mounts) y=/proc/self/mounts ;; esac
  if [ -f "$x" ] && case $s in (*" $y "*) false ;; (*) true ;; esac; then s="$s$y "; printf '\036src:%s\n' "$x"; cat "$x"; fi
done
t=; if [ ${Math.ceil(timeout)} -gt 0 ] && w timeout; then t='timeout ${Math.ceil(timeout)}'; fi
cat /proc/mounts $(for x in ${sources}; do if [ -f "$x" ]; then printf '%s ' "$x"; fi; done) 2>/dev/null | sed 's/^[[:space:]]*#.*//' | while read -r d m f o; do if [ -n "$m" ]; then printf '%s\n' "$m"; fi; done | sort -u | while read -r m; do
  p=$(printf %b "$m"); case $p in (/*) printf '\036size:%s\n' "$p"; $t stat -f -c '%s %S %b %a %c %d' "$p" 2>/dev/null </dev/null || printf 'x %s\n' $? ;; esac
done
if w lsblk; then printf '\036lsblk\n'; lsblk --list --noheadings --paths --output NAME,UUID --exclude 2 2>/dev/null; fi`

function mountsOf(look: Look, sources: readonly string[]): Mount[] {
  return sources.flatMap((source) =>
    linesOf(look.section(`src:${source}`)).flatMap((line) =>
      line.trim().startsWith('#') ? [] : parseMounts(line).map((entry) => ({ source, line, ...entry })),
    ),
  )
}

function described(mount: Mount, look: Look): JsonObject {
  const byDevice = new Map(
    linesOf(look.section('lsblk'))
      .map((line) => wordsOf(line))
      .filter((words) => words.length === 2) as [string, string][],
  )
  const named = mount.device.startsWith('UUID=') ? mount.device.slice(5) : undefined
  const { source, line, device, mount: point, fstype, options, dump, passno } = mount
  return {
    device,
    mount: point,
    fstype,
    options,
    dump,
    passno,
    ...fileSystemSizes(look.section(`size:${point}`)),
    ansible_context: { source, source_data: line },
    uuid: named ?? byDevice.get(device) ?? null,
  }
}

/** Mount points that one source names twice, unless somebody wants them all or does not care. */
function repeats(all: readonly Mount[], wanted: boolean | undefined): string[] {
  if (wanted !== undefined) return []
  const sources = [...new Set(all.map((one) => one.source))]
  const double = sources.flatMap((source) => {
    const points = all.filter((one) => one.source === source).map((one) => one.mount)
    return new Set(points).size < points.length ? [`${source} (${JSON.stringify(points).replaceAll('"', "'").replaceAll(',', ', ')})`] : []
  })
  return double.length === 0
    ? []
    : [
        `mount_facts: ignoring repeat mounts in the following sources: ${double.join(', ')}. You can disable this warning by configuring the 'include_aggregate_mounts' option as True or False.`,
      ]
}
