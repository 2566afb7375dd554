/** Package files → installed packages, with what they need. */
import { type Look, linesOf } from '../../facts/index.ts'
import { joinScripts, type Script, sh, textOf } from '../../remote/index.ts'
import { type Change, type Done, type Host, ModuleFailure, type Result } from '../api.ts'
import { lookAt } from '../system/looking.ts'
import { commandScript, quiet, runApt } from './apt-command.ts'
import type { AptArgs } from './apt-params.ts'
import { compareVersions } from './debian-version.ts'

type Run = AsyncGenerator<Change, Result, Done>

/** A package file as dpkg-deb and the host describe it. */
interface Deb {
  readonly path: string
  readonly package: string
  readonly version: string
  readonly recommends: string
  /** the installed version, if any */
  readonly installed: string | undefined
}

export async function* installDebs(args: AptArgs, host: Host, files: string): Run {
  const paths = yield* fetched(files.split(','))
  if (paths === undefined) return { changed: true, stdout: '', stderr: '' }
  const look = await lookAt(host, debLook(paths))
  const debs = paths
    .map((path) => readDeb(look, path))
    .filter((deb) => deb.installed === undefined || compareVersions(deb.version, deb.installed) !== 0)
  if (debs.length === 0) return { changed: false, stdout: '', stderr: '' }
  const needed = dependencies(args, look, debs)
  return yield* install(args, host, debs, needed)
}

/** Files named by an address are fetched onto the host; undefined in check mode, where none can be looked at. */
async function* fetched(files: readonly string[]): AsyncGenerator<Change, readonly string[] | undefined, Done> {
  const paths: string[] = []
  for (const file of files) {
    if (!file.includes('://')) {
      paths.push(file)
      continue
    }
    const script = sh`f=$(mktemp /tmp/XXXXXXXX.deb) && /usr/lib/apt/apt-helper download-file ${file} "$f" >&2 && printf %s "$f"`
    const done = yield { what: 'download', counts: false, onFailure: 'tell', script }
    if (!done) return undefined
    if (done.code !== 0) throw new ModuleFailure(`Failure downloading ${file}, ${textOf(done.stderr).trim()}`)
    paths.push(textOf(done.stdout))
  }
  return paths
}

const debLook = (paths: readonly string[]): Script =>
  joinScripts([
    quiet,
    ...paths.map(
      (path, index) => sh`
if [ ! -e ${path} ]; then printf '\036missing:%s\n' ${index}; fi
if p=$(dpkg-deb -f ${path} Package 2>/dev/null); then
  printf '\036deb:%s\n%s\n%s\n%s\n' ${index} "$p" "$(dpkg-deb -f ${path} Version)" "$(dpkg-deb -f ${path} Recommends)"
  printf '\036now:%s\n' ${index}; dpkg-query -W -f ${'${db:Status-Abbrev}|${Version}\n'} "$p" 2>/dev/null
fi`,
    ),
    sh`o=$(apt-get -s --allow-downgrades install ${paths.map((path) => (path.startsWith('/') ? path : `./${path}`))} 2>&1 </dev/null); printf '\036plan\n%s\n%s\n' $? "$o"`,
    sh`printf '\036paths\n'; printf '%s\n' ${paths}`,
  ])

function readDeb(look: Look, path: string): Deb {
  const index = linesOf(look.section('paths')).indexOf(path)
  if (look.section(`missing:${index}`) !== undefined) {
    throw new ModuleFailure(`Unable to install package: E:Could not open file ${path} - open (2: No such file or directory)`)
  }
  const [name, version, recommends] = linesOf(look.section(`deb:${index}`))
  if (name === undefined || version === undefined) throw new ModuleFailure(`Unable to install package: ${path} is not a Debian package`)
  const [state, installed] = (linesOf(look.section(`now:${index}`))[0] ?? '').split('|')
  return { path, package: name, version, recommends: recommends ?? '', installed: state?.[1] === 'i' ? installed : undefined }
}

/** The packages that have to come along, as apt plans it. */
function dependencies(args: AptArgs, look: Look, debs: readonly Deb[]): readonly string[] {
  const older = debs.find((deb) => deb.installed !== undefined && compareVersions(deb.version, deb.installed) < 0)
  if (older && !args.force && !args.allow_downgrade) throw new ModuleFailure('A later version is already installed')
  const [code, ...lines] = linesOf(look.section('plan'))
  if (code !== '0' && !args.force) throw new ModuleFailure(unsatisfied(lines))
  const own = new Set(debs.map((deb) => deb.package))
  const planned = lines.flatMap((line) => /^Inst (\S+)/.exec(line)?.[1] ?? []).filter((name) => !own.has(name))
  const recommended = args.install_recommends
    ? debs.flatMap((deb) => deb.recommends.split(',').map((one) => one.trim().split(/[\s|(]/)[0]!))
    : []
  return [...new Set([...planned, ...recommended.filter(Boolean)])]
}

/** apt's own words on what is missing; only told, never decided by. */
function unsatisfied(lines: readonly string[]): string {
  const names = lines.flatMap((line) => /Depends: (.+?)(?: but .*)?$/.exec(line)?.[1] ?? [])
  return `Dependency is not satisfiable: ${names.length > 0 ? names.join(', ') : lines.join('\n')}\n`
}

async function* install(args: AptArgs, host: Host, debs: readonly Deb[], needed: readonly string[]): Run {
  const limits = { lockTimeout: args.lock_timeout, policyRcD: args.policy_rc_d }
  let before = { stdout: '', stderr: '' }
  if (needed.length > 0) {
    const recommends =
      args.install_recommends === undefined ? [] : ['-o', `APT::Install-Recommends=${args.install_recommends ? 'yes' : 'no'}`]
    const options = args.dpkg_options.split(',').flatMap((option) => ['-o', `Dpkg::Options::=--${option}`])
    const done = yield* runApt(
      host,
      { ...limits, words: ['apt-get', '-y', ...options, 'install', ...needed, ...recommends] },
      'dependencies',
    )
    if (done.rc !== 0) throw new ModuleFailure(`'apt-get install ${needed.join(' ')}' failed: ${done.stderr}`, { ...done })
    before = done
  }
  const words = [
    'dpkg',
    ...args.dpkg_options.split(',').map((option) => `--${option}`),
    ...(args.force ? ['--force-all'] : []),
    '-i',
    ...debs.map((deb) => deb.path),
  ]
  const done = yield { what: 'packages', onFailure: 'tell', script: commandScript({ ...limits, words }, words) }
  const stdout = before.stdout + (done ? textOf(done.stdout) : '')
  const stderr = before.stderr + (done ? textOf(done.stderr) : '')
  if (done && done.code !== 0) throw new ModuleFailure(`${words.join(' ')} failed`, { stdout, stderr, rc: done.code })
  return { changed: true, stdout, stderr }
}
