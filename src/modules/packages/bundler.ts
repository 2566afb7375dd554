/** bundler: makes the gems that a Gemfile names be installed, or be the latest. */
import { bool, choice, fallback, list, path, str } from '../../params/index.ts'
import { defineModule } from '../api.ts'
import { askTool, mustSucceed, useTool } from '../system/tools.ts'

export default defineModule({
  name: 'community.general.bundler',
  summary: "Installs a Gemfile's gems.",
  params: {
    binstub_directory: path({ description: 'folder for the starters of programs' }),
    chdir: path(),
    clean: fallback(bool({ description: 'take away gems that are named no more' }), false),
    deployment_mode: fallback(bool({ description: 'only what the lock file says, in vendor/bundle' }), false),
    exclude_groups: list('str', { description: 'groups that are left out' }),
    executable: str(),
    extra_args: str(),
    gem_path: path({ description: 'folder of the gems' }),
    gemfile: path({ description: 'the Gemfile' }),
    local: fallback(bool({ description: 'only gems that are here' }), false),
    state: choice(['present', 'latest'], 'present'),
    user_install: fallback(bool({ description: "into the user's folder" }), true),
  },
  async *run(args, host) {
    const program = args.executable ? args.executable.split(' ') : ['bundle']
    const { state } = args
    if (host.check) {
      const told = await askTool(host, [...program, 'check'], { chdir: args.chdir })
      return { changed: told.rc !== 0, state, stdout: told.stdout, stderr: told.stderr }
    }
    const local = args.local ? ['--local'] : []
    const words = state === 'latest' ? ['update', ...local] : ['install', ...installWords(args), ...local, ...placeWords(args)]
    const whole = [...program, ...words, ...(args.extra_args ? args.extra_args.split(' ') : [])]
    const done = yield* useTool('gems', whole, { chdir: args.chdir })
    mustSucceed(done, whole)
    // bundler has no status of its own for this
    return { changed: done?.stdout.includes('Installing') ?? true, state, stdout: done?.stdout ?? '', stderr: done?.stderr ?? '' }
  },
})

const installWords = (args: { exclude_groups?: string[] | undefined; clean: boolean; gemfile?: string | undefined }): string[] => [
  ...(args.exclude_groups?.length ? ['--without', args.exclude_groups.join(':')] : []),
  ...(args.clean ? ['--clean'] : []),
  ...(args.gemfile ? ['--gemfile', args.gemfile] : []),
]

const placeWords = (args: {
  deployment_mode: boolean
  user_install: boolean
  gem_path?: string | undefined
  binstub_directory?: string | undefined
}): string[] => [
  ...(args.deployment_mode ? ['--deployment'] : []),
  ...(args.user_install ? [] : ['--system']),
  ...(args.gem_path ? ['--path', args.gem_path] : []),
  ...(args.binstub_directory ? ['--binstubs', args.binstub_directory] : []),
]
