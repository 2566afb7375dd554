/** helm_template: makes the objects of a chart, without a cluster; they are told or put in a folder. */
import { asText, bool, choice, dict, fallback, list, listOf, path, pythonJson, required, str } from '../../params/index.ts'
import { sh } from '../../remote/index.ts'
import { defineModule, ModuleFailure } from '../api.ts'
import { callHelm } from './helm-plugins.ts'
import { helmFailure, withHelm } from './helm-words.ts'

const SET: Readonly<Record<string, string>> = { raw: '--set', string: '--set-string', json: '--set-json', file: '--set-file' }

export default defineModule({
  name: 'kubernetes.core.helm_template',
  summary: 'Renders charts.',
  params: {
    binary_path: path({ description: 'the helm program' }),
    chart_ref: required(path({ description: 'chart: repo/name, folder, archive or address' })),
    chart_repo_url: str({ description: 'repository of the chart' }),
    chart_version: str({ description: 'version of the chart; the newest otherwise' }),
    dependency_update: fallback(bool({ aliases: ['dep_up'], description: 'get the charts that the chart needs' }), false),
    disable_hook: fallback(bool({ description: 'leave hooks out' }), false),
    include_crds: fallback(bool({ description: 'custom kinds too' }), false),
    output_dir: path({ description: 'folder on the host for the objects; they are told otherwise' }),
    release_name: str({ aliases: ['name'], description: 'name of the release' }),
    release_namespace: str({ description: 'namespace of the release' }),
    release_values: fallback(dict({ aliases: ['values'], description: "the chart's values" }), new Map()),
    set_values: listOf(
      {
        value: required(str()),
        value_type: choice(['raw', 'string', 'json', 'file'], 'raw', { description: 'how the value is written' }),
      },
      { description: 'single values, as --set takes them' },
    ),
    show_only: list('str', { description: 'only these templates' }),
    update_repo_cache: fallback(bool({ description: 'refresh the lists of the repositories first' }), false),
    values_files: fallback(list('str', { description: 'files of the host with values' }), []),
  },
  async *run(args, _host) {
    const connection = { binary_path: args.binary_path, validate_certs: true }
    if (args.update_repo_cache) {
      const done = yield { what: 'lists', script: withHelm(connection, sh`hm repo update`), onFailure: 'tell' }
      if (done && done.code !== 0) throw helmFailure(done, 'helm repo update')
    }
    const values = args.release_values.size > 0
    const words = [
      ...['template', ...(args.release_name ? [args.release_name] : []), args.chart_ref],
      ...(args.dependency_update ? ['--dependency-update'] : []),
      ...(args.chart_repo_url ? [`--repo=${args.chart_repo_url}`] : []),
      ...(args.chart_version ? [`--version=${args.chart_version}`] : []),
      ...(args.disable_hook ? ['--no-hooks'] : []),
      ...(args.output_dir ? [`--output-dir=${args.output_dir}`] : []),
      ...(args.show_only ?? []).flatMap((one) => ['-s', one]),
      ...args.values_files.map((one) => `-f=${one}`),
      ...(args.release_namespace ? ['-n', args.release_namespace] : []),
      ...(values ? ['-f=-'] : []),
      ...(args.include_crds ? ['--include-crds'] : []),
      ...(args.set_values ?? []).flatMap((one) => [SET[asText(one.get('value_type') ?? 'raw')]!, asText(one.get('value') ?? '')]),
    ]
    const told = yield* callHelm('objects', connection, words, values ? { stdin: pythonJson(args.release_values) } : {})
    if (told.rc !== 0)
      throw new ModuleFailure(
        `Failure when executing Helm command. Exited ${told.rc}.\nstdout: ${told.stdout}\nstderr: ${told.stderr}`,
        told,
      )
    return { changed: true, ...told }
  },
})
