/** helm: makes a release of a chart be installed with its values, or be gone. */
import { type Dict, isDict, type Json, type JsonObject, toJson } from '../../base/index.ts'
import { nodeToValue, parseYaml } from '../../documents/index.ts'
import { type Args, asText, bool, choice, dict, fallback, int, list, listOf, path, pythonJson, required, str } from '../../params/index.ts'
import { sh, textOf } from '../../remote/index.ts'
import { type Change, type Done, defineModule, type Host, ModuleFailure, type Result } from '../api.ts'
import { binary, helmFailure, helmParams, releaseOf, withHelm } from './helm-words.ts'

const params = {
  ...helmParams,
  atomic: fallback(bool({ description: 'take a failed install back' }), false),
  chart_ref: path({ description: 'chart: repo/name, folder, archive or address' }),
  chart_repo_url: str({ description: 'repository of the chart' }),
  chart_version: str({ description: 'version of the chart; the newest otherwise' }),
  create_namespace: fallback(bool({ description: 'make the namespace' }), false),
  dependency_update: fallback(bool({ aliases: ['dep_up'], description: 'get the charts that the chart needs' }), false),
  disable_hook: fallback(bool({ description: 'run no hooks' }), false),
  force: fallback(bool({ description: 'replace objects' }), false),
  history_max: int({ description: 'revisions that are kept' }),
  insecure_skip_tls_verify: fallback(
    bool({ aliases: ['skip_tls_certs_check'], description: "do not check the repository's certificate" }),
    false,
  ),
  insecure_registry: fallback(bool({ description: 'speak HTTP to the registry' }), false),
  plain_http: fallback(bool({ description: 'speak HTTP to the repository' }), false),
  post_renderer: str({ description: 'a program that the objects go through' }),
  purge: fallback(bool({ description: 'false: keep the history of a release that goes' }), true),
  release_name: required(str({ aliases: ['name'], description: 'name of the release' })),
  release_namespace: required(str({ aliases: ['namespace'], description: 'namespace of the release' })),
  release_state: choice(['present', 'absent'], 'present', { aliases: ['state'], description: 'whether the release is to be there' }),
  release_values: fallback(dict({ aliases: ['values'], description: "the chart's values" }), new Map()),
  replace: fallback(bool({ description: 'use the name of a release that was kept as history' }), false),
  reset_then_reuse_values: fallback(bool({ description: "begin with the chart's values, then those of the release" }), false),
  reset_values: fallback(bool({ description: "begin with the chart's values" }), true),
  reuse_values: bool({ description: "begin with the release's values" }),
  set_values: listOf(
    { value: required(str()), value_type: choice(['raw', 'string', 'json', 'file'], 'raw') },
    { description: 'single values, as --set takes them' },
  ),
  skip_crds: fallback(bool({ description: 'install no custom kinds' }), false),
  skip_schema_validation: fallback(bool({ description: "do not check values by the chart's schema" }), false),
  take_ownership: fallback(bool({ description: 'take over objects of others' }), false),
  timeout: str({ description: 'time to wait at most: 5m30s' }),
  update_repo_cache: fallback(bool({ description: 'refresh the lists of the repositories first' }), false),
  values_files: fallback(list('str', { description: 'files of the host with values' }), []),
  wait: fallback(bool({ description: 'wait until all is ready' }), false),
  wait_timeout: str({ description: 'time to wait at most: an older name of timeout' }),
} as const

type HelmArgs = Args<typeof params>

export default defineModule({
  name: 'kubernetes.core.helm',
  aliases: ['community.kubernetes.helm'],
  summary: 'Manages Helm releases.',
  params,
  rules: {
    requiredIf: [['release_state', 'present', ['release_name', 'chart_ref']]],
    mutuallyExclusive: [
      ['context', 'ca_cert'],
      ['replace', 'history_max'],
      ['wait_timeout', 'timeout'],
    ],
  },
  async *run(args, host) {
    if (args.update_repo_cache) yield* call(args, ['repo', 'update'], false)
    const release = await releaseOf(host, args)
    if (args.release_state === 'absent') return yield* uninstall(host, args, release)
    const words = installWords(args, release !== undefined)
    if (release && (await isSettled(host, args, release))) {
      return { changed: false, msg: '', status: release, stdout: '', stderr: '', command: told(args, words) }
    }
    const done = yield* call(args, words, true, release)
    const status = done ? await releaseOf(host, args) : undefined
    return { changed: true, msg: '', status: status ?? release ?? {}, ...said(done), command: told(args, words) }
  },
})

const told = (args: HelmArgs, words: readonly string[]): string => [binary(args), ...words].join(' ')

const said = (done: Done): { stdout: string; stderr: string } => ({
  stdout: done ? textOf(done.stdout) : '',
  stderr: done ? textOf(done.stderr) : '',
})

/** Values go in by stdin, so that they are in no list of processes. */
async function* call(args: HelmArgs, words: readonly string[], counts: boolean, before?: JsonObject): AsyncGenerator<Change, Done, Done> {
  const values = words.includes('--values=-')
  const done = yield {
    what: 'release',
    script: withHelm(args, sh`hm ${words}`),
    onFailure: 'tell',
    counts,
    ...(values ? { stdin: new TextEncoder().encode(pythonJson(args.release_values)) } : {}),
    ...(before
      ? { diff: { before: { values: before['values'] ?? {} }, after: { values: (toJson(args.release_values) as JsonObject) ?? {} } } }
      : {}),
  }
  if (done && done.code !== 0) throw helmFailure(done, told(args, words))
  return done
}

