/** kube: applies and deletes Kubernetes objects with the kubectl of the host; never says changed. */
import { bool, choice, fallback, int, list, str } from '../params/index.ts'
import { textOf } from '../remote/index.ts'
import { type Change, type Done, defineModule, type Host, ModuleFailure } from './api.ts'
import { splitLines } from './files/lines.ts'
import { type Ended, endedOf, expandingWord, programScript } from './files/program.ts'

export default defineModule({
  name: 'kube',
  summary: 'Applies and deletes Kubernetes objects with kubectl.',
  checkMode: false,
  params: {
    name: str(),
    filename: list('str', { aliases: ['files', 'file', 'filenames'] }),
    namespace: str(),
    resource: str(),
    label: str(),
    server: str(),
    kubeconfig: str(),
    kubectl: str(),
    force: fallback(bool(), false),
    wait: fallback(bool(), false),
    all: fallback(bool(), false),
    log_level: fallback(int(), 0),
    state: choice(['present', 'absent', 'latest', 'reloaded', 'stopped', 'exists'], 'present'),
    recursive: fallback(bool(), false),
  },
  async *run(args, host) {
    const said = yield* STATES[args.state]!(args, host)
    return { changed: false, msg: said }
  },
})

interface KubeArgs {
  readonly name?: string | undefined
  readonly filename?: readonly string[] | undefined
  readonly namespace?: string | undefined
  readonly resource?: string | undefined
  readonly label?: string | undefined
  readonly server?: string | undefined
  readonly kubeconfig?: string | undefined
  readonly kubectl?: string | undefined
  readonly force: boolean
  readonly wait: boolean
  readonly all: boolean
  readonly log_level: number
  readonly recursive: boolean
}

type Said = AsyncGenerator<Change, string, Done>

const STATES: Readonly<Record<string, (args: KubeArgs, host: Host) => Said>> = {
  present: (args) => apply(args, 'create'),
  latest: (args) => apply(args, 'reload'),
  reloaded: (args) => apply(args, 'reload'),
  absent: (args, host) => take(args, host, 'delete'),
  stopped: (args, host) => take(args, host, 'stop'),
  exists: async function* (args, host) {
    return (await exists(args, host)) ? 'True' : 'False'
  },
}

async function* apply(args: KubeArgs, purpose: string): Said {
  const files = filesOf(args)
  if (files.length === 0) throw new ModuleFailure(`filename required to ${purpose}`)
  const words = [
    'apply',
    '--force',
    ...(args.wait ? ['--wait'] : []),
    ...(args.recursive ? ['--recursive=True'] : []),
    `--filename=${files.join(',')}`,
  ]
  return yield* execute(args, words)
}

async function* take(args: KubeArgs, host: Host, verb: 'delete' | 'stop'): Said {
  if (!args.force && !(await exists(args, host))) return 'success: '
  const purpose = verb === 'delete' ? 'delete without filename' : 'stop without filename'
  return yield* execute(args, [verb, ...target(args, purpose, '--all', args.force ? ['--ignore-not-found'] : [])])
}

async function exists(args: KubeArgs, host: Host): Promise<boolean> {
  const words = ['get', ...target(args, 'without filename', '--all-namespaces', []), '--no-headers']
  const ended = endedOf(await host.look(kubectl(args, words), { onFailure: 'tell' }))
  checkFound(ended, args)
  return ended.rc === 0 && splitLines(textOf(ended.stdout)).length > 0
}

/** Which objects: by file, or by kind, name and label. */
function target(args: KubeArgs, purpose: string, all: string, more: readonly string[]): string[] {
  const files = filesOf(args)
  const recursive = args.recursive ? ['--recursive=True'] : []
  if (files.length > 0) return [`--filename=${files.join(',')}`, ...recursive]
  if (!args.resource) throw new ModuleFailure(`resource required ${purpose === 'without filename' ? purpose : `to ${purpose}`}`)
  return [
    args.resource,
    ...(args.name ? [args.name] : []),
    ...(args.label ? [`--selector=${args.label}`] : []),
    ...(args.all ? [all] : []),
    ...more,
    ...(all === '--all' ? recursive : []),
  ]
}

const filesOf = (args: KubeArgs): string[] => (args.filename ?? []).map((f) => f.trim())

function baseWords(args: KubeArgs): string[] {
  return [
    args.kubectl ?? 'kubectl',
    ...(args.server ? [`--server=${args.server}`] : []),
    ...(args.kubeconfig ? [`--kubeconfig=${args.kubeconfig}`] : []),
    ...(args.log_level ? [`--v=${args.log_level}`] : []),
    ...(args.namespace ? [`--namespace=${args.namespace}`] : []),
  ]
}

const kubectl = (args: KubeArgs, words: readonly string[]) => programScript([...baseWords(args), ...words].map(expandingWord), undefined)

async function* execute(args: KubeArgs, words: readonly string[]): Said {
  const done = yield { what: 'objects', script: kubectl(args, words), onFailure: 'tell', counts: false }
  if (!done) return 'success: '
  const ended = endedOf(done)
  checkFound(ended, args)
  const [out, err] = [textOf(ended.stdout), textOf(ended.stderr)]
  if (ended.rc !== 0) {
    const command = [...baseWords(args), ...words].join(' ')
    throw new ModuleFailure(`error running kubectl (${command}) command (rc=${ended.rc}), out='${out}', err='${err}'`)
  }
  return `success: ${splitLines(out).join(' ')}`
}

function checkFound(ended: Ended, args: KubeArgs): void {
  if (ended.trouble === 'missing' && args.kubectl === undefined)
    throw new ModuleFailure('Failed to find required executable "kubectl" in paths')
  if (ended.trouble)
    throw new ModuleFailure(`error running kubectl (${args.kubectl ?? 'kubectl'}) command: no such program, or no permission to run it`)
}
