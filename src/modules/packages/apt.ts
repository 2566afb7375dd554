/** apt: makes Debian packages be there, be gone, be the latest; refreshes the lists; upgrades. */
import { Look } from '../../facts/index.ts'
import { joinScripts, sh, textOf } from '../../remote/index.ts'
import { type Change, type Done, defineModule, type Host, ModuleFailure, type Result } from '../api.ts'
import { lookAt, type Ran, sections } from '../system/looking.ts'
import { type AptCommand, changesAnything, commandScript, runApt, simulate, toldCommand } from './apt-command.ts'
import { installDebs } from './apt-deb.ts'
import { AptState, aptLook, namesLook, parseSpec, providersLook, providersOf, type Spec } from './apt-look.ts'
import { type AptArgs, params } from './apt-params.ts'
import { expandGlobs, hasGlob, installPlan, removePlan } from './apt-plan.ts'
import { updateScript } from './apt-update.ts'

type Run = AsyncGenerator<Change, Result, Done>

export default defineModule({
  name: 'ansible.builtin.apt',
  summary: 'Manages packages of Debian and its kin.',
  params,
  rules: {
    mutuallyExclusive: [['deb', 'package', 'upgrade']],
    requiredOneOf: [['autoremove', 'deb', 'package', 'update_cache', 'upgrade']],
  },
  async *run(args, host) {
    const nothingElse = !args.package?.length && args.upgrade === 'no' && !args.deb
    if (args.clean) {
      const cleaned = yield* cleanArchives(args)
      if (nothingElse) return cleaned
    }
    const texts = (args.package ?? []).filter((name) => name !== '*').map((name) => name.trim())
    const wrong = texts.find((text) => text.split('=').length > 2)
    if (wrong !== undefined) throw new ModuleFailure(`invalid package spec: ${wrong}`)
    const specs = await expanded(host, texts.map(parseSpec))
    const { apt, updated } = yield* freshLists(args, host, specs, nothingElse)
    const cache = { cache_updated: updated, cache_update_time: apt.listsTime }
    if (nothingElse && (args.update_cache || args.cache_valid_time > 0)) return { changed: updated, ...cache }
    return yield* work(args, host, specs, apt, cache)
  },
})

/** After the lists: upgrade, deb files, cleaning, or packages in a state. */
async function* work(args: AptArgs, host: Host, specs: readonly Spec[], apt: AptState, cache: Result): Run {
  if (args.upgrade !== 'no') return yield* upgrade(args, host, apt, args.upgrade)
  if (args.deb) {
    if (args.state !== 'present') throw new ModuleFailure('deb only supports state=present')
    return yield* installDebs(args, host, args.deb)
  }
  if (args.state === 'latest' && args.package?.includes('*')) {
    if (specs.length > 0) throw new ModuleFailure('unable to install additional packages when upgrading all installed packages')
    return yield* upgrade(args, host, apt, 'yes')
  }
  if (specs.length === 0 && args.autoclean) return yield* cleanup(args, host, 'autoclean')
  if (specs.length === 0 && args.autoremove) return yield* cleanup(args, host, 'autoremove')
  if (args.state === 'absent') return yield* remove(args, host, specs, apt)
  return yield* install(args, host, specs, apt, cache)
}

async function expanded(host: Host, specs: readonly Spec[]): Promise<readonly Spec[]> {
  if (!specs.some(hasGlob)) return specs
  const names = (await lookAt(host, namesLook(host.check))).section('names')?.split('\n').filter(Boolean) ?? []
  return expandGlobs(specs, names, parseSpec)
}

/** Looks; refreshes the lists when they are asked for and too old, and looks again in the same breath. */
async function* freshLists(
  args: AptArgs,
  host: Host,
  specs: readonly Spec[],
  alone: boolean,
): AsyncGenerator<Change, { apt: AptState; updated: boolean }, Done> {
  const script = aptLook(
    specs.map((spec) => spec.name),
    args.default_release,
    host.check,
  )
  const apt = new AptState(await lookAt(host, script))
  const wanted = args.update_cache || args.cache_valid_time > 0
  if (!wanted || apt.listsTime + args.cache_valid_time >= apt.now) return { apt, updated: false }
  const done = yield { what: 'cache', counts: alone, onFailure: 'tell', script: joinScripts([updateScript(args), sections(script)]) }
  if (!done) return { apt, updated: true }
  if (done.code !== 0) {
    const reason = textOf(done.stderr).trim() || 'unknown reason'
    throw new ModuleFailure(`Failed to update apt cache after ${args.update_cache_retries} retries: ${reason}`)
  }
  const after = new AptState(new Look(textOf(done.stdout)))
  return { apt: after, updated: after.listsTime !== apt.listsTime }
}

