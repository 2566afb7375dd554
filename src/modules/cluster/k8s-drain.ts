/** k8s_drain: makes a node of a Kubernetes cluster take no more pods, lose those it has, or take pods again. */
import { bool, choice, dictOf, fallback, int, list, required, str } from '../../params/index.ts'
import { sh } from '../../remote/index.ts'
import { defineModule, ModuleFailure } from '../api.ts'
import { connectionParams, kubectlFailure, objectOf, withKubectl } from './connection.ts'
import { findResource, listObjects } from './resources.ts'

export default defineModule({
  name: 'kubernetes.core.k8s_drain',
  aliases: ['community.kubernetes.k8s_drain'],
  summary: 'Cordons, drains and uncordons nodes.',
  params: {
    ...connectionParams,
    delete_options: dictOf({
      delete_emptydir_data: fallback(bool(), false),
      disable_eviction: fallback(bool(), false),
      force: fallback(bool(), false),
      ignore_daemonsets: fallback(bool(), false),
      terminate_grace_period: int(),
      wait_sleep: fallback(int(), 5),
      wait_timeout: int(),
    }),
    name: required(str({ description: 'name of the node' })),
    pod_selectors: list('str', { aliases: ['label_selectors'], description: 'only pods with these labels' }),
    state: choice(['cordon', 'drain', 'uncordon'], 'drain', { description: 'what becomes of the node' }),
  },
  async *run(args, host) {
    const nodes = await findResource(host, args, 'v1', 'Node')
    const [node] = nodes ? await listObjects(host, args, nodes, { name: args.name }) : []
    if (!node) throw new ModuleFailure(`Node ${args.name} not found.`)
    const cordoned = objectOf(node['spec'])['unschedulable'] === true
    if (args.state === 'cordon' && cordoned) return { changed: false, result: `node ${args.name} already marked unschedulable.` }
    if (args.state === 'uncordon' && !cordoned) return { changed: false, result: `node ${args.name} already marked schedulable.` }
    const busy = args.state === 'drain' ? await drainable(host, args) : true
    if (!busy && cordoned) return { changed: false, result: `node ${args.name} already marked unschedulable.` }
    const options = args.state === 'drain' ? drainWords(args.delete_options ?? new Map(), args.pod_selectors) : []
    const done = yield {
      what: 'node',
      diff: { before: { unschedulable: cordoned }, after: { unschedulable: args.state !== 'uncordon' } },
      script: withKubectl(args, sh`kc ${args.state} ${args.name} ${options} >/dev/null`),
      onFailure: 'tell',
    }
    if (done && done.code !== 0) throw kubectlFailure(done)
    return { changed: true, result: MESSAGES[args.state](args.name) }
  },
})

const MESSAGES: Readonly<Record<'cordon' | 'drain' | 'uncordon', (name: string) => string>> = {
  cordon: (name) => `node ${name} marked unschedulable.`,
  uncordon: (name) => `node ${name} marked schedulable.`,
  drain: (name) => `node ${name} marked unschedulable. Node drained.`,
}

/** Whether the node has pods that a drain would take away: neither of daemon sets nor static ones. */
async function drainable(
  host: Parameters<typeof listObjects>[0],
  args: Parameters<typeof listObjects>[1] & { readonly name: string; readonly pod_selectors?: readonly string[] | undefined },
): Promise<boolean> {
  const pods = await findResource(host, args, 'v1', 'Pod')
  if (!pods) return true
  const found = await listObjects(host, args, pods, { fields: [`spec.nodeName=${args.name}`], labels: args.pod_selectors })
  return found.some((pod) => {
    const metadata = objectOf(pod['metadata'])
    const owners = metadata['ownerReferences']
    const ofDaemon = Array.isArray(owners) && owners.some((owner) => objectOf(owner)['kind'] === 'DaemonSet')
    return !ofDaemon && objectOf(metadata['annotations'])['kubernetes.io/config.mirror'] === undefined
  })
}

function drainWords(options: ReadonlyMap<unknown, unknown>, selectors: readonly string[] | undefined): string[] {
  const flag = (name: string, word: string): string[] => (options.get(name) === true ? [word] : [])
  const number = (name: string, word: string, unit = ''): string[] =>
    typeof options.get(name) === 'number' ? [`${word}=${String(options.get(name))}${unit}`] : []
  return [
    ...flag('delete_emptydir_data', '--delete-emptydir-data'),
    ...flag('disable_eviction', '--disable-eviction'),
    ...flag('force', '--force'),
    ...flag('ignore_daemonsets', '--ignore-daemonsets'),
    ...number('terminate_grace_period', '--grace-period'),
    ...number('wait_timeout', '--timeout', 's'),
    ...(selectors?.length ? [`--pod-selector=${selectors.join(',')}`] : []),
  ]
}
