/** k8s: makes objects of a Kubernetes cluster be there as described, or be gone. */
import { type Dict, isDict, type Json, type JsonObject } from '../../base/index.ts'
import { type Args, bool, choice, dictOf, fallback, int, list, path, raw, required, str } from '../../params/index.ts'
import { type Script, sh, textOf } from '../../remote/index.ts'
import { type Change, type Done, defineModule, type Host, ModuleFailure, type Result } from '../api.ts'
import { connectionParams, type KubeObject, kubectlFailure, objectOf, parsed, readKubectl, withKubectl } from './connection.ts'
import { definitionsOf, withHash } from './definitions.ts'
import { findResource, listObjects, type Resource } from './resources.ts'
import { readiness, waitCondition, waitFor } from './wait.ts'

const params = {
  ...connectionParams,
  api_version: fallback(str({ aliases: ['api', 'version'], description: 'API of kind' }), 'v1'),
  append_hash: fallback(bool({ description: 'put a hash of the content in the names of config maps and secrets' }), false),
  apply: fallback(bool({ description: 'merge three ways, as kubectl apply does' }), false),
  continue_on_error: fallback(bool({ description: 'tell failures in the results instead of ending' }), false),
  delete_options: dictOf({
    gracePeriodSeconds: int(),
    preconditions: dictOf({ resourceVersion: str(), uid: str() }),
    propagationPolicy: choice(['Foreground', 'Background', 'Orphan']),
  }),
  force: fallback(bool({ description: 'replace what is there' }), false),
  generate_name: str({ description: 'beginning of a name that the server makes' }),
  kind: str({ description: 'kind of the object' }),
  label_selectors: list('str', { description: 'leave objects alone whose labels do not fit; select those to delete' }),
  merge_type: list('str', { description: 'ways to merge, in order: json, merge, strategic-merge' }),
  name: str({ description: 'name of the object' }),
  namespace: str({ description: 'namespace of the object' }),
  resource_definition: raw({ aliases: ['definition', 'inline'], description: 'the object or objects, as YAML or dicts' }),
  server_side_apply: dictOf({ field_manager: required(str()), force_conflicts: fallback(bool(), false) }),
  src: path({ description: 'a file on the host with the objects' }),
  state: choice(['absent', 'present', 'patched'], 'present', { description: 'patched: change it only if it is there' }),
  template: raw({ description: 'templates of the controller with the objects' }),
  validate: dictOf({ fail_on_error: bool(), strict: fallback(bool(), true), version: str() }),
  wait: fallback(bool({ description: 'wait until it is ready, or gone' }), false),
  wait_condition: waitCondition,
  wait_sleep: fallback(int({ description: 'seconds between looks' }), 5),
  wait_timeout: fallback(int({ description: 'seconds to wait at most' }), 120),
} as const

type K8sArgs = Args<typeof params>

export default defineModule({
  name: 'kubernetes.core.k8s',
  aliases: ['community.kubernetes.k8s', 'community.okd.k8s'],
  summary: 'Makes Kubernetes objects be there or be gone.',
  params,
  rules: {
    mutuallyExclusive: [
      ['resource_definition', 'src', 'template'],
      ['merge_type', 'apply'],
    ],
  },
  async *run(args, host) {
    const results: JsonObject[] = []
    for (const definition of await definitionsOf(host, args)) {
      try {
        results.push(yield* perform(host, args, definition))
      } catch (error) {
        if (!args.continue_on_error || !(error instanceof ModuleFailure)) throw error
        results.push({ changed: false, result: {}, error: { ...error.result, msg: error.message } })
      }
    }
    if (results.length === 1) return results[0] as Result
    return { changed: results.some((one) => one['changed'] === true), result: { results } }
  },
})

/** One object: what is there, what it should be, and the change between. */
async function* perform(host: Host, args: K8sArgs, described: KubeObject): AsyncGenerator<Change, JsonObject, Done> {
  const wanted = args.append_hash ? withHash(described) : described
  const { kind, apiVersion } = wanted
  if (typeof kind !== 'string' || kind === '') throw new ModuleFailure("either 'kind' or a definition that has one is needed")
  const resource = await findResource(host, args, String(apiVersion), kind)
  if (!resource)
    throw new ModuleFailure(`Failed to find exact match for ${String(apiVersion)}.${kind} by [kind, name, singularName, shortNames]`)
  const object = placed(wanted, resource)
  const { name, namespace } = idOf(object)
  if (args.state === 'absent') return yield* remove(host, args, resource, object)
  const labels = args.label_selectors ?? []
  if (!labels.every((selector) => fits(object, selector))) {
    const told = `kind=${kind},name=${name},namespace=${namespace ?? 'None'}`
    return { changed: false, result: {}, msg: `resource '${told}' filtered by label_selectors.` }
  }
  const existing = name === undefined ? undefined : (await listObjects(host, args, resource, { name, namespace }))[0]
  if (!existing && args.state === 'patched' && !args.apply) {
    const warning = `resource 'kind=${kind},name=${name}' was not found but will not be created as 'state' parameter has been set to 'patched'`
    return { changed: false, result: {}, warnings: [warning] }
  }
  return yield* write(host, args, resource, object, existing)
}

