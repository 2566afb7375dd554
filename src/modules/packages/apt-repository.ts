/** apt_repository: makes a source be in apt's lists, or not, and refreshes them. */
import type { JsonObject } from '../../base/index.ts'
import { bool, choice, fallback, int, raw, required, str } from '../../params/index.ts'
import { joinScripts, type Script, sh, textOf } from '../../remote/index.ts'
import { type Diff, defineModule, ModuleFailure } from '../api.ts'
import { lookAt } from '../system/looking.ts'
import { writeText } from '../system/write-text.ts'
import { type ListChanges, listName, parseSource, withoutSource, withSource } from './apt-sources.ts'
import { updateScript } from './apt-update.ts'

export default defineModule({
  name: 'ansible.builtin.apt_repository',
  summary: "Manages apt's sources in one-line form.",
  params: {
    repo: required(str()),
    state: choice(['absent', 'present'], 'present'),
    mode: raw(),
    update_cache: fallback(bool({ aliases: ['update-cache'] }), true),
    update_cache_retries: fallback(int(), 5),
    update_cache_retry_max_delay: fallback(int(), 12),
    filename: str(),
    install_python_apt: fallback(bool(), true),
    validate_certs: fallback(bool(), true),
    codename: str(),
  },
  async *run(args, host) {
    const { repo, state } = args
    const look = await lookAt(host, listsLook)
    const paths = look.names('list:')
    const lists = new Map(paths.map((path) => [path, look.section(`list:${path}`) ?? '']))
    const source = sourceOf(repo, args.codename ?? look.section('codename')?.trim() ?? '')
    const file = `/etc/apt/sources.list.d/${listName(source, args.filename)}`
    const changes = state === 'present' ? withSource(lists, source, file) : withoutSource(lists, source)
    const added = [...changes.keys()].filter((path) => !lists.has(path))
    const removed = [...changes].filter(([, text]) => text === undefined).map(([path]) => path)
    const result = { repo, sources_added: added, sources_removed: removed, state }
    if (changes.size === 0) return { changed: false, ...result }
    const script = joinScripts([
      sh`(`,
      applied(changes, modeOf(args.mode)),
      ...(args.update_cache ? [sh`( ${updateScript({ ...args, lock_timeout: 60 })} ) || {`, undone(changes, lists), sh`exit 91; }`] : []),
      sh`)`,
    ])
    const done = yield { what: 'source', diff: diffs(changes, lists), onFailure: 'tell', script }
    if (done && done.code !== 0) {
      const reason = textOf(done.stderr).trim()
      throw new ModuleFailure(
        done.code === 91 ? `Failed to update apt cache after ${args.update_cache_retries} retries: ${reason}` : reason,
      )
    }
    return { changed: true, ...result, ...(host.diff ? { diff: diffs(changes, lists).map(told) } : {}) }
  },
})

const listsLook: Script = sh`
for x in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do if [ -f "$x" ]; then printf '\036list:%s\n' "$x"; cat "$x"; fi; done
printf '\036codename\n'; if [ -r /etc/os-release ]; then (. /etc/os-release; printf '%s\n' "$VERSION_CODENAME"); fi`

/** The source as a line; a personal package archive by its address. */
function sourceOf(repo: string, codename: string): string {
  if (repo.startsWith('ppa:')) {
    const [owner = '', name = 'ppa'] = repo.slice(4).split('/')
    return `deb http://ppa.launchpad.net/${owner}/${name}/ubuntu ${codename} main`
  }
  const line = parseSource(repo)
  if (!line.valid || !line.enabled) throw new ModuleFailure(`Invalid repository string: ${repo}`)
  return line.source
}

const modeOf = (mode: unknown): string => (typeof mode === 'string' ? mode : typeof mode === 'number' ? mode.toString(8) : '0644')

const applied = (changes: ListChanges, mode: string): Script =>
  joinScripts(
    [...changes].map(([path, text]) =>
      text === undefined
        ? sh`rm -f ${path} || exit $?`
        : sh`mkdir -p /etc/apt/sources.list.d; ${writeText(path, text, { mode })} || exit $?`,
    ),
  )

/** The lists as they were. */
const undone = (changes: ListChanges, before: ReadonlyMap<string, string>): Script =>
  joinScripts([...changes.keys()].map((path) => (before.has(path) ? writeText(path, before.get(path)!) : sh`rm -f ${path}`)))

function diffs(changes: ListChanges, before: ReadonlyMap<string, string>): Diff[] {
  return [...changes].map(([path, text]) => ({
    before: before.get(path) ?? '',
    after: text ?? '',
    beforeHeader: before.has(path) ? path : '/dev/null',
    afterHeader: text === undefined ? '/dev/null' : path,
  }))
}

/** A diff under the names that results have. */
const told = ({ before, after, beforeHeader, afterHeader }: Diff): JsonObject => ({
  before: before ?? '',
  after: after ?? '',
  before_header: beforeHeader ?? '',
  after_header: afterHeader ?? '',
})
