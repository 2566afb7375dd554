/** git: makes a folder be a checkout of a repository at a version. */
import type { Json, JsonObject } from '../../base/index.ts'
import type { Look } from '../../facts/index.ts'
import { linesOf } from '../../facts/index.ts'
import { type Args, bool, fallback, int, list, path, raw, required, str } from '../../params/index.ts'
import { joinScripts, type Script, sh, textOf } from '../../remote/index.ts'
import { defineModule, type Host, ModuleFailure } from '../api.ts'
import { lookAt, ran } from '../system/looking.ts'

const params = {
  dest: path(),
  repo: required(str({ aliases: ['name'] })),
  version: fallback(str(), 'HEAD'),
  remote: fallback(str(), 'origin'),
  refspec: str(),
  reference: str(),
  force: fallback(bool(), false),
  depth: int(),
  clone: fallback(bool(), true),
  update: fallback(bool(), true),
  verify_commit: fallback(bool(), false),
  gpg_allowlist: fallback(list('str', { aliases: ['gpg_whitelist'] }), []),
  accept_hostkey: fallback(bool(), false),
  accept_newhostkey: fallback(bool(), false),
  key_file: path(),
  ssh_opts: str(),
  executable: fallback(path(), 'git'),
  bare: fallback(bool(), false),
  recursive: fallback(bool(), true),
  single_branch: fallback(bool(), false),
  track_submodules: fallback(bool(), false),
  umask: raw(),
  archive: path(),
  archive_prefix: str(),
  separate_git_dir: path(),
} as const

type GitArgs = Args<typeof params>

export default defineModule({
  name: 'ansible.builtin.git',
  summary: 'Checks out git repositories.',
  params,
  rules: {
    mutuallyExclusive: [
      ['separate_git_dir', 'bare'],
      ['accept_hostkey', 'accept_newhostkey'],
    ],
    requiredBy: { archive_prefix: ['archive'] },
  },
  async *run(given, host) {
    // Some of git's features, depth among them, do not work on plain paths.
    const args = given.repo.startsWith('/') ? { ...given, repo: `file://${given.repo}` } : given
    if (!args.dest && args.clone) throw new ModuleFailure('the destination directory must be specified unless clone=no')
    const dest = args.dest ?? ''
    const look = await lookAt(host, gitLook(args, dest))
    if (!look.exists('git')) throw new ModuleFailure('Failed to find required executable "git"')
    const before = look.section('head')?.trim() || null
    const there = look.section('repository') !== undefined
    const result: Record<string, Json> = there ? { before, remote_url_changed: false } : { before }
    if (!there && !args.clone) {
      const after = wantedCommit(args, look) ?? null
      return { changed: true, ...result, after, ...(host.diff ? { diff: NEWLY(after) } : {}) }
    }
    if (there && !args.update) return { changed: false, ...result, after: before }
    const dirty = linesOf(look.section('dirty')).length > 0
    if (dirty && !args.force) {
      throw new ModuleFailure(`Local modifications exist in the destination: ${dest} (force=no).`, { before })
    }
    const wanted = wantedCommit(args, look)
    const [code = '0', ...trouble] = linesOf(look.section('trouble'))
    if (code !== '0') {
      const stderr = `${trouble.join('\n').trim()}\n`
      const cmd = `${look.section('program')?.trim()} ls-remote ${args.repo} -h refs/heads/${args.version}`
      throw new ModuleFailure(stderr.trim(), { cmd, rc: Number(code), stdout: '', stderr })
    }
    if (wanted === undefined) throw new ModuleFailure(`Failed to checkout ${args.version}`, { rc: 1 })
    const url = look.section('url')?.trim()
    const movedUrl = there && url !== undefined && url !== args.repo
    if (there && before === wanted && !dirty && !movedUrl) {
      const branch = branchOf(args, look)
      if (!args.bare && branch !== look.section('branch')?.trim())
        yield { what: 'branch', script: updateScript(args, dest, wanted, false), counts: false }
      return { changed: false, ...result, after: before }
    }
    const script = there ? updateScript(args, dest, wanted, movedUrl) : cloneScript(args, dest)
    const done = yield { what: 'checkout', onFailure: 'tell', script }
    const diff = async (after: string): Promise<JsonObject> => (host.diff ? { diff: await diffOf(host, args, dest, before, after) } : {})
    if (!done) return { changed: true, ...result, after: wanted, ...(await diff(wanted)) }
    const told = ran(done)
    if (told.rc !== 0)
      throw new ModuleFailure(`Failed to ${there ? 'update' : 'clone'} ${args.repo}: ${told.stderr.trim()}`, {
        rc: told.rc,
        stdout: told.stdout,
        stderr: told.stderr,
      })
    const after = told.stdout.trim().split('\n').at(-1) ?? wanted
    const changed = after !== before || dirty || movedUrl
    return { changed, before, after, ...(there ? { remote_url_changed: movedUrl } : {}), ...(await diff(after)) }
  },
})

