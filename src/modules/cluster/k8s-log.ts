/** k8s_log: tells what containers of a pod have said. */
import type { Json } from '../../base/index.ts'
import { type Args, bool, fallback, int, list, str } from '../../params/index.ts'
import { sh, textOf } from '../../remote/index.ts'
import { defineModule, type Host, ModuleFailure } from '../api.ts'
import { connectionParams, type KubeObject, kubectlFailure, NO_KUBECTL, objectOf, readKubectl } from './connection.ts'
import { findResource, listObjects } from './resources.ts'

const params = {
  ...connectionParams,
  all_containers: bool({ description: 'all containers of the pod' }),
  api_version: fallback(str({ aliases: ['api', 'version'], description: 'API of kind' }), 'v1'),
  container: str({ description: 'container of the pod' }),
  kind: fallback(str({ description: 'Pod, or a kind that has pods' }), 'Pod'),
  label_selectors: list('str', { description: 'the first pod with these labels' }),
  name: str({ description: 'name of the object' }),
  namespace: str({ description: 'namespace of the object' }),
  previous: fallback(bool({ description: 'of the container that ran before' }), false),
  since_seconds: str({ description: 'only the last seconds' }),
  tail_lines: int({ description: 'only the last lines' }),
} as const

type LogArgs = Args<typeof params>

export default defineModule({
  name: 'kubernetes.core.k8s_log',
  aliases: ['community.kubernetes.k8s_log'],
  summary: 'Tells the logs of pods.',
  params,
  rules: { mutuallyExclusive: [['container', 'all_containers']] },
  async *run(args, host) {
    const labels = args.label_selectors ?? []
    if (args.name !== undefined && labels.length > 0) throw new ModuleFailure('Only one of name or label_selectors can be provided')
    const pod = await podOf(host, args, labels)
    const name = String(objectOf(pod['metadata'])['name'])
    const namespace = String(objectOf(pod['metadata'])['namespace'] ?? args.namespace ?? 'default')
    let log = ''
    for (const container of args.all_containers ? containersOf(pod) : [args.container])
      log += await read(host, args, { name, namespace }, container)
    return { changed: false, log, log_lines: log.split('\n') }
  },
})

/** The pod itself, or the first of those that another kind selects. */
async function podOf(host: Host, args: LogArgs, labels: readonly string[]): Promise<KubeObject> {
  const pods = await findResource(host, args, 'v1', 'Pod')
  const resource = await findResource(host, args, args.api_version, args.kind)
  if (!pods || !resource)
    throw new ModuleFailure(`Failed to find exact match for ${args.api_version}.${args.kind} by [kind, name, singularName, shortNames]`)
  const { namespace } = args
  let wanted = labels
  if (resource.kind !== 'Pod') {
    if (args.name === undefined) throw new ModuleFailure('name must be provided for resources that do not support the log subresource')
    const [owner] = await listObjects(host, args, resource, { name: args.name, namespace })
    if (!owner) throw new ModuleFailure(`${args.kind} ${args.name} not found.`)
    wanted = selectorOf(owner)
  } else if (labels.length === 0) {
    if (args.name === undefined) throw new ModuleFailure('name must be provided for resources that do not support namespaced base url')
    const [pod] = await listObjects(host, args, pods, { name: args.name, namespace })
    if (!pod) throw new ModuleFailure(`Pod ${namespace ?? 'None'}/${args.name} not found.`)
    return pod
  }
  const [first] = await listObjects(host, args, pods, { namespace, labels: wanted })
  if (!first) throw new ModuleFailure(`No pods in namespace ${namespace ?? 'None'} matched selector ${wanted.join(',')}`)
  return first
}

/** Labels, and what expressions say of labels, as a selector has them. */
function selectorOf(owner: KubeObject): string[] {
  const selector = objectOf(objectOf(owner['spec'])['selector'])
  const isSet = 'matchLabels' in selector || 'matchExpressions' in selector
  const labels = Object.entries(objectOf(isSet ? selector['matchLabels'] : selector)).map(([k, v]) => `${k}=${String(v)}`)
  const expressions = (Array.isArray(selector['matchExpressions']) ? (selector['matchExpressions'] as Json[]) : []).map(objectOf)
  return [
    ...labels,
    ...expressions.map(({ key, operator, values }) => EXPRESSIONS[String(operator)]?.(String(key), (values as string[]) ?? []) ?? ''),
  ]
}

const EXPRESSIONS: Readonly<Record<string, (key: string, values: readonly string[]) => string>> = {
  In: (key, values) => `${key} in (${values.join(',')})`,
  NotIn: (key, values) => `${key} notin (${values.join(',')})`,
  Exists: (key) => key,
  DoesNotExist: (key) => `!${key}`,
}

const containersOf = (pod: KubeObject): string[] =>
  ((objectOf(pod['status'])['containerStatuses'] as Json[] | undefined) ?? []).map((one) => String(objectOf(one)['name']))

async function read(
  host: Host,
  args: LogArgs,
  { name, namespace }: { name: string; namespace: string },
  container: string | undefined,
): Promise<string> {
  const asked = [
    ...(container === undefined ? [] : [`container=${encodeURIComponent(container)}`]),
    ...(args.since_seconds ? [`sinceSeconds=${encodeURIComponent(args.since_seconds)}`] : []),
    ...(args.previous ? ['previous=true'] : []),
    ...(args.tail_lines ? [`tailLines=${args.tail_lines}`] : []),
  ]
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(name)}/log${asked.length > 0 ? `?${asked.join('&')}` : ''}`
  const told = await readKubectl(host, args, sh`kc get --raw ${path}`)
  if (told.code === NO_KUBECTL) throw kubectlFailure(told)
  if (told.code !== 0) throw new ModuleFailure(`Unable to retrieve log from Pod due to: ${textOf(told.stderr).trim()}`)
  return textOf(told.stdout)
}
