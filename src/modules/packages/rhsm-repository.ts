/** rhsm_repository: makes repositories of a Red Hat subscription be enabled or not. */
import { globPattern, linesOf } from '../../facts/index.ts'
import { bool, choice, fallback, list, required } from '../../params/index.ts'
import { sh, textOf } from '../../remote/index.ts'
import { defineModule, ModuleFailure } from '../api.ts'
import { lookAt } from '../system/looking.ts'

export default defineModule({
  name: 'community.general.rhsm_repository',
  summary: 'Enables repositories of Red Hat subscriptions.',
  params: {
    name: required(list()),
    state: choice(['enabled', 'disabled', 'present', 'absent'], 'enabled'),
    purge: fallback(bool(), false),
  },
  async *run({ name: names, state, purge }, host) {
    const look = await lookAt(
      host,
      sh`printf '\036user\n'; id -u; if w subscription-manager; then printf '\036e:tool\n'; c repos subscription-manager repos --list; fi`,
    )
    if (look.section('user')?.trim() !== '0')
      throw new ModuleFailure("Interacting with subscription-manager requires root permissions ('become: true')")
    if (!look.exists('tool')) throw new ModuleFailure('Failed to find required executable "subscription-manager"')
    const repositories = parseRepositories(look.command('repos'))
    const on = state === 'enabled' || state === 'present'
    const named = names.map((name) => ({ name, found: repositories.filter((one) => globPattern(name).test(one.id)) }))
    const missing = named.filter((one) => one.found.length === 0).map((one) => one.name)
    if (missing.length > 0)
      throw new ModuleFailure(missing.map((name) => `${name} is not a valid repository ID`).join('\n'), { results: missing })
    const wanted = new Set(named.flatMap((one) => one.found.map((repo) => repo.id)))
    const enable = on ? repositories.filter((repo) => wanted.has(repo.id) && !repo.enabled) : []
    const disable = repositories.filter((repo) => repo.enabled && (on ? purge && !wanted.has(repo.id) : wanted.has(repo.id)))
    const words = [...enable.flatMap((repo) => ['--enable', repo.id]), ...disable.flatMap((repo) => ['--disable', repo.id])]
    const told = [
      ...enable.map((repo) => `Repository '${repo.id}' is enabled for this system`),
      ...disable.map((repo) => `Repository '${repo.id}' is disabled for this system`),
    ]
    if (words.length === 0) return { changed: false, results: told, repositories: repositories.map((repo) => ({ ...repo })) }
    const done = yield { what: 'repositories', onFailure: 'tell', script: sh`subscription-manager repos ${words}` }
    if (done && done.code !== 0) throw new ModuleFailure(textOf(done.stderr) || textOf(done.stdout), { rc: done.code })
    const after = repositories.map((repo) => ({ ...repo, enabled: enable.includes(repo) || (repo.enabled && !disable.includes(repo)) }))
    return { changed: true, results: told, repositories: after }
  },
})

/** Blocks of four `Word: value` lines: id, name, address, and whether it is enabled. */
function parseRepositories(text: string | undefined): { id: string; name: string; url: string; enabled: boolean }[] {
  const blocks: string[][] = [[]]
  for (const line of linesOf(text)) {
    const value = /^[^:]+:\s+(.*)$/.exec(line)?.[1]
    if (line.trim() === '') blocks.push([])
    else if (value !== undefined) blocks.at(-1)!.push(value.trim())
  }
  return blocks
    .filter((block) => block.length === 4)
    .map(([id, name, url, enabled]) => ({ id: id!, name: name!, url: url!, enabled: enabled === '1' }))
}
