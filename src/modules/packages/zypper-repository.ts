/** zypper_repository: makes a repository of zypper be there with its settings, or be gone; or refreshes it. */
import type { JsonObject } from '../../base/index.ts'
import { type Args, bool, choice, fallback, int, str } from '../../params/index.ts'
import { sh, textOf } from '../../remote/index.ts'
import { type Change, type Done, defineModule, type Host, ModuleFailure, type Result } from '../api.ts'
import type { Ran } from '../system/looking.ts'
import { askTool, mustSucceed, useTool } from '../system/tools.ts'
import { readXml } from '../xml/parse.ts'
import type { XmlElement } from '../xml/tree.ts'
import { stringOfNode } from '../xml/xpath.ts'

const params = {
  auto_import_keys: fallback(bool({ description: 'take the keys that the repository signs with' }), false),
  autorefresh: fallback(bool({ aliases: ['refresh'], description: 'its lists are refreshed by themselves' }), true),
  description: str({ description: 'what it is called' }),
  disable_gpg_check: fallback(bool(), false),
  enabled: fallback(bool({ description: 'whether it is used' }), true),
  name: str({ description: 'its alias' }),
  overwrite_multiple: fallback(bool({ description: 'take the place of several that match' }), false),
  priority: int({ description: 'its rank: small ones first' }),
  repo: str({ description: 'its address, or that of a .repo file; * for all' }),
  runrefresh: fallback(bool({ description: 'refresh its lists' }), false),
  state: choice(['absent', 'present'], 'present'),
} as const

type ZypperArgs = Args<typeof params>

/** A repository as zypper tells it and as it is wished, by the same names. */
type Repo = Record<'alias' | 'name' | 'priority' | 'enabled' | 'autorefresh' | 'gpgcheck' | 'url', string | null>

export default defineModule({
  name: 'community.general.zypper_repository',
  summary: "Manages zypper's repositories.",
  checkMode: false,
  params,
  async *run(args, host) {
    const { repo, name, state } = args
    if (repo === '*' || name === '*') return yield* refreshAll(args)
    checkGiven(args)
    const wish = await wishOf(host, args)
    const found = (await repositories(host)).filter((one) => one.alias === wish.repo.alias || one.url === wish.repo.url)
    if (found.length > 1 && !args.overwrite_multiple)
      throw new ModuleFailure(
        `More than one repo matched "${wish.repo.url}": "${JSON.stringify(found)}". Use overwrite_multiple to allow more than one repo to be overwritten`,
      )
    const [only] = found
    const short = wish.repo.alias ?? repo!
    const result = { repodata: shown(wish.repo, args), state }
    if (state === 'absent') {
      if (!only) return { changed: false, ...result }
      return finished(yield* zypper(['removerepo', short]), result)
    }
    if (found.length === 1 && !(await differs(host, only!, wish.repo))) {
      if (args.runrefresh) yield* refresh(wish.importKeys, short)
      return { changed: false, ...result }
    }
    const version = await zypperVersion(host)
    for (const old of found) mustSucceed(yield* zypper(['removerepo', old.url ?? '']), ['zypper', 'removerepo'])
    const warnings: string[] = []
    const done = yield* zypper(addWords(wish.repo, args, version, warnings))
    if (done?.rc === 0 && (args.runrefresh || wish.importKeys)) yield* refresh(wish.importKeys, short)
    return finished(done, { ...result, warnings })
  },
})

const BASE = ['zypper', '--quiet', '--non-interactive']

const zypper = (words: readonly string[]): AsyncGenerator<Change, Ran | undefined, Done> => useTool('repository', [...BASE, ...words])

function finished(done: Ran | undefined, result: JsonObject): Result {
  if (done && done.rc !== 0)
    throw new ModuleFailure(`Zypper failed with rc ${done.rc}`, { ...result, rc: done.rc, stdout: done.stdout, stderr: done.stderr })
  return { warnings: [], ...result, changed: true }
}

async function* refresh(importKeys: boolean, short?: string): AsyncGenerator<Change, void, Done> {
  const words = [...(importKeys ? ['--gpg-auto-import-keys'] : []), 'refresh', '--force', ...(short === undefined ? [] : ['-r', short])]
  mustSucceed(yield* useTool('lists', [...BASE, ...words], { counts: false }), [...BASE, ...words])
}

async function* refreshAll(args: ZypperArgs): AsyncGenerator<Change, Result, Done> {
  if (!args.runrefresh) throw new ModuleFailure('repo=* can only be used with the runrefresh option.')
  yield* refresh(args.auto_import_keys)
  return { changed: false, runrefresh: true }
}

function checkGiven({ repo, name, state }: ZypperArgs): void {
  if (state === 'present' && !repo) throw new ModuleFailure('Module option state=present requires repo')
  if (state === 'absent' && !repo && !name) throw new ModuleFailure('Alias or repo parameter required when state=absent')
  if (repo?.endsWith('.repo')) {
    if (name) throw new ModuleFailure("Incompatible option: 'name'. Do not use name when adding .repo files")
  } else if (!name && state === 'present') throw new ModuleFailure('Name required when adding non-repo files.')
}

interface Wish {
  readonly repo: Repo
  readonly importKeys: boolean
}