const NEWLY = (after: string | null): JsonObject => ({ prepared: `>> Newly checked out ${after}` })

/** The difference between two commits; in check mode the host may not have the later one yet. */
async function diffOf(host: Host, args: GitArgs, dest: string, before: string | null, after: string): Promise<JsonObject> {
  if (before === null) return NEWLY(after)
  if (before === after) return {}
  const told = await host.look(sh`${args.executable} -C ${dest} diff ${before} ${after}`, { onFailure: 'tell' })
  if (told.code !== 0) return { before: `${before}\n`, after: `${after}\n` }
  return { prepared: textOf(told.stdout) || `>> No visual differences between ${before} and ${after}` }
}

/** How ssh is to be called for the repository. */
function environment(args: GitArgs): Script {
  const words = [
    'ssh',
    ...(args.key_file === undefined ? [] : ['-i', args.key_file, '-o', 'IdentitiesOnly=yes']),
    ...(args.accept_hostkey
      ? ['-o', 'StrictHostKeyChecking=no']
      : args.accept_newhostkey
        ? ['-o', 'StrictHostKeyChecking=accept-new']
        : []),
    ...(args.ssh_opts?.split(/\s+/).filter(Boolean) ?? []),
    '-o',
    'BatchMode=yes',
  ]
  const umask =
    args.umask === undefined || args.umask === null
      ? sh``
      : sh`umask ${typeof args.umask === 'number' ? args.umask.toString(8) : String(args.umask)}; `
  return sh`${umask}GIT_TERMINAL_PROMPT=0; GIT_SSH_COMMAND=${words.join(' ')}; export GIT_TERMINAL_PROMPT GIT_SSH_COMMAND`
}

const gitLook = (args: GitArgs, dest: string): Script => sh`
${environment(args)}
g=${args.executable}; d=${dest}
if w "$g"; then printf '\036e:git\n\036program\n%s\n' "$(command -v "$g")"; fi
if [ -n "$d" ] && { [ -e "$d/.git" ] || [ -f "$d/HEAD" ]; }; then
  printf '\036repository\n\036head\n'; "$g" -C "$d" rev-parse HEAD 2>/dev/null
  printf '\036dirty\n'; ${args.bare ? sh`:` : sh`"$g" -C "$d" status --porcelain -uno 2>/dev/null`}
  printf '\036branch\n'; "$g" -C "$d" symbolic-ref -q --short HEAD 2>/dev/null
  printf '\036main\n'; "$g" -C "$d" symbolic-ref -q --short ${`refs/remotes/${args.remote}/HEAD`} 2>/dev/null
  printf '\036url\n'; "$g" -C "$d" config --get ${`remote.${args.remote}.url`} 2>/dev/null
  printf '\036local\n'; "$g" -C "$d" rev-parse --verify -q ${`${args.version}^{commit}`} 2>/dev/null
fi
printf '\036refs\n'
{ t=$("$g" ls-remote ${args.repo} 2>&1 1>&4 </dev/null); c_r=$?; } 4>&1
printf '\036trouble\n%s\n%s\n' $c_r "$t"`

/** The commit that a branch, tag or full number stands for at the remote. */
function wantedCommit(args: GitArgs, look: Look): string | undefined {
  const refs = new Map(linesOf(look.section('refs')).map((line) => line.split('\t').reverse() as [string, string]))
  const { version } = args
  if (/^[0-9a-f]{40}$/.test(version)) return version
  if (version === 'HEAD') {
    const branch = headBranch(args, look)
    return (branch === undefined ? undefined : refs.get(`refs/heads/${branch}`)) ?? refs.get('HEAD')
  }
  const local = look.section('local')?.trim()
  return (
    refs.get(`refs/heads/${version}`) ??
    refs.get(`refs/tags/${version}^{}`) ??
    refs.get(`refs/tags/${version}`) ??
    refs.get(version) ??
    (/^[0-9a-f]{7,39}$/.test(version) ? local || undefined : undefined)
  )
}

