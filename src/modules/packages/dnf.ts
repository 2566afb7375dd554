/** dnf, yum: makes RPM packages be there, be gone or be the latest. */
import { type Look, linesOf } from '../../facts/index.ts'
import { type Args, bool, choice, fallback, int, list, str } from '../../params/index.ts'
import { joinScripts, type Script, sh, textOf } from '../../remote/index.ts'
import { type Change, type Done, defineModule, type Host, ModuleFailure, type Result } from '../api.ts'
import { lookAt } from '../system/looking.ts'
import { runListed } from './listing.ts'

const params = {
  allow_downgrade: fallback(bool(), false),
  allowerasing: fallback(bool(), false),
  autoremove: fallback(bool(), false),
  best: bool(),
  bugfix: fallback(bool(), false),
  cacheonly: fallback(bool(), false),
  conf_file: str(),
  disable_excludes: str(),
  disable_gpg_check: fallback(bool(), false),
  disable_plugin: fallback(list(), []),
  disablerepo: fallback(list(), []),
  download_only: fallback(bool(), false),
  download_dir: str(),
  enable_plugin: fallback(list(), []),
  enablerepo: fallback(list(), []),
  exclude: fallback(list(), []),
  installroot: fallback(str(), '/'),
  install_repoquery: fallback(bool(), true),
  install_weak_deps: fallback(bool(), true),
  list: str(),
  name: fallback(list('str', { aliases: ['pkg'] }), []),
  nobest: bool(),
  releasever: str(),
  security: fallback(bool(), false),
  skip_broken: fallback(bool(), false),
  state: choice(['absent', 'installed', 'latest', 'present', 'removed']),
  update_cache: fallback(bool({ aliases: ['expire-cache'] }), false),
  update_only: fallback(bool(), false),
  use_backend: choice(['auto', 'dnf', 'yum', 'yum4', 'dnf4', 'dnf5'], 'auto'),
  validate_certs: fallback(bool(), true),
  sslverify: fallback(bool(), true),
  lock_timeout: fallback(int(), 30),
} as const

type DnfArgs = Args<typeof params>
type Run = AsyncGenerator<Change, Result, Done>

export default defineModule({
  name: 'ansible.builtin.dnf',
  aliases: ['ansible.builtin.yum', 'ansible.builtin.dnf5'],
  summary: 'Manages RPM packages and groups.',
  params,
  rules: {
    mutuallyExclusive: [
      ['name', 'list'],
      ['best', 'nobest'],
    ],
    requiredOneOf: [['name', 'list', 'update_cache']],
  },
  async *run(args, host) {
    const names = args.name
      .flatMap((name) => name.split(','))
      .map((name) => name.trim())
      .filter(Boolean)
    const state = args.state ?? (args.autoremove ? 'absent' : 'present')
    if (args.autoremove && state !== 'absent' && state !== 'removed')
      throw new ModuleFailure('Autoremove should be used alone or with state=absent')
    if (args.list !== undefined) return await listed(args, host, args.list)
    const look = await lookAt(host, packageLook(args, names, state === 'latest'))
    const program = programOf(args, look)
    if (program === undefined) throw new ModuleFailure('Could not find dnf or yum on this host')
    const base = { changed: false, rc: 0, results: [] as string[], msg: '' }
    if (args.update_cache) {
      const done = yield { what: 'cache', counts: false, onFailure: 'tell', script: sh`${program} ${optionWords(args)} -q makecache` }
      if (done && done.code !== 0)
        throw new ModuleFailure(`Failed to download metadata: ${textOf(done.stderr).trim()}`, { rc: done.code, results: [] })
      if (names.length === 0 && !args.autoremove) return { ...base, msg: 'Cache updated' }
    }
    const plan = planOf(args, names, state, look)
    if (plan.words.length === 0) return { ...base, msg: 'Nothing to do' }
    return yield* apply(args, program, plan)
  },
})

const rpmList: Script = sh`rpm -qa --qf ${'%{NAME}-%{VERSION}-%{RELEASE}.%{ARCH}\\n'} | sort`

