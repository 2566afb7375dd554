/** pacman: makes packages of Arch be there, be gone or be the latest. */
import { linesOf } from '../../facts/index.ts'
import { bool, choice, fallback, list, str } from '../../params/index.ts'
import { sh, textOf } from '../../remote/index.ts'
import { defineModule, ModuleFailure } from '../api.ts'
import { lookAt } from '../system/looking.ts'
import { mustSucceed, runListed } from './listing.ts'

export default defineModule({
  name: 'community.general.pacman',
  summary: 'Manages packages of Arch.',
  params: {
    name: list('str', { aliases: ['package', 'pkg'] }),
    state: choice(['present', 'installed', 'latest', 'absent', 'removed'], 'present'),
    executable: fallback(str(), 'pacman'),
    force: fallback(bool(), false),
    remove_nosave: fallback(bool(), false),
    extra_args: fallback(str(), ''),
    update_cache: bool(),
    update_cache_extra_args: fallback(str(), ''),
    upgrade: bool(),
    upgrade_extra_args: fallback(str(), ''),
    reason: choice(['explicit', 'dependency']),
    reason_for: choice(['new', 'all'], 'new'),
  },
  rules: { requiredOneOf: [['name', 'update_cache', 'upgrade']], mutuallyExclusive: [['name', 'upgrade']] },
  async *run(args, host) {
    const names = args.name ?? []
    const pacman = sh`${args.executable} --noconfirm --noprogressbar`
    const words = (text: string): string[] => text.split(/\s+/).filter(Boolean)
    const list = sh`${args.executable} -Q 2>/dev/null`
    const base = { packages: [] as readonly string[] }
    if (args.update_cache) {
      const script = sh`${pacman} --sync --refresh ${args.force ? ['--refresh'] : []} ${words(args.update_cache_extra_args)}`
      const done = yield { what: 'cache', counts: names.length === 0 && !args.upgrade, onFailure: 'tell', script }
      if (done && done.code !== 0)
        throw new ModuleFailure('could not update package db', { stdout: textOf(done.stdout), stderr: textOf(done.stderr) })
      if (names.length === 0 && !args.upgrade) return { changed: true, cache_updated: true, msg: 'Updated the package DB' }
    }
    const look = await lookAt(
      host,
      sh`
for x in ${names}; do if ${args.executable} -Q "$x" >/dev/null 2>&1 || ${args.executable} -Qg "$x" >/dev/null 2>&1; then printf '\036have:%s\n' "$x"; fi; done
printf '\036old\n'; ${args.executable} -Qu 2>/dev/null`,
    )
    const have = (name: string): boolean => look.section(`have:${name}`) !== undefined
    const old = linesOf(look.section('old')).map((line) => line.split(' ')[0]!)
    if (args.upgrade) {
      if (old.length === 0) return { changed: false, msg: 'Nothing to upgrade', ...base }
      const outcome = yield* runListed(list, sh`${pacman} --sync --sysupgrade --quiet ${words(args.upgrade_extra_args)}`)
      mustSucceed(outcome, 'Could not upgrade')
      return { changed: true, msg: 'System upgraded', packages: old }
    }
    const absent = args.state === 'absent' || args.state === 'removed'
    const wanted = absent ? names.filter(have) : names.filter((name) => !have(name) || (args.state === 'latest' && old.includes(name)))
    if (wanted.length === 0) return { changed: false, msg: absent ? 'package(s) already absent' : 'package(s) already installed', ...base }
    const removal = [
      ...(args.force ? ['--nodeps', '--nodeps'] : []),
      ...(args.remove_nosave ? ['--nosave'] : []),
      ...words(args.extra_args),
    ]
    const isFile = (name: string): boolean => /\.pkg\.tar(\.\w+)?$/.test(name)
    const files = wanted.filter(isFile)
    const packages = wanted.filter((name) => !isFile(name))
    const install = sh`${packages.length > 0 ? sh`${pacman} --sync --needed ${words(args.extra_args)} ${packages}` : sh`:`} && ${files.length > 0 ? sh`${pacman} --upgrade ${words(args.extra_args)} ${files}` : sh`:`}`
    const outcome = yield* runListed(list, absent ? sh`${pacman} --remove ${removal} ${wanted}` : install)
    mustSucceed(outcome, absent ? 'failed to remove package(s)' : 'Failed to install package(s)')
    const reason = args.reason
    if (reason && !absent)
      yield { what: 'reason', script: sh`${args.executable} --database ${reason === 'explicit' ? '--asexplicit' : '--asdeps'} ${packages}` }
    const named = (lines: readonly string[]): string[] => lines.map((line) => line.split(' ')[0]!)
    const touched = absent ? named(outcome?.removed ?? wanted) : named(outcome?.installed ?? wanted)
    return { changed: outcome?.changed ?? true, msg: `${absent ? 'Removed' : 'Installed'} ${touched.length} package(s)`, packages: touched }
  },
})