/** The kind as the server spells it; a namespace only where the kind has one. */
function placed(object: KubeObject, resource: Resource): KubeObject {
  const { namespace, ...metadata } = objectOf(object['metadata'])
  return {
    ...object,
    kind: resource.kind,
    metadata: resource.namespaced ? { ...metadata, namespace: namespace ?? 'default' } : metadata,
  }
}

function idOf(object: KubeObject): { name: string | undefined; namespace: string | undefined } {
  const metadata = objectOf(object['metadata'])
  const text = (value: Json | undefined): string | undefined => (typeof value === 'string' ? value : undefined)
  return { name: text(metadata['name']), namespace: text(metadata['namespace']) }
}

/** `key`, `!key`, `key=value`, `key!=value`, `key in (a, b)`, `key notin (a, b)` */
function fits(object: KubeObject, selector: string): boolean {
  const labels = objectOf(objectOf(object['metadata'])['labels'])
  const set = /^\s*(\S+)\s+(in|notin)\s+\(([^)]*)\)\s*$/.exec(selector)
  if (set) {
    const value = labels[set[1]!]
    const inside = set[3]!.split(',').some((one) => one.trim() === value)
    return set[2] === 'in' ? inside : !inside
  }
  const equal = /^\s*([^=!\s]+)\s*(==|=|!=)\s*(\S*)\s*$/.exec(selector)
  if (equal) return (labels[equal[1]!] === equal[3]) === (equal[2] !== '!=')
  const key = selector.trim()
  return key.startsWith('!') ? labels[key.slice(1)] === undefined : labels[key] !== undefined
}

interface Way {
  readonly method: 'create' | 'replace' | 'update' | 'apply'
  /** with `--dry-run=server` where it is only to be seen; the object comes on stdin */
  readonly script: (dry: readonly string[]) => Script
}

async function* write(
  host: Host,
  args: K8sArgs,
  resource: Resource,
  object: KubeObject,
  existing: KubeObject | undefined,
): AsyncGenerator<Change, JsonObject, Done> {
  const way = wayOf(args, object, existing)
  const body = JSON.stringify(object)
  const dry = await readKubectl(host, args, way.script(['--dry-run=server']), body)
  if (dry.code !== 0) throw kubectlFailure(dry)
  const would = parsed(textOf(dry.stdout))
  const before = existing ?? {}
  const changed = existing === undefined || !same(before, would)
  const told = (result: Json): JsonObject => ({ changed, method: way.method, result })
  if (!changed && way.method !== 'apply') return yield* settled(host, args, resource, object, told(before))
  if (!changed) return yield* settled(host, args, resource, object, told(existing ?? would))
  const diff = diffOf(before, would)
  const done = yield {
    what: 'object',
    script: withKubectl(args, way.script([])),
    stdin: new TextEncoder().encode(body),
    diff,
    onFailure: 'tell',
  }
  if (!done) return told(would)
  if (done.code !== 0) throw kubectlFailure(done)
  const made = parsed(textOf(done.stdout))
  return yield* settled(host, args, resource, made, {
    ...told(made),
    ...(host.diff && way.method !== 'create' ? { diff: { ...diff } } : {}),
  })
}

function wayOf(args: K8sArgs, object: KubeObject, existing: KubeObject | undefined): Way {
  const valid = validation(args)
  const output = ['-o', 'json', '--show-managed-fields']
  const server = args.server_side_apply
  if (args.apply && server) {
    const manager = `--field-manager=${String(server.get('field_manager'))}`
    const force = server.get('force_conflicts') === true ? ['--force-conflicts'] : []
    return { method: 'apply', script: (dry) => sh`kc apply --server-side ${[manager, ...force, ...valid, ...dry, ...output]} -f -` }
  }
  if (args.apply) return { method: 'apply', script: (dry) => sh`kc apply ${[...valid, ...dry, ...output]} -f -` }
  if (!existing) return { method: 'create', script: (dry) => sh`kc create ${[...valid, ...dry, ...output]} -f -` }
  if (args.force) return { method: 'replace', script: (dry) => sh`kc replace ${[...valid, ...dry, ...output]} -f -` }
  const { name, namespace } = idOf(object)
  const target = [`--namespace=${namespace ?? ''}`].filter((word) => word !== '--namespace=')
  const kinds = args.merge_type?.length ? args.merge_type : ['strategic-merge', 'merge']
  const types = kinds.map((one) => (one === 'strategic-merge' ? 'strategic' : one))
  const resource = `${String(object['kind'])}.${apiSuffix(String(object['apiVersion']))}`
  return {
    method: 'update',
    // the server tells custom kinds that it cannot merge strategically: the next way is tried
    script: (dry) => sh`b=$(cat; printf x); b=\${b%x}; r=1
for t in ${types}; do
o=$(printf %s "$b" | kc patch ${[resource, name ?? '', ...target, ...dry, ...output]} --type="$t" --patch-file=/dev/stdin); r=$?
[ $r -eq 0 ] && break
done
printf '%s\n' "$o"; exit $r`,
  }
}