async function* uninstall(host: Host, args: HelmArgs, release: JsonObject | undefined): AsyncGenerator<Change, Result, Done> {
  if (!release || (!args.purge && release['status'] === 'uninstalled'))
    return { changed: false, msg: '', status: release ?? {}, stdout: '', stderr: '', command: '' }
  const timeout = args.wait_timeout ?? args.timeout
  const words = [
    'uninstall',
    args.release_name,
    ...flags([
      [!args.purge, '--keep-history'],
      [args.disable_hook, '--no-hooks'],
      [args.wait, '--wait'],
      [timeout !== undefined, `--timeout=${timeout}`],
    ]),
  ]
  const done = yield* call(args, words, true)
  const status = done && !args.purge ? await releaseOf(host, args) : undefined
  return { changed: true, msg: '', status: status ?? {}, ...said(done), command: told(args, words) }
}

const flags = (all: readonly (readonly [boolean | undefined, string])[]): string[] => all.filter(([on]) => on).map(([, word]) => word)

function installWords(args: HelmArgs, exists: boolean): string[] {
  if (args.replace && args.history_max !== undefined) throw new ModuleFailure('replace and history_max exclude each other')
  const timeout = args.wait_timeout ?? args.timeout
  const verb = args.replace ? ['install', '--replace'] : ['upgrade', '-i']
  const reuse = exists && !args.replace
  return [
    ...verb,
    ...flags([
      [!args.replace && args.reuse_values === true, '--reuse-values=True'],
      [!args.replace && args.reset_then_reuse_values, '--reset-then-reuse-values'],
      [reuse && args.reset_values && !args.reuse_values && !args.reset_then_reuse_values, '--reset-values'],
      [args.wait, '--wait'],
      [timeout !== undefined, `--timeout=${timeout}`],
      [args.atomic, '--atomic'],
      [args.force, '--force'],
      [args.disable_hook, '--no-hooks'],
      [args.create_namespace, '--create-namespace'],
      [args.dependency_update, '--dependency-update'],
      [args.skip_crds, '--skip-crds'],
      [args.skip_schema_validation, '--skip-schema-validation'],
      [args.take_ownership, '--take-ownership'],
      [args.insecure_registry || args.plain_http, '--plain-http'],
      [args.insecure_skip_tls_verify, '--insecure-skip-tls-verify'],
      [args.history_max !== undefined, `--history-max=${args.history_max}`],
      [args.post_renderer !== undefined, `--post-renderer=${args.post_renderer}`],
    ]),
    ...chartWords(args),
    ...args.values_files.map((file) => `--values=${file}`),
    ...(args.release_values.size > 0 ? ['--values=-'] : []),
    ...(args.set_values ?? []).flatMap(setWords),
    args.release_name,
    args.chart_ref ?? '',
  ]
}

const chartWords = (args: HelmArgs): string[] => [
  ...(args.chart_repo_url === undefined ? [] : [`--repo=${args.chart_repo_url}`]),
  ...(args.chart_version === undefined ? [] : [`--version=${args.chart_version}`]),
]

const SET: Readonly<Record<string, string>> = { raw: '--set', string: '--set-string', json: '--set-json', file: '--set-file' }

const setWords = (one: Dict): string[] => [SET[asText(one.get('value_type') ?? 'raw')] ?? '--set', asText(one.get('value') ?? '')]

/** Whether the release has this chart in this version with these values already. */
async function isSettled(host: Host, args: HelmArgs, release: JsonObject): Promise<boolean> {
  if (args.force || release['status'] !== 'deployed') return false
  const chart = await chartOf(host, args)
  if (release['chart'] !== `${chart.name}-${chart.version}`) return false
  if ((args.set_values ?? []).length > 0) return false
  let wanted: Json = {}
  for (const file of args.values_files) wanted = merged(wanted, yamlOf(textOf(await host.read(file)), file))
  wanted = merged(wanted, toJson(args.release_values))
  return canonical(release['values'] as Json) === canonical(wanted)
}

async function chartOf(host: Host, args: HelmArgs): Promise<{ name: string; version: string }> {
  const insecure = flags([
    [args.insecure_registry || args.plain_http, '--plain-http'],
    [args.insecure_skip_tls_verify, '--insecure-skip-tls-verify'],
  ])
  const words = ['show', 'chart', ...chartWords(args), ...insecure, args.chart_ref ?? '']
  const shown = await host.look(withHelm(args, sh`hm ${words}`), { onFailure: 'tell' })
  if (shown.code !== 0) throw helmFailure(shown, told(args, words))
  const node = parseYaml({ name: args.chart_ref ?? 'chart', text: textOf(shown.stdout) })
  const value = node === undefined ? null : nodeToValue(node)
  const text = (key: string): string => (isDict(value) ? asText(value.get(key) ?? '') : '')
  return { name: text('name'), version: text('version') }
}

function yamlOf(text: string, name: string): Json {
  const node = parseYaml({ name, text })
  const value = node === undefined ? new Map() : nodeToValue(node)
  return isDict(value) ? toJson(value) : {}
}

function merged(base: Json, over: Json): Json {
  if (!isPlain(base) || !isPlain(over)) return over
  const keys = [...new Set([...Object.keys(base), ...Object.keys(over)])]
  return Object.fromEntries(
    keys.map((key) => [key, over[key] === undefined ? base[key]! : base[key] === undefined ? over[key]! : merged(base[key], over[key])]),
  )
}

const isPlain = (value: Json): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)

function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map((one) => canonical(one as Json)).join(',')}]`
  if (!isPlain(value)) return JSON.stringify(value)
  return `{${Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key]!)}`)
    .join(',')}}`
}
