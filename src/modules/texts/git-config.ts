/** git_config: reads settings of git, or makes one be there with a value or be gone. */
import type { JsonObject } from '../../base/index.ts'
import { bool, choice, fallback, path, str } from '../../params/index.ts'
import { sh, textOf } from '../../remote/index.ts'
import { defineModule, ModuleFailure } from '../api.ts'

export default defineModule({
  name: 'community.general.git_config',
  summary: 'Reads and writes settings of git.',
  params: {
    add_mode: choice(['add', 'replace-all'], 'replace-all', { description: 'beside the values that are there, or instead of them' }),
    file: path({ description: 'the file, with scope=file' }),
    list_all: fallback(bool({ description: 'tell all settings' }), false),
    name: str({ description: 'name of the setting' }),
    repo: path({ description: 'the repository, with scope=local' }),
    scope: choice(['file', 'local', 'global', 'system'], { description: 'whose settings' }),
    state: choice(['present', 'absent'], 'present', { description: 'whether the setting is to be there' }),
    value: str({ description: 'its value; without one it is told' }),
  },
  rules: {
    mutuallyExclusive: [
      ['list_all', 'name'],
      ['list_all', 'value'],
    ],
    requiredIf: [
      ['scope', 'local', ['repo']],
      ['scope', 'file', ['file']],
    ],
    requiredOneOf: [['list_all', 'name']],
  },
  async *run(args, host) {
    const scope = args.scope ?? (args.list_all ? undefined : 'system')
    const words = ['config', '--includes', ...(scope === 'file' ? ['-f', args.file!] : scope === undefined ? [] : [`--${scope}`])]
    const place = scope === 'local' ? sh`cd -- ${args.repo!} || exit 95` : sh`cd / || exit 95`
    const home = sh`HOME=\${HOME-/root}; export HOME`
    const query = args.list_all ? ['-z', '-l'] : ['-z', '--get-all', args.name!]
    const said = await host.look(
      sh`command -v git >/dev/null || exit 93
${home}; ${place}; git ${words} ${query}`,
      { onFailure: 'tell' },
    )
    if (said.code === 93) throw new ModuleFailure('Failed to find required executable "git" in paths')
    // 1: there is no such setting; 128: there is no such file
    if (said.code !== 0 && said.code !== 1 && !(args.list_all && said.code === 128))
      throw new ModuleFailure(textOf(said.stderr).trim(), { rc: said.code })
    const found = said.code === 0 ? textOf(said.stdout).split('\0').slice(0, -1) : []
    if (args.list_all) return { changed: false, msg: '', config_values: pairs(found) }
    const unset = args.state === 'absent'
    if (!unset && args.value === undefined) return { changed: false, msg: '', config_value: found[0] ?? '' }
    const settled = unset
      ? found.length === 0
      : args.add_mode === 'add'
        ? found.includes(args.value!)
        : found.length === 1 && found[0] === args.value
    if (settled) return { changed: false, msg: unset ? 'no setting to unset' : '' }
    const verb = unset ? ['--unset-all', args.name!] : [`--${args.add_mode}`, args.name!, args.value!]
    const after = unset ? [] : args.add_mode === 'add' ? [...found, args.value!] : [args.value!]
    const named = (values: readonly string[]): string => (values.length === 0 ? '\n' : values.map((one) => `${one}\n`).join(''))
    const [before, next] = [named(found), named(after)]
    const done = yield {
      what: 'setting',
      diff: { before, after: next, beforeHeader: args.name!, afterHeader: args.name! },
      script: sh`${home}; ${place}; git ${words.filter((w) => w !== '--includes')} ${verb}`,
      onFailure: 'tell',
    }
    if (done && done.code !== 0) throw new ModuleFailure(textOf(done.stderr).trim(), { rc: done.code })
    return { changed: true, msg: 'setting changed' }
  },
})

/** `name\nvalue`; a later one of the same name wins. */
const pairs = (found: readonly string[]): JsonObject =>
  Object.fromEntries(
    found.map((one) => {
      const at = one.indexOf('\n')
      return at < 0 ? [one, ''] : [one.slice(0, at), one.slice(at + 1)]
    }),
  )