/** kubectl's way to name a version and group after a kind: `v1.apps`, `v1.` */
const apiSuffix = (apiVersion: string): string => {
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion]
  return `${version}.${group}`
}

function validation({ validate }: K8sArgs): string[] {
  if (!validate) return []
  return [`--validate=${validate.get('fail_on_error') === true ? (validate.get('strict') === false ? 'true' : 'strict') : 'warn'}`]
}

/** What the server counts by itself makes no difference. */
function same(before: KubeObject, after: KubeObject): boolean {
  return canonical(bare(before)) === canonical(bare(after))
}

function bare(object: KubeObject): KubeObject {
  const {
    resourceVersion: _version,
    generation: _generation,
    managedFields: _fields,
    creationTimestamp: _time,
    ...metadata
  } = objectOf(object['metadata'])
  return { ...object, metadata }
}

function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map((one) => canonical(one as Json)).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{${Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([k, v]) => `${JSON.stringify(k)}:${canonical(v as Json)}`)
    .join(',')}}`
}

/** The members that differ, before and after. */
function diffOf(before: KubeObject, after: KubeObject): { before: JsonObject; after: JsonObject } {
  const [a, b] = [bare(before), bare(after)]
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((key) => canonical(a[key] ?? null) !== canonical(b[key] ?? null))
  const part = (object: KubeObject): JsonObject =>
    Object.fromEntries(keys.flatMap((key) => (object[key] === undefined ? [] : [[key, object[key]]])))
  return { before: part(a), after: part(b) }
}

/** Waits where that is asked for; the result then is the object as it became. */
async function* settled(
  host: Host,
  args: K8sArgs,
  resource: Resource,
  object: KubeObject,
  result: JsonObject,
): AsyncGenerator<Change, JsonObject, Done> {
  if (!args.wait || host.check) return result
  const { name, namespace } = idOf(object)
  const waited = await waitFor(host, args, resource, { name, namespace }, args, readiness(resource.kind, args.wait_condition))
  const told = { ...result, duration: waited.duration, result: waited.found[0] ?? result['result']! }
  if (!waited.ok) throw new ModuleFailure(`"${resource.kind}" "${name}": Timed out waiting on resource`, told)
  return told
}

async function* remove(host: Host, args: K8sArgs, resource: Resource, object: KubeObject): AsyncGenerator<Change, JsonObject, Done> {
  const { name, namespace } = idOf(object)
  const query = { name, namespace, labels: args.label_selectors }
  if (name === undefined && !args.label_selectors?.length) throw new ModuleFailure('to delete, a name or label_selectors are needed')
  const found = await listObjects(host, args, resource, query)
  const told: JsonObject = { changed: found.length > 0, method: 'delete', result: {} }
  if (found.length === 0) return told
  const options = args.delete_options
  for (const one of found) refuseOthers(one, options)
  const names = found.map((one) => idOf(one).name ?? '')
  const words = [
    `${resource.kind}.${apiSuffix(resource.apiVersion)}`,
    ...names,
    ...(resource.namespaced ? [`--namespace=${namespace}`] : []),
    '--wait=false',
    '--ignore-not-found',
    ...(typeof options?.get('gracePeriodSeconds') === 'number' ? [`--grace-period=${String(options.get('gracePeriodSeconds'))}`] : []),
    ...(options?.get('propagationPolicy') ? [`--cascade=${String(options.get('propagationPolicy')).toLowerCase()}`] : []),
  ]
  const done = yield {
    what: 'object',
    script: withKubectl(args, sh`kc delete ${words} >/dev/null`),
    onFailure: 'tell',
    diff: { before: { ...found[0] }, after: {} },
  }
  if (!done) return told
  if (done.code !== 0) throw kubectlFailure(done)
  const result = { apiVersion: 'v1', kind: 'Status', metadata: {}, status: 'Success', details: { name: names[0]!, kind: resource.plural } }
  if (!args.wait) return { ...told, result }
  const waited = await waitFor(host, args, resource, query, args, 'absent')
  if (!waited.ok)
    throw new ModuleFailure(`"${resource.kind}" "${name}": Timed out waiting on resource`, { ...told, duration: waited.duration })
  return { ...told, result, duration: waited.duration }
}

/** Preconditions name the very object that may go. */
function refuseOthers(object: KubeObject, options: Dict | undefined): void {
  const asked = options?.get('preconditions')
  if (!isDict(asked)) return
  for (const key of ['uid', 'resourceVersion']) {
    const wanted = asked.get(key)
    const is = objectOf(object['metadata'])[key]
    if (wanted !== undefined && wanted !== null && wanted !== is)
      throw new ModuleFailure(`the object's ${key} is ${String(is)}, not ${String(wanted)}`)
  }
}
