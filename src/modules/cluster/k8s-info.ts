/** k8s_info: tells the objects of a Kubernetes cluster that fit a kind, a name, labels or fields. */
import { bool, fallback, int, list, required, str } from '../../params/index.ts'
import { defineModule, ModuleFailure } from '../api.ts'
import { connectionParams } from './connection.ts'
import { findResource, listObjects } from './resources.ts'
import { readiness, waitCondition, waitFor } from './wait.ts'

export default defineModule({
  name: 'kubernetes.core.k8s_info',
  aliases: ['community.kubernetes.k8s_info', 'k8s_facts'],
  summary: 'Tells Kubernetes objects.',
  params: {
    ...connectionParams,
    api_version: fallback(str({ aliases: ['api', 'version'], description: 'API of kind' }), 'v1'),
    field_selectors: list('str', { description: 'only objects with these fields' }),
    kind: required(str({ description: 'kind of the objects' })),
    label_selectors: list('str', { description: 'only objects with these labels' }),
    name: str({ description: 'only the object of this name' }),
    namespace: str({ description: 'only in this namespace; all otherwise' }),
    wait: fallback(bool({ description: 'wait until they are ready' }), false),
    wait_condition: waitCondition,
    wait_sleep: fallback(int({ description: 'seconds between looks' }), 5),
    wait_timeout: fallback(int({ description: 'seconds to wait at most' }), 120),
  },
  async *run(args, host) {
    const resource = await findResource(host, args, args.api_version, args.kind)
    if (!resource) {
      const msg = `Failed to find API for resource with apiVersion "${args.api_version}" and kind "${args.kind}"`
      return { changed: false, resources: [], msg, api_found: false }
    }
    const query = { name: args.name, namespace: args.namespace, labels: args.label_selectors, fields: args.field_selectors }
    if (!args.wait) return { changed: false, resources: await listObjects(host, args, resource, query), api_found: true }
    const waited = await waitFor(host, args, resource, query, args, readiness(resource.kind, args.wait_condition))
    if (!waited.ok)
      throw new ModuleFailure('Failed to gather information about the resources: they are not ready in time', { api_found: true })
    return { changed: false, resources: [...waited.found], api_found: true }
  },
})
