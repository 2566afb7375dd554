/** k8s_exec: runs a command in a container of a pod. */
import { required, str } from '../../params/index.ts'
import { sh, textOf } from '../../remote/index.ts'
import { defineModule } from '../api.ts'
import { outputs } from '../files/lines.ts'
import { splitWords } from '../files/words.ts'
import { connectionParams, kubectlFailure, NO_KUBECTL, withKubectl } from './connection.ts'

export default defineModule({
  name: 'kubernetes.core.k8s_exec',
  aliases: ['community.kubernetes.k8s_exec'],
  summary: 'Runs a command in a pod.',
  checkMode: false,
  params: {
    ...connectionParams,
    command: required(str({ description: 'the command and its words' })),
    container: str({ description: 'container of the pod; its first otherwise' }),
    namespace: required(str({ description: 'namespace of the pod' })),
    pod: required(str({ description: 'name of the pod, or of what has pods: deployment/name' })),
  },
  async *run(args) {
    const container = args.container === undefined ? [] : [`--container=${args.container}`]
    const words = [`--namespace=${args.namespace}`, ...container, args.pod, '--', ...splitWords(args.command)]
    const done = yield { what: 'command', script: withKubectl(args, sh`kc exec ${words} </dev/null`), onFailure: 'tell' }
    if (!done) return { changed: true }
    if (done.code === NO_KUBECTL) throw kubectlFailure(done)
    const told = outputs(textOf(done.stdout), textOf(done.stderr))
    return { changed: true, ...told, rc: done.code, return_code: done.code }
  },
})
