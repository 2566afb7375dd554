/** Copies a folder of the host to another place: what is new is taken over, what differs is replaced, nothing is removed. */
import type { JsonObject, Value } from '../../base/index.ts'
import { type Fields, type Missing, type Probe, type Script, type Stat, sh, statProbe, textOf } from '../../remote/index.ts'
import { type Change, type Done, type Host, ModuleFailure, type Result } from '../api.ts'
import { ask, askAll } from '../files/ask.ts'
import { attributeFailure, attributeSteps, type Now, newborn, type Wanted } from '../files/attributes.ts'
import { makeFoldersScript, missingProbe, stepScripts } from '../files/folders.ts'
import { pathInfo } from '../files/info.ts'
import { nameOf } from '../files/install.ts'
import { join } from './join.ts'

export interface TreeCopy {
  readonly args: {
    readonly src: string
    readonly dest: string
    readonly directory_mode?: Value | undefined
    readonly local_follow?: boolean | undefined
    readonly owner?: string | undefined
    readonly group?: string | undefined
  }
  readonly source: Stat
  readonly wanted: Wanted
  readonly dest: Stat | Missing
  readonly missing: readonly string[]
}

export async function* copyTree(copy: TreeCopy, host: Host): AsyncGenerator<Change, Result, Done> {
  const { args, wanted } = copy
  const slash = args.src.endsWith('/')
  const there = copy.dest.exists && copy.dest.leadsToDirectory
  // a destination with a slash is made first, and then is there
  const made = !there && args.dest.endsWith('/')
  const target = slash ? args.dest : join(args.dest, nameOf(args.src))
  const told = there && !slash ? target : args.dest
  const base: JsonObject = { dest: told, src: args.src, md5sum: null, checksum: null }
  const { outer, inner, differences, strangers, folders } = await askAll(host, {
    outer: statProbe(told, { follow: true }),
    inner: statProbe(target, { follow: true }),
    differences: differenceProbe(args.src, target),
    strangers: strangersProbe(target, args),
    folders: missingProbe(target),
  })
  // a whole new tree keeps its links unless local_follow is on; merging into what is there treats those at the top as local_follow says
  const whole = !inner.exists && !made && (slash || there)
  const steps = whole ? [] : planned(differences, args.local_follow)
  const linksLeft = !whole && args.local_follow === undefined && differences.some((d) => d.kind === 'link')
  const attributes = attributeSteps(outer.exists ? outer : newborn('directory', wanted.self!, 0o777), wanted, told, !outer.exists)
  const changed = whole || !inner.exists || steps.length > 0 || linksLeft || strangers
  if (!changed && attributes.length === 0) return { ...base, changed: false, ...pathInfo(outer) }
  const newSteps = host.check ? [] : newFolderSteps(copy)
  const done = yield {
    what: 'content',
    script: sh`${makeFoldersScript(folders, newSteps, 81)}${whole ? treeScript(args.src, target, args.local_follow ? sh`h` : sh``) : sh``}
${steps.reduce(
  (all, s) => sh`${all}${stepScript(s, args.src, target)}
`,
  sh``,
)}${chownScript(target, args)}
${stepScripts(attributes, told)}${statProbe(told).script}`,
    onFailure: 'tell',
  }
  if (!done) return { ...base, changed: true, ...pathInfo(outer) }
  if (done.code !== 0)
    throw new ModuleFailure(attributeFailure(done.code) ?? `failed to copy: ${args.src} to ${told}: ${textOf(done.stderr).trim()}`)
  return { ...base, changed: true, ...pathInfo(await ask(host, statProbe(told))) }
}

/** Folders that a destination with a slash asks for get the wanted attributes; others are plain. */
function newFolderSteps({ args, wanted, dest }: TreeCopy): ReturnType<typeof attributeSteps> {
  if (dest.exists || !args.dest.endsWith('/')) return []
  const now: Now = newborn('directory', wanted.self!)
  return attributeSteps(now, { ...wanted, args: { ...wanted.args, mode: args.directory_mode } }, args.dest, true)
}

interface Difference {
  readonly kind: 'folder' | 'new' | 'content' | 'link'
  readonly path: string
}