/** What HEAD means to a checkout that is there: its branch, or the remote's main one. */
const headBranch = (args: GitArgs, look: Look): string | undefined =>
  look.section('branch')?.trim() ||
  look
    .section('main')
    ?.trim()
    .slice(args.remote.length + 1) ||
  undefined

/** The branch that a checkout of the version is on; of tags and commits none. */
function branchOf(args: GitArgs, look: Look): string | undefined {
  if (args.version === 'HEAD') return look.section('branch')?.trim()
  return linesOf(look.section('refs')).some((line) => line.endsWith(`\trefs/heads/${args.version}`)) ? args.version : ''
}

const depthWords = (args: GitArgs): string[] => (args.depth === undefined ? [] : ['--depth', String(args.depth)])

function cloneScript(args: GitArgs, dest: string): Script {
  const isCommit = /^[0-9a-f]{7,40}$/.test(args.version)
  const branch = args.version === 'HEAD' || isCommit ? [] : ['--branch', args.version]
  const words = [
    'clone',
    ...(args.bare ? ['--bare'] : ['--origin', args.remote, ...branch]),
    ...(isCommit ? [] : depthWords(args)),
    ...(args.single_branch ? ['--single-branch'] : []),
    ...(args.reference === undefined ? [] : ['--reference', args.reference]),
    ...(args.separate_git_dir === undefined ? [] : [`--separate-git-dir=${args.separate_git_dir}`]),
    args.repo,
    dest,
  ]
  const git = sh`${args.executable} -C ${dest}`
  return inSubshell(args, [
    sh`mkdir -p "$(dirname ${dest})" && ${args.executable} ${words} >/dev/null`,
    ...(args.refspec === undefined ? [] : [sh`${git} fetch ${args.remote} ${args.refspec} >/dev/null`]),
    ...(isCommit && !args.bare ? [sh`${git} checkout -q --force ${args.version}`] : []),
    ...finish(args, dest),
  ])
}

function updateScript(args: GitArgs, dest: string, wanted: string, movedUrl: boolean): Script {
  const git = sh`${args.executable} -C ${dest}`
  const isBranch = args.version !== 'HEAD' && !/^[0-9a-f]{7,40}$/.test(args.version)
  const fetch = sh`${git} fetch --tags --force ${depthWords(args)} ${args.remote} ${args.refspec === undefined ? [] : [args.refspec]} >/dev/null`
  const checkout = isBranch
    ? sh`if ${git} show-ref -q --verify ${`refs/remotes/${args.remote}/${args.version}`}; then ${git} checkout -q --force -B ${args.version} ${`${args.remote}/${args.version}`}; else ${git} checkout -q --force ${args.version}; fi`
    : args.version === 'HEAD'
      ? sh`:`
      : sh`${git} checkout -q --force ${args.version}`
  return inSubshell(args, [
    ...(movedUrl ? [sh`${git} remote set-url ${args.remote} ${args.repo}`] : []),
    ...(args.force && !args.bare ? [sh`${git} reset -q --hard HEAD`] : []),
    fetch,
    ...(args.bare ? [] : [checkout, sh`${git} reset -q --hard ${wanted}`]),
    ...finish(args, dest),
  ])
}

function finish(args: GitArgs, dest: string): Script[] {
  const git = sh`${args.executable} -C ${dest}`
  const modules = sh`if [ -f ${`${dest}/.gitmodules`} ]; then ${git} submodule sync -q && ${git} submodule update -q --init --recursive ${args.track_submodules ? ['--remote'] : []}; fi`
  const archive =
    args.archive === undefined
      ? []
      : [sh`${git} archive ${args.archive_prefix === undefined ? [] : [`--prefix=${args.archive_prefix}`]} -o ${args.archive} HEAD`]
  return [
    ...(args.verify_commit ? [sh`${git} verify-commit HEAD`] : []),
    ...(args.recursive && !args.bare ? [modules] : []),
    ...archive,
    sh`${git} rev-parse HEAD`,
  ]
}

const inSubshell = (args: GitArgs, steps: readonly Script[]): Script =>
  joinScripts([sh`(`, environment(args), ...steps.map((step) => sh`${step} || exit $?`), sh`) </dev/null`])
