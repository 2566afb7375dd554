/** k8s_cluster_info: tells the kinds that a Kubernetes cluster knows, and how it is reached. */
import type { Json, JsonObject } from '../../base/index.ts'
import { bool, fallback } from '../../params/index.ts'
import { sh, textOf } from '../../remote/index.ts'
import { defineModule, type Host } from '../api.ts'
import { type Connection, connectionParams, kubectlFailure, objectOf, parsed, readKubectl } from './connection.ts'

export default defineModule({
  name: 'kubernetes.core.k8s_cluster_info',
  aliases: ['community.kubernetes.k8s_cluster_info'],
  summary: "Tells a Kubernetes cluster's kinds, address and version.",
  params: { ...connectionParams, invalidate_cache: fallback(bool({ description: 'has no effect: nothing is cached' }), true) },
  async *run(args, host) {
    const [version = '{}', client = '{}', config = '{}', groups = '{}'] = await told(
      host,
      args,
      sh`kc get --raw /version || exit $?; printf '\036'; kc version --client -o json 2>/dev/null; printf '\036'; kc config view --minify --raw -o json 2>/dev/null; printf '\036'; kc get --raw /apis || exit $?`,
    )
    const versions = versionsIn(objectOf(objectOr(groups)))
    const lists = await told(
      host,
      args,
      sh`for p in ${versions.map((one) => one.path)}; do kc get --raw "$p" || exit $?; printf '\036'; done`,
    )
    const apis = Object.fromEntries(versions.map((one, i) => [one.name, kindsIn(objectOr(lists[i] ?? '{}'), one.preferred)]))
    return {
      changed: false,
      apis,
      connection: connectionOf(args, objectOr(config)),
      version: {
        client: String(objectOf(objectOr(client)['clientVersion'])['gitVersion'] ?? '').replace(/^v/, ''),
        server: { kubernetes: objectOr(version) },
      },
    }
  },
})

const objectOr = (text: string): JsonObject => (text.trim().startsWith('{') ? (parsed(text) as JsonObject) : {})

async function told(host: Host, connection: Connection, script: Parameters<typeof readKubectl>[2]): Promise<string[]> {
  const answer = await readKubectl(host, connection, script)
  if (answer.code !== 0) throw kubectlFailure(answer)
  return textOf(answer.stdout).split('\u001e')
}

interface Version {
  readonly name: string
  readonly path: string
  readonly preferred: boolean
}

function versionsIn(groups: JsonObject): Version[] {
  const core = { name: 'v1', path: '/api/v1', preferred: true }
  const list = (value: Json | undefined): JsonObject[] =>
    Array.isArray(value) ? value.map((one) => objectOf(one as Json) as JsonObject) : []
  const others = list(groups['groups']).flatMap((group) => {
    const first = objectOf(group['preferredVersion'])['groupVersion']
    return list(group['versions']).map((one) => {
      const name = String(one['groupVersion'])
      return { name, path: `/apis/${name}`, preferred: name === first }
    })
  })
  return [core, ...others]
}

/** Parts such as a pod's log are no kinds of their own. */
function kindsIn(list: JsonObject, preferred: boolean): JsonObject {
  const resources = Array.isArray(list['resources']) ? list['resources'].map((one) => objectOf(one as Json)) : []
  return Object.fromEntries(
    resources
      .filter((one) => !String(one['name']).includes('/'))
      .map((one) => [
        String(one['kind']),
        {
          categories: (one['categories'] as Json) ?? [],
          name: one['name'] as Json,
          namespaced: one['namespaced'] === true,
          preferred,
          short_names: (one['shortNames'] as Json) ?? [],
          singular_name: (one['singularName'] as Json) ?? '',
        },
      ]),
  )
}

function connectionOf(args: Connection, config: JsonObject): JsonObject {
  const first = (key: string, inner: string): JsonObject => {
    const list = config[key]
    return Array.isArray(list) && list.length > 0 ? (objectOf(objectOf(list[0] as Json)[inner]) as JsonObject) : {}
  }
  const cluster = first('clusters', 'cluster')
  const user = first('users', 'user')
  return {
    cert_file: args.client_cert ?? user['client-certificate'] ?? null,
    host: args.host ?? cluster['server'] ?? null,
    password: args.password ?? null,
    proxy: args.proxy ?? cluster['proxy-url'] ?? null,
    ssl_ca_cert: args.ca_cert ?? cluster['certificate-authority'] ?? null,
    username: args.username ?? null,
    verify_ssl: args.validate_certs ?? cluster['insecure-skip-tls-verify'] !== true,
  }
}