/** A plain name, as against files, addresses, groups, globs and comparisons. */
const isPlain = (name: string): boolean => !/[/*?[\]<>=@ ]/.test(name) && !name.endsWith('.rpm')

const packageLook = (args: DnfArgs, names: readonly string[], latest: boolean): Script => sh`
for x in dnf5 dnf microdnf yum; do if w $x; then printf '\036e:%s\n' $x; fi; done
for x in ${names.filter(isPlain)}; do
  if rpm -q "$x" >/dev/null 2>&1 || rpm -q --whatprovides "$x" >/dev/null 2>&1; then printf '\036have:%s\n' "$x"; fi
done
for x in ${names.filter((name) => name.endsWith('.rpm') && !name.includes('://'))}; do
  if n=$(rpm -qp --qf ${'%{NAME}-%{VERSION}-%{RELEASE}.%{ARCH}'} "$x" 2>/dev/null) && rpm -q "$n" >/dev/null 2>&1; then printf '\036have:%s\n' "$x"; fi
done
${
  latest
    ? sh`p=; for x in dnf5 dnf yum; do if [ -z "$p" ] && w $x; then p=$x; fi; done
if [ -n "$p" ]; then printf '\036updates\n'; $p ${optionWords(args)} -q check-update ${names.filter((name) => name !== '*')} >/dev/null 2>&1; printf '%s\n' $?; fi`
    : sh``
}`

const backends: Readonly<Record<string, string>> = { dnf: 'dnf', dnf4: 'dnf', yum4: 'dnf', yum: 'yum', dnf5: 'dnf5' }

function programOf(args: DnfArgs, look: Look): string | undefined {
  const wanted = args.use_backend === 'auto' ? undefined : backends[args.use_backend]
  return (wanted === undefined ? ['dnf', 'dnf5', 'yum', 'microdnf'] : [wanted, 'yum']).find((one) => look.exists(one))
}

interface Plan {
  readonly verb: 'install' | 'upgrade' | 'remove' | 'autoremove'
  /** packages the verb is used on; a lone empty word means all */
  readonly words: readonly string[]
  /** further packages to install in the same breath */
  readonly also: readonly string[]
}

function planOf(args: DnfArgs, names: readonly string[], state: string, look: Look): Plan {
  const have = (name: string): boolean => look.section(`have:${name}`) !== undefined
  if (args.autoremove && names.length === 0) return { verb: 'autoremove', words: [''], also: [] }
  if (state === 'absent' || state === 'removed') {
    return { verb: args.autoremove ? 'autoremove' : 'remove', words: names.filter((name) => !isPlain(name) || have(name)), also: [] }
  }
  if (state !== 'latest') {
    const missing = names.filter((name) => !have(name))
    return args.update_only ? { verb: 'upgrade', words: names.filter(have), also: [] } : { verb: 'install', words: missing, also: [] }
  }
  // check-update ends with 100 when there is something newer
  const updates = look.section('updates')?.trim() === '100'
  if (names.includes('*')) return { verb: 'upgrade', words: updates ? [''] : [], also: [] }
  const missing = args.update_only ? [] : names.filter((name) => !have(name))
  const present = names.filter((name) => !missing.includes(name))
  return updates && present.length > 0 ? { verb: 'upgrade', words: present, also: missing } : { verb: 'install', words: missing, also: [] }
}

async function* apply(args: DnfArgs, program: string, plan: Plan): Run {
  const words = plan.words.filter(Boolean)
  const also = plan.also.length > 0 ? sh` && ${program} -y ${optionWords(args)} install ${plan.also}` : sh``
  const verb = args.allow_downgrade && plan.verb === 'install' && words.every(isPlain) ? 'install' : plan.verb
  const command = joinScripts([awaitLock(args.lock_timeout), sh`${program} -y ${optionWords(args)} ${verb} ${words}${also}`])
  const outcome = yield* runListed(rpmList, command)
  if (!outcome)
    return { changed: true, rc: 0, results: words.map((name) => `${plan.verb === 'remove' ? 'Removed' : 'Installed'}: ${name}`), msg: '' }
  if (outcome.rc !== 0) throw failure(plan, outcome.rc, outcome.stderr || outcome.stdout)
  const results = [...outcome.removed.map((one) => `Removed: ${one}`), ...outcome.installed.map((one) => `Installed: ${one}`)]
  return { changed: outcome.changed || args.download_only, rc: 0, results, msg: results.length > 0 ? '' : 'Nothing to do' }
}