async function* install(args: AptArgs, host: Host, specs: readonly Spec[], apt: AptState, cache: Result): Run {
  if (args.state === 'build-dep') return yield* buildDependencies(args, host, specs, cache)
  const unknown = specs.map((spec) => spec.name).filter((name) => !apt.installed(name).installed && !apt.policy(name)?.versions.length)
  const provides = unknown.length > 0 ? await lookAt(host, providersLook(unknown, host.check)) : undefined
  const plan = installPlan(specs, apt, {
    latest: args.state === 'latest',
    onlyUpgrade: args.only_upgrade,
    providers: (name) => (provides ? providersOf(provides, name) : []),
  })
  if (plan.problem !== undefined) throw new ModuleFailure(plan.problem, cache)
  if (plan.words.length === 0) {
    yield* markManual(plan.names, apt)
    return { changed: false, ...cache }
  }
  const middle = [
    args.only_upgrade ? '--only-upgrade' : '',
    args.state === 'fixed' ? '--fix-broken' : '',
    args.force ? '--force-yes' : '',
    args.autoremove ? '--auto-remove' : '',
    args.fail_on_autoremove ? '--no-remove' : '',
  ]
  const told = aptTold(args, [...middle, 'install'], plan.words, installOptions(args))
  const done = yield* runApt(host, commandOf(args, [...middle, 'install'], plan.words, installOptions(args)), 'packages')
  if (done.rc !== 0) throw failure(`'${told}' failed: ${done.stderr}`, done, cache)
  yield* markManual(
    plan.names.filter((name) => !plan.words.some((word) => parseSpec(word).name === name)),
    apt,
  )
  return { changed: true, stdout: done.stdout, stderr: done.stderr, ...cache }
}

async function* buildDependencies(args: AptArgs, host: Host, specs: readonly Spec[], cache: Result): Run {
  const names = specs.map((spec) => spec.text)
  if (names.length === 0) return { changed: false, ...cache }
  const command = commandOf(
    args,
    [args.force ? '--force-yes' : '', args.fail_on_autoremove ? '--no-remove' : '', 'build-dep'],
    names,
    installOptions(args),
  )
  const told = aptTold(args, ['build-dep'], names, installOptions(args))
  const done = yield* runIfNeeded(host, command, 'packages')
  if (done.rc !== 0) throw failure(`'${told}' failed: ${done.stderr}`, done, cache)
  return { changed: done.changed, stdout: done.stdout, stderr: done.stderr, ...cache }
}

/** Packages that were asked for by name no longer count as there for others only. */
async function* markManual(names: readonly string[], apt: AptState): AsyncGenerator<Change, void, Done> {
  const automatic = names.filter((name) => apt.automatic.has(name))
  if (automatic.length > 0) yield { what: 'manual', counts: false, script: sh`apt-mark manual ${automatic} >/dev/null` }
}

async function* remove(args: AptArgs, host: Host, specs: readonly Spec[], apt: AptState): Run {
  const names = removePlan(specs, apt, args.purge)
  if (names.length === 0) return { changed: false }
  const words = [
    '-q',
    args.purge ? '--purge' : '',
    args.force ? '--force-yes' : '',
    args.autoremove ? '--auto-remove' : '',
    args.allow_change_held_packages ? '--allow-change-held-packages' : '',
    'remove',
  ]
  const done = yield* runApt(host, commandOf(args, words, names, []), 'packages')
  if (done.rc !== 0) throw failure(`'apt-get remove ${names.map((name) => `'${name}'`).join(' ')}' failed: ${done.stderr}`, done)
  return { changed: true, stdout: done.stdout, stderr: done.stderr }
}

async function* cleanup(args: AptArgs, host: Host, operation: 'autoremove' | 'autoclean'): Run {
  const words = [args.purge ? '--purge' : '', args.force ? '--force-yes' : '', operation]
  const done = yield* runIfNeeded(host, commandOf(args, words, [], []), operation)
  if (done.rc !== 0) throw failure(`'apt-get ${operation}' failed: ${done.stderr}`, done)
  return { changed: done.changed, stdout: done.stdout, stderr: done.stderr }
}

async function* cleanArchives(args: AptArgs): Run {
  const done = yield { what: 'clean', onFailure: 'tell', script: commandScript(commandOf(args, ['clean'], [], []), ['apt-get', 'clean']) }
  const stdout = done ? textOf(done.stdout) : ''
  const stderr = done ? textOf(done.stderr) : ''
  if (done && (done.code !== 0 || stderr))
    throw new ModuleFailure(`apt-get clean failed${stderr ? `: ${stderr}` : ''}`, { stdout, rc: done.code })
  return { changed: true, msg: stdout, stdout, stderr }
}

type UpgradeMode = 'dist' | 'full' | 'safe' | 'yes'

