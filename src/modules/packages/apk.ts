/** apk: makes packages of Alpine be there, be gone or be the latest. */
import { linesOf } from '../../facts/index.ts'
import { bool, choice, fallback, list, str } from '../../params/index.ts'
import { sh, textOf } from '../../remote/index.ts'
import { defineModule, ModuleFailure } from '../api.ts'
import { lookAt } from '../system/looking.ts'
import { mustSucceed, runListed } from './listing.ts'

export default defineModule({
  name: 'community.general.apk',
  summary: 'Manages packages of Alpine.',
  params: {
    name: list(),
    state: choice(['present', 'installed', 'absent', 'removed', 'latest'], 'present'),
    repository: list(),
    update_cache: fallback(bool(), false),
    upgrade: fallback(bool(), false),
    available: fallback(bool(), false),
    no_cache: fallback(bool(), false),
    world: str(),
  },
  rules: { requiredOneOf: [['name', 'update_cache', 'upgrade']], mutuallyExclusive: [['name', 'upgrade']] },
  async *run(args, host) {
    const names = args.name ?? []
    const options = [
      ...(args.no_cache ? ['--no-cache'] : []),
      ...(args.repository ?? []).flatMap((one) => ['--repository', one, '--repositories-file', '/dev/null']),
    ]
    const apk = sh`apk ${options}`
    if (args.update_cache) {
      const done = yield { what: 'cache', counts: names.length === 0 && !args.upgrade, onFailure: 'tell', script: sh`${apk} update` }
      const stdout = done ? textOf(done.stdout) : ''
      if (done && done.code !== 0) throw new ModuleFailure('could not update package db', { stdout, stderr: textOf(done.stderr) })
      if (names.length === 0 && !args.upgrade) return { changed: true, msg: 'updated repository indexes', stdout, stderr: '' }
    }
    const list = sh`apk info -v 2>/dev/null | sort`
    const look = await lookAt(
      host,
      sh`
for x in ${names}; do if apk info -e "$x" >/dev/null 2>&1; then printf '\036have:%s\n' "$x"; fi; done
printf '\036old\n'; apk version -q -l '<' ${names.map((name) => name.replace(/[<>=~@].*$/, ''))} 2>/dev/null`,
    )
    const have = (name: string): boolean => look.section(`have:${name}`) !== undefined
    const old = linesOf(look.section('old')).filter(Boolean)
    if (args.upgrade) {
      if (old.length === 0 && !args.available) return { changed: false, msg: 'packages already upgraded', packages: [] }
      const outcome = yield* runListed(list, sh`${apk} upgrade ${args.available ? ['--available'] : []}`)
      mustSucceed(outcome, 'failed to upgrade packages')
      const changed = outcome?.changed ?? true
      return { changed, msg: changed ? 'upgraded packages' : 'packages already upgraded', packages: outcome?.installed ?? [] }
    }
    const absent = args.state === 'absent' || args.state === 'removed'
    const wanted = absent
      ? names.filter(have)
      : names.filter((name) => !have(name) || (args.state === 'latest' && old.some((one) => isOf(one, name))))
    if (wanted.length === 0)
      return { changed: false, msg: absent ? 'package(s) already removed' : 'package(s) already installed', packages: [] }
    const command = absent ? sh`${apk} del ${wanted}` : sh`${apk} add ${args.state === 'latest' ? ['-u'] : []} ${wanted}`
    const outcome = yield* runListed(list, command)
    mustSucceed(outcome, absent ? `failed to remove ${wanted.join(' ')} package(s)` : `failed to install ${wanted.join(' ')}`)
    const packages = absent ? (outcome?.removed ?? wanted) : (outcome?.installed ?? wanted)
    const said = outcome ? { stdout: outcome.stdout, stderr: outcome.stderr } : {}
    return {
      changed: outcome?.changed ?? true,
      msg: absent ? `removed ${wanted.join(' ')} package(s)` : `installed ${wanted.join(' ')} package(s)`,
      packages,
      ...said,
    }
  },
})

/** `musl` or `musl-1.2.4-r2` is a line of the package musl. */
const isOf = (line: string, name: string): boolean =>
  line === name || (line.startsWith(`${name}-`) && /^\d/.test(line.slice(name.length + 1)))
