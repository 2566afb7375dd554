/** npm: makes packages of Node.js be there, be gone, be the latest, in a project or for all. */
import { type Args, bool, choice, fallback, path, str } from '../../params/index.ts'
import { type Script, sh, textOf } from '../../remote/index.ts'
import { type Change, type Done, defineModule, type Host, ModuleFailure } from '../api.ts'

const params = {
  ci: fallback(bool({ description: 'install exactly what the lock file says' }), false),
  executable: path({ description: 'the npm program' }),
  force: fallback(bool({ description: 'install over conflicts' }), false),
  global: fallback(bool({ description: 'for all projects' }), false),
  ignore_scripts: fallback(bool({ description: "do not run the packages' scripts" }), false),
  name: str({ description: 'the package; what package.json names otherwise' }),
  no_bin_links: fallback(bool({ description: 'make no links to programs' }), false),
  no_optional: fallback(bool({ description: 'leave out what is optional' }), false),
  path: path({ description: 'folder of the project' }),
  production: fallback(bool({ description: 'leave out what only development needs' }), false),
  registry: str({ description: 'address of the registry' }),
  state: choice(['present', 'absent', 'latest'], 'present', { description: 'whether it is to be there' }),
  unsafe_perm: fallback(bool({ description: "run the packages' scripts as root" }), false),
  version: str({ description: 'the version' }),
} as const

type NpmArgs = Args<typeof params>

export default defineModule({
  name: 'community.general.npm',
  summary: 'Manages packages of Node.js.',
  params,
  rules: { requiredIf: [['state', 'absent', ['name']]] },
  async *run(args, host) {
    if (args.path === undefined && !args.global) throw new ModuleFailure('path must be specified when not using global')
    if (args.ci) {
      yield* act(args, ['ci'])
      return { changed: true }
    }
    const wanted = args.version === undefined ? args.name : `${args.name}@${args.version}`
    const { installed, missing } = await listed(host, args, wanted)
    if (args.state === 'absent') {
      if (!installed.has(args.name!)) return { changed: false }
      yield* act(args, ['uninstall', args.name!])
      return { changed: true }
    }
    if (missing) {
      yield* act(args, ['install', ...(wanted === undefined ? [] : [wanted])])
      return { changed: true }
    }
    if (args.state !== 'latest' || !(await isOutdated(host, args))) return { changed: false }
    yield* act(args, args.name === undefined ? ['update'] : args.global ? ['install', `${args.name}@latest`] : ['update', args.name])
    return { changed: true }
  },
})

function call(args: NpmArgs, verb: readonly string[]): Script {
  const flags: readonly (readonly [boolean, string])[] = [
    [args.global, '--global'],
    [args.production, '--production'],
    [args.force, '--force'],
    [args.ignore_scripts, '--ignore-scripts'],
    [args.unsafe_perm, '--unsafe-perm'],
    [args.no_bin_links, '--no-bin-links'],
    [args.no_optional, '--no-optional'],
  ]
  const registry = args.registry === undefined ? [] : ['--registry', args.registry]
  const folder = args.path === undefined ? sh`` : sh`cd -- ${args.path} || exit 94;`
  return sh`command -v ${args.executable ?? 'npm'} >/dev/null || exit 93; ${folder} ${args.executable ?? 'npm'} ${[...verb, ...flags.filter(([on]) => on).map(([, word]) => word), ...registry]} </dev/null`
}

/** npm tells by its code too that something is missing, so only what it prints counts. */
async function listed(
  host: Host,
  args: NpmArgs,
  wanted: string | undefined,
): Promise<{ installed: ReadonlySet<string>; missing: boolean }> {
  const told = await host.look(call(args, ['list', '--json', '--long', '--depth=0']), { onFailure: 'tell' })
  if (told.code === 93) throw new ModuleFailure('Failed to find required executable "npm" in paths')
  const empty = { installed: new Set<string>(), missing: true }
  if (told.code === 94) return empty
  const all = JSON.parse(textOf(told.stdout) || '{}') as {
    dependencies?: Record<string, { version?: string; missing?: boolean; invalid?: unknown }>
  }
  const entries = Object.entries(all.dependencies ?? {})
  const installed = new Map(entries.filter(([, one]) => !one.missing && !one.invalid).map(([name, one]) => [name, one.version]))
  const broken = entries.some(([, one]) => one.missing || one.invalid)
  if (args.name === undefined) return { installed: new Set(installed.keys()), missing: broken || entries.length === 0 }
  const version = installed.get(args.name)
  const fits = installed.has(args.name) && (wanted === args.name || version === args.version)
  return { installed: new Set(installed.keys()), missing: !fits }
}

async function isOutdated(host: Host, args: NpmArgs): Promise<boolean> {
  const told = await host.look(call(args, ['outdated', '--json', ...(args.name === undefined ? [] : [args.name])]), { onFailure: 'tell' })
  const text = textOf(told.stdout).trim()
  const outdated = text.startsWith('{') ? (JSON.parse(text) as object) : {}
  return Object.keys(outdated).length > 0
}

async function* act(args: NpmArgs, verb: readonly string[]): AsyncGenerator<Change, void, Done> {
  const make = args.path === undefined || verb[0] === 'uninstall' ? sh`` : sh`mkdir -p -- ${args.path} && `
  const done = yield { what: 'packages', script: sh`${make}( ${call(args, verb)} )`, onFailure: 'tell' }
  if (done && done.code !== 0) throw new ModuleFailure(textOf(done.stderr).trim() || `npm ended with ${done.code}`, { rc: done.code })
}
