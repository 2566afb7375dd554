/** k8s_taint: makes a node of a Kubernetes cluster have taints, or not. */
import type { Dict, JsonObject } from '../../base/index.ts'
import { asText, bool, choice, fallback, listOf, required, str } from '../../params/index.ts'
import { sh, textOf } from '../../remote/index.ts'
import { type Change, type Done, defineModule, type Host, ModuleFailure } from '../api.ts'
import { type Connection, connectionParams, kubectlFailure, objectOf, parsed, withKubectl } from './connection.ts'
import { findResource, listObjects } from './resources.ts'

export default defineModule({
  name: 'kubernetes.core.k8s_taint',
  summary: 'Manages taints of Kubernetes nodes.',
  params: {
    ...connectionParams,
    name: required(str({ description: 'name of the node' })),
    replace: fallback(bool({ description: 'there are to be no other taints' }), false),
    state: choice(['present', 'absent'], 'present'),
    taints: required(
      listOf(
        {
          effect: choice(['NoSchedule', 'NoExecute', 'PreferNoSchedule'], { description: 'what it does to pods' }),
          key: str({ description: 'its key' }),
          value: str(),
        },
        { description: 'the taints' },
      ),
    ),
  },
  async *run(args, host) {
    const node = await nodeOf(host, args, args.name)
    const now = (Array.isArray(objectOf(node['spec'])['taints']) ? (objectOf(node['spec'])['taints'] as JsonObject[]) : []) as Taint[]
    const wanted = args.taints.map(taintOf)
    const next = args.state === 'present' ? withTaints(now, wanted, args.replace) : withoutTaints(now, wanted)
    if (!next) return { changed: false, result: args.state === 'present' ? node : {} }
    const result = yield* patched(host, args, now, next)
    return { changed: true, result: args.state === 'present' ? result : {} }
  },
})

interface Taint extends Readonly<Record<string, string>> {}

function taintOf(given: Dict): Taint {
  return Object.fromEntries([...given].filter(([, value]) => value !== null && value !== undefined).map(([k, v]) => [asText(k), asText(v)]))
}

/** Two without an effect are alike by their keys. */
const alike = (a: Taint, b: Taint): boolean => a['key'] === b['key'] && (!('effect' in a && 'effect' in b) || a['effect'] === b['effect'])

const without = (some: readonly Taint[], others: readonly Taint[]): Taint[] => some.filter((a) => !others.some((b) => alike(a, b)))

function withTaints(now: readonly Taint[], wanted: readonly Taint[], replace: boolean): Taint[] | undefined {
  const fresh = without(wanted, now).length > 0
  const other = now.some((a) => wanted.some((b) => alike(a, b) && a['value'] !== b['value']))
  if (!fresh && !other) return undefined
  return fresh && replace ? [...wanted] : [...without(now, wanted), ...wanted]
}

function withoutTaints(now: readonly Taint[], wanted: readonly Taint[]): Taint[] | undefined {
  const next = without(now, wanted)
  return next.length === now.length ? undefined : next
}

async function nodeOf(host: Host, connection: Connection, name: string): Promise<JsonObject> {
  const nodes = await findResource(host, connection, 'v1', 'Node')
  const [node] = nodes ? await listObjects(host, connection, nodes, { name }) : []
  if (!node) throw new ModuleFailure(`Node '${name}' has not been found.`)
  return node
}

async function* patched(
  host: Host,
  args: Connection & { readonly name: string },
  before: readonly Taint[],
  taints: readonly Taint[],
): AsyncGenerator<Change, JsonObject, Done> {
  const done = yield {
    what: 'taints',
    diff: { before: { taints: [...before] }, after: { taints: [...taints] } },
    script: withKubectl(args, sh`kc patch node ${args.name} --type=merge -p ${JSON.stringify({ spec: { taints } })} -o json`),
    onFailure: 'tell',
  }
  if (done && done.code !== 0) throw kubectlFailure(done)
  if (!done || host.check) return {}
  const text = textOf(done.stdout).trim()
  return text.startsWith('{') ? parsed(text) : nodeOf(host, args, args.name)
}
