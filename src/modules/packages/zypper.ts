/** zypper: makes packages of SUSE be there, be gone or be the latest. */
import { type Look, linesOf } from '../../facts/index.ts'
import { type Args, bool, choice, fallback, list, required, str } from '../../params/index.ts'
import { type Script, sh, textOf } from '../../remote/index.ts'
import { defineModule, ModuleFailure } from '../api.ts'
import { lookAt } from '../system/looking.ts'
import { runListed } from './listing.ts'

const params = {
  name: required(list('str', { aliases: ['pkg'] })),
  state: choice(['absent', 'installed', 'latest', 'present', 'removed', 'dist-upgrade'], 'present'),
  type: choice(['package', 'patch', 'pattern', 'product', 'srcpackage', 'application'], 'package'),
  extra_args_precommand: str(),
  extra_args: str(),
  disable_gpg_check: fallback(bool(), false),
  disable_recommends: fallback(bool(), true),
  force: fallback(bool(), false),
  force_resolution: fallback(bool(), false),
  update_cache: fallback(bool({ aliases: ['refresh'] }), false),
  oldpackage: fallback(bool(), false),
  allow_vendor_change: fallback(bool(), false),
  replacefiles: fallback(bool(), false),
  clean_deps: fallback(bool(), false),
  simple_errors: fallback(bool(), false),
  quiet: fallback(bool(), true),
  auto_import_keys: fallback(bool(), false),
  skip_post_errors: fallback(bool(), false),
} as const

type ZypperArgs = Args<typeof params>

export default defineModule({
  name: 'community.general.zypper',
  summary: 'Manages packages of SUSE.',
  params,
  async *run(args, host) {
    const { state } = args
    const names = args.name.filter(Boolean)
    const base = { name: names, state, update_cache: args.update_cache }
    if (args.update_cache) {
      const done = yield { what: 'cache', counts: false, onFailure: 'tell', script: sh`${zypper(args)} refresh` }
      if (done && done.code !== 0)
        throw new ModuleFailure(`Zypper refresh failed with rc ${done.code}`, { ...base, rc: done.code, stderr: textOf(done.stderr) })
      if (names.length === 0) return { changed: false, ...base, rc: 0 }
    }
    const all = names.includes('*')
    const look = await lookAt(host, zypperLook(args, all ? [] : names))
    const command = commandOf(args, names, all, look)
    if (command === undefined) return { changed: false, ...base, rc: 0 }
    const outcome = yield* runListed(rpmList, command)
    if (!outcome) return { changed: true, ...base, rc: 0 }
    // 102 and 103: done, but a restart is needed; 107: a script of a package failed
    const fine = [0, 102, 103, ...(args.skip_post_errors ? [107] : [])].includes(outcome.rc)
    if (!fine) {
      throw new ModuleFailure(`Zypper run command failed with return code ${outcome.rc}.`, {
        ...base,
        rc: outcome.rc,
        stdout: outcome.stdout,
        stderr: outcome.stderr,
      })
    }
    return { changed: outcome.changed, ...base, rc: outcome.rc, stdout: outcome.stdout, stderr: outcome.stderr }
  },
})

const rpmList: Script = sh`rpm -qa | sort`

const zypper = (args: ZypperArgs): Script => {
  const words = [
    ...(args.quiet ? ['--quiet'] : []),
    '--non-interactive',
    ...(args.disable_gpg_check ? ['--no-gpg-checks'] : []),
    ...(args.auto_import_keys ? ['--gpg-auto-import-keys'] : []),
    ...(args.extra_args_precommand?.split(/\s+/).filter(Boolean) ?? []),
  ]
  return sh`zypper ${words}`
}

/** Names without a version or a sign in front. */
const bare = (name: string): string => name.replace(/^[-+~]/, '').replace(/[<>=].*$/, '')
const isPlain = (name: string): boolean => !/[/*:]/.test(name)

const zypperLook = (args: ZypperArgs, names: readonly string[]): Script => sh`
for x in ${names.filter(isPlain)}; do
  n=$(printf '%s\n' "$x" | sed 's/^[-+~]//; s/[<>=].*$//')
  if rpm -q "$n" >/dev/null 2>&1 || rpm -q --whatprovides "$n" >/dev/null 2>&1; then printf '\036have:%s\n' "$x"; fi
done
${args.state === 'latest' || args.state === 'dist-upgrade' ? sh`printf '\036updates\n'; zypper --non-interactive --xmlout list-updates 2>/dev/null` : sh``}`

function commandOf(args: ZypperArgs, names: readonly string[], all: boolean, look: Look): Script | undefined {
  const have = (name: string): boolean => look.section(`have:${name}`) !== undefined
  const updates = new Set(linesOf(look.section('updates')).flatMap((line) => /<update [^>]*\bname="([^"]+)"/.exec(line)?.[1] ?? []))
  const zypp = zypper(args)
  const extra = args.extra_args?.split(/\s+/).filter(Boolean) ?? []
  if (args.state === 'dist-upgrade') {
    return sh`${zypp} dist-upgrade --auto-agree-with-licenses ${args.allow_vendor_change ? ['--allow-vendor-change'] : []} ${installWords(args)} ${extra}`
  }
  if (all && args.state === 'latest') return updates.size > 0 ? sh`${zypp} update --auto-agree-with-licenses ${extra}` : undefined
  const versioned = (name: string): boolean => /[<>=]/.test(name)
  if (args.state === 'absent' || args.state === 'removed') {
    const present = names.filter((name) => have(name) || !isPlain(name) || args.type !== 'package')
    return present.length > 0
      ? sh`${zypp} remove --type ${args.type} ${args.clean_deps ? ['--clean-deps'] : []} ${extra} -- ${present}`
      : undefined
  }
  const wanted = names.filter(
    (name) =>
      !have(name) ||
      !isPlain(name) ||
      versioned(name) ||
      args.force ||
      args.type !== 'package' ||
      (args.state === 'latest' && updates.has(bare(name))),
  )
  return wanted.length > 0
    ? sh`${zypp} install --type ${args.type} --auto-agree-with-licenses ${installWords(args)} ${extra} -- ${wanted}`
    : undefined
}

const installWords = (args: ZypperArgs): string[] => [
  ...(args.disable_recommends ? ['--no-recommends'] : []),
  ...(args.force ? ['--force'] : []),
  ...(args.force_resolution ? ['--force-resolution'] : []),
  ...(args.oldpackage ? ['--oldpackage'] : []),
  ...(args.replacefiles ? ['--replacefiles'] : []),
]
