/** gem: makes a package of Ruby be there, be gone, be the latest. */
import { type Args, bool, choice, fallback, path, required, str } from '../../params/index.ts'
import { type Script, sh, textOf } from '../../remote/index.ts'
import { type Change, type Done, defineModule, type Host, ModuleFailure } from '../api.ts'
import { splitWords } from '../files/words.ts'

const params = {
  bindir: path({ description: 'folder for programs' }),
  build_flags: str({ description: 'words for the building of extensions' }),
  env_shebang: fallback(bool({ description: 'programs find Ruby by env' }), false),
  executable: path({ description: 'the gem program' }),
  force: fallback(bool({ description: 'install or remove over conflicts' }), false),
  gem_source: path({ description: 'a gem on the host' }),
  include_dependencies: fallback(bool({ description: 'what it needs too' }), true),
  include_doc: fallback(bool({ description: 'documentation too' }), false),
  install_dir: path({ description: 'folder to install to' }),
  name: required(str({ description: 'the gem' })),
  norc: fallback(bool({ description: 'read no settings' }), true),
  pre_release: fallback(bool({ description: 'versions before a release too' }), false),
  repository: str({ aliases: ['source'], description: 'address of the gems' }),
  state: choice(['present', 'absent', 'latest'], 'present', { description: 'whether it is to be there' }),
  user_install: fallback(bool({ description: 'for the user alone' }), true),
  version: str({ description: 'the version' }),
} as const

type GemArgs = Args<typeof params>

export default defineModule({
  name: 'community.general.gem',
  summary: 'Manages packages of Ruby.',
  params,
  rules: {
    mutuallyExclusive: [
      ['gem_source', 'repository'],
      ['gem_source', 'version'],
    ],
  },
  async *run(args, host) {
    if (args.version !== undefined && args.state === 'latest') throw new ModuleFailure('Cannot specify version when state=latest')
    if (args.gem_source !== undefined && args.state === 'latest')
      throw new ModuleFailure('Cannot maintain state=latest when installing from local source')
    const result = { name: args.name, state: args.state, ...(args.version === undefined ? {} : { version: args.version }) }
    const installed = await versions(host, args, [])
    const wanted =
      args.state === 'latest'
        ? (await versions(host, args, ['--remote', ...(args.repository === undefined ? [] : ['--source', args.repository])]))[0]
        : args.version
    const there = wanted === undefined ? installed.length > 0 : installed.includes(wanted)
    if (there === (args.state !== 'absent')) return { changed: false, ...result }
    yield* act(args, args.state === 'absent' ? removeWords(args) : installWords(args))
    return { changed: true, ...result }
  },
})

const call = (args: GemArgs, words: readonly string[]): Script => {
  const program = splitWords(args.executable ?? 'gem')
  return sh`command -v ${program[0] ?? 'gem'} >/dev/null || exit 93; ${[...program, ...words, ...(args.norc ? ['--norc'] : [])]} </dev/null`
}

/** `name (1.2, default: 1.1)` */
async function versions(host: Host, args: GemArgs, more: readonly string[]): Promise<string[]> {
  const pattern = `^${args.name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`
  const told = await host.look(call(args, ['query', ...more, '--name-matches', pattern]), { onFailure: 'tell' })
  if (told.code === 93) throw new ModuleFailure('Failed to find required executable "gem" in paths')
  return textOf(told.stdout)
    .split('\n')
    .flatMap((line) => /^\S+\s+\((?:default: )?(.+)\)$/.exec(line)?.[1]?.split(', ') ?? [])
    .map((one) => one.replace(/^default: /, '').split(' ')[0]!)
}

function installWords(args: GemArgs): string[] {
  return [
    'install',
    ...(args.version === undefined ? [] : ['--version', args.version]),
    ...(args.repository === undefined ? [] : ['--source', args.repository]),
    ...(args.include_dependencies ? [] : ['--ignore-dependencies']),
    ...(args.install_dir !== undefined
      ? ['--install-dir', args.install_dir]
      : [args.user_install ? '--user-install' : '--no-user-install']),
    ...(args.bindir === undefined ? [] : ['--bindir', args.bindir]),
    ...(args.pre_release ? ['--pre'] : []),
    ...(args.include_doc ? [] : ['--no-document']),
    ...(args.env_shebang ? ['--env-shebang'] : []),
    args.gem_source ?? args.name,
    ...(args.force ? ['--force'] : []),
    ...(args.build_flags === undefined ? [] : ['--', ...splitWords(args.build_flags)]),
  ]
}

const removeWords = (args: GemArgs): string[] => [
  'uninstall',
  ...(args.install_dir === undefined ? [] : ['--install-dir', args.install_dir]),
  ...(args.bindir === undefined ? [] : ['--bindir', args.bindir]),
  ...(args.version === undefined ? ['--all'] : ['--version', args.version]),
  '--executable',
  ...(args.force ? ['--force'] : []),
  args.name,
]

async function* act(args: GemArgs, words: readonly string[]): AsyncGenerator<Change, void, Done> {
  // words behind `--` are for the building of extensions
  const at = words.indexOf('--')
  const script =
    at < 0 || !args.norc ? call(args, words) : call({ ...args, norc: false }, [...words.slice(0, at), '--norc', ...words.slice(at)])
  const done = yield { what: 'package', script, onFailure: 'tell' }
  if (done && done.code !== 0) throw new ModuleFailure(textOf(done.stderr).trim() || `gem ended with ${done.code}`, { rc: done.code })
}