function failure(plan: Plan, rc: number, said: string): ModuleFailure {
  const failures = linesOf(said)
    .map((line) => line.trim())
    .filter(Boolean)
  const message =
    plan.verb === 'remove' ? 'Failed to remove some of the specified packages' : 'Failed to install some of the specified packages'
  return new ModuleFailure(message, { rc, failures, results: [] })
}

/** Waits for other runs of the package manager to end. */
const awaitLock = (seconds: number): Script => sh`
n=0
while [ $n -lt ${Math.max(seconds, 0)} ]; do
  p=$(cat /var/run/yum.pid /var/cache/dnf/metadata_lock.pid 2>/dev/null | { read -r x; printf %s "$x"; })
  if [ -z "$p" ] || ! kill -0 "$p" 2>/dev/null; then break; fi
  sleep 1; n=$((n + 1))
done`

/** How each parameter is said on the command line. */
function optionWords(args: DnfArgs): string[] {
  const repeated = (flag: string, values: readonly string[]): string[] =>
    values.flatMap((value) => value.split(',')).map((value) => `${flag}=${value}`)
  const flags: readonly [boolean | undefined, string][] = [
    [args.allowerasing, '--allowerasing'],
    [args.best, '--best'],
    [args.nobest ?? (args.best === false ? true : undefined), '--nobest'],
    [args.bugfix, '--bugfix'],
    [args.security, '--security'],
    [args.cacheonly, '--cacheonly'],
    [args.disable_gpg_check, '--nogpgcheck'],
    [args.download_only, '--downloadonly'],
    [args.skip_broken, '--skip-broken'],
    [!args.install_weak_deps, '--setopt=install_weak_deps=False'],
    [!args.sslverify || !args.validate_certs, '--setopt=sslverify=False'],
  ]
  const valued: readonly [string | undefined, string][] = [
    [args.conf_file, '--config'],
    [args.disable_excludes, '--disableexcludes'],
    [args.download_dir, '--downloaddir'],
    [args.installroot === '/' ? undefined : args.installroot, '--installroot'],
    [args.releasever, '--releasever'],
  ]
  return [
    ...repeated('--disablerepo', args.disablerepo),
    ...repeated('--enablerepo', args.enablerepo),
    ...repeated('--exclude', args.exclude),
    ...repeated('--disableplugin', args.disable_plugin),
    ...repeated('--enableplugin', args.enable_plugin),
    ...flags.filter(([on]) => on).map(([, flag]) => flag),
    ...valued.flatMap(([value, flag]) => (value === undefined ? [] : [`${flag}=${value}`])),
  ]
}

/** The packages that a question such as `installed` or a name finds. */
async function listed(args: DnfArgs, host: Host, question: string): Promise<Result> {
  const format = '%{name}|%{epoch}|%{version}|%{release}|%{arch}|%{repoid}'
  const kinds: Readonly<Record<string, readonly string[]>> = {
    installed: ['--installed'],
    updates: ['--upgrades'],
    available: ['--available'],
  }
  if (question === 'repos' || question === 'repositories') {
    const told = textOf((await host.look(sh`dnf ${optionWords(args)} -q repolist --enabled`, { onFailure: 'tell' })).stdout)
    const repos = linesOf(told)
      .slice(1)
      .map((line) => ({ repoid: line.split(/\s+/)[0]!, state: 'enabled' }))
    return { changed: false, msg: '', results: repos }
  }
  const told = await host.look(sh`dnf ${optionWords(args)} -q repoquery ${kinds[question] ?? [question]} --queryformat ${`${format}\\n`}`, {
    onFailure: 'tell',
  })
  const results = linesOf(textOf(told.stdout))
    .filter(Boolean)
    .map((line) => {
      const [name = '', epoch = '', version = '', release = '', arch = '', repo = ''] = line.split('|')
      const state = repo === '@System' || question === 'installed' ? 'installed' : 'available'
      return { name, arch, epoch, release, version, repo, nevra: `${epoch}:${name}-${version}-${release}.${arch}`, yumstate: state }
    })
  return { changed: false, msg: '', results }
}