/** How each kind of upgrade is asked of apt-get and, where there is one, of aptitude. */
const upgrades: Readonly<Record<UpgradeMode, { readonly apt: readonly string[]; readonly aptitude?: string }>> = {
  dist: { apt: ['dist-upgrade'] },
  full: { apt: ['dist-upgrade'], aptitude: 'full-upgrade' },
  safe: { apt: ['upgrade', '--with-new-pkgs'], aptitude: 'safe-upgrade' },
  yes: { apt: ['upgrade', '--with-new-pkgs'], aptitude: 'safe-upgrade' },
}

async function* upgrade(args: AptArgs, host: Host, apt: AptState, mode: UpgradeMode): Run {
  const kind = upgrades[mode]
  const warnings: string[] = []
  const middle = [
    args.force ? '--force-yes' : '',
    args.fail_on_autoremove ? '--no-remove' : '',
    args.allow_unauthenticated ? '--allow-unauthenticated' : '',
    args.allow_downgrade ? '--allow-downgrades' : '',
  ]
  const release = args.default_release === undefined ? [] : ['-t', args.default_release]
  const words = [...kind.apt, args.autoremove ? '--auto-remove' : '']
  const planned = commandOf(args, [...middle, ...words], [], release)
  const byAptitude = kind.aptitude !== undefined && apt.hasAptitude && !args.force_apt_get
  const seen = await simulate(host, planned)
  const told = byAptitude ? `aptitude ${kind.aptitude}` : `apt-get ${words.join(' ').trim()}`
  if (seen.rc === 0 && !changesAnything(seen.stdout)) return { changed: false, msg: seen.stdout, stdout: seen.stdout, stderr: seen.stderr }
  if (byAptitude) warnings.push(...aptitudeWarnings(args))
  const command = byAptitude ? { ...planned, words: aptitudeWords(args, kind.aptitude!, release) } : planned
  const done = yield* runApt(host, command, 'packages')
  if (done.rc !== 0) throw new ModuleFailure(`'${told}' failed: ${done.stderr}`, { stdout: done.stdout, rc: done.rc })
  return { changed: true, msg: done.stdout, stdout: done.stdout, stderr: done.stderr, ...(warnings.length > 0 ? { warnings } : {}) }
}

const aptitudeWords = (args: AptArgs, verb: string, release: readonly string[]): string[] => [
  'aptitude',
  '-y',
  ...dpkgWords(args),
  ...(args.force ? ['--assume-yes', '--allow-untrusted'] : []),
  ...(args.allow_unauthenticated ? ['--allow-untrusted'] : []),
  verb,
  ...release,
]

const aptitudeWarnings = (args: AptArgs): string[] => [
  ...(args.fail_on_autoremove ? ["APTITUDE does not support '--no-remove', ignoring the 'fail_on_autoremove' parameter."] : []),
  ...(args.allow_downgrade ? ["APTITUDE does not support '--allow-downgrades', ignoring the 'allow_downgrade' parameter."] : []),
]

/** Simulates first and runs only what would change something. */
async function* runIfNeeded(host: Host, command: AptCommand, what: string): AsyncGenerator<Change, Ran & { changed: boolean }, Done> {
  const seen = await simulate(host, command)
  if (seen.rc !== 0 || !changesAnything(seen.stdout)) return { ...seen, changed: false }
  return { ...(yield* runApt(host, command, what)), changed: true }
}

const installOptions = (args: AptArgs): string[] => [
  ...(args.default_release === undefined ? [] : ['-t', args.default_release]),
  ...(args.install_recommends === undefined ? [] : ['-o', `APT::Install-Recommends=${args.install_recommends ? 'yes' : 'no'}`]),
  ...(args.allow_unauthenticated ? ['--allow-unauthenticated'] : []),
  ...(args.allow_downgrade ? ['--allow-downgrades'] : []),
  ...(args.allow_change_held_packages ? ['--allow-change-held-packages'] : []),
]

const dpkgWords = (args: AptArgs): string[] => args.dpkg_options.split(',').flatMap((option) => ['-o', `Dpkg::Options::=--${option}`])

function commandOf(args: AptArgs, middle: readonly string[], packages: readonly string[], after: readonly string[]): AptCommand {
  const words = ['apt-get', '-y', ...dpkgWords(args), ...middle.filter(Boolean), ...packages, ...after]
  return { words, lockTimeout: args.lock_timeout, policyRcD: args.policy_rc_d }
}

const aptTold = (args: AptArgs, middle: readonly string[], packages: readonly string[], after: readonly string[]): string =>
  toldCommand('/usr/bin/apt-get', args.dpkg_options.split(','), middle, packages, after)

const failure = (message: string, done: Ran, more: Result = {}): ModuleFailure =>
  new ModuleFailure(message, { ...more, stdout: done.stdout, stderr: done.stderr, rc: done.rc })
