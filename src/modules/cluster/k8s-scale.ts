/** k8s_scale: makes a deployment, replica set, stateful set, replication controller or job have a number of replicas. */
import { type Args, bool, fallback, int, list, path, raw, required, str } from '../../params/index.ts'
import { type Script, sh } from '../../remote/index.ts'
import { type Change, type Done, defineModule, type Host, ModuleFailure } from '../api.ts'
import { connectionParams, type KubeObject, kubectlFailure, objectOf, withKubectl } from './connection.ts'
import { definitionsOf } from './definitions.ts'
import { findResource, listObjects, type Resource } from './resources.ts'
import { readiness, waitFor } from './wait.ts'

const params = {
  ...connectionParams,
  api_version: fallback(str({ aliases: ['api', 'version'], description: 'API of kind' }), 'v1'),
  continue_on_error: fallback(bool({ description: 'tell failures in the results instead of ending' }), false),
  current_replicas: int({ description: 'only if it has this many now' }),
  kind: str({ description: 'kind of the object' }),
  label_selectors: list('str', { description: 'all objects with these labels' }),
  name: str({ description: 'name of the object' }),
  namespace: str({ description: 'namespace of the object' }),
  replicas: required(int({ description: 'how many there are to be' })),
  resource_definition: raw({ aliases: ['definition', 'inline'], description: 'the object, as YAML or a dict' }),
  resource_version: str({ description: 'only if it has this version now' }),
  src: path({ description: 'a file on the host with the object' }),
  wait: fallback(bool({ description: 'wait until they are ready' }), true),
  wait_sleep: fallback(int({ description: 'seconds between looks' }), 5),
  wait_timeout: fallback(int({ description: 'seconds to wait at most' }), 20),
} as const

type ScaleArgs = Args<typeof params>

export default defineModule({
  name: 'kubernetes.core.k8s_scale',
  aliases: ['community.kubernetes.k8s_scale'],
  summary: 'Sets how many replicas a Kubernetes object has.',
  params,
  rules: { mutuallyExclusive: [['resource_definition', 'src']] },
  async *run(args, host) {
    const [definition] = await definitionsOf(host, args)
    const metadata = objectOf(definition!['metadata'])
    const kind = String(definition!['kind'] ?? '')
    const resource = await findResource(host, args, String(definition!['apiVersion']), kind)
    if (!resource) throw new ModuleFailure(`Failed to find exact match for ${String(definition!['apiVersion'])}.${kind}`)
    const name = typeof metadata['name'] === 'string' ? metadata['name'] : undefined
    const namespace = typeof metadata['namespace'] === 'string' ? metadata['namespace'] : undefined
    const found = await listObjects(host, args, resource, { name, namespace, labels: args.label_selectors })
    const many = (args.label_selectors?.length ?? 0) > 0
    if (found.length === 0) {
      const msg = `Failed to retrieve requested object: no ${kind} ${name ?? ''} in ${namespace ?? 'any namespace'}`
      if (args.continue_on_error && many) return { changed: false, results: [{ changed: false, error: { msg } }] }
      throw new ModuleFailure(msg)
    }
    const results = []
    for (const object of found) results.push(yield* scaled(host, args, resource, object))
    return many ? { changed: results.some((one) => one.changed), results } : results[0]!
  },
})

type Scaled = {
  readonly changed: boolean
  readonly result?: KubeObject
  readonly duration?: number
  readonly warning?: string
  readonly diff?: KubeObject
}

async function* scaled(host: Host, args: ScaleArgs, resource: Resource, object: KubeObject): AsyncGenerator<Change, Scaled, Done> {
  const metadata = objectOf(object['metadata'])
  const spec = objectOf(object['spec'])
  const key = resource.kind === 'Job' ? 'parallelism' : 'replicas'
  const now = typeof spec[key] === 'number' ? spec[key] : 1
  if (args.current_replicas !== undefined && now !== args.current_replicas) {
    return { changed: false, warning: `current replicas ${now} do not match ${args.current_replicas}` }
  }
  if (args.resource_version !== undefined && args.resource_version !== metadata['resourceVersion']) {
    return { changed: false, warning: `resource version ${String(metadata['resourceVersion'])} does not match ${args.resource_version}` }
  }
  const query = { name: String(metadata['name']), namespace: typeof metadata['namespace'] === 'string' ? metadata['namespace'] : undefined }
  if (now === args.replicas) return { changed: false, result: object }
  const done = yield {
    what: 'replicas',
    diff: { before: { [key]: now }, after: { [key]: args.replicas } },
    onFailure: 'tell',
    script: withKubectl(args, scaleScript(resource, query, key, args.replicas)),
  }
  if (!done) return { changed: true, result: { ...object, spec: { ...spec, [key]: args.replicas } } }
  if (done.code !== 0) throw kubectlFailure(done)
  if (!args.wait) return { changed: true, result: (await listObjects(host, args, resource, query))[0] ?? object }
  const isReady = readiness(resource.kind, undefined)
  const waited = await waitFor(host, args, resource, query, args, (one) => objectOf(one['spec'])[key] === args.replicas && isReady(one))
  if (!waited.ok)
    throw new ModuleFailure(`"${resource.kind}" "${query.name}": Timed out waiting on resource`, { duration: waited.duration })
  return { changed: true, result: waited.found[0] ?? object, duration: waited.duration }
}

/** Jobs have no scale of their own. */
function scaleScript(
  resource: Resource,
  { name, namespace }: { name: string; namespace: string | undefined },
  key: string,
  count: number,
): Script {
  const [group, version] = resource.apiVersion.includes('/') ? resource.apiVersion.split('/') : ['', resource.apiVersion]
  const target = [`${resource.kind}.${version}.${group}`, name, ...(namespace === undefined ? [] : [`--namespace=${namespace}`])]
  return sh`kc patch ${target} --type=merge -p ${JSON.stringify({ spec: { [key]: count } })} >/dev/null`
}
