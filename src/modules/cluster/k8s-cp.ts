/** k8s_cp: copies files between the host and a pod. */
import { bool, choice, fallback, path, required, str } from '../../params/index.ts'
import { sh, textOf } from '../../remote/index.ts'
import { defineModule, ModuleFailure } from '../api.ts'
import { connectionParams, kubectlFailure, NO_KUBECTL, objectOf, withKubectl } from './connection.ts'
import { findResource, listObjects } from './resources.ts'

const NO_FILE = 95

export default defineModule({
  name: 'kubernetes.core.k8s_cp',
  aliases: ['community.kubernetes.k8s_cp'],
  summary: 'Copies files to pods and from them.',
  params: {
    ...connectionParams,
    container: str({ description: 'container of the pod; it must be named where there are several' }),
    content: str({ description: 'what the file in the pod is to hold' }),
    local_path: path({ description: 'path on the host' }),
    namespace: required(str({ description: 'namespace of the pod' })),
    no_preserve: fallback(bool({ description: 'owners and modes need not be kept' }), false),
    pod: required(str({ description: 'name of the pod' })),
    remote_path: required(path({ description: 'path in the pod' })),
    state: choice(['to_pod', 'from_pod'], 'to_pod', { description: 'which way' }),
  },
  rules: {
    mutuallyExclusive: [['local_path', 'content']],
    requiredIf: [['state', 'from_pod', ['local_path']]],
    requiredOneOf: [['local_path', 'content']],
  },
  async *run(args, host) {
    const pods = await findResource(host, args, 'v1', 'Pod')
    const [pod] = pods ? await listObjects(host, args, pods, { name: args.pod, namespace: args.namespace }) : []
    if (!pod) throw new ModuleFailure(`Pod ${args.namespace}/${args.pod} not found.`)
    const containers = (objectOf(pod['spec'])['containers'] as { name: string }[] | undefined)?.map((one) => one.name) ?? []
    if (args.container !== undefined && !containers.includes(args.container))
      throw new ModuleFailure(`Pod has no container ${args.container}`)
    if (containers.length > 1 && args.container === undefined)
      throw new ModuleFailure("Pod contains more than 1 container, option 'container' should be set")
    const container = args.container === undefined ? [] : [`--container=${args.container}`]
    const there = `${args.namespace}/${args.pod}:${args.remote_path}`
    const local = args.local_path ?? ''
    const keep = args.no_preserve ? ['--no-preserve=true'] : []
    const body =
      args.state === 'from_pod'
        ? sh`kc cp ${[...container, ...keep, there, local]}`
        : args.content === undefined
          ? sh`[ -e ${local} ] || exit ${NO_FILE}; kc cp ${[...container, ...keep, local, there]}`
          : sh`t=$(umask 077; mktemp) || exit 1; cat >"$t"; kc cp ${[...container, ...keep]} "$t" ${there}; r=$?; rm -f "$t"; exit $r`
    const done = yield {
      what: 'file',
      script: withKubectl(
        args,
        sh`{ ${body}
} >&2`,
      ),
      onFailure: 'tell',
      ...(args.content === undefined ? {} : { stdin: new TextEncoder().encode(args.content) }),
    }
    if (done?.code === NO_KUBECTL) throw kubectlFailure(done)
    if (done?.code === NO_FILE) throw new ModuleFailure(`${local} does not exist in local filesystem`)
    if (done && done.code !== 0) throw new ModuleFailure(`Failed to copy object due to: ${textOf(done.stderr).trim()}`)
    const result =
      args.state === 'from_pod'
        ? `${args.remote_path} successfully copied locally into ${local}`
        : args.content === undefined
          ? `${local} successfully copied into remote Pod into ${args.remote_path}`
          : `Content successfully copied into ${args.remote_path} on remote Pod`
    return { changed: true, result }
  },
})