async function wishOf(host: Host, args: ZypperArgs): Promise<Wish> {
  const flag = (on: boolean): string => (on ? '1' : '0')
  const repo: Repo = {
    url: args.repo ?? null,
    alias: args.name ?? null,
    name: args.description ?? null,
    priority: args.priority === undefined ? null : String(args.priority),
    enabled: flag(args.enabled),
    gpgcheck: flag(!args.disable_gpg_check),
    autorefresh: flag(args.autorefresh),
  }
  if (!args.repo?.endsWith('.repo')) return { repo, importKeys: args.auto_import_keys }
  const { section, items } = await repoFile(host, args.repo)
  const given = (name: keyof Repo): Partial<Repo> => (items.has(name) ? { [name]: items.get(name)! } : {})
  return {
    repo: {
      ...repo,
      alias: section,
      url: items.get('baseurl')!,
      ...given('name'),
      ...given('enabled'),
      ...given('autorefresh'),
      ...given('gpgcheck'),
    },
    importKeys: args.auto_import_keys || items.has('gpgkey'),
  }
}

async function repoFile(host: Host, place: string): Promise<{ section: string; items: ReadonlyMap<string, string> }> {
  const web = /^https?:\/\//.test(place)
  const told = await host.look(
    web ? sh`if command -v curl >/dev/null; then curl -fsSL -- ${place}; else wget -qO- -- ${place}; fi` : sh`cat -- ${place}`,
    { onFailure: 'tell' },
  )
  if (told.code !== 0)
    throw new ModuleFailure(web ? 'Error downloading .repo file from provided URL' : 'Error opening .repo file from provided path')
  const sections: string[] = []
  const items = new Map<string, string>()
  for (const line of textOf(told.stdout).split('\n')) {
    const head = /^\[(.+)\]\s*$/.exec(line)?.[1]
    if (head !== undefined) sections.push(head)
    const [, key, value] = /^([^#;=:\s][^=:]*?)\s*[=:]\s*(.*?)\s*$/.exec(line) ?? []
    if (key !== undefined && head === undefined) items.set(key.toLowerCase(), value!)
  }
  if (sections.length !== 1) throw new ModuleFailure(`Invalid format, .repo file contains ${sections.length} repositories, expected 1`)
  if (!items.has('baseurl')) throw new ModuleFailure('No baseurl found in .repo file')
  return { section: sections[0]!, items }
}

async function repositories(host: Host): Promise<Repo[]> {
  const words = [...BASE, '--xmlout', 'repos']
  const told = await askTool(host, words)
  // 6: there are none
  if (told.rc === 6) return []
  if (told.rc !== 0)
    throw new ModuleFailure(`Failed to execute "${words.join(' ')}"`, { rc: told.rc, stdout: told.stdout, stderr: told.stderr })
  return elements(readXml(told.stdout).root, 'repo').map((one) => {
    const text = (name: string): string => one.attribute('', name)?.value ?? ''
    const [url] = elements(one, 'url')
    return {
      ...{ alias: text('alias'), name: text('name'), priority: text('priority'), enabled: text('enabled') },
      ...{ autorefresh: text('autorefresh'), gpgcheck: text('gpgcheck'), url: url ? stringOfNode(url) : '' },
    }
  })
}

const elements = (within: XmlElement, name: string): XmlElement[] =>
  within.children.flatMap((one) => (one.kind !== 'element' ? [] : [...(one.local === name ? [one] : []), ...elements(one, name)]))

/** Compares what is wished, where something is; variables in addresses are looked up first. */
async function differs(host: Host, now: Repo, wish: Repo): Promise<boolean> {
  for (const key of Object.keys(now) as (keyof Repo)[]) {
    if (!wish[key]) continue
    const [old, next] = key === 'url' ? [await plainUrl(host, now[key]), await plainUrl(host, wish[key])] : [now[key] ?? '', wish[key]]
    if (old !== next) return true
  }
  return false
}

async function plainUrl(host: Host, url: string | null): Promise<string> {
  let text = url ?? ''
  for (const [variable, format] of [
    ['$releasever', '%{version}'],
    ['$basearch', '%{arch}'],
  ] as const) {
    if (!text.includes(variable)) continue
    const told = await askTool(host, ['rpm', '-q', '--qf', format, '-f', '/etc/os-release'])
    text = text.replaceAll(variable, told.stdout)
  }
  return text.replace(/\/+$/, '')
}

async function zypperVersion(host: Host): Promise<readonly number[]> {
  const told = await askTool(host, ['zypper', '--version'])
  return (/^zypper (\d+(?:\.\d+)*)/.exec(told.stdout)?.[1] ?? '1.0').split('.').map(Number)
}

const isSince = (version: readonly number[], since: readonly number[]): boolean => {
  for (const [i, part] of since.entries()) if ((version[i] ?? 0) !== part) return (version[i] ?? 0) > part
  return true
}

function addWords(repo: Repo, args: ZypperArgs, version: readonly number[], warnings: string[]): string[] {
  const words = ['addrepo', '--check', ...(repo.name ? ['--name', repo.name] : [])]
  if (repo.priority) {
    if (isSince(version, [1, 12, 25])) words.push('--priority', repo.priority)
    else warnings.push('Setting priority only available for zypper >= 1.12.25. Ignoring priority argument.')
  }
  if (repo.enabled === '0') words.push('--disable')
  if (isSince(version, [1, 6, 2])) words.push(repo.gpgcheck === '1' ? '--gpgcheck' : '--no-gpgcheck')
  else warnings.push('Enabling/disabling gpgcheck only available for zypper >= 1.6.2. Using zypper default value.')
  if (repo.autorefresh === '1') words.push('--refresh')
  return [...words, repo.url ?? '', ...(repo.url?.endsWith('.repo') ? [] : [repo.alias ?? args.name ?? ''])]
}

const shown = (repo: Repo, args: ZypperArgs): JsonObject => ({ ...repo, priority: args.priority ?? null })
