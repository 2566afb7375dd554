/** k8s_service: makes a Service of Kubernetes be there with its ports and selector, or be gone. */
import { fromJson, type Json, toJson, type Value } from '../../base/index.ts'
import { bool, choice, dict, fallback, list, path, required, str } from '../../params/index.ts'
import { defineModule } from '../api.ts'
import { connectionParams, type KubeObject, objectOf } from './connection.ts'
import { definitionsOf } from './definitions.ts'

const params = {
  ...connectionParams,
  apply: fallback(bool({ description: 'compare with what was applied before' }), false),
  force: fallback(bool(), false),
  merge_type: {
    ...list('str', { description: 'how the old and the new are put together' }),
    choices: ['json', 'merge', 'strategic-merge'],
  },
  name: required(str({ description: 'name of the service' })),
  namespace: required(str({ description: 'namespace of the service' })),
  ports: list<Value>('dict', { description: 'its ports' }),
  resource_definition: str({ aliases: ['definition', 'inline'], description: 'the service, as YAML or a dict' }),
  selector: dict({ description: 'labels of the pods that serve' }),
  src: path({ description: 'a file on the host with the service' }),
  state: choice(['absent', 'present'], 'present'),
  type: choice(['NodePort', 'ClusterIP', 'LoadBalancer', 'ExternalName'], { description: 'kind of the service' }),
} as const

/** what is not handed on to k8s as it is */
const OWN = new Set(['name', 'namespace', 'ports', 'selector', 'type', 'resource_definition', 'definition', 'inline', 'src'])

export default defineModule({
  name: 'kubernetes.core.k8s_service',
  aliases: ['community.kubernetes.k8s_service'],
  summary: "Manages Kubernetes' services.",
  params,
  rules: { mutuallyExclusive: [['resource_definition', 'src']] },
  async *run(args, host) {
    const given = host.task.rawArgs.get('resource_definition') ?? host.task.rawArgs.get('definition') ?? host.task.rawArgs.get('inline')
    const described = args.src !== undefined || given !== undefined
    const [base] = described
      ? await definitionsOf(host, { ...args, api_version: 'v1', kind: 'Service', resource_definition: given } as Parameters<
          typeof definitionsOf
        >[1])
      : []
    const own = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: args.name, namespace: args.namespace },
      spec: filled({ type: args.type, ports: args.ports, selector: args.selector }),
    }
    const definition = merged(base ?? {}, own as KubeObject)
    const others = [...host.task.rawArgs].filter(([name]) => !OWN.has(name))
    return yield* host.call('kubernetes.core.k8s', new Map([...others, ['resource_definition', fromJson(definition as Json) as Value]]))
  },
})

const filled = (spec: Readonly<Record<string, Value | undefined>>): KubeObject =>
  Object.fromEntries(Object.entries(spec).flatMap(([key, value]) => (value === undefined ? [] : [[key, toJson(value)]])))

/** What the task says itself comes before what the definition says. */
function merged(base: KubeObject, over: KubeObject): KubeObject {
  const isObject = (value: Json | undefined): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)
  const entries = Object.entries(over).map(([key, value]) =>
    isObject(value) && isObject(base[key]) ? [key, merged(objectOf(base[key]), objectOf(value))] : [key, value],
  )
  return { ...base, ...(Object.fromEntries(entries) as KubeObject) }
}
