/** yarn: makes packages of Node be installed in a folder or for all, be the latest, or be gone. */
import { type Args, bool, choice, fallback, path, str } from '../../params/index.ts'
import { sh, textOf } from '../../remote/index.ts'
import { type Change, type Done, defineModule, type Host, ModuleFailure } from '../api.ts'
import { askTool, mustSucceed, useTool } from '../system/tools.ts'

const params = {
  executable: path(),
  global: fallback(bool({ description: 'for all, not in a folder' }), false),
  ignore_scripts: fallback(bool({ description: "run none of the packages' scripts" }), false),
  name: str({ description: 'the package; all that package.json names otherwise' }),
  path: path({ description: 'folder with package.json' }),
  production: fallback(bool({ description: 'without what only development needs' }), false),
  registry: str({ description: 'registry that packages come from' }),
  state: choice(['present', 'absent', 'latest'], 'present'),
  version: str({ description: 'its version' }),
} as const

type YarnArgs = Args<typeof params>

export default defineModule({
  name: 'community.general.yarn',
  summary: 'Manages packages of Node with yarn.',
  params,
  async *run(args, host) {
    if (args.path === undefined && !args.global) throw new ModuleFailure('Path must be specified when not using global arg')
    if (args.path !== undefined && args.global) throw new ModuleFailure('Cannot specify path if doing global installation')
    if (args.state === 'absent' && !args.name) throw new ModuleFailure('Package must be explicitly named when uninstalling.')
    const yarn = await Yarn.at(args, host)
    const target = args.name === undefined ? undefined : withVersion(args)
    const install = target === undefined ? ['install', '--non-interactive'] : ['add', target]
    if (args.name === undefined) return { changed: true, ...(yield* yarn.change(install)) }
    const there = (await yarn.installed()).includes(args.name)
    if (args.state === 'absent')
      return there ? { changed: true, ...(yield* yarn.change(['remove', args.name])) } : { changed: false, out: '', err: '' }
    let said = { out: '', err: '' }
    const outdated = args.state === 'latest' && (await yarn.hasOutdated())
    if (!there) said = yield* yarn.change(install)
    if (outdated) said = yield* yarn.change(['upgrade', '--latest'])
    return { changed: !there || outdated, ...said }
  },
})

const withVersion = ({ name, version, state }: YarnArgs): string => {
  const wanted = state === 'latest' ? 'latest' : version
  return wanted ? `${name}@${wanted}` : name!
}

interface Line {
  readonly type?: string
  readonly data?: { readonly trees?: readonly { readonly name: string }[]; readonly body?: readonly (readonly string[])[] }
}

/** Calls of yarn for one folder. */
class Yarn {
  private constructor(
    private readonly args: YarnArgs,
    private readonly host: Host,
    private readonly program: readonly string[],
    private readonly folder: string,
  ) {}

  static async at(args: YarnArgs, host: Host): Promise<Yarn> {
    const program = args.executable ? args.executable.split(' ') : ['yarn']
    if (!args.global) return new Yarn(args, host, program, args.path!)
    const words = [...program, 'global', 'dir']
    const told = await askTool(host, words)
    mustSucceed(told, words)
    return new Yarn(args, host, program, told.stdout.trim())
  }

  private words(words: readonly string[], global: boolean): string[] {
    const { production, ignore_scripts: quiet, registry } = this.args
    return [
      ...[...this.program, ...(global ? ['global'] : []), ...words],
      ...[...(production ? ['--production'] : []), ...(quiet ? ['--ignore-scripts'] : []), ...(registry ? ['--registry', registry] : [])],
    ]
  }

  private async mustHavePackageFile(): Promise<void> {
    const told = await this.host.look(
      sh`d=${this.folder}; if [ -e "$d" ] && [ ! -d "$d" ]; then echo other; elif [ ! -f "$d/package.json" ]; then echo none; fi`,
    )
    const said = textOf(told.stdout).trim()
    if (said === 'other') throw new ModuleFailure(`Path provided ${this.folder} is not a directory`)
    if (said === 'none') throw new ModuleFailure('Package.json does not exist in provided path.')
  }

  async *change(words: readonly string[]): AsyncGenerator<Change, { out: string; err: string }, Done> {
    const { global } = this.args
    if (!global) await this.mustHavePackageFile()
    const whole = this.words(words, global)
    const done = yield* useTool('packages', whole, global ? {} : { chdir: this.folder })
    mustSucceed(done, whole)
    return { out: done?.stdout ?? '', err: done?.stderr ?? '' }
  }

  /** What yarn tells, line by line; nothing without a lock file. */
  private async lines(words: readonly string[]): Promise<Line[]> {
    const lock = await this.host.look(sh`if [ -f ${`${this.folder}/yarn.lock`} ]; then printf 1; fi`)
    if (lock.stdout.length === 0) return []
    await this.mustHavePackageFile()
    const told = await askTool(this.host, this.words(words, false), { chdir: this.folder })
    const parse = (text: string): Line[] =>
      text
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line) => JSON.parse(line) as Line)
    try {
      if (parse(told.stderr).some((line) => line.type === 'error')) throw new ModuleFailure(told.stderr)
      return parse(told.stdout)
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      throw new ModuleFailure(`Unexpected stderr output from Yarn: ${told.stderr}`, { stderr: told.stderr })
    }
  }

  async installed(): Promise<string[]> {
    const lines = await this.lines(['list', '--depth=0', '--json'])
    return lines
      .flatMap((line) => (line.type === 'tree' ? (line.data?.trees ?? []) : []))
      .map(({ name }) => name.slice(0, name.lastIndexOf('@')))
  }

  async hasOutdated(): Promise<boolean> {
    const lines = await this.lines(['outdated', '--json'])
    return lines.some((line) => (line.data?.body?.length ?? 0) > 0)
  }
}
