/** k8s_rollback: makes deployments or daemon sets be as they were one revision ago. */
import type { Json, JsonObject } from '../../base/index.ts'
import { type Args, fallback, list, str } from '../../params/index.ts'
import { sh } from '../../remote/index.ts'
import { type Change, type Done, defineModule, type Host, ModuleFailure } from '../api.ts'
import { connectionParams, type KubeObject, kubectlFailure, objectOf, withKubectl } from './connection.ts'
import { findResource, listObjects, type Resource } from './resources.ts'

const params = {
  ...connectionParams,
  api_version: fallback(str({ aliases: ['api', 'version'], description: 'API of kind' }), 'v1'),
  field_selectors: list('str', { description: 'only objects with these fields' }),
  kind: str({ description: 'Deployment or DaemonSet' }),
  label_selectors: list('str', { description: 'only objects with these labels' }),
  name: str({ description: 'name of the object' }),
  namespace: str({ description: 'namespace of the object' }),
} as const

type RollbackArgs = Args<typeof params>

const REVISION = 'deployment.kubernetes.io/revision'

export default defineModule({
  name: 'kubernetes.core.k8s_rollback',
  aliases: ['community.kubernetes.k8s_rollback'],
  summary: 'Takes deployments and daemon sets back to their last revision.',
  params,
  async *run(args, host) {
    const kind = args.kind ?? ''
    const resource = await findResource(host, args, args.api_version, kind)
    if (!resource) return { changed: false, rollback_info: [] }
    const query = { name: args.name, namespace: args.namespace, labels: args.label_selectors, fields: args.field_selectors }
    const infos: JsonObject[] = []
    for (const object of await listObjects(host, args, resource, query)) infos.push(yield* rolledBack(host, args, resource, object))
    return { changed: infos.some((one) => one['changed'] === true), rollback_info: infos }
  },
})

const annotations = (object: KubeObject): KubeObject => objectOf(objectOf(object['metadata'])['annotations'])

/** What keeps the revisions of a kind: the kind that has them, the present revision, and that of an older one. */
const HISTORIES: Readonly<Record<string, { kind: string; now: (object: KubeObject) => number; of: (old: KubeObject) => number }>> = {
  Deployment: {
    kind: 'ReplicaSet',
    now: (object) => Number(annotations(object)[REVISION]),
    of: (old) => Number(annotations(old)[REVISION]),
  },
  DaemonSet: {
    kind: 'ControllerRevision',
    now: (object) => Number(objectOf(object['metadata'])['generation']),
    of: (old) => Number(annotations(old)['deprecated.daemonset.template.generation']),
  },
}

async function* rolledBack(
  host: Host,
  args: RollbackArgs,
  resource: Resource,
  object: KubeObject,
): AsyncGenerator<Change, JsonObject, Done> {
  const history = HISTORIES[resource.kind]
  if (!history) throw new ModuleFailure(`Cannot perform rollback on resource of kind ${resource.kind}`)
  const metadata = objectOf(object['metadata'])
  const name = String(metadata['name'])
  const namespace = typeof metadata['namespace'] === 'string' ? metadata['namespace'] : args.namespace
  const kept = await findResource(host, args, 'apps/v1', history.kind)
  const labels = Object.entries(objectOf(objectOf(objectOf(object['spec'])['selector'])['matchLabels'])).map(
    ([k, v]) => `${k}=${String(v)}`,
  )
  const all = kept ? await listObjects(host, args, kept, { namespace, labels }) : []
  const wanted = history.now(object) - 1
  const old = all.find((one) => history.of(one) === wanted)
  if (!old) return { changed: false, warnings: [`No rollout history found for resource ${resource.kind}/${name}`] }
  const { type, body } = resource.kind === 'Deployment' ? deploymentPatch(old) : { type: 'strategic', body: old['data'] as Json }
  const done = yield {
    what: 'revision',
    diff: { before: { revision: wanted + 1 }, after: { revision: wanted } },
    script: withKubectl(
      args,
      sh`kc patch ${[`${resource.kind}.v1.apps`, name, `--namespace=${namespace ?? 'default'}`, `--type=${type}`, '-p', JSON.stringify(body)]} >/dev/null`,
    ),
    onFailure: 'tell',
  }
  if (done && done.code !== 0) throw kubectlFailure(done)
  const after = done ? (await listObjects(host, args, resource, { name, namespace }))[0] : undefined
  return { changed: true, method: 'patch', body, resources: (after ?? object) as Json }
}

function deploymentPatch(old: KubeObject): { type: string; body: Json } {
  const template = objectOf(objectOf(old['spec'])['template'])
  const metadata = objectOf(template['metadata'])
  const { 'pod-template-hash': _, ...labels } = objectOf(metadata['labels'])
  return {
    type: 'json',
    body: [
      { op: 'replace', path: '/spec/template', value: { ...template, metadata: { ...metadata, labels } } as Json },
      { op: 'replace', path: '/metadata/annotations', value: { [REVISION]: annotations(old)[REVISION] ?? null } },
    ],
  }
}
