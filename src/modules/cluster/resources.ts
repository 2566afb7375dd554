/** Finds out how the API server names a kind, and lists its objects. */
import type { Json } from '../../base/index.ts'
import { sh, textOf } from '../../remote/index.ts'
import { type Host, ModuleFailure } from '../api.ts'
import { type Connection, type KubeObject, kubectlFailure, NO_KUBECTL, objectOf, parsed, readKubectl } from './connection.ts'

/** A kind as the API server knows it. */
export interface Resource {
  readonly kind: string
  readonly apiVersion: string
  /** plural, as in paths */
  readonly plural: string
  readonly namespaced: boolean
  /** /api/v1 or /apis/group/version */
  readonly base: string
}

const UNKNOWN = 94

/** The kind of an API; undefined where the server has none of that name. Kinds, plurals, singulars and short names are all known. */
export async function findResource(host: Host, connection: Connection, apiVersion: string, kind: string): Promise<Resource | undefined> {
  const base = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`
  const told = await readKubectl(
    host,
    connection,
    sh`kc get --raw ${base} 2>/dev/null && exit 0
kc get --raw /version >/dev/null && exit ${UNKNOWN}`,
  )
  if (told.code === UNKNOWN) return undefined
  if (told.code === NO_KUBECTL) throw kubectlFailure(told)
  if (told.code !== 0) throw new ModuleFailure(`Failed to get client due to ${textOf(told.stderr).trim()}`)
  const found = (parsed(textOf(told.stdout))['resources'] as readonly Json[] | undefined)?.map(objectOf).find((one) => isNamed(one, kind))
  if (!found) return undefined
  return { kind: String(found['kind']), apiVersion, plural: String(found['name']), namespaced: found['namespaced'] === true, base }
}

function isNamed(resource: KubeObject, kind: string): boolean {
  const plural = String(resource['name'])
  if (plural.includes('/')) return false
  const names = [resource['kind'], plural, resource['singularName'], ...((resource['shortNames'] as Json[] | undefined) ?? [])]
  return names.includes(kind) || String(resource['kind']).toLowerCase() === kind.toLowerCase()
}

export interface Query {
  readonly name?: string | undefined
  readonly namespace?: string | undefined
  readonly labels?: readonly string[] | undefined
  readonly fields?: readonly string[] | undefined
}

/** The objects that a query finds; one that asks by name finds one or none. */
export async function listObjects(host: Host, connection: Connection, resource: Resource, query: Query): Promise<KubeObject[]> {
  const path = `${collectionPath(resource, query.namespace)}${questions(query)}`
  const told = await readKubectl(host, connection, sh`kc get --raw ${path}`)
  if (told.code !== 0) throw kubectlFailure(told)
  const items = (parsed(textOf(told.stdout))['items'] as readonly Json[] | null | undefined) ?? []
  return items.map((item) => ({ apiVersion: resource.apiVersion, kind: resource.kind, ...objectOf(item) }))
}

const collectionPath = ({ base, plural, namespaced }: Resource, namespace: string | undefined): string =>
  namespaced && namespace ? `${base}/namespaces/${encodeURIComponent(namespace)}/${plural}` : `${base}/${plural}`

function questions({ name, labels = [], fields = [] }: Query): string {
  const selectors = [...(name === undefined ? [] : [`metadata.name=${name}`]), ...fields]
  const asked = [
    ...(labels.length > 0 ? [`labelSelector=${encodeURIComponent(labels.join(','))}`] : []),
    ...(selectors.length > 0 ? [`fieldSelector=${encodeURIComponent(selectors.join(','))}`] : []),
  ]
  return asked.length > 0 ? `?${asked.join('&')}` : ''
}