const LETTERS: Readonly<Record<string, Difference['kind']>> = { d: 'folder', n: 'new', c: 'content', l: 'link' }

/** Walks the source and tells what the target does not have, or has otherwise. */
function differenceProbe(source: string, target: string): Probe<Difference[]> {
  return {
    script: sh`(case ${target} in /*) o=${target} ;; *) o=$PWD/${target} ;; esac; o=\${o%/}; cd -- ${source} && find . -mindepth 1 -exec sh -c 'd=$0; for f; do t=$d/\${f#./}
if [ -L "$f" ]; then if [ ! -e "$t" ] && [ ! -L "$t" ]; then printf "l\0%s\0" "\${f#./}"; elif [ -f "$f" ] && ! cmp -s "$f" "$t"; then printf "c\0%s\0" "\${f#./}"; fi
elif [ -d "$f" ]; then [ -d "$t" ] || printf "d\0%s\0" "\${f#./}"
elif [ -f "$f" ]; then if [ ! -e "$t" ] && [ ! -L "$t" ]; then printf "n\0%s\0" "\${f#./}"; elif ! cmp -s "$f" "$t"; then printf "c\0%s\0" "\${f#./}"; fi
fi; done' "$o" {} + 2>/dev/null); printf '\0'`,
    read: readDifferences,
  }
}

function readDifferences(fields: Fields): Difference[] {
  const found: Difference[] = []
  for (let letter = fields.text(); letter !== ''; letter = fields.text()) found.push({ kind: LETTERS[letter]!, path: fields.text() })
  return found
}

interface Planned extends Difference {
  readonly follow: boolean | undefined
}

/** What lies below a new folder comes with it. */
function planned(differences: readonly Difference[], follow: boolean | undefined): Planned[] {
  const folders = differences.filter((d) => d.kind === 'folder').map((d) => `${d.path}/`)
  return differences
    .filter((d) => !folders.some((f) => d.path.startsWith(f)) && !(d.kind === 'link' && follow === undefined))
    .map((d) => ({ ...d, follow }))
}

function stepScript({ kind, path, follow }: Planned, source: string, target: string): Script {
  const from = join(source, path)
  const to = join(target, path)
  if (kind === 'folder') return treeScript(from, to, follow ? sh`h` : sh``)
  if (kind === 'link' && follow === false) return sh`ln -s -- "$(readlink -- ${from})" ${to} || exit 83`
  if (kind === 'link')
    return sh`if [ -d ${from} ]; then ${treeScript(from, to, sh`h`)}
else cat <${from} >${to} || exit 83; fi`
  return sh`cat <${from} >${to} || exit 83
chmod "$(stat -L -c %a -- ${from})" -- ${to} || exit 83`
}

/** A whole tree with modes and times, but owned by who copies. */
function treeScript(from: string, to: string, follow: Script): Script {
  return sh`mkdir -p -- ${to} && (cd -- ${from} && tar -c${follow}f - .) | (cd -- ${to} && tar -xpof -) || exit 83`
}

/** Is there something in the target that belongs to somebody else than is wanted? */
function strangersProbe(target: string, { owner, group }: { owner?: string | undefined; group?: string | undefined }): Probe<boolean> {
  if (owner === undefined && group === undefined) return { script: sh`printf '0\0'`, read: (fields) => fields.text() === '1' }
  const test = [...(owner === undefined ? [] : [sh`! -user ${owner}`]), ...(group === undefined ? [] : [sh`! -group ${group}`])]
  const either = test.reduce((all, t) => sh`${all} -o ${t}`)
  return {
    script: sh`if [ -n "$(find ${target} \( ${either} \) -print 2>/dev/null | head -n 1)" ]; then printf '1\0'; else printf '0\0'; fi`,
    read: (fields) => fields.text() === '1',
  }
}

function chownScript(target: string, { owner, group }: { owner?: string | undefined; group?: string | undefined }): Script {
  if (owner === undefined && group === undefined) return sh``
  const who = `${owner ?? ''}${group === undefined ? '' : `:${group}`}`
  return sh`chown -R -h ${who} -- ${target} || exit 72`
}
