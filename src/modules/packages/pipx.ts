/** pipx: makes applications in Python be installed, each in an environment of its own, be upgraded, or be gone. */
import type { JsonObject } from '../../base/index.ts'
import { type Args, bool, choice, fallback, list, path, str } from '../../params/index.ts'
import { defineModule, type Host, ModuleFailure, type Result } from '../api.ts'
import { askTool, mustSucceed, useTool } from '../system/tools.ts'

const params = {
  editable: fallback(bool({ description: 'the source stays editable' }), false),
  executable: path(),
  force: fallback(bool(), false),
  include_injected: fallback(bool({ description: 'packages that were put beside it too' }), false),
  index_url: str({ description: 'index that packages come from' }),
  inject_packages: list('str', { description: 'packages that are put beside it' }),
  install_apps: fallback(bool({ description: 'programs of injected packages too' }), false),
  install_deps: fallback(bool({ description: 'programs of what it needs too' }), false),
  name: str({ description: 'the application' }),
  pip_args: str({ description: 'further words for pip' }),
  python: str({ description: 'the Python that it uses' }),
  source: str({ description: 'where it comes from: a package with version, a folder, an address' }),
  state: choice(
    [
      'present',
      'absent',
      'install',
      'uninstall',
      'uninstall_all',
      'inject',
      'upgrade',
      'upgrade_all',
      'reinstall',
      'reinstall_all',
      'latest',
    ],
    'install',
  ),
  system_site_packages: fallback(bool({ description: "the system's packages can be seen" }), false),
} as const

type PipxArgs = Args<typeof params>

export default defineModule({
  name: 'community.general.pipx',
  summary: 'Manages applications with pipx.',
  params,
  rules: {
    requiredIf: [
      ...['present', 'install', 'absent', 'uninstall', 'upgrade', 'reinstall', 'latest'].map(
        (state) => ['state', state, ['name']] as const,
      ),
      ['state', 'inject', ['name', 'inject_packages']],
    ],
  },
  async *run(args, host) {
    const program = args.executable === undefined ? ['python3', '-m', 'pipx'] : [args.executable]
    const before = await applications(host, program, args.name)
    const plan = STATES[args.state](args, Object.keys(before).length > 0)
    let said: JsonObject = {}
    for (const words of plan.calls) {
      const whole = [...program, ...words]
      const done = yield* useTool('application', whole, { env: { USE_EMOJI: '0' }, counts: plan.changed })
      mustSucceed(done, whole)
      said = { cmd: whole, ...(done ? { stdout: done.stdout, stderr: done.stderr } : {}) }
    }
    const after = host.check || plan.calls.length === 0 ? before : await applications(host, program, args.name)
    const changed = plan.changed || JSON.stringify(before) !== JSON.stringify(after)
    const diff = changed && host.diff ? { diff: { before: { application: before }, after: { application: after } } } : {}
    const told = { name: args.name ?? null, source: args.source ?? null, index_url: args.index_url ?? null, force: args.force }
    return { changed, ...told, application: after, ...said, ...diff } satisfies Result
  },
})

type Applications = Record<string, { version: string; injected: Record<string, string> }>

interface Listed {
  readonly venvs?: Readonly<
    Record<string, { readonly metadata: { readonly main_package: Package; readonly injected_packages: Readonly<Record<string, Package>> } }>
  >
}

interface Package {
  readonly package_version: string
}

/** What is installed by now; of one name, where one is given. */
async function applications(host: Host, program: readonly string[], name: string | undefined): Promise<Applications> {
  const words = [...program, 'list', '--include-injected', '--json']
  const told = await askTool(host, words, { env: { USE_EMOJI: '0' } })
  mustSucceed(told, words)
  const { venvs = {} } = told.stdout.trim() === '' ? {} : (JSON.parse(told.stdout) as Listed)
  const all = Object.entries(venvs).map(([venv, { metadata }]) => {
    const injected = Object.fromEntries(Object.entries(metadata.injected_packages).map(([k, v]) => [k, v.package_version]))
    return [venv, { version: metadata.main_package.package_version, injected }] as const
  })
  return Object.fromEntries(all.filter(([venv]) => name === undefined || venv === name))
}

interface Plan {
  readonly calls: readonly (readonly string[])[]
  readonly changed: boolean
}

const NOTHING: Plan = { calls: [], changed: false }

/** [words of pipx where the argument is there] */
const OPTIONS: Readonly<Record<string, (args: PipxArgs) => readonly string[]>> = {
  index_url: ({ index_url: url }) => (url === undefined ? [] : ['--index-url', url]),
  install_apps: ({ install_apps: on }) => (on ? ['--include-apps'] : []),
  install_deps: ({ install_deps: on }) => (on ? ['--include-deps'] : []),
  force: ({ force }) => (force ? ['--force'] : []),
  include_injected: ({ include_injected: on }) => (on ? ['--include-injected'] : []),
  python: ({ python }) => (python === undefined ? [] : ['--python', python]),
  system_site_packages: ({ system_site_packages: on }) => (on ? ['--system-site-packages'] : []),
  editable: ({ editable }) => (editable ? ['--editable'] : []),
  pip_args: ({ pip_args: words }) => (words === undefined ? [] : ['--pip-args', words]),
}

const options = (args: PipxArgs, names: string): string[] => names.split(' ').flatMap((name) => OPTIONS[name]!(args))

function install(args: PipxArgs, there: boolean): Plan {
  if (there && !args.force) return NOTHING
  const words = options(args, 'index_url install_deps force python system_site_packages editable pip_args')
  return { calls: [['install', ...words, args.source ? args.source : args.name!]], changed: true }
}

function upgrade(args: PipxArgs, there: boolean): Plan {
  if (!there) throw new ModuleFailure(`Trying to upgrade a non-existent application: ${args.name}`)
  return { calls: [['upgrade', ...options(args, 'include_injected index_url force editable pip_args'), args.name!]], changed: args.force }
}

const uninstall = (args: PipxArgs, there: boolean): Plan => (there ? { calls: [['uninstall', args.name!]], changed: true } : NOTHING)

const STATES: Readonly<Record<PipxArgs['state'], (args: PipxArgs, there: boolean) => Plan>> = {
  install,
  present: install,
  upgrade,
  uninstall,
  absent: uninstall,
  reinstall: (args, there) => {
    if (!there) throw new ModuleFailure(`Trying to reinstall a non-existent application: ${args.name}`)
    return { calls: [['reinstall', args.name!, ...options(args, 'python')]], changed: true }
  },
  inject: (args, there) => {
    if (!there) throw new ModuleFailure(`Trying to inject packages into a non-existent application: ${args.name}`)
    const words = options(args, 'index_url install_apps install_deps force editable pip_args')
    return { calls: [['inject', ...words, args.name!, ...(args.inject_packages ?? [])]], changed: args.force }
  },
  uninstall_all: (_args, there) => ({ calls: [['uninstall-all']], changed: there }),
  reinstall_all: (args) => ({ calls: [['reinstall-all', ...options(args, 'python')]], changed: true }),
  upgrade_all: (args) => ({ calls: [['upgrade-all', ...options(args, 'include_injected force')]], changed: args.force }),
  latest: (args, there) => {
    const first = install(args, there)
    const second = ['upgrade', ...options(args, 'include_injected index_url force editable pip_args'), args.name!]
    return { calls: [...first.calls, second], changed: first.changed }
  },
}
