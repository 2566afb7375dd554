/** subversion: makes a folder be a checkout, or an export, of a Subversion repository at a revision. */
import { type Look, linesOf } from '../../facts/index.ts'
import { type Args, bool, fallback, path, required, str } from '../../params/index.ts'
import { type Script, sh } from '../../remote/index.ts'
import { type Change, type Done, defineModule, ModuleFailure } from '../api.ts'
import { lookAt, mustEnd, ran } from '../system/looking.ts'

const params = {
  dest: path(),
  repo: required(str({ aliases: ['name', 'repository'] })),
  revision: fallback(str({ aliases: ['rev', 'version'] }), 'HEAD'),
  force: fallback(bool(), false),
  username: str(),
  password: str({ noLog: true }),
  executable: path(),
  export: fallback(bool(), false),
  checkout: fallback(bool(), true),
  update: fallback(bool(), true),
  switch: fallback(bool(), true),
  in_place: fallback(bool(), false),
  validate_certs: fallback(bool(), false),
} as const

type SvnArgs = Args<typeof params>

export default defineModule({
  name: 'ansible.builtin.subversion',
  summary: 'Checks out Subversion repositories.',
  params,
  async *run(args, host) {
    if (!args.dest && (args.checkout || args.update || args.export)) {
      throw new ModuleFailure('the destination directory must be specified unless checkout=no, update=no, and export=no')
    }
    const dest = args.dest ?? ''
    const look = await lookAt(host, svnLook(args, dest))
    if (!look.exists('svn')) throw new ModuleFailure('Failed to find required executable "svn"')
    const there = look.exists(dest)
    const isCheckout = look.section('local') !== undefined
    const before = isCheckout ? described(look, 'local') : null
    const remote = described(look, 'remote')
    if (!there || args.export) {
      if (there && !args.force && args.export) return { changed: false }
      if (!args.checkout && !args.export) return { changed: false, before: null, after: remote }
      const verb = args.export ? ['export', ...(args.force ? ['--force'] : [])] : ['checkout']
      return {
        changed: true,
        before: null,
        after: yield* act(args, sh`${svn(args)} ${verb} -r ${args.revision} ${args.repo} ${dest}`, dest, remote),
      }
    }
    if (!isCheckout && !args.in_place) throw new ModuleFailure(`ERROR: ${dest} folder already exists, but its not a subversion repository.`)
    if (!isCheckout) {
      const script = sh`${svn(args)} checkout --force -r ${args.revision} ${args.repo} ${dest}`
      return { changed: true, before: null, after: yield* act(args, script, dest, remote) }
    }
    if (!args.update) return { changed: before?.[0] !== remote?.[0], before, after: remote }
    const dirty = linesOf(look.section('dirty')).some((line) => !/^(\?|X)/.test(line))
    if (dirty && !args.force) throw new ModuleFailure('ERROR: modified files exist in the repository.')
    const moved = args.switch && before?.[1] !== `URL: ${args.repo}`
    if (!dirty && !moved && before?.[0] === remote?.[0]) return { changed: false, before, after: before }
    const steps = [
      ...(dirty ? [sh`${svn(args)} revert -R ${dest}`] : []),
      ...(moved ? [sh`${svn(args)} switch --ignore-ancestry ${args.repo} ${dest}`] : []),
      sh`${svn(args)} update -r ${args.revision} ${dest}`,
    ]
    const after = yield* act(
      args,
      sh`${steps.map(
        (step) => sh`${step} || exit $?
`,
      )}`,
      dest,
      remote,
    )
    return { changed: dirty || moved || before?.[0] !== after?.[0], before, after }
  },
})

/** Revision and address, as they are told. */
type Place = string[] | null

const svn = (args: SvnArgs): Script => {
  const words = [
    '--non-interactive',
    '--no-auth-cache',
    ...(args.validate_certs ? [] : ['--trust-server-cert']),
    ...(args.username === undefined ? [] : ['--username', args.username]),
  ]
  const password = args.password === undefined ? sh`` : sh`--password ${args.password}`
  return sh`${args.executable ?? 'svn'} ${words} ${password}`
}

const place = (args: SvnArgs, target: string, revision: readonly string[]): Script => sh`
r=$(${svn(args)} info --show-item revision ${revision} ${target} 2>/dev/null </dev/null) && printf 'Revision: %s\nURL: %s\n' "$r" "$(${svn(args)} info --show-item url ${revision} ${target} 2>/dev/null </dev/null)"`

const svnLook = (args: SvnArgs, dest: string): Script => sh`
if w ${args.executable ?? 'svn'}; then printf '\036e:svn\n'; fi
e ${dest}
if [ -d ${`${dest}/.svn`} ]; then printf '\036local\n'; ${place(args, dest, [])}; printf '\036dirty\n'; ${svn(args)} status -q ${dest} 2>/dev/null; fi
printf '\036remote\n'; ${place(args, args.repo, ['-r', args.revision])}`

function described(look: Look, section: string): Place {
  const [revision, address] = linesOf(look.section(section)).filter(Boolean)
  return revision === undefined || address === undefined ? null : [revision, address]
}

async function* act(args: SvnArgs, script: Script, dest: string, wanted: Place): AsyncGenerator<Change, Place, Done> {
  const look = args.export ? sh`` : place(args, dest, [])
  const done = yield { what: 'checkout', onFailure: 'tell', script: sh`( ${script} ) >/dev/null </dev/null || exit $?; ${look}` }
  mustEnd(
    done,
    ({ stderr }) => stderr.trim(),
    (said) => ({ rc: said.rc }),
  )
  const [revision, address] = done ? ran(done).stdout.split('\n') : []
  return revision ? [revision, address ?? ''] : wanted
}
