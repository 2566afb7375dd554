/** k8s_json_patch: changes a Kubernetes object by a list of operations. */
import { isDeepStrictEqual } from 'node:util'
import { type Json, type JsonObject, toJson, type Value } from '../../base/index.ts'
import { bool, fallback, int, list, required, str } from '../../params/index.ts'
import { sh } from '../../remote/index.ts'
import { defineModule, ModuleFailure } from '../api.ts'
import { connectionParams, type KubeObject, kubectlFailure, withKubectl } from './connection.ts'
import { patchJson } from './json-patch.ts'
import { findResource, listObjects } from './resources.ts'
import { readiness, waitCondition, waitFor } from './wait.ts'

export default defineModule({
  name: 'kubernetes.core.k8s_json_patch',
  aliases: ['community.kubernetes.k8s_json_patch'],
  summary: 'Changes Kubernetes objects by operations.',
  params: {
    ...connectionParams,
    api_version: fallback(str({ aliases: ['api', 'version'], description: 'API of kind' }), 'v1'),
    kind: required(str({ description: 'kind of the object' })),
    name: required(str({ description: 'name of the object' })),
    namespace: str({ description: 'namespace of the object' }),
    patch: required(list<Value>('dict', { description: 'the operations: op, path, value or from' })),
    wait: fallback(bool({ description: 'wait until it is ready' }), false),
    wait_condition: waitCondition,
    wait_sleep: fallback(int({ description: 'seconds between looks' }), 5),
    wait_timeout: fallback(int({ description: 'seconds to wait at most' }), 120),
  },
  async *run(args, host) {
    const resource = await findResource(host, args, args.api_version, args.kind)
    if (!resource)
      throw new ModuleFailure(`Failed to find exact match for ${args.api_version}.${args.kind} by [kind, name, singularName, shortNames]`)
    const query = { name: args.name, namespace: resource.namespaced ? args.namespace : undefined }
    const [before] = await listObjects(host, args, resource, query)
    if (!before)
      throw new ModuleFailure(`${args.kind} ${args.name}: Failed to retrieve requested object: it does not exist`, {
        reason: 'Not Found',
        status: 404,
        error: 404,
      })
    const operations = args.patch.map((one) => toJson(one) as JsonObject)
    const planned = patchJson(before as Json, operations) as KubeObject
    if (isDeepStrictEqual(planned, before)) return { changed: false, result: before }
    const [group, version] = args.api_version.includes('/') ? args.api_version.split('/') : ['', args.api_version]
    const target = [`${resource.kind}.${version}.${group}`, args.name, ...(query.namespace ? [`--namespace=${query.namespace}`] : [])]
    const done = yield {
      what: 'object',
      diff: { before: before as JsonObject, after: planned as JsonObject },
      script: withKubectl(args, sh`kc patch ${target} --type=json -p ${JSON.stringify(operations)} >/dev/null`),
      onFailure: 'tell',
    }
    const diff = (after: KubeObject): JsonObject => (host.diff ? { diff: { before: before as Json, after: after as Json } } : {})
    if (!done) return { changed: true, result: planned, ...diff(planned) }
    if (done.code !== 0) throw kubectlFailure(done)
    if (!args.wait) {
      const after = (await listObjects(host, args, resource, query))[0] ?? planned
      return { changed: true, result: after, ...diff(after) }
    }
    const waited = await waitFor(host, args, resource, query, args, readiness(resource.kind, args.wait_condition))
    const result = { result: waited.found[0] ?? planned, duration: waited.duration }
    if (!waited.ok) throw new ModuleFailure('Resource update timed out', { changed: true, ...result })
    return { changed: true, ...result, ...diff(result.result) }
  },
})
